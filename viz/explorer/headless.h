// Explorer without a display: for pictures and tests.
#pragma once
#include "sim/machine/device_spec.h"
#include "viz/explorer/explorer.h"
#include "viz/platform/driver.h"

namespace explorer {

/// Size in device pixels, and device pixels per CSS pixel.
struct Size {
  int width = 1600, height = 1000;
  float dpr = 1;
};

/// A window whose user is `driver`. The driver draws with the explorer, so neither may be moved.
class Headless {
 public:
  /// `link`: the initial state. `gpu`: finds its devices.
  Headless(std::string_view link, Size size, sim::GpuLookup gpu = sim::built_in_gpu);
  Headless(const Headless&) = delete;
  Headless& operator=(const Headless&) = delete;

  /// Draws until all computations are done, so that no panel waits for its numbers. Gives up after 10,000 slices of
  /// work, some 40 s: the picture then shows what there is.
  void finish();

  Explorer explorer;
  platform::Draw over;  ///< draws over the panels, if set
  platform::Driver driver;
};

}  // namespace explorer
