#include "viz/model/tiles/tile_layers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/trace/tensors.h"

namespace explorer {

using sim::Tensor;

bool holds_matrix(Tensor tensor) { return is_score_matrix(tensor) && tensor != Tensor::mask; }

bool makes_layer(const sim::Event& event) {
  const bool works = event.direction == sim::Direction::none && event.verb != sim::Verb::fill;
  return works && holds_matrix(event.tensor);
}

TileLayer make_layer(Tensor tensor, sim::Verb verb, std::vector<float> values) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  float least = infinity, most = -infinity;
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  if (least > most) least = most = 0;
  return {tensor, verb, std::move(values), least, most};
}

const TileLayer* TileLayers::after(std::size_t events) const {
  const std::size_t count = std::min(loaded + events, all.size());
  return count == 0 ? nullptr : &all[count - 1];
}

const TileLayer* TileLayers::newest(Tensor tensor, std::size_t events) const {
  for (std::size_t n = std::min(loaded + events, all.size()); n > 0; --n) {
    if (all[n - 1].tensor == tensor) return &all[n - 1];
  }
  return nullptr;
}

}  // namespace explorer
