#include "sim/machine/warp_access.h"

namespace sim {
namespace {

/// Returns the access in which each lane takes `bytes` bytes at place(lane), an offset in the tile.
template <class Place>
WarpAccess access_of(std::uint8_t bytes, Place place) {
  WarpAccess access;
  for (int lane = 0; lane < warp_lanes; ++lane)
    access[static_cast<std::size_t>(lane)] = {static_cast<std::uintptr_t>(place(lane)), bytes,
                                              static_cast<std::uint8_t>(lane)};
  return access;
}

}  // namespace

WarpAccess matrix_load(SmemLayout layout, int columns, Quarters order) {
  return access_of(chunk_bytes, [=](int lane) {
    return chunk_offset(layout, columns, block_row(order, lane), block_chunk(order, lane));
  });
}

WarpAccess row_copy(SmemLayout layout, int columns) {
  const int group = swizzle_group(columns);
  return access_of(chunk_bytes, [=](int lane) { return chunk_offset(layout, columns, lane / group, lane % group); });
}

WarpAccess sum_store(SmemLayout layout, int columns) {
  return access_of(bank_bytes,
                   [=](int lane) { return chunk_offset(layout, columns, lane / 4, 0) + lane % 4 * bank_bytes; });
}

}  // namespace sim
