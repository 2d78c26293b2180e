#include "viz/results/head_layout.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace results {
namespace {

/// Transposes (batch, first, second, d) to (batch, second, first, d).
std::vector<float> swapped(const std::vector<float>& values, std::int64_t batch, std::int64_t first,
                           std::int64_t second, std::int64_t d) {
  std::vector<float> result(values.size());
  auto to = result.begin();
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t j = 0; j < second; ++j) {
      for (std::int64_t i = 0; i < first; ++i) {
        const auto from = values.begin() + ((b * first + i) * second + j) * d;
        to = std::copy(from, from + d, to);
      }
    }
  }
  return result;
}

}  // namespace

HeadLayout head_layout_called(const std::string& name) { return name == "bnhd" ? HeadLayout::bnhd : HeadLayout::bhnd; }

HeadSizes head_sizes(const sim::NpyArray& array, HeadLayout layout, const std::string& option) {
  const std::size_t rank = array.shape.size();
  const bool heads_last = layout == HeadLayout::bnhd;
  sim::require(rank >= 2 && rank <= 4, option, ": an array of rank ", rank, ", allowed are ",
               heads_last ? "(N, d), (N, H, d) and (B, N, H, d)" : "(N, d), (H, N, d) and (B, H, N, d)");
  HeadSizes sizes{1, 1, 1, 1};
  std::copy(array.shape.begin(), array.shape.end(), sizes.begin() + static_cast<std::ptrdiff_t>(4 - rank));
  if (heads_last && rank > 2) std::swap(sizes[1], sizes[2]);
  return sizes;
}

std::vector<float> from_layout(HeadLayout layout, const HeadSizes& sizes, std::vector<float> values) {
  const auto [batch, heads, rows, d] = sizes;
  return layout == HeadLayout::bhnd ? std::move(values) : swapped(values, batch, rows, heads, d);
}

std::vector<float> to_layout(HeadLayout layout, const HeadSizes& sizes, std::vector<float> values) {
  const auto [batch, heads, rows, d] = sizes;
  return layout == HeadLayout::bhnd ? std::move(values) : swapped(values, batch, heads, rows, d);
}

std::vector<std::int64_t> axes_in(HeadLayout layout, const HeadSizes& sizes, std::size_t rank) {
  std::vector<std::int64_t> axes(sizes.begin(), sizes.end());
  if (layout == HeadLayout::bnhd && rank > 2) std::swap(axes[1], axes[2]);
  axes.erase(axes.begin(), axes.end() - static_cast<std::ptrdiff_t>(rank));
  return axes;
}

}  // namespace results
