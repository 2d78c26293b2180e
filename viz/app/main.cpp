// flashscope: the command line. Runs commands that need only the simulator; the rest are in separate programs.
#include "viz/terminal/command.h"

int main(int argc, char** argv) {
  using namespace terminal;
  return run_command_line(argc, argv,
                          {{"demo", run_demo},
                           {"simulate", run_simulate},
                           {"compare", run_compare},
                           {"sweep", run_sweep},
                           {"tune", run_tune},
                           {"validate", run_validate},
                           {"evidence", run_evidence},
                           {"devices", run_devices},
                           {"algorithms", run_algorithms},
                           {"options", run_options},
                           {"counters", run_counters},
                           {"lesson", run_lesson},
                           {"grade", run_grade},
                           {"tour", run_tour},
                           {"build", run_build},
                           {"test", run_test},
                           {"completion", run_completion},
                           {"manual", run_manual}});
}
