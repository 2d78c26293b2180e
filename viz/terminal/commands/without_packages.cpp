// Commands in a build that lacks their packages. A library that has no other source for them defines which: how to
// install what is missing.
#include "viz/terminal/command.h"

namespace terminal {

#ifdef FLASHSCOPE_WITHOUT_KERNELS
namespace {

[[noreturn]] void say_missing(const char* command) {
  throw MissingCapability(
      sim::text(command, ": this build has no kernels: " FLASHSCOPE_WITHOUT_KERNELS ", then build again"));
}

}  // namespace

int run_verify(const Arguments&) { say_missing("verify"); }

int run_bench(const Arguments&) { say_missing("bench"); }
#endif

#ifdef FLASHSCOPE_WITHOUT_PICTURES
int run_screenshot(const Arguments&) {
  throw MissingCapability("screenshot: this build has no explorer: " FLASHSCOPE_WITHOUT_PICTURES ", then build again");
}
#endif

#ifdef FLASHSCOPE_WITHOUT_WINDOW
int run_explore(const Arguments&) {
  throw MissingCapability("explore: this build has no window: " FLASHSCOPE_WITHOUT_WINDOW
                          ", then build again; until then, flashscope screenshot draws the same picture");
}
#endif

#ifdef FLASHSCOPE_WITHOUT_SERVER
int run_serve(const Arguments&) {
  throw MissingCapability("serve: this build has no server: " FLASHSCOPE_WITHOUT_SERVER
                          ", then build again; until then, build/flashscope.html needs none");
}
#endif

}  // namespace terminal
