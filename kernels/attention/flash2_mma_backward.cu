// FlashAttention-2, backward, on tensor cores: the kernels before and after that of flash2_mma_backward.h, and the
// choice of its instance. Both are bound by HBM and move 16 bytes at a time. Source: Dao 2023, Algorithm 2.
#include <cstring>
#include <string>

#include "kernels/attention/flash2_mma_backward.h"
#include "kernels/attention/launches.h"
#include "kernels/attention/support.h"
#include "kernels/tile/ragged.h"
#include "sim/base/check.h"

namespace kernels {
inline namespace DEV_FLAVOUR {
namespace {

constexpr int block_threads = 128, lanes_of_row = 4;

/// sum of a o b over 16 bytes of elements
template <class T>
__device__ float dot(const T* a, const T* b) {
  const dev::Chunk chunk_a = dev::load_chunk(a), chunk_b = dev::load_chunk(b);
  T from_a[8], from_b[8];
  std::memcpy(from_a, &chunk_a, 16);
  std::memcpy(from_b, &chunk_b, 16);
  float sum = 0;
  DEV_UNROLL
  for (int k = 0; k < 8; ++k) sum += dev::to_float(from_a[k]) * dev::to_float(from_b[k]);
  return sum;
}

/// D_i = rowsum(dO_i o O_i), four neighbouring lanes per row; dQ_acc_i = 0
template <class T, class OfHead>
__device__ __forceinline__ void prepare_block(const Arguments& a, const OfHead& h, Range i) {
  const Rows<T> O = h.queries(a.O, i), dO = h.queries(a.dO, i);
  const Rows<float> D = h.statistics(a.D, i), sums = h.sums(a.dQ_acc, i);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % lanes_of_row;
  for (int first = 0; first < i.size(); first += block_threads / lanes_of_row) {
    const int row = first + thread / lanes_of_row;
    float sum = 0;
    for (int c = lane * 8; c < a.head_dim && row < i.size(); c += lanes_of_row * 8) sum += dot(&O(row, c), &dO(row, c));
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    if (lane == 0 && row < i.size()) D(row, 0) = sum;
  }
  const dev::Chunk zeros{};
  for (int n = thread * 4; n < i.size() * a.head_dim; n += block_threads * 4) dev::store_chunk(sums.at + n, zeros);
}

template <class T>
__global__ void __launch_bounds__(block_threads, 8) flash2_mma_backward_prepare_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, a.br);
  prepare_block<T>(a, head_of<T>(a, head), i);
}

template <class T>
__global__ void __launch_bounds__(block_threads, 8)
    flash2_mma_backward_prepare_ragged_kernel(const Arguments batch, const __grid_constant__ RaggedGrid grid) {
  SmemAllocator smem = smem_allocator();
  const RaggedRowBlock<T> at(batch, grid, smem);
  prepare_block<T>(at.a, at.head, at.i);
}

/// Eight neighbouring elements of a row of dQ; dQ_acc stores those of even columns together, and those of odd ones.
template <class T>
__device__ dev::Chunk scaled_eight(const Rows<float>& sums, std::int32_t row, std::int32_t eight, float scale) {
  const std::int32_t rows = smaller(8, sums.rows - row / 8 * 8);
  const float* at = sums.at + row / 8 * 8 * sums.stride + eight * 8 * rows + row % 8 * 4;
  const dev::Chunk chunks[2] = {dev::load_chunk(at), dev::load_chunk(at + 4 * rows)};
  float from[2][4];
  std::memcpy(from, chunks, 32);
  std::uint32_t to[4];
  DEV_UNROLL
  for (int k = 0; k < 4; ++k) to[k] = dev::pack<T>(scale * from[0][k], scale * from[1][k]);
  dev::Chunk chunk;
  std::memcpy(&chunk, to, 16);
  return chunk;
}

/// dQ_i = scale dQ_acc_i, from fragment order to rows: a thread's eight elements are two chunks of dQ_acc.
template <class T, class OfHead>
__device__ __forceinline__ void finish_block(const Arguments& a, const OfHead& h, Range i) {
  const Rows<T> dQ = h.queries(a.dQ, i);
  const Rows<float> sums = h.sums(a.dQ_acc, i);
  for (int n = static_cast<int>(threadIdx.x); n < blocks_of(i.size(), 8) * a.head_dim; n += block_threads) {
    const int row = n / a.head_dim * 8 + n % 8, eight = n % a.head_dim / 8;
    if (row < i.size()) dev::store_chunk(&dQ(row, eight * 8), scaled_eight<T>(sums, row, eight, a.scale));
  }
}

template <class T>
__global__ void __launch_bounds__(block_threads, 8) flash2_mma_backward_finish_kernel(const Arguments a) {
  const auto [head, i, keys] = row_block_of(a, blockIdx.x, a.br);
  finish_block<T>(a, head_of<T>(a, head), i);
}

template <class T>
__global__ void __launch_bounds__(block_threads, 8)
    flash2_mma_backward_finish_ragged_kernel(const Arguments batch, const __grid_constant__ RaggedGrid grid) {
  SmemAllocator smem = smem_allocator();
  const RaggedRowBlock<T> at(batch, grid, smem);
  finish_block<T>(at.a, at.head, at.i);
}

/// Calls f with a value of the element type.
template <class F>
void with_half(Element element, F f) {
  sim::require(element != Element::fp32, "flash2_mma backward has no fp32: it has fp16, bf16");
  if (element == Element::fp16) return f(dev::fp16{});
  f(dev::bf16{});
}

/// Returns the first instance with the tiles of `a` that fits in `smem` bytes; throws sim::Error if there is none.
template <class Instance>
const Instance& instance_among(const std::vector<Instance>& instances, const char* kernel, const Arguments& a,
                               std::int64_t smem) {
  std::string menu;
  for (const Instance& instance : instances) {
    if (instance.br == a.br && instance.bc == a.bc && instance.smem <= smem) return instance;
    menu += sim::text(menu.empty() ? "" : ", ", instance.br, " x ", instance.bc, " in ", instance.smem, " bytes");
  }
  throw sim::Error(kernel, " backward has no tile ", a.br, " x ", a.bc, " for head dim ", a.head_dim, " that fits in ",
                   smem, " bytes of shared memory: it has ", menu);
}

/// Throws sim::Error if the kernel lacks the element type or the head dimension.
void require_backward_mma(const char* kernel, const Arguments& a) {
  sim::require(a.element != Element::fp32, kernel, " backward has no fp32: it has fp16, bf16");
  const std::int32_t d = a.head_dim;
  sim::require(d == 32 || d == 64 || d == 96 || d == 128 || d == 256, kernel, " backward has no head dim ", d,
               ": it has 32, 64, 96, 128, 256");
  sim::require(!a.extended(), kernel, " backward has no ", extension_of(a), ": the plain kernel has");
}

const BackwardInstance& instance_for(const Arguments& a) {
  require_backward_mma("flash2_mma", a);
  const auto instances = [](auto d) -> auto& { return Flash2MmaBackwardOf<d>::instances(); };
  return instance_among(with_head_dim(a.head_dim, instances), "flash2_mma", a, a.smem);
}

const RaggedBackwardInstance& ragged_instance_for(const Arguments& a) {
  const char* kernel = "flash2_mma with --seqlens";
  require_backward_mma(kernel, a);
  sim::require(!a.dropout, kernel, " backward has no dropout: the plain kernel has");
  const auto instances = [](auto d) -> auto& { return Flash2RaggedMmaBackwardOf<d>::instances(); };
  return instance_among(with_head_dim(a.head_dim, instances), kernel, a, a.smem);
}

/// The instance under a pattern; a bit for each row block of each query head follows its tiles in shared memory.
const BackwardInstance& block_sparse_instance_for(const Arguments& a) {
  const char* kernel = "flash2-block-sparse_mma";
  require_backward_mma(kernel, a);
  sim::require(!a.dropout, kernel, " backward has no dropout: flash2-block-sparse has");
  const auto instances = [](auto d) -> auto& { return Flash2MmaBackwardOf<d>::instances_under_pattern(); };
  const std::int64_t bits = a.heads / a.kv_heads * block_bits_bytes(blocks_of(a.seqlen_q, a.br));
  return instance_among(with_head_dim(a.head_dim, instances), kernel, a, a.smem - bits);
}

}  // namespace

