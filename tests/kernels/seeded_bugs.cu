// Correct kernels, and versions with one bug each as they occur in practice: true and false positives of the checks.
#include <algorithm>

#include "kernels/attention/launches.h"
#include "kernels/dev/dev.h"
#include "kernels/tile/dropout.h"
#include "kernels/tile/four.h"
#include "kernels/tile/pages.h"
#include "kernels/tile/pattern.h"
#include "kernels/tile/ragged.h"
#include "kernels/tile/row.h"
#include "kernels/tile/score_steps.h"
#include "kernels/tile/sinks.h"
#include "kernels/tile/tile_gemm.h"
#include "kernels/tile/tile_softmax.h"
#include "tests/kernels/test_kernels.h"

// Kernels of programs with one word changed: includes their source with one name redefined.
namespace parts_in_another_order {  // weights the output of a part by the next part's L
using namespace ::kernels;
#define L_part(row, s) L_part(row, ((s) + 1) % parts)
#include "kernels/attention/flash_decoding.cu"
#undef L_part
}  // namespace parts_in_another_order

namespace wrong_weights {  // weights all parts equally
using namespace ::kernels;
#define exp_difference(L, m) exp_difference((L) == -dev::infinity() ? (L) : (m), m)
#include "kernels/attention/flash_decoding.cu"
#undef exp_difference
}  // namespace wrong_weights

namespace parts_that_overlap {  // by a block of keys
using namespace ::kernels;
inline Range one_more(Range part, Range all) { return {part.begin, smaller(part.end + 1, all.end)}; }
inline Range all_of(const Arguments& a, Range i) { return live_key_blocks(a, i); }
#define live_key_blocks(a, i, s) one_more(live_key_blocks(a, i, s), all_of(a, i))
#include "kernels/attention/flash_decoding.cu"
#undef live_key_blocks
}  // namespace parts_that_overlap

namespace hidden_blocks_loaded {  // every row block loads the blocks that the first one sees
using namespace ::kernels;
#define pattern_row(a, head, i) pattern_row(a, head, all_rows(a))
#include "kernels/attention/flash2.cu"
#undef pattern_row
}  // namespace hidden_blocks_loaded

namespace first_row_too_early {  // starts one row too early if there is a row before
using namespace ::kernels;
template <class T>
struct EarlyRowBlock : RaggedRowBlock<T> {
  EarlyRowBlock(const Arguments& batch, const RaggedGrid& grid, SmemAllocator& smem)
      : RaggedRowBlock<T>(batch, grid, smem) {
    if (this->head.first_query > 0) --this->head.first_query;
  }
};
#define RaggedRowBlock EarlyRowBlock
#include "kernels/attention/flash2.cu"
#undef RaggedRowBlock
}  // namespace first_row_too_early

namespace length_of_the_first {  // gives every entry the number of keys of the first
using namespace ::kernels;
template <class T>
struct EqualRowBlock : RaggedRowBlock<T> {
  EqualRowBlock(const Arguments& batch, const RaggedGrid& grid, SmemAllocator& smem)
      : RaggedRowBlock<T>(batch, grid, smem) {
    SmemAllocator for_a_while = smem;
    this->a.seqlen_k = load_sequence(for_a_while, grid, 0).seqlen_k;
    __syncthreads();
  }
};
#define RaggedRowBlock EqualRowBlock
#include "kernels/attention/flash2.cu"
#undef RaggedRowBlock
}  // namespace length_of_the_first

namespace mask_before_softcap {
using namespace ::kernels;
inline void hide_then_modify(Tile<float> S, const Arguments& a, Vec slope, Range i, Range j) {
  if (needs_mask(a, i, j)) mask(S, a, i, j);
  modify(S, a, slope, i, j);
}
#define modify(S, a, slope, i, j) hide_then_modify(S, a, slope, i, j)
#define needs_mask(a, i, j) false
#include "kernels/attention/flash2.cu"
#undef needs_mask
#undef modify
}  // namespace mask_before_softcap

namespace slope_of_the_kv_head {
using namespace ::kernels;
#define slopes_of(a, head, i) slopes_of(a, (head) / (a.heads / a.kv_heads), i)
#include "kernels/attention/flash2.cu"
#undef slopes_of
}  // namespace slope_of_the_kv_head

namespace one_slope_for_all_rows {
using namespace ::kernels;
inline Vec first_of(Vec slopes, Range i) {
  for (std::int32_t row = 1; row < i.size(); ++row) {
    if (this_thread() == 0) slopes.set(row, 0, slopes[0]);
  }
  __syncthreads();
  return slopes;
}
#define slopes_of(a, head, i) slopes_of(a, head, Range{0, 1})
#define modify(S, a, slopes, i, j) modify(S, a, first_of(slopes, i), i, j)
#include "kernels/attention/flash_decoding.cu"
#undef modify
#undef slopes_of
}  // namespace one_slope_for_all_rows

