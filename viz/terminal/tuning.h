// The search for the best tiles of a scenario, and what keeps it from larger ones.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/model/simulation.h"

namespace terminal {

enum class Goal { bytes, time };

/// Tiles that were tried, and what they cost.
struct TriedTiles {
  std::int64_t br = 0, bc = 0;
  std::string text;  ///< "128 x 64"; of a rule that gives each pass its own, "128 x 64, 64 x 128"
  sim::Bytes tile_traffic, hbm_traffic, smem, registers;
  double microseconds = 0;
  std::int64_t ctas_per_sm = 0;  ///< of the longest kernel
  double waves = 0;
};

/// The next larger tiles along one axis that cut it into fewer blocks.
struct LargerTiles {
  std::string step;  ///< "Bc 144"; "Bc" where one block is the whole axis
  bool fits = false;
  std::string outcome;  ///< why it does not fit, or what it costs
};

/// What a tiling rule chooses, or why that does not fit.
struct RuleTiles {
  std::optional<TriedTiles> tiles;
  std::string refusal;
};

struct Tuning {
  Goal goal = Goal::bytes;
  std::vector<TriedTiles> ranked;   ///< those that fit, best first
  std::vector<LargerTiles> larger;  ///< what binds
  RuleTiles by_kernel, by_paper;
  /// The kernels' own tiles, which may differ from pass to pass, beat every single pair.
  bool kernel_rule_wins() const;
};

/// The largest side that tune tries.
inline constexpr std::int64_t largest_tried = 1024;

/// Tries every Br x Bc of multiples of 16 up to 1024 (smaller powers of two where none fits), fixed where the scenario
/// gives --br or --bc. bytes: least tile traffic, ties by time, then by smaller tiles; time: least predicted time, ties
/// by traffic. Both passes of one scenario get the same tiles. Throws sim::Error when both sides are given, for
/// --tiling paper (where nothing is refused) and when nothing fits. Inaccuracies: time is
/// predicted and not validated; registers are those of the tiles.
Tuning tune(const sim::Scenario& scenario, Goal goal);

}  // namespace terminal
