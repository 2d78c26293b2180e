// Checks the results of a timed run: every element of the outputs was written, and samples agree with a reference in
// double. `verify` compares every value; this is fast at the largest sizes as well.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "kernels/bench/buffers.h"

namespace bench {

/// One output: number of elements never written, and the largest error of the samples next to the bound of the numerics
/// rule (sim/model/numerics_rule.h).
struct SampledTensor {
  sim::Tensor tensor = sim::Tensor::none;
  std::int64_t unwritten = 0;
  std::int64_t samples = 0;  ///< elements compared
  double error = 0, allowed = 0;
  bool within() const { return std::isfinite(allowed) && error <= allowed; }  ///< an infinite bound fails
  bool ok() const { return unwritten == 0 && within(); }
};

struct Samples {
  std::vector<SampledTensor> tensors;
  std::string left_out;  ///< reason why some values were not compared; "" if all were
  bool ok() const;
};

/// Checks the outputs of a set that ran. O and dQ: the first, a middle and the last query rows, each in another head,
/// which form a small attention with the keys of their head. dK and dV: some keys, given the kernel's L and O. Cost:
/// O(samples x N d). Left out: dropout, a window without causal, and dK and dV if no L is stored.
Samples sample(const Buffers& buffers, std::size_t set, DrawnInputs& inputs);

}  // namespace bench
