// flashscope: the command line.
#include "viz/terminal/command.h"

int main(int argc, char** argv) { return terminal::run_command_line({argv + 1, argv + argc}); }
