#include "sim/model/sparse_weights.h"

#include <algorithm>
#include <cmath>

#include "sim/base/text.h"
#include "sim/base/units.h"

namespace sim {
namespace {

constexpr std::int64_t rows_of_cta = 128, element_bytes = 2, index_entry = 4;

}  // namespace

SparseWork sparse_work(const FlatGemm& gemm, const SparseWeights& weights) {
  const std::int64_t b = weights.block;
  require(b > 0 && gemm.k % b == 0 && gemm.n % b == 0, "sparse: blocks of ", b, " do not divide weights of ", gemm.k,
          " x ", gemm.n);
  require(weights.density > 0 && weights.density <= 1, "sparse: a share of ", weights.density,
          " of the blocks; above 0 and at most 1");
  const double all = static_cast<double>((gemm.k / b) * (gemm.n / b));
  const std::int64_t ctas = ceil_div(gemm.m, rows_of_cta);
  SparseWork work;
  work.blocks = static_cast<std::int64_t>(std::ceil(all * weights.density - 1e-9));
  const std::int64_t elements = work.blocks * b * b;
  work.flops = 2 * gemm.m * elements;
  work.hbm_bytes = element_bytes * (gemm.m * gemm.k + elements + gemm.m * gemm.n);
  work.x_tile_bytes = element_bytes * gemm.m * b * work.blocks;
  work.w_tile_bytes = element_bytes * ctas * elements;
  work.index_bytes = index_entry * ctas * work.blocks;
  return work;
}

SparseGain sparse_gain(const FlatGemm& gemm, const SparseWeights& weights, const DeviceSpec& gpu) {
  const FlatRates rates = flat_rates(gpu);
  const SparseWork work = sparse_work(gemm, weights);
  const auto seconds = [](std::int64_t amount, double rate) { return static_cast<double>(amount) / rate; };
  const double dense = least_microseconds(gemm, FlatRows::padded_to_8, rates) / 1e6,
               without_l2 = std::max(seconds(work.flops, rates.tensor), seconds(work.hbm_bytes, rates.hbm)),
               l2 = seconds(work.tile_bytes(), static_cast<double>(gpu.l2_bytes_per_second));
  return {dense / without_l2, dense / std::max(without_l2, l2)};
}

}  // namespace sim
