// flashscope-kernels: the commands that run kernels, on the emulated device or a GPU.
#include "viz/terminal/command.h"

int main(int argc, char** argv) {
  using namespace terminal;
  return run_command_line(argc, argv, {{"verify", run_verify}, {"bench", run_bench}});
}
