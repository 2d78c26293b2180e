// Element types: their size, and rounding of a float to them as a GPU rounds when it stores.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace sim {

/// Element types of tensors. Users choose among the first four; u8 is for masks, i32 for tables.
enum class Dtype { fp16, bf16, fp32, e4m3, u8, i32 };

std::int64_t size_of(Dtype dtype);      ///< bytes per element: 2, 2, 4, 1, 1, 4
std::string_view name_of(Dtype dtype);  ///< "fp16", "bf16", "fp32", "e4m3", "u8", "i32"

inline constexpr float largest_e4m3 = 448;

/// True for the types of 16 bits, which most kernels for tensor cores take.
constexpr bool is_half(Dtype dtype) { return dtype == Dtype::fp16 || dtype == Dtype::bf16; }

/// Type of the results of a run: its own, but bf16 if its inputs are in 8 bits.
constexpr Dtype result_dtype(Dtype dtype) { return dtype == Dtype::e4m3 ? Dtype::bf16 : dtype; }

/// Type in which a run's inputs are given: its own, but fp32 if they are scaled before they are rounded.
constexpr Dtype given_dtype(Dtype dtype) { return dtype == Dtype::e4m3 ? Dtype::fp32 : dtype; }

/// The nearest value of the type (ties to even); overflow gives infinity, but 448 in e4m3, which has no infinity; NaN
/// stays NaN, subnormals are kept.
float round_to(Dtype dtype, float value);

/// round_to on every element, written so that compilers vectorise it.
void round_all(Dtype dtype, std::span<float> values);

}  // namespace sim
