// flashscope-serve: the command that shows the page to browsers.
#include "viz/terminal/command.h"

int main(int argc, char** argv) {
  using namespace terminal;
  return run_command_line(argc, argv, {{"serve", run_serve}});
}