void flash2_mma_backward_prepare(dev::Stream stream, const Arguments& a) {
  with_half(a.element, [&](auto element) {
    dev::launch(stream, "flash2_backward_prepare", flash2_mma_backward_prepare_kernel<decltype(element)>, row_blocks(a),
                block_threads, 0, a);
  });
}

void flash2_mma_backward(dev::Stream stream, const Arguments& a) { instance_for(a).launch(stream, a); }

void flash2_mma_backward_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch) {
  ragged_instance_for(a).launch(stream, a, batch);
}

void require_flash2_mma_backward(const Arguments& a) {
  if (a.ragged) {
    ragged_instance_for(a);
  } else {
    instance_for(a);
  }
}

void flash2_block_sparse_mma_backward(dev::Stream stream, const Arguments& a) {
  block_sparse_instance_for(a).launch(stream, a);
}

void require_flash2_block_sparse_mma_backward(const Arguments& a) { block_sparse_instance_for(a); }

void flash2_mma_backward_finish(dev::Stream stream, const Arguments& a) {
  with_half(a.element, [&](auto element) {
    dev::launch(stream, "flash2_backward_finish", flash2_mma_backward_finish_kernel<decltype(element)>, row_blocks(a),
                block_threads, 0, a);
  });
}

void flash2_mma_backward_prepare_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch) {
  const RaggedGrid grid = ragged_row_blocks(batch, a);
  with_half(a.element, [&](auto element) {
    dev::launch(stream, "flash2_backward_prepare", flash2_mma_backward_prepare_ragged_kernel<decltype(element)>,
                grid.ctas, block_threads, sequence_bytes, a, grid);
  });
}

void flash2_mma_backward_finish_ragged(dev::Stream stream, const Arguments& a, const RaggedBatch& batch) {
  const RaggedGrid grid = ragged_row_blocks(batch, a);
  with_half(a.element, [&](auto element) {
    dev::launch(stream, "flash2_backward_finish", flash2_mma_backward_finish_ragged_kernel<decltype(element)>,
                grid.ctas, block_threads, sequence_bytes, a, grid);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
