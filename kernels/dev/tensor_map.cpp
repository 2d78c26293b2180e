#include "kernels/dev/tensor_map.h"

#include "sim/base/check.h"

namespace dev {
namespace {

constexpr std::int64_t most_in_box = 256, most_extent = std::int64_t{1} << 32, most_stride = std::int64_t{1} << 40;

std::string dimension_refusal(const TiledTensor& tensor, std::size_t n) {
  if (tensor.box[n] < 1 || tensor.box[n] > most_in_box)
    return sim::text("a box of ", tensor.box[n], " along dimension ", n, "; allowed are 1 to ", most_in_box);
  if (tensor.extent[n] < 1 || tensor.extent[n] > most_extent)
    return sim::text("an extent of ", tensor.extent[n], " along dimension ", n, "; allowed are 1 to ", most_extent);
  if (n > 0 && (tensor.stride[n] < 16 || tensor.stride[n] % 16 != 0 || tensor.stride[n] >= most_stride))
    return sim::text("a stride of ", tensor.stride[n], " bytes along dimension ", n, "; allowed are multiples of 16");
  return "";
}

std::string refusal(const TiledTensor& tensor) {
  if (tensor.rank != 3 && tensor.rank != 4) return sim::text(tensor.rank, " dimensions; allowed are 3 and 4");
  if (tensor.element_bytes != 1 && tensor.element_bytes != 2 && tensor.element_bytes != 4)
    return sim::text("elements of ", tensor.element_bytes, " bytes; allowed are 1, 2 and 4");
  if (reinterpret_cast<std::uintptr_t>(tensor.memory) % 16 != 0) return "memory at no multiple of 16";
  for (std::size_t n = 0; n < static_cast<std::size_t>(tensor.rank); ++n) {
    if (std::string why = dimension_refusal(tensor, n); !why.empty()) return why;
  }
  const std::int64_t row = tensor.row_bytes(), span = swizzle_span(tensor.swizzle);
  if (tensor.swizzle != Swizzle::none && row > span)
    return sim::text("a box of ", row, " bytes along dimension 0; its swizzle allows ", span);
  if (tensor.swizzle != Swizzle::none && row < span)
    return sim::text("a box of ", row, " bytes along dimension 0; this layer fills the ", span, " of its swizzle");
  if (row % 16 != 0) return sim::text("a box of ", row, " bytes along dimension 0; allowed are multiples of 16");
  return "";
}

}  // namespace

std::string tensor_map_refusal(const TiledTensor& tensor) {
  const std::string why = refusal(tensor);
  return why.empty() ? why : "tensor map: " + why;
}

}  // namespace dev
