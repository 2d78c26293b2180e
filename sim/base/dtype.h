// Element types: their size, and rounding of a float to them as a GPU rounds when it stores.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace sim {

/// Element types of tensors. Users choose among fp16, bf16 and fp32; u8 is for masks, i32 for tables.
enum class Dtype { fp16, bf16, fp32, u8, i32 };

std::int64_t size_of(Dtype dtype);      ///< bytes per element: 2, 2, 4, 1, 4
std::string_view name_of(Dtype dtype);  ///< "fp16", "bf16", "fp32", "u8", "i32"

/// The nearest value of the type (ties to even); overflow gives infinity, NaN stays NaN, subnormals are kept.
float round_to(Dtype dtype, float value);

/// round_to on every element, written so that compilers vectorise it.
void round_all(Dtype dtype, std::span<float> values);

}  // namespace sim