namespace sink_in_every_part {
using namespace ::kernels;
#define adds_sinks sinks != nullptr
#define sinks_bytes(a) numbers_bytes(a, (a).br)
#include "kernels/attention/flash_decoding.cu"
#undef sinks_bytes
#undef adds_sinks
}  // namespace sink_in_every_part

namespace sink_of_the_kv_head {
using namespace ::kernels;
#define sinks_of(a, head, i) sinks_of(a, (head) / (a.heads / a.kv_heads), i)
#include "kernels/attention/flash2.cu"
#undef sinks_of
}  // namespace sink_of_the_kv_head

namespace wrong_page {  // looks up the pages of a pair in the wrong order
using namespace ::kernels;
#define look_up(batch, page) look_up(batch, (page) ^ 1)
#include "kernels/attention/paged_attention.cu"
#undef look_up
}  // namespace wrong_page

namespace whole_pages {  // reads all slots of the last page, with those that hold no key
using namespace ::kernels;
inline std::int32_t in_whole_pages(std::int32_t keys, std::int32_t rows) { return blocks_of(keys, rows) * rows; }
#define load_length(smem, batch, entry) in_whole_pages(load_length(smem, batch, entry), (batch).page_rows)
#include "kernels/attention/paged_attention.cu"
#undef load_length
}  // namespace whole_pages

namespace length_of_a_neighbour {  // gives every entry the number of keys of the first
using namespace ::kernels;
#define load_length(smem, batch, entry) load_length(smem, batch, (entry)*0)
#include "kernels/attention/paged_attention.cu"
#undef load_length
}  // namespace length_of_a_neighbour

