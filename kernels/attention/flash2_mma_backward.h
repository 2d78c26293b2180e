// FlashAttention-2, backward, on tensor cores: the second launch of sim/programs/flash2/flash2_backward.cpp as a
// template of head dimension and tiles. A CTA of eight warps owns one block of keys: K, V stay in shared memory, dK and
// dV in registers. It visits one row block after another, while cp.async loads Q and dO of the next one. All warps
// share each product of a visit, for instance at d = 64, Br = Bc = 128:
//
//   P = exp(scale Q_i K_j^T - L_i)  (128, 128)  32 x 64 a warp   to shared memory: the products below take
//   dS = P o (dO_i V_j^T - D_i)     (128, 128)  32 x 64 a warp   parts of all warps, so a barrier follows
//   dV_j += P^T dO_i                (128, 64)   32 x 32 a warp   in registers
//   dQ_acc_i += dS K_j              (128, 64)   32 x 32 a warp   by atomics to HBM
//   dK_j += dS^T Q_i                (128, 64)   32 x 32 a warp   in registers
// Shared memory: 161 KiB, compact 97. Cost of a visit: 10 Br Bc d FLOP, Br d atomics. Source: Dao 2023, Algorithm 2.
// Inaccuracies: CTAs add to dQ_acc in any order, so that dQ varies by a rounding from run to run. A NaN or infinity in
// a key that only some queries of a row block see reaches the dQ of the others as 0 x NaN.
#pragma once
#include <array>
#include <utility>

#include "kernels/attention/flash2_mma_backward_visit.h"
#include "kernels/attention/instances.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// P = 0 if the mask hides the key from the query; the part starts at (query, key).
template <int m, int n>
__device__ void clear_hidden(float (&P)[m][n][4], const Arguments& a, std::int32_t query, std::int32_t key) {
  const int lane = lane_number();
  query += lane / 4;
  key += lane % 4 * 2;
  each_sum<m, n>([&](int i, int j, int r) {
    if (!visible<false>(a, query + 16 * i + r / 2 * 8, key + 8 * j + r % 2)) P[i][j][r] = 0;
  });
}

/// P = exp(scale Q_i K_j^T - L_i), masked; negative if dropout drops the entry.
template <class C>
__device__ void probabilities(typename C::Scores::Sums& P, const BackwardTiles<C>& tiles, const Arguments& a,
                              const Visit& visit, Range j) {
  using WarpPart = typename C::Scores;
  clear(P);
  gemm<C::unrolled, typename C::T, C::d>(P, Left{stripe(tiles.Q(visit.left).from(WarpPart::first_row()))},
                                         RightTransposed{stripe(tiles.K().from(WarpPart::first_col()))});
  const OfRows<C> L(tiles.statistics());
  const float scale_log2 = a.scale * log2_e;
  each_sum<WarpPart::m, WarpPart::n>([&](int m, int n, int r) {  //
    P[m][n][r] = dev::exp2(P[m][n][r] * scale_log2 - L(m, r / 2));
  });
  const std::int32_t query = visit.i.begin + WarpPart::first_row(), key = j.begin + WarpPart::first_col();
  if (needs_mask<false>(a, visit.i, {j.begin, j.begin + C::bc})) clear_hidden(P, a, query, key);
  if constexpr (C::dropout) mark_dropped(P, a, visit.head, query, key);
}

template <class C>
__device__ void store_scores(typename BackwardTiles<C>::Scores tile, const typename C::Scores::Sums& S) {
  using WarpPart = typename C::Scores;
  store_rounded<typename C::T>(stripe<1>(tile.from(WarpPart::first_row()), WarpPart::first_col() / 16), S);
}

/// P_d = Z o P, rounded, to shared memory
template <class C>
__device__ void store_kept(const BackwardTiles<C>& tiles, const typename C::Scores::Sums& P, const Arguments& a) {
  if constexpr (!C::dropout) return store_scores<C>(tiles.P(), P);
  typename C::Scores::Sums kept;
  each_sum<C::Scores::m, C::Scores::n>([&](int m, int n, int r) {  //
    kept[m][n][r] = fmaxf(P[m][n][r], 0.0f) * a.keep_factor;
  });
  store_scores<C>(tiles.P(), kept);
}

