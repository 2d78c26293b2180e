// Waits for the long computations that a window shows.
#pragma once
#include "viz/explorer/headless.h"

/// Until there is nothing left to do and all of it is drawn.
inline void finish(explorer::Headless& window) {
  window.driver.settle();  // what the last input did
  window.finish();
}
