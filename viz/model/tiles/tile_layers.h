// Contents of a tile of the matrix, event by event: S, S scaled, S masked, P, dP, dS.
#pragma once
#include <vector>

#include "sim/base/shape.h"
#include "sim/trace/trace.h"

namespace explorer {

/// True if a tensor has a number per query and key that is worth drawing; false for the dropout mask.
bool holds_matrix(sim::Tensor tensor);
/// True if an event leaves a tile of the matrix on chip.
bool makes_layer(const sim::Event& event);

/// The tile as one event left it.
struct TileLayer {
  sim::Tensor tensor = sim::Tensor::none;
  sim::Verb verb = sim::Verb::load;
  std::vector<float> values;  ///< row-major
  float least = 0, most = 0;  ///< range of the finite values
};

/// Creates a layer with its range. O(values).
TileLayer make_layer(sim::Tensor tensor, sim::Verb verb, std::vector<float> values);

/// A tile during one visit: first its loaded layers, then one for each event of the replay for which makes_layer() is
/// true, in the order of the program.
struct TileLayers {
  sim::Interval queries, keys;
  std::vector<TileLayer> all;
  std::size_t loaded = 0;  ///< number of leading layers that came from HBM

  /// The layer after `events` events; null if there is none yet.
  const TileLayer* after(std::size_t events) const;
  /// The newest layer of a tensor after `events` events, or null.
  const TileLayer* newest(sim::Tensor tensor, std::size_t events) const;
  const TileLayer* newest(sim::Tensor tensor) const { return newest(tensor, all.size()); }
};

}  // namespace explorer
