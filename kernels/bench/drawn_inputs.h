// Random numbers for inputs, drawn once for all scenarios.
#pragma once
#include <map>
#include <span>
#include <vector>

#include "sim/base/attention.h"
#include "sim/trace/tensors.h"

namespace bench {

/// N(0, 1) by Philox: the first n elements of a tensor equal those that sim::draw_inputs draws for a shape of n
/// elements, so inputs of a scenario equal those of `verify`. Costs about 40 ns per element and core, once.
class DrawnInputs {
 public:
  DrawnInputs(sim::Dtype dtype, std::uint64_t seed) : dtype_(dtype), seed_(seed) {}
  sim::Dtype dtype() const { return dtype_; }
  std::uint64_t seed() const { return seed_; }

  /// Returns the first elements of a tensor in the dtype, drawing them if needed. Valid until more are drawn.
  std::span<const unsigned char> bytes(sim::Tensor tensor, std::int64_t elements);
  /// Returns a range of elements as fp32.
  std::vector<float> floats(sim::Tensor tensor, sim::Interval elements);

 private:
  /// Draws at least `elements` elements of each of Q, K, V and dO, one thread each.
  void draw(std::int64_t elements);
  sim::Dtype dtype_;
  std::uint64_t seed_;
  std::map<sim::Tensor, std::vector<unsigned char>> drawn_;
};

/// Q, K, V and dO.
const std::vector<sim::Tensor>& drawn_tensors();

}  // namespace bench
