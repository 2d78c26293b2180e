// flashscope screenshot in a build that lacks the packages of the explorer.
#include "viz/terminal/command.h"

namespace terminal {

int run_screenshot(const Arguments&) {
  throw MissingCapability("screenshot: this build has no explorer: " FLASHSCOPE_MISSING ", then build again");
}

}  // namespace terminal
