// One pair of tile sizes, tried: what it costs, or why it does not fit. `flashscope tune` and the tile picker rank
// them.
#pragma once
#include <optional>
#include <string>

#include "sim/model/simulation.h"

namespace sim {

/// Tiles that were tried, and their cost. A tiling rule may give each pass its own: br and bc are the first pass's.
struct TriedTiles {
  std::int64_t br = 0, bc = 0;
  Bytes tile_traffic, hbm_traffic;
  bool hbm_counted = true;  ///< else hbm_traffic is not known
  Bytes smem, registers;    ///< the most of any kernel, of one CTA
  double microseconds = 0;  ///< predicted; NaN if the device has no time
  // Properties of the longest kernel:
  std::int64_t ctas_per_sm = 0;
  double waves = 0;
  std::optional<bool> compiled = {};  ///< a kernel for these tiles exists (is_compiled); nothing: no kernel is known
  std::string occupancy_limit;        ///< limit on the CTAs of an SM: "SMEM", "registers", "threads", "CTA slots"
  std::string bound_by;               ///< resource that takes most of its time
};

struct TileAttempt {
  std::optional<TriedTiles> tiles;
  Sentence refusal;  ///< reason why they do not fit; empty if they do
  bool fits() const { return tiles.has_value(); }
};

/// Counts the scenario with these tiles; where one is not given, the tiling rule chooses it. Some 0.1 ms, and a
/// microsecond for each row block. Throws Error for what is wrong with the scenario itself.
TileAttempt try_tiles(Scenario scenario, std::optional<std::int64_t> br, std::optional<std::int64_t> bc);

enum class Goal { bytes, time };

/// bytes: the least tile traffic, ties by time; time: compiled tiles before others, then the least predicted time, ties
/// by traffic; then the smaller tiles.
bool better(const TriedTiles& a, const TriedTiles& b, Goal goal);

inline constexpr std::int64_t tile_step = 16;             ///< rows that a tensor core takes at a time
inline constexpr std::int64_t largest_tried_tile = 1024;  ///< the largest side that is tried

/// The sides to try along an axis: multiples of 16 as far as it reaches, at most 1024, and blocks can be counted.
std::vector<std::int64_t> tile_sizes(std::int64_t extent);

/// The sides to try where not even 16 x 16 fits.
inline const std::vector<std::int64_t> small_tile_sizes = {1, 2, 4, 8, 16};

}  // namespace sim
