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

struct Tuning {
  Goal goal = Goal::bytes;
  std::vector<TriedTiles> ranked;  ///< those that fit, best first
  std::int64_t unfit = 0;
  std::vector<LargerTiles> larger;                ///< what binds
  std::optional<TriedTiles> by_kernel, by_paper;  ///< what the tiling rules choose; none where it does not fit
};

/// Tries every Br x Bc of multiples of 16 up to 256 and of 64 up to 1024 (and the kernels' own tiles), fixed where the
/// scenario gives --br or
/// --bc. bytes: least tile traffic, ties by time, then by smaller tiles; time: least predicted time, ties by traffic.
/// Both passes of one scenario get the same tiles. Throws sim::Error when both sides are given, for --tiling paper
/// (where nothing is refused) and when nothing fits.
/// Inaccuracies: time is the roofline bound, which knows no latency; registers are those of the tiles.
Tuning tune(const sim::Scenario& scenario, Goal goal);

}  // namespace terminal