namespace test_kernels {
inline namespace DEV_FLAVOUR {
namespace {

constexpr int threads = 128;

__device__ float* shared() { return reinterpret_cast<float*>(dev::shared_memory()); }

enum class Bug { none, no_wait, no_barrier, no_second_barrier, no_sync_warp };

/// Copies four floats per thread to shared memory asynchronously and stores those of the next thread.
template <Bug bug>
__global__ void stage(const float* in, float* out, int) {
  const auto t = static_cast<int>(threadIdx.x), next = (t + 1) % threads;
  dev::cp_async(shared() + 4 * t, in + 4 * t, true);
  dev::cp_async_commit();
  if (bug != Bug::no_wait) dev::cp_async_wait<0>();
  if (bug != Bug::no_barrier) __syncthreads();
  for (int i = 0; i < 4; ++i) out[4 * t + i] = shared()[4 * next + i];
}

/// Writes each thread's element of a tile and reads the next thread's, `n` times.
template <Bug bug>
__global__ void exchange(const float* in, float* out, int n) {
  const auto t = static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    shared()[t] = in[threads * i + t];
    if (bug != Bug::no_barrier) __syncthreads();
    sum += shared()[(t + 1) % threads];
    if (bug != Bug::no_second_barrier) __syncthreads();
  }
  out[t] = sum;
}

/// Exchanges values between lanes through shared memory. The shuffle synchronises them, but orders no memory.
template <Bug bug>
__global__ void pairs(const float* in, float* out, int) {
  const auto t = static_cast<int>(threadIdx.x);
  shared()[t] = in[t];
  const float mine = __shfl_xor_sync(0xffffffffu, in[t], 0);
  if (bug != Bug::no_sync_warp) __syncwarp();
  out[t] = mine + shared()[t ^ 1];
}

/// Exchanges values between pairs of lanes, with a barrier per quarter of the warp.
__global__ void pairs_in_quarters(const float* in, float* out, int n) {
  const auto t = static_cast<int>(threadIdx.x), lane = t % 32;
  shared()[t] = in[t];
  __syncwarp(0xffu << lane / 8 * 8);
  out[t] = shared()[t ^ n];
}

/// Writes adjacent bytes, then adds all to one word atomically.
__global__ void bytes(const float*, float* out, int) {
  const auto t = static_cast<int>(threadIdx.x);
  dev::shared_memory()[t] = 1;
  if (t == 0) shared()[threads] = 0;
  __syncthreads();
  dev::atomic_add(&shared()[threads], dev::shared_memory()[(t + 1) % threads]);
  __syncthreads();
  out[t] = shared()[threads];
}

__global__ void read_at(const float* in, float* out, int n) {
  const auto t = static_cast<int>(threadIdx.x);
  out[t] = in[n + t];
}
__global__ void write_at(const float*, float* out, int n) { out[n] = 1; }
__global__ void add_at(const float*, float* out, int n) { dev::atomic_add(out + n, 1); }
__global__ void chunk_at(const float* in, float* out, int n) { dev::store_chunk(out, dev::load_chunk(in + n)); }
__global__ void shared_at(const float*, float* out, int n) { out[threadIdx.x] = shared()[n]; }
__global__ void copy_to(const float* in, float*, int n) { dev::cp_async(shared() + n, in, true); }
__global__ void copy_from(const float* in, float*, int n) { dev::cp_async(shared(), in + n, true); }
__global__ void matrix_at(const float*, float* out, int n) {
  std::uint32_t registers[4];
  dev::ldmatrix(registers, dev::shared_address(shared() + n));
  out[threadIdx.x] = static_cast<float>(registers[0]);
}

template <void (*kernel)(const float*, float*, int)>
void start(dev::Stream stream, float* in, float* out, int n) {
  dev::launch(stream, "seeded", kernel, 1, threads, 16 * threads, static_cast<const float*>(in), out, n);
}

}  // namespace

const std::vector<TestKernel>& seeded_bugs() {
  static const std::vector<TestKernel> all = {
      {"stage", start<stage<Bug::none>>},
      {"stage without a wait", start<stage<Bug::no_wait>>},
      {"stage without a barrier", start<stage<Bug::no_barrier>>},
      {"exchange", start<exchange<Bug::none>>},
      {"exchange without a barrier", start<exchange<Bug::no_barrier>>},
      {"exchange without a second barrier", start<exchange<Bug::no_second_barrier>>},
      {"pairs", start<pairs<Bug::none>>},
      {"pairs without __syncwarp", start<pairs<Bug::no_sync_warp>>},
      {"pairs in quarters", start<pairs_in_quarters>},
      {"bytes", start<bytes>},
      {"read at", start<read_at>},
      {"write at", start<write_at>},
      {"add at", start<add_at>},
      {"chunk at", start<chunk_at>},
      {"shared at", start<shared_at>},
      {"copy to", start<copy_to>},
      {"copy from", start<copy_from>},
      {"matrix at", start<matrix_at>},
  };
  return all;
}

const std::vector<FaultyKernel>& faulty_kernels() {
  static const std::vector<FaultyKernel> all = {
      {"parts in another order", "flash_decoding_combine",
       parts_in_another_order::kernels::DEV_FLAVOUR::flash_decoding_combine},
      {"wrong weights", "flash_decoding_combine", wrong_weights::kernels::DEV_FLAVOUR::flash_decoding_combine},
      {"parts that overlap", "flash_decoding_split", parts_that_overlap::kernels::DEV_FLAVOUR::flash_decoding_split},
      {"hidden blocks loaded", "flash2_block_sparse_forward",
       hidden_blocks_loaded::kernels::DEV_FLAVOUR::flash2_block_sparse_forward},
      {"first row too early", "flash2_forward", nullptr,
       first_row_too_early::kernels::DEV_FLAVOUR::flash2_forward_ragged},
      {"length of the first", "flash2_forward", nullptr,
       length_of_the_first::kernels::DEV_FLAVOUR::flash2_forward_ragged},
      {"mask before softcap", "flash2_forward", mask_before_softcap::kernels::DEV_FLAVOUR::flash2_forward},
      {"slope of the KV head", "flash2_forward", slope_of_the_kv_head::kernels::DEV_FLAVOUR::flash2_forward},
      {"one slope for all rows", "flash_decoding_split",
       one_slope_for_all_rows::kernels::DEV_FLAVOUR::flash_decoding_split},
      {"sink added in every part", "flash_decoding_split",
       sink_in_every_part::kernels::DEV_FLAVOUR::flash_decoding_split},
      {"sink of the KV head", "flash2_forward", sink_of_the_kv_head::kernels::DEV_FLAVOUR::flash2_forward},
      {"wrong page", "paged_attention_v1", nullptr, nullptr, wrong_page::kernels::DEV_FLAVOUR::paged_attention_v1},
      {"whole pages", "paged_attention_v1", nullptr, nullptr, whole_pages::kernels::DEV_FLAVOUR::paged_attention_v1},
      {"length of a neighbour", "paged_attention_v1", nullptr, nullptr,
       length_of_a_neighbour::kernels::DEV_FLAVOUR::paged_attention_v1},
  };
  return all;
}

}  // namespace DEV_FLAVOUR
}  // namespace test_kernels
