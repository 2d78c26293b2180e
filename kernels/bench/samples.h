// Whether what was timed is right: every element of the outputs was written, and samples agree with a reference in
// double. `verify` looks at every value; this goes up to the largest sizes in no time.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "kernels/bench/buffers.h"

namespace bench {

/// One output: elements that still hold what memory was filled with, and the largest error of the samples beside what
/// the numerics rule (sim/model/numerics_rule.h) lets pass.
struct SampledTensor {
  sim::Tensor tensor = sim::Tensor::none;
  std::int64_t unwritten = 0;
  std::int64_t samples = 0;  ///< elements compared
  double error = 0, allowed = 0;
  bool within() const { return std::isfinite(allowed) && error <= allowed; }  ///< a bound that is none bounds nothing
  bool ok() const { return unwritten == 0 && within(); }
};

struct Samples {
  std::vector<SampledTensor> tensors;
  std::string left_out;  ///< why some values were not compared; "" when nothing was left out
  bool ok() const;
};

/// Looks at the outputs of a set that ran. O and dQ: the first, a middle and the last query rows of as many heads,
/// which with their keys are an attention of their own. dK and dV: some keys, given the kernel's L and O. Cost:
/// O(samples x N d). Dropout and a window without causal are left out, and dK and dV where no L is stored.
Samples sample(const Buffers& buffers, std::size_t set, DrawnInputs& inputs);

}  // namespace bench
