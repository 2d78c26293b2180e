// Order of the axes in files of Q, K, V, O and their gradients.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/npy.h"

namespace results {

/// bhnd is (batch, heads, N, d), as in the simulator and PyTorch's scaled_dot_product_attention; bnhd is (batch, N,
/// heads, d), as in the flash-attn library. Without batch: (heads, N, d) and (N, heads, d); (N, d) is one head in both.
enum class HeadLayout { bhnd, bnhd };
HeadLayout head_layout_called(const std::string& name);  ///< accepts "bhnd" and "bnhd"

/// Batch, heads, rows, d.
using HeadSizes = std::array<std::int64_t, 4>;

/// The sizes of a file's axes. Throws sim::Error, naming `option`, for a rank other than 2, 3 and 4.
HeadSizes head_sizes(const sim::NpyArray& array, HeadLayout layout, const std::string& option);

/// Converts values of a file to the order (batch, heads, N, d), and back.
std::vector<float> from_layout(HeadLayout layout, const HeadSizes& sizes, std::vector<float> values);
std::vector<float> to_layout(HeadLayout layout, const HeadSizes& sizes, std::vector<float> values);

/// The axes of a file of a rank.
std::vector<std::int64_t> axes_in(HeadLayout layout, const HeadSizes& sizes, std::size_t rank);

}  // namespace results
