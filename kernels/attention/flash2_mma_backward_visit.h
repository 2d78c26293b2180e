// Working set of a CTA of flash2_mma_backward.h: its tiles in shared memory, its visits, and the loads of each.
#pragma once
#include "kernels/attention/row_strides.h"
#include "kernels/dev/dev.h"
#include "kernels/tile/fragment_backward.h"
#include "kernels/tile/grid.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

inline constexpr float log2_e = 1.44269504088896341f;

/// One visit of a column block: row block `block` of a query head, rows i; `left` visits follow.
struct Visit {
  std::int32_t head, block, left;
  Range i;
};

/// Column block of a CTA and its rows in HBM if all batch entries are alike; heads are indexed over the batch.
struct ColumnsOfHeads : StridesOfHeads {
  __device__ static CtaBlocks place(const Arguments& a) { return column_block_of(a, blockIdx.x); }
  template <class T>
  __device__ static Head<T> of(const Arguments& a, std::int32_t head) {
    return head_of<T>(a, head);
  }
  template <class T>
  __device__ static Head<T> of_kv(const Arguments& a, std::int64_t kv_head) {
    return kv_head_of<T>(a, kv_head);
  }
  /// Index of the first element of a head of (heads, rows, cols).
  __device__ static std::int64_t first(const Arguments& a, std::int32_t head, std::int64_t cols) {
    return head_offset(0, 0, head, a.seqlen_q, cols);
  }
};

/// All visits of a column block: the row blocks of each head in order.
template <int br, class Columns>
struct Visits {
  Range heads, blocks;
  std::int32_t seqlen_q;
  __device__ explicit Visits(const Arguments& a) : seqlen_q(a.seqlen_q) {
    const CtaBlocks at = Columns::place(a);
    heads = group_of(a, at.head);
    blocks = live_query_blocks<false>(a, at.j);
  }
  __device__ Visit first() const { return at(heads.begin, blocks.begin, heads.size() * blocks.size() - 1); }
  __device__ Visit after(const Visit& visit) const {
    if (visit.block + 1 < blocks.end) return at(visit.head, visit.block + 1, visit.left - 1);
    return at(visit.head + 1, blocks.begin, visit.left - 1);
  }
  __device__ Visit at(std::int32_t head, std::int32_t block, std::int32_t left) const {
    return {head, block, left, elements_of(seqlen_q, br, block)};
  }
};

/// Compile-time configuration. `compact` keeps one stage of Q and dO instead of two, and P and dS share a buffer: less
/// shared memory, more stalls.
template <class Element, int head_dim, int rows, int keys, bool is_compact, bool drops>
struct BackwardConfig {
  using T = Element;
  static constexpr bool compact = is_compact, dropout = drops;
  static constexpr int d = head_dim, br = rows, bc = keys, stages = is_compact ? 1 : 2;
  using Scores = WarpPart<br, bc>;  ///< S, P, dP, dS
  using Keys = WarpPart<bc, d>;     ///< dK, dV
  using Queries = WarpPart<br, d>;  ///< dQ
  /// Products are unrolled if nothing spills; dP, computed while a lane holds all accumulators but those of dQ, is
  /// unrolled in fewer configurations.
  static constexpr bool unrolled = !compact && d <= 128;
  static constexpr bool dP_unrolled = unrolled && !dropout && 2 * Scores::m * Scores::n * 4 <= 64;
  static_assert(sizeof(T) == 2 && 2 * br <= 32 * warps);
  using Columns = ColumnsOfHeads;
  using Visits = kernels::Visits<br, Columns>;
  static std::int64_t visits_bytes(const Arguments&) { return 0; }  ///< bytes of shared memory
};

/// Shared memory of a CTA: K, V (Bc, d), per stage Q, dO (Br, d), then P, dS (Br, Bc), all of T, and L, D (Br) in fp32.
template <class C>
struct BackwardTiles {
  using Rows = SharedTile<C::d>;
  using Scores = SharedTile<C::bc>;
  static constexpr int col_bytes = 2 * C::bc * C::d, row_bytes = 2 * C::br * C::d, score_bytes = 2 * C::br * C::bc;
  static constexpr int first_row_block = 2 * col_bytes, first_scores = first_row_block + 2 * C::stages * row_bytes;
  static constexpr int first_statistic = first_scores + (C::compact ? 1 : 2) * score_bytes;
  static constexpr int bytes = first_statistic + 2 * C::br * 4;

  unsigned char* at = dev::shared_memory();
  __device__ Rows K() const { return {at}; }
  __device__ Rows V() const { return {at + col_bytes}; }
  // Stages alternate with `left`, the number of visits after this one: the next visit uses the other stage.
  __device__ Rows Q(int left) const { return {at + first_row_block + left % C::stages * 2 * row_bytes}; }
  __device__ Rows dO(int left) const { return {at + first_row_block + (left % C::stages * 2 + 1) * row_bytes}; }
  __device__ Scores P() const { return {at + first_scores}; }
  __device__ Scores dS() const { return {at + first_scores + (C::compact ? 0 : score_bytes)}; }
  /// L, prepared for exp2, followed by D.
  __device__ float* statistics() const { return reinterpret_cast<float*>(at + first_statistic); }
};

template <class C>
__device__ void load_visit(const BackwardTiles<C>& tiles, const Arguments& a, const Visit& visit) {
  using T = typename C::T;
  const auto h = C::Columns::template of<T>(a, visit.head);
  const auto stride = C::Columns::template query_stride<C::d>(a);
  load_async<C::br, 32 * warps>(tiles.Q(visit.left), h.queries(a.Q, visit.i).at, visit.i.size(), stride);
  load_async<C::br, 32 * warps>(tiles.dO(visit.left), h.queries(a.dO, visit.i).at, visit.i.size(), stride);
  dev::cp_async_commit();
}

/// L_i or D_i of one row, by the first 2 Br threads: loaded one visit ahead, while the buffer is still in use.
template <class C>
struct Statistic {
  float value = 0;
  __device__ void load(const Arguments& a, const Visit& visit) {
    const unsigned thread = thread_number();
    const int row = static_cast<int>(thread % C::br);
    const bool of_L = thread < C::br, exists = row < visit.i.size() && thread < 2 * C::br;
    value = of_L ? -dev::infinity() : 0;
    const float* from = static_cast<const float*>(of_L ? a.L : a.D) + C::Columns::first(a, visit.head, 1);
    if (exists) value = from[visit.i.begin + row];
  }
  /// Stores L scaled for exp2; +inf, which makes P 0, for rows that see nothing or do not exist.
  __device__ void store(const BackwardTiles<C>& tiles) const {
    const unsigned thread = thread_number();
    const bool of_L = thread < C::br, empty = value == -dev::infinity();
    if (thread < 2 * C::br) tiles.statistics()[thread] = !of_L ? value : empty ? dev::infinity() : value * log2_e;
  }
};

/// L or D of this lane's rows: (i, half) is row 16 i + 8 half + lane / 4 of its part of the scores.
template <class C>
struct OfRows {
  float value[C::Scores::m][2];
  __device__ explicit OfRows(const float* statistic) {
    statistic += C::Scores::first_row() + lane_number() / 4;
    DEV_UNROLL
    for (int i = 0; i < C::Scores::m; ++i) value[i][0] = statistic[16 * i], value[i][1] = statistic[16 * i + 8];
  }
  __device__ float operator()(int i, int half) const { return value[i][half]; }
};

}  // namespace DEV_FLAVOUR
}  // namespace kernels
