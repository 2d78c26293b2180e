// PagedAttention in fp32 arithmetic on CUDA cores: matches sim/programs/paged_attention/paged_attention.cpp verb by
// verb. A CTA has the query of one head and the keys of its sequence, in version 2 a part of them; each of its four
// warps takes every fourth page, whose number it looks up for K and again for V. Sources: Kwon et al. 2023, "Efficient
// Memory Management for Large Language Model Serving with PagedAttention"; vLLM, csrc/attention/attention_kernels.cuh.
// Inaccuracies: those of the program; entries of different lengths are issued in the order of the lines.
#include <algorithm>
#include <cstring>

#include "kernels/attention/launches.h"
#include "kernels/tile/pages.h"
#include "kernels/tile/row.h"
#include "sim/base/check.h"

namespace kernels {
inline namespace DEV_FLAVOUR {
namespace {

constexpr std::int32_t page_warps = 4, widest_head = 256;
constexpr std::int64_t stats_bytes = tile_bytes<std::int32_t>(1, 1) + tile_bytes<float>(most_warps, 1);

/// Elements in the 16 bytes that a lane loads at a time.
template <class T>
constexpr std::int32_t in_chunk = 16 / sizeof(T);

template <class T>
struct Elements {
  float x[in_chunk<T>];
};
template <class T>
__device__ Elements<T> load_elements(const T* from) {
  const dev::Chunk chunk = dev::load_chunk(from);
  T raw[in_chunk<T>];
  std::memcpy(raw, &chunk, sizeof raw);
  Elements<T> loaded;
  for (std::int32_t n = 0; n < in_chunk<T>; ++n) loaded.x[n] = dev::to_float(raw[n]);
  return loaded;
}

/// Places of a lane in a page: `group` neighbours take a row, each a chunk of it at a time, and a warp several rows.
struct PageLane {
  std::int32_t chunks, group, row, chunk;
  __device__ explicit PageLane(std::int32_t chunks_of_row) : chunks(chunks_of_row), group(1) {
    while (group < 32 && group < chunks) group *= 2;
    row = this_thread() % 32 / group;
    chunk = this_thread() % group;
  }
  __device__ std::int32_t rows_at_once() const { return 32 / group; }
};

/// Keys of a CTA, [begin, end), whole pages but for the last one, and the rows of its pages.
template <class T>
struct PagesOfPart {
  const Arguments& a;
  const PagedBatch& batch;
  const PagedPlace& at;
  Range keys;

  /// Calls f(rows of the page, its keys) for the pages that this warp takes.
  template <class F>
  __device__ void each_page(const void* pool, F f) const {
    const std::int32_t rows = batch.page_rows, kv_head = at.head / (a.heads / a.kv_heads);
    for (std::int32_t begin = keys.begin + this_thread() / 32 * rows; begin < keys.end; begin += page_warps * rows) {
      const std::int64_t page = look_up(batch, at.first_page + begin / rows);  // where page j lies
      f(static_cast<const T*>(pool) + (page * a.kv_heads + kv_head) * rows * a.head_dim,
        Range{begin, smaller(begin + rows, keys.end)});
    }
  }
};

/// S_j = scale q K_j^T of one page, to its place in the row of scores
template <class T>
__device__ void score_page(Tile<float> S, Tile<T> Q, const T* K, Range j, std::int32_t first_key, float scale) {
  const PageLane lane(Q.cols / in_chunk<T>);
  for (std::int32_t begin = 0; begin < j.size(); begin += lane.rows_at_once()) {
    const std::int32_t row = begin + lane.row;
    float sum = 0;
    for (std::int32_t c = lane.chunk; c < lane.chunks && row < j.size(); c += lane.group) {
      const Elements<T> k = load_elements(K + row * Q.cols + c * in_chunk<T>);
      for (std::int32_t n = 0; n < in_chunk<T>; ++n) sum += Q(0, c * in_chunk<T> + n) * k.x[n];
    }
    for (std::int32_t lanes = lane.group / 2; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (lane.chunk == 0 && row < j.size()) S.set(0, j.begin - first_key + row, sum * scale);
  }
}

/// A lane's share of O: the chunks that it loads of each row of V.
template <class T>
struct OutputOfLane {
  static constexpr std::int32_t count = (widest_head / in_chunk<T> + 31) / 32;
  float x[count][in_chunk<T>] = {};

  /// O = O + P V of one row
  __device__ void add(float weight, const T* V, const PageLane& lane) {
    DEV_UNROLL
    for (std::int32_t n = 0; n < count; ++n) {
      const std::int32_t c = lane.chunk + n * lane.group;
      if (c >= lane.chunks) continue;
      const Elements<T> v = load_elements(V + c * in_chunk<T>);
      for (std::int32_t k = 0; k < in_chunk<T>; ++k) x[n][k] = add_weighted(x[n][k], weight, v.x[k]);
    }
  }
  /// Adds up the rows of the warp, into a row of shared memory.
  __device__ void sum_to(float* row, const PageLane& lane) {
    DEV_UNROLL
    for (std::int32_t n = 0; n < count; ++n) {
      const std::int32_t c = lane.chunk + n * lane.group;
      for (std::int32_t k = 0; k < in_chunk<T>; ++k) {
        float sum = x[n][k];
        for (std::int32_t lanes = lane.group; lanes < 32; lanes *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
        if (lane.row == 0 && c < lane.chunks) row[c * in_chunk<T> + k] = sum;
      }
    }
  }
};

/// O = O + P_j V_j of one page
template <class T>
__device__ void weigh_page(OutputOfLane<T>& O, Tile<float> P, const T* V, Range j, std::int32_t first_key,
                           std::int32_t head_dim) {
  const PageLane lane(head_dim / in_chunk<T>);
  for (std::int32_t row = lane.row; row < j.size(); row += lane.rows_at_once())
    O.add(P(0, j.begin - first_key + row), V + row * head_dim, lane);
}

/// Adds up the warps' O, in the buffer of P.
template <class T>
__device__ Tile<float> add_warps(OutputOfLane<T>& O, Tile<float> P, std::int32_t head_dim) {
  __syncthreads();  // all warps have read P
  const Tile<float> sums = {P.at, page_warps, head_dim};
  O.sum_to(&sums[this_thread() / 32 * head_dim], PageLane(head_dim / in_chunk<T>));
  __syncthreads();
  each(1, head_dim, [&](auto, auto c) {
    float sum = 0;
    for (std::int32_t warp = 0; warp < page_warps; ++warp) sum += sums(warp, c);
    sums.set(0, c, sum);
  });
  return {P.at, 1, head_dim};
}

/// The longest row of scores of a CTA.
std::int32_t most_keys(const PagedBatch& batch) {
  std::int32_t most = 0;
  for (std::int32_t n = 0; n < batch.count; ++n) most = std::max(most, batch.classes[n].keys);
  return batch.part_keys == 0 ? most : std::min(most, batch.part_keys);
}

/// Bytes of shared memory: q (d) as in HBM, the scores or, after them, the O of each warp in fp32, Nk and the numbers
/// of the warps.
template <class T>
std::int64_t paged_bytes(const Arguments& a, const PagedBatch& batch) {
  const std::int64_t scores = tile_bytes<float>(1, most_keys(batch)),
                     outputs = tile_bytes<float>(page_warps, a.head_dim);
  return stats_bytes + tile_bytes<T>(1, a.head_dim) + std::max(scores, outputs);
}

template <class T>
__global__ void __launch_bounds__(32 * page_warps)
    paged_attention_kernel(const Arguments a, const __grid_constant__ PagedBatch batch) {
  const PagedPlace at = paged_place(batch, blockIdx.x, a.heads, true);  // the query of a head, its part of the keys
  const std::int64_t head = std::int64_t{at.entry} * a.heads + at.head;
  const bool in_parts = batch.part_keys > 0;
  SmemAllocator smem = smem_allocator();
  const PerWarp found = per_warp(smem);

  const std::int32_t Nk = load_length(smem, batch, at.entry);  // Nk of its sequence
  const Tile<T> Q = load(smem.tile<T>(1, a.head_dim), rows_of<T>(a.Q, head, 1, a.head_dim, {0, 1}));  // q
  const std::int32_t first = at.part * batch.part_keys;
  const PagesOfPart<T> pages{a, batch, at, {first, in_parts ? smaller(Nk, first + batch.part_keys) : Nk}};
  Tile<float> S = smem.tile<float>(1, pages.keys.size());  // space for its scores
  pages.each_page(a.K, [&](const T* K, Range j) {          // K_j
    score_page(S, Q, K, j, first, a.scale);                // S_j = scale q K_j^T
  });
  __syncthreads();
  const float m = row_max(S, -dev::infinity(), found);   // m = max S
  const float l = sum_over(S.cols, found, [&](auto c) {  // l = sum P
    S.set(0, c, exp_difference(S(0, c), m));             // P = exp(S - m)
    return S(0, c);
  });
  each(1, S.cols, [&](auto, auto c) {  // P = P / l, in the element type
    S.set(0, c, dev::to_float(dev::from_float<T>(divide(S(0, c), l))));
  });
  OutputOfLane<T> share;                               // O = 0
  pages.each_page(a.V, [&](const T* V, Range j) {      // V_j
    weigh_page<T>(share, S, V, j, first, a.head_dim);  // O = O + P_j V_j
  });
  const Tile<float> O = add_warps<T>(share, S, a.head_dim);
  if (!in_parts) return store(O, rows_of<T>(a.O, head, 1, a.head_dim, {0, 1}));    // O_i
  store(O, rows_of<T>(a.O_part, at.first_part + at.part, 1, a.head_dim, {0, 1}));  // O_is = O
  if (this_thread() == 0) static_cast<float*>(a.m)[at.first_part + at.part] = m;   // m_is = m
  if (this_thread() == 0) static_cast<float*>(a.l)[at.first_part + at.part] = l;   // l_is = l
}

/// Bytes of shared memory: m and l of all parts in fp32, Nk and the numbers of the warps.
std::int64_t reduce_bytes(const PagedBatch& batch) {
  std::int32_t most = 0;
  for (std::int32_t n = 0; n < batch.count; ++n) most = std::max(most, parts_of(batch, batch.classes[n].keys));
  return stats_bytes + 2 * tile_bytes<float>(1, most);
}

/// m or l of the parts of a head, in fp32
__device__ Rows<float> row_of_parts(void* tensor, const PagedPlace& at, std::int32_t parts) {
  return {static_cast<float*>(tensor) + at.first_part, 1, parts, parts};
}

template <class T>
__global__ void __launch_bounds__(128)
    paged_attention_reduce_kernel(const Arguments a, const __grid_constant__ PagedBatch batch) {
  const PagedPlace at = paged_place(batch, blockIdx.x, a.heads, false);  // the query of a head
  SmemAllocator smem = smem_allocator();
  const PerWarp found = per_warp(smem);
  const std::int32_t parts = parts_of(batch, load_length(smem, batch, at.entry));  // of its Nk
  const Rows<T> O = rows_of<T>(a.O, std::int64_t{at.entry} * a.heads + at.head, 1, a.head_dim, {0, 1});
  const Rows<T> O_part = rows_of<T>(a.O_part, at.first_part, 1, a.head_dim, {0, parts});
  if (parts == 1) return each(1, a.head_dim, [&](auto, auto c) { O(0, c) = O_part(0, c); });  // O of the only part
  const Tile<float> m_part = load(smem.tile<float>(1, parts), row_of_parts(a.m, at, parts));  // m_i of all parts
  const Tile<float> W = load(smem.tile<float>(1, parts), row_of_parts(a.l, at, parts));       // l_i of all parts
  const float m = row_max(m_part, -dev::infinity(), found);                                   // m = max_s m_is
  const float l = sum_over(parts, found, [&](auto s) {                                        // l = sum W
    W.set(0, s, W(0, s) * exp_difference(m_part(0, s), m));  // W = l_part o exp(m_part - m)
    return W(0, s);
  });
  each(1, parts, [&](auto, auto s) { W.set(0, s, divide(W(0, s), l)); });  // W = W / l
  each(1, a.head_dim, [&](auto, auto c) {
    float sum = 0;                                                                          // O = 0
    for (std::int32_t s = 0; s < parts; ++s) sum += W(0, s) * dev::to_float(O_part(s, c));  // O = O + beta O_is
    O(0, c) = dev::from_float<T>(sum);                                                      // O_i
  });
}

/// Throws sim::Error if a CTA needs more shared memory than there is, or a head is too wide.
void check_paged(const Arguments& a, std::int64_t bytes) {
  sim::require(a.head_dim <= widest_head, "head-dim: the kernels of paged-attention take at most ", widest_head,
               ", not ", a.head_dim);
  sim::require(bytes <= a.smem, "partition: a CTA of paged-attention takes ", bytes,
               " bytes of shared memory, of which it may take ", a.smem, ": use smaller parts, or fewer keys");
}

void launch_first(dev::Stream stream, const char* name, const Arguments& a, const PagedBatch& batch) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    const std::int64_t bytes = paged_bytes<T>(a, batch);
    check_paged(a, bytes);
    dev::launch(stream, name, paged_attention_kernel<T>, paged_ctas(batch, a.heads, true), 32 * page_warps, bytes, a,
                batch);
  });
}

}  // namespace

void paged_attention_v1(dev::Stream stream, const Arguments& a, const PagedBatch& batch) {
  launch_first(stream, "paged_attention_v1", a, batch);
}

void paged_attention_v2(dev::Stream stream, const Arguments& a, const PagedBatch& batch) {
  launch_first(stream, "paged_attention_v2", a, batch);
}

void paged_attention_reduce(dev::Stream stream, const Arguments& a, const PagedBatch& batch) {
  with_element(a.element, [&](auto element) {
    using T = decltype(element);
    check_paged(a, reduce_bytes(batch));
    dev::launch(stream, "paged_attention_reduce", paged_attention_reduce_kernel<T>, paged_ctas(batch, a.heads, false),
                128, reduce_bytes(batch), a, batch);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
