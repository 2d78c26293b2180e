#include "kernels/attention/support.h"

#include <span>

#include "sim/base/check.h"

namespace kernels {
namespace {

std::span<const MmaTile> menu_of(std::string_view kernel) {
  if (kernel == "flash2_mma") return flash2_mma_tiles;
  if (kernel == "flash2_mma_split_k") return flash2_mma_split_k_tiles;
  return flash2_mma_step_tiles;
}

/// "32, 64, 96"
std::string head_dims_of(std::span<const MmaTile> menu) {
  std::string list;
  std::int32_t last = 0;
  for (const MmaTile& tile : menu) {
    if (tile.head_dim != last) list += sim::text(list.empty() ? "" : ", ", tile.head_dim);
    last = tile.head_dim;
  }
  return list;
}

/// "128 x 128, 64 x 64"; empty when there is none.
std::string tiles_of(std::span<const MmaTile> menu, std::int32_t head_dim) {
  std::string list;
  for (const MmaTile& tile : menu) {
    if (tile.head_dim == head_dim) list += sim::text(list.empty() ? "" : ", ", tile.br, " x ", tile.bc);
  }
  return list;
}

}  // namespace

std::string flash2_mma_refusal(std::string_view kernel, const Arguments& a) {
  const std::span<const MmaTile> menu = menu_of(kernel);
  if (a.element == Element::fp32) return sim::text(kernel, " has no fp32: it has fp16, bf16");
  if (a.element == Element::bf16 && kernel != "flash2_mma") return sim::text(kernel, " has no bf16: flash2_mma has");
  if (a.dropout && kernel != "flash2_mma") return sim::text(kernel, " has no dropout: flash2_mma has");
  const std::string tiles = tiles_of(menu, a.head_dim);
  if (tiles.empty()) return sim::text(kernel, " has no head dim ", a.head_dim, ": it has ", head_dims_of(menu));
  for (const MmaTile& tile : menu) {
    if (tile.head_dim != a.head_dim || tile.br != a.br || tile.bc != a.bc) continue;
    if (smem_bytes_of(tile) <= a.smem) return {};
    return sim::text(kernel, " takes ", smem_bytes_of(tile), " bytes of shared memory for a tile of ", a.br, " x ",
                     a.bc, ", of which a CTA may take ", a.smem, ": it has ", tiles);
  }
  return sim::text(kernel, " has no tile ", a.br, " x ", a.bc, " for head dim ", a.head_dim, ": it has ", tiles);
}

void require_flash2_mma(std::string_view kernel, const Arguments& a) {
  const std::string refusal = flash2_mma_refusal(kernel, a);
  sim::require(refusal.empty(), refusal);
}

}  // namespace kernels