/// dS = P o (Z o dO_i V_j^T - D_i), reusing the registers of P, whose sign marks dropped entries.
template <class C>
__device__ void to_gradients(typename C::Scores::Sums& P, const BackwardTiles<C>& tiles, const Arguments& a,
                             const Visit& visit) {
  using WarpPart = typename C::Scores;
  typename WarpPart::Sums dP;
  clear(dP);
  gemm<C::dP_unrolled, typename C::T, C::d>(dP, Left{stripe(tiles.dO(visit.left).from(WarpPart::first_row()))},
                                            RightTransposed{stripe(tiles.V().from(WarpPart::first_col()))});
  const OfRows<C> D(tiles.statistics() + C::br);
  each_sum<WarpPart::m, WarpPart::n>([&](int m, int n, int r) {
    float &p = P[m][n][r], dp = dP[m][n][r];
    if constexpr (C::dropout) {
      p = fabsf(p) * fmaf(p < 0 ? 0.0f : dp, a.keep_factor, -D(m, r / 2));
    } else {
      p = fabsf(p) * (dp - D(m, r / 2));
    }
  });
}

/// dQ_acc_i = dQ_acc_i + dS K_j
template <class C>
__device__ void add_query_gradients(const BackwardTiles<C>& tiles, const Arguments& a, const Visit& visit) {
  using WarpPart = typename C::Queries;
  typename WarpPart::Sums dQ;
  clear(dQ);
  gemm<C::unrolled, typename C::T, C::bc>(dQ, Left{stripe(tiles.dS().from(WarpPart::first_row()))},
                                          Right{stripe<WarpPart::across>(tiles.K(), WarpPart::across_index())});
  float* sums = static_cast<float*>(a.dQ_acc) + C::Columns::first(a, visit.head, C::d);
  add_to_sums<WarpPart, C::d>(sums, visit.i.begin, a.seqlen_q, dQ);
}

/// sums = sums + scores^T rows, e.g. dV_j = dV_j + P_d^T dO_i
template <class C>
__device__ void add_key_gradients(typename C::Keys::Sums& sums, typename BackwardTiles<C>::Scores scores,
                                  typename BackwardTiles<C>::Rows rows) {
  using WarpPart = typename C::Keys;
  gemm<C::unrolled, typename C::T, C::br>(sums, LeftTransposed{stripe<1>(scores, WarpPart::first_row() / 16)},
                                          Right{stripe<WarpPart::across>(rows, WarpPart::across_index())});
}

template <class C>
__device__ void compute_visit(typename C::Keys::Sums& dK, typename C::Keys::Sums& dV, const BackwardTiles<C>& tiles,
                              const Arguments& a, const Visit& visit, Range j) {
  typename C::Scores::Sums P;
  probabilities<C>(P, tiles, a, visit, j);  // P = exp(scale Q_i K_j^T - L_i)
  store_kept<C>(tiles, P, a);               // P_d = Z o P
  to_gradients<C>(P, tiles, a, visit);      // dS = P o (Z o dO_i V_j^T - D_i)
  if (!C::compact) store_scores<C>(tiles.dS(), P);
  __syncthreads();
  add_key_gradients<C>(dV, tiles.P(), tiles.dO(visit.left));  // dV_j = dV_j + P_d^T dO_i
  if (C::compact) {
    __syncthreads();
    store_scores<C>(tiles.dS(), P);
    __syncthreads();
  }
  add_query_gradients<C>(tiles, a, visit);                    // dQ_acc_i = dQ_acc_i + dS K_j
  add_key_gradients<C>(dK, tiles.dS(), tiles.Q(visit.left));  // dK_j = dK_j + dS^T Q_i
}

/// Stores the existing rows of dK_j or dV_j, through a tile of shared memory that is no longer used.
template <class C>
__device__ void store_keys(typename BackwardTiles<C>::Rows tile, Rows<typename C::T> to,
                           const typename C::Keys::Sums& sums, const Arguments& a) {
  using WarpPart = typename C::Keys;
  store_rounded<typename C::T>(stripe<WarpPart::across>(tile.from(WarpPart::first_row()), WarpPart::across_index()),
                               sums);
  __syncthreads();
  store_rows<C::bc, 32 * warps>(tile, to.at, to.rows, static_cast<int>(threadIdx.x),
                                C::Columns::template key_stride<C::d>(a));
}

template <class C, class OfHead>
__device__ void load_keys(const BackwardTiles<C>& tiles, const Arguments& a, const OfHead& kv, Range j) {
  const auto stride = C::Columns::template key_stride<C::d>(a);
  load_async<C::bc, 32 * warps>(tiles.K(), kv.keys(a.K, j).at, j.size(), stride);
  load_async<C::bc, 32 * warps>(tiles.V(), kv.keys(a.V, j).at, j.size(), stride);
}

/// Waits for K_j and V_j and sets them to 0 for keys that no query sees.
template <class C>
__device__ void hide_keys(const BackwardTiles<C>& tiles, const Arguments& a, Range j) {
  const Range seen = seen_keys(a);
  if (j.begin >= seen.begin && j.end <= seen.end) return;
  dev::cp_async_wait<0>();
  __syncthreads();
  clear_rows_outside<C::bc, 32 * warps>({seen.begin - j.begin, seen.end - j.begin}, tiles.K());
  clear_rows_outside<C::bc, 32 * warps>({seen.begin - j.begin, seen.end - j.begin}, tiles.V());
}

