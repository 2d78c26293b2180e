// flashscope serve in a build that lacks its package.
#include "viz/terminal/command.h"

namespace terminal {

int run_serve(const Arguments&) {
  throw MissingCapability("serve: this build has no server: " FLASHSCOPE_MISSING
                          ", then build again; until then, build/flashscope.html needs none");
}

}  // namespace terminal
