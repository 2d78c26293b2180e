// The largest tiles that fit, if those of a scenario do not.
#pragma once
#include <optional>

#include "sim/programs/scenario.h"

namespace explorer {

struct TilePair {
  std::int64_t br = 0, bc = 0;
};

/// The tiles of a scenario, with the larger side reduced until they fit, to a multiple of 16 if one fits; with only the
/// other side reduced if that suffices. Empty if the tiles fit, or no such pair does. About 40 simulations.
std::optional<TilePair> largest_tiles(const sim::Scenario& scenario);

}  // namespace explorer
