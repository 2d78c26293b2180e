#include "viz/terminal/verify/on_device.h"

#include "kernels/dev/device.h"
#include "viz/terminal/command.h"

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
