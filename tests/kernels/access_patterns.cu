// Kernels whose bytes, sectors and shared-memory wavefronts can be derived by hand.
#include "kernels/dev/dev.h"
#include "sim/machine/warp_access.h"
#include "tests/kernels/test_kernels.h"

namespace test_kernels {
inline namespace DEV_FLAVOUR {
namespace {

__device__ float* shared() { return reinterpret_cast<float*>(dev::shared_memory()); }

/// Reads every n-th float.
__global__ void strided(const float* in, float* out, int n) {
  const auto t = static_cast<int>(threadIdx.x);
  out[t] = in[n * t];
}

/// Loads sixteen bytes per thread.
__global__ void chunks(const float* in, float* out, int) {
  const auto t = static_cast<int>(threadIdx.x);
  dev::store_chunk(out + 4 * t, dev::load_chunk(in + 4 * t));
}

/// One load per iteration of a loop.
__global__ void sums(const float* in, float* out, int n) {
  const auto t = static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[32 * i + t];
  out[t] = sum;
}

/// One load per iteration of a loop that lane t leaves after t % 4 iterations.
__global__ void uneven_sums(const float* in, float* out, int) {
  const auto t = static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int i = 0; i < t % 4; ++i) sum += in[32 * i + t];
  out[t] = sum;
}

/// A load by all lanes, then a store by every fourth lane, different ones in each iteration; then a loop of all lanes.
__global__ void gated_sums(const float* in, float* out, int n) {
  const auto t = static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += in[32 * i + t];
    if (t % 4 == i % 3) out[32 + 32 * i + t] = sum;
  }
  for (int i = 0; i < n; ++i) sum += in[32 * (n + i) + t];
  out[t] = sum;
}

/// Rows that all lanes start and end together, with a different number of additions per lane in between.
__global__ void uneven_rows(const float* in, float* out, int n) {
  const auto t = static_cast<int>(threadIdx.x);
  for (int row = 0; row < n; ++row) {
    float sum = in[32 * row + t];
    for (int i = 0; i < t % 4; ++i) sum += in[32 * (n + i) + t];
    out[32 * row + t] = sum;
    __syncwarp();
  }
}

/// A load before the halves of the warp diverge and synchronise separately, and one after they reconverge.
__global__ void halves(const float* in, float* out, int) {
  const auto t = static_cast<int>(threadIdx.x);
  float value = in[t];
  if (t < 16) {
    value = __shfl_xor_sync(0x0000ffffu, value, 1);
  } else {
    value = __shfl_xor_sync(0xffff0000u, value, 2);
  }
  out[t] = value + in[32 + t];
}

__global__ void atomics(const float*, float* out, int n) {
  const auto t = static_cast<int>(threadIdx.x);
  dev::atomic_add(&out[t % n], 1);
}

/// (32, 32) written by rows and read by columns: rows are n floats apart.
__global__ void columns(const float*, float* out, int n) {
  const auto t = static_cast<int>(threadIdx.x);
  float* tile = shared();
  for (int row = 0; row < 32; ++row) tile[n * row + t] = static_cast<float>(row);
  __syncwarp();
  float sum = 0;
  for (int col = 0; col < 32; ++col) sum += tile[n * t + col];
  out[t] = sum;
}

/// (32, 32) written by rows and read by columns in 32 columns: column c of row r is stored at c ^ r.
__global__ void swizzled_columns(const float*, float* out, int) {
  const auto t = static_cast<int>(threadIdx.x);
  float* tile = shared();
  for (int row = 0; row < 32; ++row) tile[32 * row + (t ^ row)] = static_cast<float>(row);
  __syncwarp();
  float sum = 0;
  for (int col = 0; col < 32; ++col) sum += tile[32 * t + (col ^ t)];
  out[t] = sum;
}

/// Stores 8 bytes and then 16 bytes per lane, without a gap.
__global__ void wide_stores(const float*, float*, int) {
  const auto t = static_cast<int>(threadIdx.x);
  reinterpret_cast<double*>(shared())[t] = 1;
  dev::store_chunk(shared() + 64 + 4 * t, dev::Chunk{});
}

/// ldmatrix x4 of 16 rows of 64 elements, as in FlashAttention's tiles: chunk c of row r is at c, or at c ^ (r % 8).
__global__ void matrix(const float*, float* out, int swizzled) {
  const auto t = static_cast<int>(threadIdx.x);
  const int row = t % 16, chunk = t / 16;
  std::uint32_t registers[4];
  dev::ldmatrix(registers,
                dev::shared_address(dev::shared_memory() + 128 * row + 16 * (swizzled != 0 ? chunk ^ row % 8 : chunk)));
  out[t] = static_cast<float>(registers[0]);
}

/// One access of a warp to a tile (16, 64) as in the tensor-core kernels: ldmatrix of its first block in either order,
/// cp.async of its first rows, or a store of its first sums.
template <sim::SmemLayout layout>
__global__ void tile_access(const float* in, float* out, int access) {
  unsigned char* tile = dev::shared_memory();
  const auto t = static_cast<int>(threadIdx.x);
  std::uint32_t q[4] = {};
  const auto order = access == 0 ? sim::Quarters::rows_first : sim::Quarters::columns_first;
  const int chunk = sim::chunk_offset(layout, 64, sim::block_row(order, t), sim::block_chunk(order, t));
  if (access < 2) dev::ldmatrix(q, dev::shared_address(tile + chunk));
  if (access == 2) dev::cp_async(tile + sim::chunk_offset(layout, 64, t / 8, t % 8), in + 4 * t, true);
  if (access == 2) dev::cp_async_commit();
  dev::cp_async_wait<0>();
  if (access == 3) *reinterpret_cast<std::uint32_t*>(tile + sim::chunk_offset(layout, 64, t / 4, 0) + t % 4 * 4) = q[0];
  out[t] = static_cast<float>(q[0]);
}

/// Copies 16 bytes per lane with cp.async: the first n lanes from `in`, the others zeros.
__global__ void copies(const float* in, float* out, int n) {
  const auto t = static_cast<int>(threadIdx.x);
  dev::cp_async(shared() + 4 * t, in + 4 * t, t < n);
  dev::cp_async_commit();
  dev::cp_async_wait<0>();
  out[t] = shared()[4 * t];
}

template <void (*kernel)(const float*, float*, int), int threads, int blocks>
void start(dev::Stream stream, float* in, float* out, int n) {
  dev::launch(stream, "pattern", kernel, blocks, threads, 8192, static_cast<const float*>(in), out, n);
}

}  // namespace

const std::vector<TestKernel>& access_patterns() {
  static const std::vector<TestKernel> all = {
      {"strided", start<strided, 128, 1>},
      {"plain_tile", start<tile_access<sim::SmemLayout::plain>, 32, 1>},
      {"padded_tile", start<tile_access<sim::SmemLayout::padded>, 32, 1>},
      {"swizzled_tile", start<tile_access<sim::SmemLayout::swizzled>, 32, 1>},
      {"chunks", start<chunks, 32, 1>},
      {"sums", start<sums, 32, 1>},
      {"uneven_sums", start<uneven_sums, 32, 1>},
      {"gated_sums", start<gated_sums, 32, 1>},
      {"uneven_rows", start<uneven_rows, 32, 1>},
      {"halves", start<halves, 32, 1>},
      {"atomics", start<atomics, 64, 3>},
      {"columns", start<columns, 32, 1>},
      {"swizzled_columns", start<swizzled_columns, 32, 1>},
      {"wide_stores", start<wide_stores, 32, 1>},
      {"matrix", start<matrix, 32, 1>},
      {"copies", start<copies, 32, 1>},
  };
  return all;
}

}  // namespace DEV_FLAVOUR
}  // namespace test_kernels
