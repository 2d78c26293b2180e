// Standard attention, backward, in plain fp32 arithmetic: matches sim/programs/standard/standard_backward.cpp verb by
// verb. dP and dS are written to HBM between five kernels; dropout is a sixth. A KV head's dK and dV sum over the query
// heads of its group. Source: Dao et al. 2022, Algorithm 3 (appendix B.4). Inaccuracies: the softmax needs 128 bytes of
// shared memory in addition to its rows.
#include "kernels/attention/launches.h"
#include "kernels/tile/dropout.h"
#include "kernels/tile/grid.h"
#include "kernels/tile/row.h"
#include "kernels/tile/tile_gemm.h"

namespace kernels {
inline namespace DEV_FLAVOUR {
namespace {

/// Bytes of shared memory: P or dS (32, Bc) and dO or Q (32, d) as in HBM; dV or dK (Bc, d) in fp32.
template <class T>
std::int64_t column_gemm_bytes(const Arguments& a) {
  return tile_bytes<T>(a.slice, a.bc) + tile_bytes<T>(a.slice, a.head_dim) + tile_bytes<float>(a.bc, a.head_dim);
}

template <class T>
__global__ void __launch_bounds__(256) dv_gemm_kernel(const Arguments a) {
  const auto [kv_head, queries, j] = column_block_of(a, blockIdx.x);
  void* const weights = a.dropout ? a.P_dropped : a.P;
  SmemAllocator smem = smem_allocator();
  Tile<T> P = smem.tile<T>(a.slice, a.bc), dO = smem.tile<T>(a.slice, a.head_dim);
  const Tile<float> dV = fill(smem.tile<float>(j.size(), a.head_dim), 0);  // dV_j = 0
  const Range group = group_of(a, kv_head);
  for (std::int32_t head = group.begin; head < group.end; ++head) {  // query heads of the group
    const Head<T> h = head_of<T>(a, head);
    for (std::int32_t n = 0; n < blocks_of(a.seqlen_q, a.slice); ++n) {  // slices of N
      const Range i = elements_of(a.seqlen_q, a.slice, n);
      P = load(P, h.scores(weights, i, j));  // P_ij
      dO = load(dO, h.queries(a.dO, i));     // dO_i
      gemm_tn_add(dV, P, dO);                // dV_j = dV_j + P_ij^T dO_i
    }
  }
  store(dV, kv_head_of<T>(a, kv_head).keys(a.dV, j));  // dV_j
}

/// Bytes of shared memory: slices of dO (Br, 32) and V (Bc, 32) as in HBM; dP (Br, Bc) in fp32.
template <class T>
std::int64_t dp_gemm_bytes(const Arguments& a) {
  return tile_bytes<T>(a.br, a.slice) + tile_bytes<T>(a.bc, a.slice) + tile_bytes<float>(a.br, a.bc);
}

template <class T>
__global__ void __launch_bounds__(256) dp_gemm_kernel(const Arguments a) {
  const auto [head, i, j] = tile_of(a, blockIdx.x);
  const Head<T> h = head_of<T>(a, head);
  SmemAllocator smem = smem_allocator();
  Tile<T> dO = smem.tile<T>(a.br, a.slice), V = smem.tile<T>(a.bc, a.slice);
  const Tile<float> dP = fill(smem.tile<float>(i.size(), j.size()), 0);  // dP = 0
  for (std::int32_t n = 0; n < blocks_of(a.head_dim, a.slice); ++n) {    // slices of d
    const Range c = elements_of(a.head_dim, a.slice, n);
    dO = load(dO, h.queries(a.dO, i, c));  // dO_ic
    V = load(V, h.keys(a.V, j, c));        // V_jc
    gemm_nt_add(dP, dO, V);                // dP = dP + dO_ic V_jc^T
  }
  store(dP, h.scores(a.dropout ? a.dP_dropped : a.dP, i, j));  // dP_ij
}

/// Bytes of shared memory: dP (Br, Bc) as in HBM and Z (Br, Bc) in bytes.
template <class T>
std::int64_t dropout_backward_bytes(const Arguments& a) {
  return tile_bytes<T>(a.br, a.bc) + tile_bytes<std::uint8_t>(a.br, a.bc);
}

template <class T>
__global__ void __launch_bounds__(256) dropout_backward_kernel(const Arguments a) {
  const auto [head, i, j] = tile_of(a, blockIdx.x);
  const Head<T> h = head_of<T>(a, head);
  SmemAllocator smem = smem_allocator();
  const Tile<T> dP = load(smem.tile<T>(a.br, a.bc), h.scores(a.dP_dropped, i, j));  // dP_dropped_ij
  const Tile<std::uint8_t> Z =
      load(smem.tile<std::uint8_t>(a.br, a.bc), h.template scores<std::uint8_t>(a.mask, i, j));  // Z_ij
  dropout(dP, Z, a);                // dP = Z o dP / (1 - p)
  store(dP, h.scores(a.dP, i, j));  // dP_ij
}

/// Bytes of shared memory: rows of P and dP (N), or pieces of them (Bc), as in HBM, and a number per warp.
template <class T>
std::int64_t softmax_backward_bytes(const Arguments& a) {
  return 2 * tile_bytes<T>(1, a.row_in_smem ? a.seqlen_k : a.bc) + tile_bytes<float>(most_warps, 1);
}

template <class T>
__global__ void __launch_bounds__(256) softmax_backward_row_in_smem_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, 1);  // one row
  const Head<T> h = head_of<T>(a, head);
  SmemAllocator smem = smem_allocator();
  const PerWarp found = per_warp(smem);
  const Tile<T> P = load(smem.tile<T>(1, a.seqlen_k), h.scores(a.P, i, keys));    // P_i
  const Tile<T> dP = load(smem.tile<T>(1, a.seqlen_k), h.scores(a.dP, i, keys));  // dP_i
  const float D = row_dot(P, dP, found);                                          // D = rowsum(P o dP)
  const Tile<T> dS = jacobian(P, dP, D);                                          // dS = P o (dP - D)
  store(dS, h.scores(a.dS, i, keys));                                             // dS_i
}

template <class T>
__global__ void __launch_bounds__(256) softmax_backward_in_two_passes_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, 1);  // one row, too long for SMEM
  const Head<T> h = head_of<T>(a, head);
  SmemAllocator smem = smem_allocator();
  const PerWarp found = per_warp(smem);
  Tile<T> P = smem.tile<T>(1, a.bc), dP = smem.tile<T>(1, a.bc);
  float D = 0;                                                      // D = 0
  for (std::int32_t n = 0; n < blocks_of(a.seqlen_k, a.bc); ++n) {  // first pass: the row's sum
    const Range j = elements_of(a.seqlen_k, a.bc, n);
    P = load(P, h.scores(a.P, i, j));     // P_ij
    dP = load(dP, h.scores(a.dP, i, j));  // dP_ij
    D += row_dot(P, dP, found);           // D = D + rowsum(P o dP)
  }
  for (std::int32_t n = 0; n < blocks_of(a.seqlen_k, a.bc); ++n) {  // second pass: gradients
    const Range j = elements_of(a.seqlen_k, a.bc, n);
    P = load(P, h.scores(a.P, i, j));       // P_ij
    dP = load(dP, h.scores(a.dP, i, j));    // dP_ij
    const Tile<T> dS = jacobian(P, dP, D);  // dS = P o (dP - D)
    store(dS, h.scores(a.dS, i, j));        // dS_ij
  }
}

