// The order of the axes in files of Q, K, V, O and their gradients.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/npy.h"

namespace results {

/// (batch, heads, N, d), as the simulator and PyTorch's scaled_dot_product_attention have it, or (batch, N, heads, d),
/// as the flash-attn library has it. Without batch (heads, N, d) and (N, heads, d); (N, d) is one head in both.
enum class HeadLayout { bhnd, bnhd };
HeadLayout head_layout_called(const std::string& name);  ///< one of "bhnd" and "bnhd"

/// Batch, heads, rows, d.
using HeadSizes = std::array<std::int64_t, 4>;

/// The sizes of a file. Throws sim::Error for a rank other than 2, 3 and 4; `option` names it.
HeadSizes head_sizes(const sim::NpyArray& array, HeadLayout layout, const std::string& option);

/// Values in the order of (batch, heads, N, d) from those of a file, and back.
std::vector<float> from_layout(HeadLayout layout, const HeadSizes& sizes, std::vector<float> values);
std::vector<float> to_layout(HeadLayout layout, const HeadSizes& sizes, std::vector<float> values);

/// The axes of a file of that rank.
std::vector<std::int64_t> axes_in(HeadLayout layout, const HeadSizes& sizes, std::size_t rank);

}  // namespace results
