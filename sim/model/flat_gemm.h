// Flat products (M x K) (K x N), as the linear layers of a decoding step: M rows are the tokens of a batch, few, and
// the weights K x N are many. Three implementations compute them: CUDA cores row by row, tensor cores with M padded to
// 8, and tensor cores with M padded to 64. Formulas; nothing here is replayed or measured.
//
// Inaccuracies: a roofline, two bytes an element, each element moved once. It has no latency and no idle SMs, and these
// are what Hong et al. gain by padding to 8 instead of 64 (up to 52 %): on a roofline both are equal while the bytes of
// the weights decide, up to some 200 rows. So the number of rows from which a library's kernel is faster (M2 of Hong et
// al. 2024, section 5) has to be measured; that from which tensor cores are (M1) follows from rates. A part of the rows
// that is used, as 12.5 % of 64 at M = 8, is not a time: it is not 8 x slower.
// Source: Hong et al. 2024, FlashDecoding++, sections 4 and 5.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/machine/device_spec.h"
#include "sim/programs/plan.h"

namespace sim {

struct FlatGemm {
  std::int64_t m = 1, n = 1, k = 1;
};

/// FLOPs per element that moves if a CTA has b_n columns: 2 M K / (K + M K / B_N + M). A larger B_N reads the rows less
/// often.
double flops_per_element(const FlatGemm& gemm, std::int64_t b_n);

/// CTAs that run at a time if each has b_n columns: N / B_N. A larger B_N leaves SMs idle.
std::int64_t ctas_of_columns(const FlatGemm& gemm, std::int64_t b_n);

/// Multiple that M is padded to; 1: CUDA cores, which pad nothing.
enum class FlatRows : std::int64_t { cuda_cores = 1, padded_to_8 = 8, padded_to_64 = 64 };
inline constexpr FlatRows all_flat_rows[] = {FlatRows::cuda_cores, FlatRows::padded_to_8, FlatRows::padded_to_64};
std::string_view name_of(FlatRows rows);  ///< "padded to 8"

/// Share of the computed rows that are rows of the batch.
double share_of_rows(std::int64_t m, FlatRows rows);

/// The product of a linear layer with as many outputs as inputs, H d, for all queries of a plan: M = B Nq.
FlatGemm projection_of(const Plan& plan);

/// Rates of a device: bytes/s of HBM, FLOP/s of half-precision products on tensor cores, of FP32 on CUDA cores.
struct FlatRates {
  double hbm = 0, tensor = 0, fp32 = 0;
};
FlatRates flat_rates(const DeviceSpec& gpu);

/// Least time that the roofline allows: max(bytes / HBM, FLOPs of the padded rows / peak), in microseconds.
double least_microseconds(const FlatGemm& gemm, FlatRows rows, const FlatRates& rates);

/// The first number of rows, up to `most`, at which one implementation takes longer than another; none: at no number.
std::optional<std::int64_t> first_slower(FlatGemm gemm, FlatRows rows, FlatRows than, const FlatRates& rates,
                                         std::int64_t most);

}  // namespace sim
