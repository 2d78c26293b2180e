// The explorer without a display: for pictures and tests.
#pragma once
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
  /// `link`: the state to start with.
  Headless(std::string_view link, Size size);
  Headless(const Headless&) = delete;
  Headless& operator=(const Headless&) = delete;

  Explorer explorer;
  platform::Driver driver;
};

}  // namespace explorer
