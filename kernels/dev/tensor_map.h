// What a bulk tensor copy knows of a tensor in HBM: its extents, its strides, and the box that one copy moves.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "kernels/dev/descriptor.h"

namespace dev {

/// A tensor of 3 or 4 dimensions, the innermost first; elements of the innermost are neighbours.
struct TiledTensor {
  void* memory = nullptr;
  int element_bytes = 2;
  int rank = 3;
  std::array<std::int64_t, 4> extent{};  ///< elements
  std::array<std::int64_t, 4> stride{};  ///< bytes; of dimension 0 it is the element
  std::array<int, 4> box{};              ///< elements
  Swizzle swizzle = Swizzle::bytes_128;

  std::int64_t row_bytes() const { return std::int64_t{box[0]} * element_bytes; }
  std::int64_t box_rows() const { return std::int64_t{box[1]} * box[2] * (rank == 4 ? box[3] : 1); }
  std::int64_t box_bytes() const { return row_bytes() * box_rows(); }
};

/// Why the hardware does not take the tensor; empty if it does.
std::string tensor_map_refusal(const TiledTensor& tensor);

}  // namespace dev
