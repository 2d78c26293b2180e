// The way of one row's scores through a tile: from the product to the weights, as the events of the program make them.
#pragma once
#include "viz/model/microscope.h"

namespace explorer {

/// The scores after one event of the program, or after one formula of an event that runs several.
struct ScoreStrip {
  sim::Tensor tensor = sim::Tensor::none;
  sim::Verb verb = sim::Verb::load;
  std::string equation;       ///< of the line in the program's listing, as markup
  std::string formula;        ///< of a score step: "30*tanh(s/30)"; "" for any other
  std::vector<float> values;  ///< of the keys of the tile; -infinity if hidden
  bool done = false;          ///< the playhead has passed the event
  /// Work for each score.
  double matmul_flops = 0, other_flops = 0, exps = 0, tanhs = 0;
};

/// The strips of the row's current tile, in the order of the program; `keys` are those of the tile.
struct ScoreStrips {
  sim::Interval keys;
  std::vector<ScoreStrip> all;
  bool computing = false;  ///< the values are not there yet
};
/// Computes them from the values of the tile (layers_seen). Empty in kernels that work on no tile of the matrix.
ScoreStrips score_strips(const Model& model, const ShownRow& row);

}  // namespace explorer