template <class C>
__device__ __forceinline__ void flash2_mma_backward_block(const Arguments& a) {
  using T = typename C::T;
  const auto [kv_head, queries, j] = C::Columns::place(a);  // column block of this CTA
  const typename C::Visits visits(a);
  const auto kv = C::Columns::template of_kv<T>(a, kv_head);
  const BackwardTiles<C> tiles;
  typename C::Keys::Sums dK, dV;
  clear(dK), clear(dV);
  Statistic<C> next;
  const auto begin_loads = [&](const Visit& visit) {
    if (visit.left < 0) return;
    load_visit<C>(tiles, a, visit);
    next.load(a, visit);
  };
  Visit visit = visits.first();
  if (visit.left >= 0) load_keys<C>(tiles, a, kv, j);
  begin_loads(visit);
  next.store(tiles);
  if (visit.left >= 0) hide_keys(tiles, a, j);
  while (visit.left >= 0) {
    dev::cp_async_wait<0>();
    __syncthreads();  // this visit's blocks have arrived, and the last one's are no longer in use
    if (!C::compact) begin_loads(visits.after(visit));
    compute_visit<C>(dK, dV, tiles, a, visit, j);
    visit = visits.after(visit);
    if (C::compact) {
      __syncthreads();
      begin_loads(visit);
    }
    next.store(tiles);
  }
  each_sum<C::Keys::m, C::Keys::n>([&](int m, int n, int r) { dK[m][n][r] *= a.scale; });  // dK_j = scale dK_j
  __syncthreads();
  store_keys<C>(tiles.K(), kv.keys(a.dK, j), dK, a);
  store_keys<C>(tiles.V(), kv.keys(a.dV, j), dV, a);
}

template <class C>
__global__ void __launch_bounds__(32 * warps, 1) flash2_mma_backward_kernel(const Arguments a) {
  flash2_mma_backward_block<C>(a);
}

template <class C>
void launch_backward(dev::Stream stream, const Arguments& a) {
  dev::launch(stream, "flash2_backward", flash2_mma_backward_kernel<C>, column_blocks(a), 32 * warps,
              BackwardTiles<C>::bytes + C::visits_bytes(a), a);
}

template <int d, int br, int bc, bool compact, bool dropout>
void launch_backward_of(dev::Stream stream, const Arguments& a) {
  using dev::bf16, dev::fp16;
  if (a.element == Element::fp16) return launch_backward<BackwardConfig<fp16, d, br, bc, compact, dropout>>(stream, a);
  launch_backward<BackwardConfig<bf16, d, br, bc, compact, dropout>>(stream, a);
}

template <int d, int br, int bc, bool compact>
BackwardInstance backward_instance() {
  return {br, bc, BackwardTiles<BackwardConfig<dev::fp16, d, br, bc, compact, false>>::bytes,
          [](dev::Stream stream, const auto& a) {
            if (a.dropout) return launch_backward_of<d, br, bc, compact, true>(stream, a);
            launch_backward_of<d, br, bc, compact, false>(stream, a);
          }};
}

/// Tiles that the backward kernel is compiled for, dense and under a pattern.
struct BackwardTile {
  int head_dim, br, bc;
  bool compact;
};
inline constexpr std::array flash2_mma_backward_tiles = {
    BackwardTile{32, 128, 128, false}, BackwardTile{32, 128, 128, true}, BackwardTile{32, 64, 64, false},  // d 32
    BackwardTile{64, 128, 128, false}, BackwardTile{64, 128, 128, true}, BackwardTile{64, 64, 64, false},  // d 64
    BackwardTile{96, 64, 128, false},  BackwardTile{96, 64, 128, true},  BackwardTile{96, 64, 64, false},  // d 96
    BackwardTile{128, 64, 128, false}, BackwardTile{128, 64, 64, false}, BackwardTile{128, 64, 64, true},  // d 128
    BackwardTile{256, 64, 64, false},  BackwardTile{256, 64, 64, true},
};

/// List of make(n), n a constant, for each tile of head dimension d.
template <int d, class Instance = BackwardInstance, const auto& menu = flash2_mma_backward_tiles, class Make>
std::vector<Instance> each_backward_tile(Make make) {
  std::vector<Instance> instances;
  const auto add = [&](auto n) {
    if constexpr (menu[n].head_dim == d) instances.push_back(make(n));
  };
  const auto each = [&]<std::size_t... n>(std::index_sequence<n...>) {
    (add(std::integral_constant<std::size_t, n>()), ...);
  };
  each(std::make_index_sequence<menu.size()>());
  return instances;
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
