// What a tile of the matrix holds, event after event: S, S scaled, S masked, P, dP, dS.
#pragma once
#include <vector>

#include "sim/base/shape.h"
#include "sim/trace/trace.h"

namespace explorer {

/// Whether a tensor has a number for each query and key that is worth a picture; the dropout mask is left out.
bool holds_matrix(sim::Tensor tensor);
/// Whether an event leaves a tile of the matrix behind, on chip.
bool makes_layer(const sim::Event& event);

/// The tile as one event left it behind.
struct TileLayer {
  sim::Tensor tensor = sim::Tensor::none;
  sim::Verb verb = sim::Verb::load;
  std::vector<float> values;  ///< row-major
  float least = 0, most = 0;  ///< of the finite ones
};

/// O(values).
TileLayer make_layer(sim::Tensor tensor, sim::Verb verb, std::vector<float> values);

/// A tile in one visit: first what was loaded of it, then a layer for each event of the replay that makes_layer(), in
/// the order of the program.
struct TileLayers {
  sim::Interval queries, keys;
  std::vector<TileLayer> all;
  std::size_t loaded = 0;  ///< the first so many came from HBM

  /// The layer after so many events; null before there is any.
  const TileLayer* after(std::size_t events) const;
  /// The newest layer of a tensor after so many events, or null.
  const TileLayer* newest(sim::Tensor tensor, std::size_t events) const;
  const TileLayer* newest(sim::Tensor tensor) const { return newest(tensor, all.size()); }
};

}  // namespace explorer
