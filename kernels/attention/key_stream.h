// K and V streaming past Q on tensor cores: shared memory of a CTA of flash2_mma.h and flash_decoding_mma.h, and the
// order of its loads.
#pragma once
#include "kernels/attention/row_strides.h"
#include "kernels/tile/grid.h"
#include "kernels/tile/online_softmax.h"
#include "kernels/tile/sinks.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Blocks of this CTA, recomputed rather than kept in registers while the tiles stream past.
template <class Shape>
__device__ CtaBlocks place_again(const Arguments& a) {
  return Shape::place(a, dev::opaque(blockIdx.x));
}

/// Scale of the scores, folded into the exponent if the factor preserves their order, else applied before, as it is by
/// the kernels with score steps. Computed on the host, so that it stays in constant memory.
struct ScoreScale {
  bool before;
  float exponent;
};
inline ScoreScale score_scale(const Arguments& a) {
  const bool before = a.extended() || !(a.scale > 0 && a.scale < 0x1p100f);
  return {before, (before ? 1 : a.scale) * log2_of_e};
}

/// Stores the numbers of a CTA's heads, each read once, and 0 for rows that do not exist; a barrier must follow.
template <int br>
__device__ void load_numbers(float* to, Rows<float> from) {
  const auto row = static_cast<int>(thread_number());
  if (row < br) to[row] = row < from.rows ? from(row, 0) : 0;
}

/// Slopes of ALiBi of a CTA in shared memory, behind its tiles: its head's, or one for each packed row.
template <class Shape>
struct Slopes {
  static constexpr int bytes = 4 * Shape::br;
  float* at = reinterpret_cast<float*>(dev::shared_memory() + Shape::smem_bytes);
  __device__ void load(const Arguments& a, const CtaBlocks& blocks) const {
    if (!a.alibi) return;
    load_numbers<Shape::br>(at, slopes_of(a, blocks.head, blocks.i));
    __syncthreads();
  }
};

/// S = score steps of scale S, for the CTA's rows from `row` on.
template <class Shape, int m, int n>
__device__ void modify_block(float (&S)[m][n][4], const Arguments& a, std::int32_t row, std::int32_t key) {
  const float* slopes = Slopes<Shape>().at + (Shape::packs && a.heads_in_rows > 1 ? row : 0);
  do {  // runs once: a separate loop, else the compiler interleaves it with softmax and runs out of registers
    modify<Shape::packs>(S, a, slopes, place_again<Shape>(a).i.begin + row, key);
  } while (!a.extended());
}

/// With sinks, m = sink and l = 1 for the CTA's rows from `row` on, before Q is loaded, whose buffer the sinks pass
/// through. `adds` is true for one of the warps that share these rows. A sink of -infinity leaves the rows as if there
/// were none.
template <class Shape, int m>
__device__ void begin_with_sinks(RowStatistics<m>& rows, const Arguments& a, const CtaBlocks& at, int row, bool adds) {
  if (!a.adds_sinks) return;
  auto* sinks = reinterpret_cast<float*>(dev::shared_memory());
  load_numbers<Shape::br>(sinks, sinks_of(a, at.head, at.i));
  __syncthreads();
  const LanePlace lane = lane_place();
  DEV_UNROLL
  for (int r = 0; r < 2 * m; ++r) {
    const float sink = sinks[Shape::packs && a.heads_in_rows > 1 ? row + 8 * r + lane.row : 0] * log2_of_e;
    rows.max[r / 2][r % 2] = fmaxf(rows.max[r / 2][r % 2], sink);
    rows.sum[r / 2][r % 2] = adds && lane.col == 0 && sink > -dev::infinity() ? 1 : 0;  // lanes of a row are added up
  }
  __syncthreads();
}

/// Index of a row of queries: in Q and O in rows of d, in L in elements.
struct RowPlace {
  std::int64_t query, statistic;
};

/// True if the rows of K and V lie in pages, which each tile looks up: Rows then has look_up() and load().
template <class Rows>
inline constexpr bool in_pages = requires(const Rows& rows, const Arguments& a) {
  rows.look_up(a, 0);
};

