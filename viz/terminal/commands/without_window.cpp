// flashscope explore in a build that lacks the packages of the window.
#include "viz/terminal/command.h"

namespace terminal {

int run_explore(const Arguments&) {
  throw MissingCapability("explore: this build has no window: " FLASHSCOPE_MISSING
                          ", then build again; until then, flashscope screenshot draws the same picture");
}

}  // namespace terminal
