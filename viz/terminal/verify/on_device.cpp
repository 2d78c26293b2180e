#include "viz/terminal/command.h"
#include "viz/terminal/verify/devices.h"

namespace terminal {

int on_device(int (*run)(const Arguments&), const Arguments& arguments) {
  try {
    return run(arguments);
  } catch (const dev::DeviceError& error) {
    if (error.kind != dev::DeviceError::Kind::missing) throw;
    throw MissingCapability(error.what());
  }
}

}  // namespace terminal
