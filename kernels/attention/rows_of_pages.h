// K and V in pages, for the tensor-core kernels whose tiles stream past Q: a tile is copied in runs of rows, a page or
// the part of one that the tile needs.
#pragma once
#include <bit>

#include "kernels/attention/key_stream.h"
#include "kernels/tile/paged_batch.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Pages of a launch over a batch whose entries are alike. A page and a tile divide each other.
struct Pages {
  const std::int32_t* table;  ///< the block table
  std::int32_t rows, run;     ///< tokens of a page; of a run, at most those of a tile
  std::int32_t shift, count;  ///< run = 2^shift, since it divides a tile; pages of an entry
};

inline Pages pages_of(const PagedBatch& batch, const Arguments& a, std::int32_t bc) {
  const std::int32_t run = batch.page_rows < bc ? batch.page_rows : bc;
  return {batch.block_table, batch.page_rows, run, std::countr_zero(static_cast<unsigned>(run)),
          blocks_of(a.seqlen_k, batch.page_rows)};
}

/// Rows of a CTA whose keys lie in pages. The runs of two tiles are in shared memory, `place_bytes` behind its start:
/// those of the tile that is loaded and, looked up while its scores are computed, those of the next one.
template <class Shape, int place_bytes>
struct RowsOfPages : RowsOfHeads {
  static constexpr int most_runs = Shape::bc / 16, bytes = 2 * most_runs * 8;
  const Pages& pages;
  Range keys;  ///< of this CTA
  __device__ RowsOfPages(const Arguments& a, const CtaBlocks& at, const Pages& of_launch, Range of_cta)
      : RowsOfHeads(a, at), pages(of_launch), keys(of_cta) {}

  /// Looks up the runs of the tile from key j on: a thread each, which reads its page's number once.
  __device__ void look_up(const Arguments& a, std::int32_t j) const {
    const std::int32_t key = j + static_cast<std::int32_t>(thread_number()) * pages.run;
    if (key >= smaller(j + Shape::bc, smaller(keys.end, a.seqlen_k))) return;
    const std::int32_t entry = kv_head / a.kv_heads, head = kv_head % a.kv_heads, page = key / pages.rows;
    const std::int64_t number = pages.table[std::int64_t{entry} * pages.count + page];
    runs_of(j)[thread_number()] = (number * a.kv_heads + head) * pages.rows + (key - page * pages.rows);
  }
  /// Starts to copy the tile from key j on, as load_async() does; rows from `count` on become zeros.
  template <class T>
  __device__ void load(typename Shape::Tile tile, const T* pool, std::int32_t j, std::int32_t count) const {
    using Tile = typename Shape::Tile;
    constexpr int step = Shape::threads / Tile::group;
    static_assert(step == 16, "the rows of a step are in one page");
    const unsigned thread = thread_number();
    const int row = static_cast<int>(thread / Tile::group), chunk = static_cast<int>(thread % Tile::group);
    unsigned char* to = tile.at + Tile::offset(row, chunk);
    const std::int64_t* runs = runs_of(j);
    pool += row * Shape::d + chunk * 8;
    DEV_UNROLL
    for (int r = 0; r < Shape::bc; r += step) {
      const bool valid = row + r < count;
      const std::int64_t first = valid ? runs[r >> pages.shift] + (r & (pages.run - 1)) : 0;
      DEV_UNROLL
      for (int c = 0; c < Shape::d / 8; c += Tile::group)
        dev::cp_async(to + r * Tile::row_bytes + c * 16, pool + first * Shape::d + c * 8, valid);
    }
  }

 private:
  __device__ static std::int64_t* runs_of(std::int32_t j) {
    return reinterpret_cast<std::int64_t*>(dev::shared_memory() + place_bytes) + j / Shape::bc % 2 * most_runs;
  }
};

}  // namespace DEV_FLAVOUR
}  // namespace kernels
