#include "sim/model/flat_gemm.h"

#include <algorithm>

#include "sim/base/units.h"
#include "sim/model/roofline.h"

namespace sim {
namespace {

double real_size(std::int64_t n) { return static_cast<double>(n); }

std::int64_t rows_with_padding(std::int64_t m, FlatRows rows) {
  const auto multiple = static_cast<std::int64_t>(rows);
  return checked_multiply(ceil_div(m, multiple), multiple);
}

}  // namespace

std::string_view name_of(FlatRows rows) {
  if (rows == FlatRows::cuda_cores) return /*say*/ "CUDA cores";
  return rows == FlatRows::padded_to_8 ? /*say*/ "padded to 8" : /*say*/ "padded to 64";
}

FlatGemm projection_of(const Plan& plan) {
  const Shape& shape = plan.problem.shape;
  const std::int64_t width = checked_multiply(shape.heads, shape.head_dim);
  return {checked_multiply(shape.batch, shape.seqlen_q), width, width};
}

double flops_per_element(const FlatGemm& gemm, std::int64_t b_n) {
  const double m = real_size(gemm.m), k = real_size(gemm.k);
  return 2 * m * k / (k + m * k / real_size(b_n) + m);
}

std::int64_t ctas_of_columns(const FlatGemm& gemm, std::int64_t b_n) { return ceil_div(gemm.n, b_n); }

double share_of_rows(std::int64_t m, FlatRows rows) { return real_size(m) / real_size(rows_with_padding(m, rows)); }

FlatRates flat_rates(const DeviceSpec& gpu) {
  const Roofs half = roofs_of(gpu, Dtype::fp16), single = roofs_of(gpu, Dtype::fp32);
  return {half.hbm, half.matrix_peak, single.matrix_peak};
}

double least_microseconds(const FlatGemm& gemm, FlatRows rows, const FlatRates& rates) {
  const double m = real_size(gemm.m), n = real_size(gemm.n), k = real_size(gemm.k);
  const double bytes = 2 * (m * k + k * n + m * n), flops = 2 * real_size(rows_with_padding(gemm.m, rows)) * n * k;
  return 1e6 * std::max(bytes / rates.hbm, flops / (rows == FlatRows::cuda_cores ? rates.fp32 : rates.tensor));
}

std::optional<std::int64_t> first_slower(FlatGemm gemm, FlatRows rows, FlatRows than, const FlatRates& rates,
                                         std::int64_t most) {
  constexpr double rounding = 1.0001;
  for (gemm.m = 1; gemm.m <= most; ++gemm.m) {
    if (least_microseconds(gemm, rows, rates) > rounding * least_microseconds(gemm, than, rates)) return gemm.m;
  }
  return std::nullopt;
}

}  // namespace sim
