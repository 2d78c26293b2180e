// flashscope: the command line.
#include "viz/terminal/command.h"

int main(int argc, char** argv) {
  if (argc < 1) return terminal::run_command_line("", {});
  return terminal::run_command_line(argv[0], {argv + 1, argv + argc});
}
