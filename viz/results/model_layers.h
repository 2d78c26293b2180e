// The layers of a config.json, one by one: which keys each sees, with which heads, and whether it keeps K and V.
#pragma once
#include <string>
#include <vector>

#include "sim/programs/scenario.h"
#include "viz/results/model_source.h"

namespace results {

struct ModelLayer {
  std::string label = "full";  ///< "full", "windowed", "chunked", or the name of a layer without attention
  bool attends = true;         ///< false: a linear, recurrent, convolution or feed-forward layer
  bool caches = true;          ///< false: it reads K and V of another layer
  std::int64_t heads = 0;
  sim::LayerKind kind;  ///< count 1, with KV heads and head dim
};

/// Returns the layers of a config; `counted` is false if it does not say how many there are: one period of them is then
/// returned. Throws sim::Error for lists that do not name each layer, unknown kinds, and sizes out of range.
std::vector<ModelLayer> model_layers(const ModelSource& source, std::vector<std::string>& beyond, bool& counted);

}  // namespace results
