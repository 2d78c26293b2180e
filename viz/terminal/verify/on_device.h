// A command that needs a device.
#pragma once
#include "viz/terminal/arguments.h"

namespace terminal {

/// What the command `run` returns; a device that is missing becomes a capability that is.
int on_device(int (*run)(const Arguments&), const Arguments& arguments);

}  // namespace terminal
