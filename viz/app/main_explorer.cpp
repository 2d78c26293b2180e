// flashscope-explorer: the window, and its pictures without a display.
#include "viz/terminal/command.h"

int main(int argc, char** argv) {
  using namespace terminal;
  return run_command_line(argc, argv, {{"explore", run_explore}, {"screenshot", run_screenshot}});
}
