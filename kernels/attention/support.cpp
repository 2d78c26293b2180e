#include "kernels/attention/support.h"

#include <span>

#include "kernels/attention/flash3_menu.h"
#include "sim/base/check.h"

namespace kernels {
namespace {

/// Capabilities compiled into the forward kernels of a tensor-core family; `complete` names a family that has the rest.
struct Family {
  std::string_view name;
  std::span<const MmaTile> tiles;
  std::string_view complete;
  bool bf16, dropout, pattern = false;
  std::int64_t more_smem = 0;              ///< shared memory of a CTA beyond its tiles
  std::span<const MmaTile> extended = {};  ///< tiles of which `extended` arguments have a kernel
  int stages = 1;                          ///< tiles of K, and of V, in shared memory
};
const Family ragged_family = {
    "flash2_mma with --seqlens", flash2_ragged_mma_tiles, "the plain kernel", true, false, false, ragged_entry_bytes};
const Family families[] = {
    {"flash2_mma", flash2_mma_tiles, "the plain kernel", true, true, false, 0, flash2_mma_extended_tiles},
    {"flash2_mma_unmixed", flash2_mma_step_tiles, "flash2_mma", false, false},
    {"flash2_mma_unswizzled", flash2_mma_step_tiles, "flash2_mma", false, false},
    {"flash2_mma_single_buffered", flash2_mma_step_tiles, "flash2_mma", false, false},
    {"flash2_mma_split_k", flash2_mma_split_k_tiles, "flash2_mma", false, false},
    {"flash-decoding_mma", flash_decoding_mma_tiles, "flash-decoding", true, false, false, 0,
     flash_decoding_mma_extended_tiles},
    {"flash2-block-sparse_mma", flash2_block_sparse_mma_tiles, "flash2-block-sparse", true, false, true},
    {"flash3_wgmma",
     flash3_wgmma_tiles,
     "flash2_mma",
     true,
     false,
     false,
     flash3_wgmma_barrier_bytes,
     {},
     flash3_wgmma_stages}};

const Family& family_of(std::string_view kernel, bool ragged) {
  if (ragged && kernel == "flash2_mma") return ragged_family;
  for (const Family& family : families) {
    if (family.name == kernel) return family;
  }
  throw sim::Error("kernel ", kernel, " is not on tensor cores");
}

/// Shared memory of a CTA: the tiles, under a pattern a bit for each block of its row, `more_smem`, and slopes.
std::int64_t smem_bytes_of(const Family& family, const MmaTile& tile, const Arguments& a) {
  const std::int64_t more_stages = std::int64_t{4} * (family.stages - 1) * tile.bc * tile.head_dim;
  return smem_bytes_of(tile) + more_stages + family.more_smem + (a.extended() ? slopes_bytes(tile) : 0) +
         (family.pattern ? block_bits_bytes((a.seqlen_k + tile.bc - 1) / tile.bc) : 0);
}

/// Head dimensions of a menu: "32, 64, 96".
std::string head_dims_of(std::span<const MmaTile> menu) {
  std::string list;
  std::int32_t last = 0;
  for (const MmaTile& tile : menu) {
    if (tile.head_dim != last) list += sim::text(list.empty() ? "" : ", ", tile.head_dim);
    last = tile.head_dim;
  }
  return list;
}

/// Tiles of a head dimension: "128 x 128, 64 x 64"; empty if there are none.
std::string tiles_of(std::span<const MmaTile> menu, std::int32_t head_dim) {
  std::string list;
  for (const MmaTile& tile : menu) {
    if (tile.head_dim == head_dim) list += sim::text(list.empty() ? "" : ", ", tile.br, " x ", tile.bc);
  }
  return list;
}

/// Reason why these arguments have no kernel that is `extended`; empty if they have, or need none.
std::string extended_refusal(const Family& family, const Arguments& a) {
  if (!a.extended()) return {};
  const std::string_view what = extension_of(a);
  if (family.extended.empty()) return sim::text(family.name, " has no ", what, ": ", family.complete, " has");
  if (a.dropout) return sim::text(family.name, " has no dropout with ", what, ": ", family.complete, " has");
  std::string tiles;
  for (const MmaTile& tile : family.extended) {
    if (tile.head_dim == a.head_dim && tile.br == a.br && tile.bc == a.bc) return {};
    tiles += sim::text(tiles.empty() ? "" : ", ", tile.br, " x ", tile.bc, " for head dim ", tile.head_dim);
  }
  return sim::text(family.name, " has no ", what, " for a tile of ", a.br, " x ", a.bc, " and head dim ", a.head_dim,
                   ": it has ", tiles);
}

}  // namespace

std::string_view extension_of(const Arguments& a) {
  if (a.softcap > 0) return "softcap";
  if (a.alibi) return "ALiBi";
  if (a.adds_sinks) return "sinks";
  return a.prefix > 0 ? "prefix" : "right window";
}

std::string mma_refusal(std::string_view kernel, const Arguments& a) {
  const Family& family = family_of(kernel, a.ragged);
  kernel = family.name;
  const std::span<const MmaTile> menu = family.tiles;
  if (a.element == Element::fp32) return sim::text(kernel, " has no fp32: it has fp16, bf16");
  if (a.element == Element::bf16 && !family.bf16) return sim::text(kernel, " has no bf16: ", family.complete, " has");
  if (a.dropout && !family.dropout) return sim::text(kernel, " has no dropout: ", family.complete, " has");
  const std::string tiles = tiles_of(menu, a.head_dim);
  if (tiles.empty()) return sim::text(kernel, " has no head dim ", a.head_dim, ": it has ", head_dims_of(menu));
  for (const MmaTile& tile : menu) {
    if (tile.head_dim != a.head_dim || tile.br != a.br || tile.bc != a.bc) continue;
    const std::int64_t smem = smem_bytes_of(family, tile, a);
    if (smem <= a.smem) return extended_refusal(family, a);
    return sim::text(kernel, " takes ", smem, " bytes of shared memory for a tile of ", a.br, " x ", a.bc,
                     ", of which a CTA may take ", a.smem, ": it has ", tiles);
  }
  return sim::text(kernel, " has no tile ", a.br, " x ", a.bc, " for head dim ", a.head_dim, ": it has ", tiles);
}

void require_mma(std::string_view kernel, const Arguments& a) {
  const std::string refusal = mma_refusal(kernel, a);
  sim::require(refusal.empty(), refusal);
}

}  // namespace kernels
