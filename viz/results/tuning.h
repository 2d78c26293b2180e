// The search for the best tiles of a scenario, and what keeps it from larger ones.
#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/tile_attempt.h"

namespace results {

using sim::Goal;

/// Tiles that were tried, with their name: "128 x 64"; of a rule that gives each pass its own, "128 x 64, 64 x 128".
struct TriedTiles : sim::TriedTiles {
  std::string text;
};

/// The next larger tiles along one axis that cut it into fewer blocks.
struct LargerTiles {
  std::string step;  ///< "Bc 144"; "Bc" where one block is the whole axis
  bool fits = false;
  std::string outcome;  ///< reason why it does not fit, or its cost
};

/// Tiles that a tiling rule chooses, or the reason why they do not fit.
struct RuleTiles {
  std::optional<TriedTiles> tiles;
  std::string refusal;
};

struct Tuning {
  Goal goal = Goal::bytes;
  std::vector<TriedTiles> ranked;   ///< tiles that fit, best first
  std::vector<LargerTiles> larger;  ///< larger tiles that are limited
  RuleTiles by_kernel, by_paper;
  /// The kernels' own tiles, which may differ from pass to pass, beat every single pair.
  bool kernel_rule_wins() const;
};

/// Told how many of the tilings have been tried; may throw to end the search.
using TuneProgress = std::function<void(std::int64_t done, std::int64_t all)>;

/// Tries every Br x Bc of multiples of 16 up to 1024 (smaller powers of two where none fits), fixed where the scenario
/// gives --br or --bc. bytes: least tile traffic, ties by time, then by smaller tiles; time: compiled tiles first, then
/// least predicted time, ties by traffic. Both passes of one scenario get the same tiles. Throws sim::Error when both
/// sides are given, for
/// --tiling paper (where nothing is refused) and when nothing fits. Inaccuracies: those of the predicted time;
/// registers are those of the tiles.
Tuning tune(const sim::Scenario& scenario, Goal goal, const TuneProgress& progress = {});

/// Tiles that were tried; the outcome with the `top` best of them: `tune --format json`. `plan`: with the best tiles.
nlohmann::ordered_json tiles_json(const TriedTiles& tiles);
nlohmann::ordered_json tuning_json(const Tuning& tuning, const sim::Plan& plan, std::size_t top);

}  // namespace results
