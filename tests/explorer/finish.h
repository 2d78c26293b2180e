// Waits for the long computations that a window shows.
#pragma once
#include "viz/explorer/headless.h"

/// Slices and frames until there is nothing left to do and all of it is drawn. What is computed may ask for more.
inline void finish(explorer::Headless& window) {
  for (bool busy = true; busy;) {
    busy = false;
    while (window.explorer.update(0)) busy = true;
    window.driver.settle();
  }
}