/// Bytes of shared memory: dS (Br, 32) and K (32, d) as in HBM; dQ (Br, d) in fp32.
template <class T>
std::int64_t dq_gemm_bytes(const Arguments& a) {
  return tile_bytes<T>(a.br, a.slice) + tile_bytes<T>(a.slice, a.head_dim) + tile_bytes<float>(a.br, a.head_dim);
}

template <class T>
__global__ void __launch_bounds__(256) dq_gemm_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, a.br);
  const Head<T> h = head_of<T>(a, head);
  SmemAllocator smem = smem_allocator();
  Tile<T> dS = smem.tile<T>(a.br, a.slice), K = smem.tile<T>(a.slice, a.head_dim);
  const Tile<float> dQ = fill(smem.tile<float>(i.size(), a.head_dim), 0);  // dQ_i = 0
  for (std::int32_t n = 0; n < blocks_of(a.seqlen_k, a.slice); ++n) {      // slices of N
    const Range j = elements_of(a.seqlen_k, a.slice, n);
    dS = load(dS, h.scores(a.dS, i, j));  // dS_ij
    K = load(K, h.keys(a.K, j));          // K_j
    gemm_nn_add(dQ, dS, K);               // dQ_i = dQ_i + dS_ij K_j
  }
  scale(dQ, a.scale);             // dQ_i = scale dQ_i
  store(dQ, h.queries(a.dQ, i));  // dQ_i
}

template <class T>
__global__ void __launch_bounds__(256) dk_gemm_kernel(const Arguments a) {
  const auto [kv_head, queries, j] = column_block_of(a, blockIdx.x);
  SmemAllocator smem = smem_allocator();
  Tile<T> dS = smem.tile<T>(a.slice, a.bc), Q = smem.tile<T>(a.slice, a.head_dim);
  const Tile<float> dK = fill(smem.tile<float>(j.size(), a.head_dim), 0);  // dK_j = 0
  const Range group = group_of(a, kv_head);
  for (std::int32_t head = group.begin; head < group.end; ++head) {  // query heads of the group
    const Head<T> h = head_of<T>(a, head);
    for (std::int32_t n = 0; n < blocks_of(a.seqlen_q, a.slice); ++n) {  // slices of N
      const Range i = elements_of(a.seqlen_q, a.slice, n);
      dS = load(dS, h.scores(a.dS, i, j));  // dS_ij
      Q = load(Q, h.queries(a.Q, i));       // Q_i
      gemm_tn_add(dK, dS, Q);               // dK_j = dK_j + dS_ij^T Q_i
    }
  }
  scale(dK, a.scale);                                  // dK_j = scale dK_j
  store(dK, kv_head_of<T>(a, kv_head).keys(a.dK, j));  // dK_j
}

}  // namespace

void dv_gemm(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "dv_gemm", dv_gemm_kernel<T>, column_blocks(a), 256, column_gemm_bytes<T>(a), a);
  });
}

void dp_gemm(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "dp_gemm", dp_gemm_kernel<T>, tiles(a), 256, dp_gemm_bytes<T>(a), a);
  });
}

void dropout_backward(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "dropout_backward", dropout_backward_kernel<T>, tiles(a), 256, dropout_backward_bytes<T>(a), a);
  });
}

void softmax_backward(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    const auto kernel =
        a.row_in_smem ? softmax_backward_row_in_smem_kernel<T> : softmax_backward_in_two_passes_kernel<T>;
    dev::launch(stream, "softmax_backward", kernel, query_rows(a), 256, softmax_backward_bytes<T>(a), a);
  });
}

void dq_gemm(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "dq_gemm", dq_gemm_kernel<T>, row_blocks(a), 256, dq_gemm_bytes<T>(a), a);
  });
}

void dk_gemm(dev::Stream stream, const Arguments& a) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    dev::launch(stream, "dk_gemm", dk_gemm_kernel<T>, column_blocks(a), 256, column_gemm_bytes<T>(a), a);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
