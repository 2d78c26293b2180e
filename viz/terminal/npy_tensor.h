// Tensors of a run as .npy files have them.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/programs/program.h"

namespace terminal {

/// (batch, heads, rows, columns), without what a lower rank leaves out in front; statistics have one dimension less.
inline std::vector<std::int64_t> npy_sizes(const sim::Problem& problem, sim::Tensor tensor, std::size_t rank = 4) {
  const sim::HbmTensor& like = problem.hbm[tensor];
  const std::int64_t heads = like.per_kv_head ? problem.shape.kv_heads : problem.shape.heads;
  std::vector<std::int64_t> sizes = {problem.shape.batch, heads, like.rows, like.cols};
  sizes.erase(sizes.begin(), sizes.end() - static_cast<std::ptrdiff_t>(rank));
  if (sim::is_statistic(tensor)) sizes.pop_back();
  return sizes;
}

/// f2 for fp16; bf16, which .npy does not know, goes as f4.
inline const char* npy_dtype(sim::Dtype dtype) { return dtype == sim::Dtype::fp16 ? "f2" : "f4"; }

}  // namespace terminal
