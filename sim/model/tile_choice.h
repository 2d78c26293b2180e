// Cost of taking the tiles that the model predicts to be fastest, by times that were recorded with several tiles.
#pragma once
#include <string>
#include <vector>

#include "sim/model/validation.h"

namespace sim {

/// Recorded times of one kernel at one work that differ in tiles alone.
struct TileChoice {
  std::vector<const Prediction*> tiles;   ///< the tiles recorded
  const Prediction* predicted = nullptr;  ///< the tiles that are predicted fastest
  const Prediction* fastest = nullptr;    ///< the tiles that were fastest
  double cost() const { return predicted->published / fastest->published - 1; }
};

/// The choices of one group of points on one GPU.
struct TileChoices {
  std::string group, gpu, algorithm;
  std::vector<TileChoice> choices;
  std::int64_t good() const;  ///< number of choices that cost at most `good_choice`
  double mean_cost() const;
  const TileChoice& worst() const;  ///< the first that costs the most
};

/// Largest cost of a good choice: tiles within it are as fast as a second recording of the best.
inline constexpr double good_choice = 0.05;

/// Choices among scored points with tiles set by hand, in table order. A work that was recorded with one tile is not a
/// choice.
std::vector<TileChoices> tile_choices(const Validation& validation);

}  // namespace sim