/// Rows of a CTA if all batch entries are alike; indices are in rows of d.
struct RowsOfHeads : StridesOfHeads {
  std::int32_t kv_head;  ///< over the batch
  __device__ RowsOfHeads(const Arguments& a, const CtaBlocks& at)
      : kv_head(static_cast<std::int32_t>(at.head / (a.heads / a.kv_heads))) {}
  __device__ std::int64_t key(const Arguments& a, std::int32_t j) const {
    return std::int64_t{kv_head} * a.seqlen_k + j;
  }
  /// Index of row `row` of the CTA's row block.
  __device__ static RowPlace place(const Arguments& a, const CtaBlocks& at, std::int32_t row) {
    const std::int64_t first = at.head * a.seqlen_q + at.i.begin + row;
    return {first, first};
  }
};

/// Tiles of a CTA in shared memory and the loads into them. All threads wait for loads; after the wait all have
/// finished reading the previous tiles. `ahead` as in tile/mask.h.
template <class Shape, bool ahead, class Rows = RowsOfHeads>
struct KeyStream {
  using T = typename Shape::Element;
  const Arguments& a;
  const CtaBlocks& at;
  typename Shape::Tile Q{dev::shared_memory()}, K{Q.at + Shape::br * Shape::d * 2}, V{K.at + Shape::bc * Shape::d * 2};
  Rows place{a, at};

  __device__ void start(std::int32_t j) {
    const T* rows = static_cast<const T*>(a.Q) + Rows::place(a, at, 0).query * Shape::d;
    constexpr int chunks = Shape::br * Shape::Tile::group, loading = chunks < Shape::threads ? chunks : Shape::threads;
    if (loading == Shape::threads || thread_number() < loading)
      load_async<Shape::br, loading>(Q, rows, at.i.size(), Rows::template query_stride<Shape::d>(a));  // Q_i
    if constexpr (in_pages<Rows>) {
      place.look_up(a, j);
      __syncthreads();
    }
    if (Shape::overlapped) load(K, a.K, j);
  }
  /// Waits for K_j. V_j starts to load while scores are computed.
  __device__ void before_scores(std::int32_t j) {
    if (Shape::overlapped) {
      wait();
      load(V, a.V, j);
      if constexpr (in_pages<Rows>) place.look_up(a, j + Shape::bc);  // those of K_j+1
    } else {
      __syncthreads();
      load(K, a.K, j);
      load(V, a.V, j);
      wait();
    }
  }
  /// Waits for V_j, and clears rows that no query of the block sees. The next K loads while the output is computed.
  __device__ void before_output(std::int32_t j, std::int32_t next, std::int32_t end, bool whole) {
    if (Shape::overlapped) {
      wait();
      if (next < end) load(K, a.K, next);
    }
    if (!whole) hide_V(j);
  }

 private:
  /// Clears the rows of V_j that the block does not see. Their range is recomputed, so as to hold no register while
  /// whole tiles stream past.
  __device__ void hide_V(std::int32_t j) {
    const Range i = place_again<Shape>(a).i;
    const Range seen = {key_bounds<ahead>(a, i.begin).begin, key_bounds<ahead>(a, i.end - 1).end};
    if (j >= seen.begin && (j + Shape::bc <= seen.end || seen.end >= a.seqlen_k)) return;
    clear_rows_outside<Shape::bc, Shape::threads>({seen.begin - j, seen.end - j}, V);
    __syncthreads();
  }
  __device__ void load(typename Shape::Tile to, const void* tensor, std::int32_t j) {
    if constexpr (in_pages<Rows>) {
      place.load(to, static_cast<const T*>(tensor), j, a.seqlen_k - j);
    } else {
      const T* rows = static_cast<const T*>(tensor) + place.key(a, j) * Shape::d;
      load_async<Shape::bc, Shape::threads>(to, rows, a.seqlen_k - j, Rows::template key_stride<Shape::d>(a));
    }
    dev::cp_async_commit();
  }
  __device__ static void wait() {
    dev::cp_async_wait<0>();
    __syncthreads();
  }
};

}  // namespace DEV_FLAVOUR
}  // namespace kernels
