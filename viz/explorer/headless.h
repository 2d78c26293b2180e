// The explorer without a display: for pictures and tests.
#pragma once
#include "sim/machine/device_spec.h"
#include "viz/explorer/explorer.h"
#include "viz/platform/driver.h"

namespace explorer {

/// Device pixels, and how many of them make a CSS pixel.
struct Size {
  int width = 1600, height = 1000;
  float dpr = 1;
};

/// A window that `driver` plays the user of. The driver draws with the explorer: both stay where they are.
class Headless {
 public:
  /// `link`: the state to start with. `gpu`: where its devices are looked up.
  Headless(std::string_view link, Size size, sim::GpuLookup gpu = sim::built_in_gpu);
  Headless(const Headless&) = delete;
  Headless& operator=(const Headless&) = delete;

  /// Draws until nothing is computed any more, so that no panel waits for its numbers. Gives up after 10,000 slices of
  /// work, some 40 s: then the picture shows what there is.
  void finish();

  Explorer explorer;
  platform::Draw over;  ///< draws over the panels, where there is something
  platform::Driver driver;
};

}  // namespace explorer
