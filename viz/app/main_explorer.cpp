// flashscope-explorer: the window, its pictures without a display, and its tour in the terminal.
#include "viz/terminal/command.h"

int main(int argc, char** argv) {
  using namespace terminal;
  return run_command_line(argc, argv, {{"explore", run_explore}, {"screenshot", run_screenshot}, {"tour", run_tour}});
}
