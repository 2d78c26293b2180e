// flashscope verify and bench in a build that lacks a package of the kernels.
#include "viz/terminal/command.h"

namespace terminal {
namespace {

[[noreturn]] void say_missing(const char* command) {
  throw MissingCapability(sim::text(command, ": this build has no kernels: " FLASHSCOPE_MISSING ", then build again"));
}

}  // namespace

int run_verify(const Arguments&) { say_missing("verify"); }

int run_bench(const Arguments&) { say_missing("bench"); }

}  // namespace terminal
