// What would fit where tiles do not.
#pragma once
#include <optional>

#include "sim/programs/scenario.h"

namespace explorer {

struct TilePair {
  std::int64_t br = 0, bc = 0;
};

/// The tiles of a scenario with the larger of its sides made smaller until they fit, to a multiple of 16 where there is
/// one: the other side first, where that is enough. Nothing when the tiles fit, or when no such pair does. Some 40
/// countings.
std::optional<TilePair> largest_tiles(const sim::Scenario& scenario);

}  // namespace explorer
