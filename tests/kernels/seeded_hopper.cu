// Kernels of Hopper's operations, and versions with one bug each: a wrong twin fails the correct ones, and a twin that
// forgives fails the others. Layouts are written out here, not taken from kernels/dev/descriptor.h.
#include "kernels/attention/flash2_mma.h"
#include "kernels/attention/flash3_menu.h"
#include "kernels/dev/hopper.h"
#include "tests/kernels/test_kernels.h"

namespace dev {
inline namespace DEV_FLAVOUR {
/// Waits for one group fewer than asked.
template <int pending>
__device__ inline void wgmma_wait_for_fewer() {
  wgmma_wait<pending + 1>();
}
}  // namespace DEV_FLAVOUR
}  // namespace dev

// flash3_wgmma with one word changed.
namespace no_proxy_fence {
using namespace ::kernels;
#define fence_proxy_async fence_mbarrier_init
#include "kernels/attention/flash3_wgmma.h"
#undef fence_proxy_async
}  // namespace no_proxy_fence

namespace no_wgmma_fence {
using namespace ::kernels;
#define wgmma_fence fence_mbarrier_init
#include "kernels/attention/flash3_wgmma.h"
#undef wgmma_fence
}  // namespace no_wgmma_fence

namespace wrong_parity {  // of the first stage of K
using namespace ::kernels;
#define mbarrier_wait(barrier, phase) mbarrier_wait(barrier, (phase) ^ ((barrier) == Shape::K_full(0) ? 1 : 0))
#include "kernels/attention/flash3_wgmma.h"
#undef mbarrier_wait
}  // namespace wrong_parity

namespace nothing_expected {
using namespace ::kernels;
#define mbarrier_arrive_expect(full, bytes) mbarrier_arrive(full)
#include "kernels/attention/flash3_wgmma.h"
#undef mbarrier_arrive_expect
}  // namespace nothing_expected

namespace released_before_products {  // and results read before them
using namespace ::kernels;
#define wgmma_wait wgmma_wait_for_fewer
#include "kernels/attention/flash3_wgmma.h"
#undef wgmma_wait
}  // namespace released_before_products

namespace v_released_early {  // beside the softmax, while P V reads it
using namespace ::kernels;
#define release(empty) \
  if ((empty) < Shape::V_empty(0)) release(empty)
#define softmax(n) softmax(n), (n) > 0 ? (release)(Shape::V_empty((n)-1)) : void()
#include "kernels/attention/flash3_wgmma.h"
#undef softmax
#undef release
}  // namespace v_released_early

namespace stride_off_by_16 {
using namespace ::kernels;
#define k_major_descriptor(address) k_major_descriptor(address) + (std::uint64_t{1} << 32)
#include "kernels/attention/flash3_wgmma.h"
#undef k_major_descriptor
}  // namespace stride_off_by_16

namespace test_kernels {
inline namespace DEV_FLAVOUR {
namespace {

enum class Flaw {
  none,
  no_init_fence,
  no_wait,
  wrong_parity,
  expects_less,
  no_expect,
  two_arrivals,
  base_512,
  wide_box,
  released_early,
  no_proxy_fence,
  no_wait_read,
  no_end_wait,
  no_wgmma_fence,
  swapped_offsets,
  stride_off_by_16,
  transposed_b,
  a_changed,
  one_warp_missing,
  overwritten_early,
  too_many,
  arrives_twice,
  too_few
};

__device__ int this_thread() { return static_cast<int>(threadIdx.x); }
__device__ dev::Barrier* barriers() { return reinterpret_cast<dev::Barrier*>(dev::shared_memory()); }
__device__ unsigned char* tile(int bytes = 0) { return dev::shared_memory() + 1024 + bytes; }

/// Float `col` of row `row` of a tile of 32 floats a row, swizzled by 128 bytes.
__device__ float& swizzled_float(unsigned char* base, int row, int col) {
  const int chunk = (col / 4) ^ (row % 8);
  return reinterpret_cast<float*>(base)[32 * row + 4 * chunk + col % 4];
}

template <int count>
__device__ void init_barriers(int arrivals, bool fence) {
  if (this_thread() == 0) {
    for (int n = 0; n < count; ++n) dev::mbarrier_init(barriers() + n, arrivals);
    if (fence) dev::fence_mbarrier_init();
  }
  __syncthreads();
}

constexpr int box_rows = 8, box_floats = 32 * box_rows, box_bytes = 4 * box_floats;

/// 32 columns, 10 rows, as many heads as the tensor `in` has.
dev::TensorMap map_of(float* in, int heads, int columns = 32) {
  return dev::tensor_map({in, 4, 3, {32, 10, heads}, {4, 128, 1280}, {columns, box_rows, 1}});
}

/// Loads the box at row `first` of head 0 and stores it in order.
template <Flaw flaw>
__global__ void load_box(const __grid_constant__ dev::TensorMap map, float* out, int first) {
  init_barriers<1>(1, flaw != Flaw::no_init_fence);
  dev::prefetch_tensor_map(map);
  unsigned char* to = tile(flaw == Flaw::base_512 ? 512 : 0);
  if (this_thread() == 0) {
    if (flaw == Flaw::two_arrivals) dev::mbarrier_expect(barriers(), 64);
    if (flaw == Flaw::two_arrivals) dev::mbarrier_arrive(barriers());
    if (flaw == Flaw::arrives_twice) dev::mbarrier_arrive(barriers());
    if (flaw == Flaw::arrives_twice) dev::mbarrier_arrive(barriers());
    const int bytes = flaw == Flaw::no_expect ? 0 : flaw == Flaw::expects_less ? box_bytes - 64 : box_bytes;
    dev::mbarrier_arrive_expect(barriers(), bytes);
    dev::tma_load(to, map, barriers(), 0, first, 0);
  }
  if (flaw != Flaw::no_wait) dev::mbarrier_wait(barriers(), flaw == Flaw::wrong_parity ? 1 : 0);
  for (int n = this_thread(); n < box_floats; n += 128) out[n] = swizzled_float(to, n / 32, n % 32);
  __syncthreads();
  if (flaw != Flaw::none) dev::mbarrier_wait(barriers(), flaw == Flaw::no_expect ? 1 : 0);
}

template <Flaw flaw>
void start_load(dev::Stream stream, float* in, float* out, int n) {
  dev::launch(stream, "load_box", load_box<flaw>, 1, 128, 1024 + 2 * box_bytes,
              map_of(in, 2, flaw == Flaw::wide_box ? 64 : 32), out, n);
}

/// Adds up n boxes that warpgroup 0 loads through two stages, a thread of warpgroup 1 per two elements.
template <Flaw flaw>
__global__ void pipeline(const __grid_constant__ dev::TensorMap map, float* out, int n) {
  init_barriers<4>(1, true);
  dev::Barrier *full = barriers(), *empty = barriers() + 2;
  if (this_thread() < 128) {
    for (int i = 0; i < n && this_thread() == 0; ++i) {
      const int stage = i % 2, phase = i / 2 % 2;
      dev::mbarrier_wait(empty + stage, flaw == Flaw::wrong_parity ? phase : phase ^ 1);
      dev::mbarrier_arrive_expect(full + stage, box_bytes);
      dev::tma_load(tile(stage * box_bytes), map, full + stage, 0, 0, i);
    }
    return;
  }
  float low = 0, high = 0;
  const int t = this_thread() - 128;
  for (int i = 0; i < n; ++i) {
    const int stage = i % 2;
    dev::mbarrier_wait(full + stage, i / 2 % 2);
    if (flaw == Flaw::released_early) dev::named_barrier_sync(1, 128);
    if (flaw == Flaw::released_early && t == 0) dev::mbarrier_arrive(empty + stage);
    low += swizzled_float(tile(stage * box_bytes), t / 32, t % 32);
    high += swizzled_float(tile(stage * box_bytes), t / 32 + 4, t % 32);
    if (flaw == Flaw::released_early) continue;
    dev::named_barrier_sync(1, 128);
    if (t == 0) dev::mbarrier_arrive(empty + stage);
  }
  out[t] = low;
  out[t + 128] = high;
}

template <Flaw flaw>
void start_pipeline(dev::Stream stream, float* in, float* out, int n) {
  dev::launch(stream, "pipeline", pipeline<flaw>, 1, 256, 1024 + 2 * box_bytes, map_of(in, n), out, n);
}

/// Writes n + 0, 1, 2 ... to a box, stores it at row 8 (of 10), then uses its place again.
template <Flaw flaw>
__global__ void store_box(const __grid_constant__ dev::TensorMap map, float*, int n) {
  for (int i = this_thread(); i < box_floats; i += 128)
    swizzled_float(tile(), i / 32, i % 32) = static_cast<float>(n + i);
  if (flaw != Flaw::no_proxy_fence) dev::fence_proxy_async();
  __syncthreads();
  if (this_thread() == 0) {
    dev::tma_store(map, tile(), 0, 8, 0);
    dev::bulk_commit();
    if (flaw != Flaw::no_wait_read && flaw != Flaw::no_end_wait) dev::bulk_wait_read<0>();
  }
  __syncthreads();
  if (flaw != Flaw::no_end_wait) swizzled_float(tile(), this_thread() / 32, this_thread() % 32) = -1;
  if (flaw != Flaw::no_end_wait && this_thread() == 0) dev::bulk_wait<0>();
}

template <Flaw flaw>
void start_store(dev::Stream stream, float*, float* out, int n) {
  dev::launch(stream, "store_box", store_box<flaw>, 1, 128, 1024 + box_bytes, map_of(out, 2), out, n);
}

/// Each CTA adds its number + 1, 128 times, to `out`.
__global__ void add_up(float* out) {
  float* mine = reinterpret_cast<float*>(tile());
  mine[this_thread()] = static_cast<float>(blockIdx.x + 1);
  dev::fence_proxy_async();
  __syncthreads();
  if (this_thread() != 0) return;
  dev::bulk_add(out, mine, 512);
  dev::bulk_commit();
  dev::bulk_wait_read<0>();
}

// Products: A (64, 16) and B (16, N), from `in`: A by rows, then B by rows.

template <class T>
__device__ void store_element(unsigned char* base, int line, int element, float value) {
  const int chunk = (element / 8) ^ (line % 8);
  reinterpret_cast<T*>(base)[64 * line + 8 * chunk + element % 8] = dev::from_float<T>(value);
}

/// Puts A and B into shared memory, lines of 128 bytes swizzled; MN-major ones in parts of 64 columns.
template <class T, int n, bool a_mn, bool b_mn>
__device__ void store_operands(const float* in, unsigned char* a, unsigned char* b) {
  for (int i = this_thread(); i < 64 * 16; i += 128) {
    const int row = i / 16, k = i % 16;
    store_element<T>(a, a_mn ? k : row, a_mn ? row : k, in[i]);
  }
  for (int i = this_thread(); i < 16 * n; i += 128) {
    const int k = i / n, col = i % n;
    store_element<T>(b + (b_mn ? col / 64 * 2048 : 0), b_mn ? k : col, b_mn ? col % 64 : k, in[1024 + i]);
  }
}

__device__ std::uint64_t descriptor(const unsigned char* at, std::uint32_t leading, std::uint32_t stride) {
  return dev::MatrixDescriptor{dev::descriptor_address(at), leading, stride, 0, dev::Swizzle::bytes_128}.encode();
}

template <int n>
__device__ void store_accumulators(const float (&c)[n / 2], float* out) {
  const int warp = this_thread() / 32, lane = this_thread() % 32;
  DEV_UNROLL
  for (int r = 0; r < n / 2; ++r) {
    const int row = 16 * warp + lane / 4 + 8 * (r >> 1 & 1), col = 2 * (lane & 3) + (r & 1) + 8 * (r >> 2);
    out[n * row + col] = c[r];
  }
}

template <class T>
__device__ void load_a(std::uint32_t (&a)[4], const float* in) {
  const int row = this_thread() / 32 * 16 + this_thread() % 32 / 4, k = 2 * (this_thread() % 4);
  for (int r = 0; r < 4; ++r) {
    const float* pair = in + 16 * (row + r % 2 * 8) + k + r / 2 * 8;
    a[r] = dev::pack<T>(pair[0], pair[1]);
  }
}

/// out = A B twice over, the second time added: 2 A B.
template <class T, int n, bool a_registers, bool a_mn, bool b_mn, Flaw flaw = Flaw::none>
__global__ void product(const float* in, float* out) {
  unsigned char *at_a = tile(), *at_b = tile(8192);
  store_operands<T, n, a_mn, b_mn>(in, at_a, at_b);
  if (flaw != Flaw::no_proxy_fence) dev::fence_proxy_async();
  __syncthreads();
  if (flaw == Flaw::one_warp_missing && this_thread() < 32) return;
  constexpr std::uint32_t skew = flaw == Flaw::stride_off_by_16 ? 16 : 0;
  const std::uint64_t a = descriptor(at_a, 16, 1024);
  const std::uint64_t b = flaw == Flaw::swapped_offsets ? descriptor(at_b, 1024, b_mn ? 2048 : 16)
                                                        : descriptor(at_b, b_mn ? 2048 : 16, 1024 + skew);
  constexpr auto major = [](bool mn) { return mn ? dev::Major::mn : dev::Major::k; };
  constexpr dev::Major a_major = major(a_mn), b_major = major(b_mn != (flaw == Flaw::transposed_b));
  float c[n / 2];
  std::uint32_t a_fragment[4];
  load_a<T>(a_fragment, in);
  for (float& sum : c) sum = 1;
  if (flaw != Flaw::no_wgmma_fence) dev::wgmma_fence();
  for (int twice = 0; twice < 2; ++twice) {
    if constexpr (a_registers) {
      dev::wgmma<T, n, b_major>(c, a_fragment, b, twice > 0);
    } else {
      dev::wgmma<T, n, a_major, b_major>(c, a, b, twice > 0);
    }
  }
  dev::wgmma_commit();
  if (flaw == Flaw::a_changed) a_fragment[0] += 1;
  if (flaw == Flaw::overwritten_early) store_element<T>(at_b, this_thread() % 8, this_thread() / 8, 7);
  if (flaw == Flaw::no_wait) store_accumulators<n>(c, out);
  dev::wgmma_wait<0>();
  dev::keep(c);
  if (flaw == Flaw::a_changed && a_fragment[0] == 0) out[0] = 0;
  if (flaw != Flaw::no_wait) store_accumulators<n>(c, out);
}

template <class T, int n, bool a_registers, bool a_mn, bool b_mn, Flaw flaw = Flaw::none>
void start_product(dev::Stream stream, float* in, float* out, int) {
  dev::launch(stream, "product", product<T, n, a_registers, a_mn, b_mn, flaw>, 1, 128, 1024 + 8192 + 256 * 128,
              static_cast<const float*>(in), out);
}

/// A producer and two consumers divide the registers of an SM; each consumer reports.
template <Flaw flaw>
__global__ void __launch_bounds__(384, 1) registers(float* out) {
  constexpr int many = flaw == Flaw::too_many ? 248 : 240;
  if (this_thread() < 128) {
    if (flaw == Flaw::one_warp_missing && this_thread() < 32) return;
    dev::decrease_registers<24>();
  } else {
    dev::increase_registers<many>();
    out[this_thread() / 128 - 1] = many;
  }
}

template <Flaw flaw>
void start_registers(dev::Stream stream, float*, float* out, int) {
  dev::launch(stream, "registers", registers<flaw>, 1, 384, 1024, out);
}

/// Warpgroup 0 writes, arrives; warpgroup 1 waits, reads; n times, with the same pair of barriers.
template <Flaw flaw>
__global__ void hand_over(float* out, int n) {
  float* place = reinterpret_cast<float*>(tile());
  const int t = this_thread() % 128;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (this_thread() < 128) {
      if (i > 0) dev::named_barrier_sync(2, 256);
      place[t] = static_cast<float>(i + t);
      if (flaw != Flaw::too_few) dev::named_barrier_arrive(1, 256);
      if (flaw == Flaw::arrives_twice) dev::named_barrier_arrive(1, 256);
    } else {
      if (flaw != Flaw::no_wait) dev::named_barrier_sync(1, 256);
      sum += place[(t + 1) % 128];
      if (i + 1 < n) dev::named_barrier_arrive(2, 256);
    }
  }
  if (this_thread() >= 128) out[t] = sum;
}

template <Flaw flaw>
void start_hand_over(dev::Stream stream, float*, float* out, int n) {
  dev::launch(stream, "hand_over", hand_over<flaw>, 1, 256, 2048, out, n);
}

/// Loads four matrices, stores them elsewhere, and counts the elected lanes of each warp.
template <bool transposed>
__global__ void round_trip(const float* in, float* out) {
  const int t = this_thread();
  auto* rows = reinterpret_cast<std::uint16_t*>(tile());
  for (int n = t; n < 256; n += 32) rows[n] = static_cast<std::uint16_t>(in[n]);
  __syncwarp();
  std::uint32_t registers[4];
  dev::ldmatrix(registers, dev::shared_address(rows + 8 * t));
  if (transposed) {
    dev::stmatrix_transposed(dev::shared_address(rows + 256 + 8 * t), registers);
  } else {
    dev::stmatrix(dev::shared_address(rows + 256 + 8 * t), registers);
  }
  __syncwarp();
  for (int n = t; n < 256; n += 32) out[n] = rows[256 + n];
  if (dev::elect_one()) out[256] = static_cast<float>(t + 1);
}

template <bool transposed>
void start_round_trip(dev::Stream stream, float* in, float* out, int) {
  dev::launch(stream, "round_trip", round_trip<transposed>, 1, 32, 2048, static_cast<const float*>(in), out);
}

/// Transposes 32 rows of 16 bytes: 16-bit transposed loads hold columns by pairs, bytes are sorted into whole columns,
/// stores write them as rows. Rows come out in the order 0 1 8 9 2 3 10 11 ... of each 16.
__global__ void transpose_bytes(const float* in, float* out) {
  const int t = this_thread();
  unsigned char *from = tile(), *to = tile(512);
  for (int n = t; n < 512; n += 32) from[n] = static_cast<unsigned char>(in[n]);
  __syncwarp();
  std::uint32_t r[4];
  dev::ldmatrix_transposed(r, dev::shared_address(from + 16 * t));
  const std::uint32_t columns[4] = {dev::permute_bytes(r[0], r[1], 0x6420), dev::permute_bytes(r[0], r[1], 0x7531),
                                    dev::permute_bytes(r[2], r[3], 0x6420), dev::permute_bytes(r[2], r[3], 0x7531)};
  // Matrix m: column 2 row + m % 2 of the tile, its rows 16 (m / 2) and on; 32 bytes for each column.
  const int m = t / 8, row = t % 8;
  dev::stmatrix(dev::shared_address(to + 32 * (2 * row + m % 2) + 16 * (m / 2)), columns);
  __syncwarp();
  for (int n = t; n < 512; n += 32) out[n] = to[n];
}

}  // namespace

const std::vector<FaultyKernel>& faulty_hopper() {
  static const std::vector<FaultyKernel> all = {
#define FAULTY(fault, scope) \
  {fault, "flash3_forward",  \
   scope::kernels::DEV_FLAVOUR::launch_flash3<scope::kernels::DEV_FLAVOUR::Flash3Wgmma<dev::fp16, 64, 192, 128>>}
      FAULTY("no fence.proxy.async", no_proxy_fence),
      FAULTY("no wgmma.fence", no_wgmma_fence),
      FAULTY("wrong parity", wrong_parity),
      FAULTY("nothing expected", nothing_expected),
      FAULTY("released before the products", released_before_products),
      FAULTY("V released early", v_released_early),
      FAULTY("stride off by 16", stride_off_by_16),
#undef FAULTY
  };
  return all;
}

const std::vector<TestKernel>& seeded_hopper() {
  static const std::vector<TestKernel> all = {
      {"load box", start_load<Flaw::none>},
      {"load box without fence.mbarrier_init", start_load<Flaw::no_init_fence>},
      {"load box without a wait", start_load<Flaw::no_wait>},
      {"load box with the other parity", start_load<Flaw::wrong_parity>},
      {"load box that expects less", start_load<Flaw::expects_less>},
      {"load box without expecting", start_load<Flaw::no_expect>},
      {"load box with two arrivals", start_load<Flaw::two_arrivals>},
      {"load box after two phases", start_load<Flaw::arrives_twice>},
      {"load box at 512", start_load<Flaw::base_512>},
      {"load wide box", start_load<Flaw::wide_box>},
      {"pipeline", start_pipeline<Flaw::none>},
      {"pipeline with the other parity", start_pipeline<Flaw::wrong_parity>},
      {"pipeline that releases early", start_pipeline<Flaw::released_early>},
      {"store box", start_store<Flaw::none>},
      {"store box without fence.proxy.async", start_store<Flaw::no_proxy_fence>},
      {"store box without wait.read", start_store<Flaw::no_wait_read>},
      {"store box without any wait", start_store<Flaw::no_end_wait>},
      {"add up",
       [](dev::Stream stream, float*, float* out, int n) { dev::launch(stream, "add_up", add_up, n, 128, 2048, out); }},
      {"product 64", start_product<dev::fp16, 64, false, false, false>},
      {"product 64, B MN-major", start_product<dev::fp16, 64, false, false, true>},
      {"product 64, A MN-major", start_product<dev::bf16, 64, false, true, false>},
      {"product 64, A in registers", start_product<dev::bf16, 64, true, false, false>},
      {"product 80", start_product<dev::bf16, 80, false, false, false>},
      {"product 80, A in registers, B MN-major", start_product<dev::fp16, 80, true, false, true>},
      {"product 128", start_product<dev::fp16, 128, false, false, false>},
      {"product 128, A in registers, B MN-major", start_product<dev::bf16, 128, true, false, true>},
      {"product 176", start_product<dev::fp16, 176, false, false, false>},
      {"product 192, both MN-major", start_product<dev::bf16, 192, false, true, true>},
      {"product 256, A in registers, B MN-major", start_product<dev::fp16, 256, true, false, true>},
      {"product without wgmma.fence", start_product<dev::fp16, 64, false, false, false, Flaw::no_wgmma_fence>},
      {"product without fence.proxy.async", start_product<dev::fp16, 64, false, false, false, Flaw::no_proxy_fence>},
      {"product without a wait", start_product<dev::fp16, 64, false, false, false, Flaw::no_wait>},
      {"product with swapped offsets", start_product<dev::fp16, 128, false, false, true, Flaw::swapped_offsets>},
      {"product with a stride off by 16", start_product<dev::fp16, 64, false, false, false, Flaw::stride_off_by_16>},
      {"product with B transposed", start_product<dev::fp16, 64, false, false, false, Flaw::transposed_b>},
      {"product that changes A", start_product<dev::fp16, 64, true, false, false, Flaw::a_changed>},
      {"product that overwrites B", start_product<dev::fp16, 64, false, false, false, Flaw::overwritten_early>},
      {"product without a warp", start_product<dev::fp16, 64, false, false, false, Flaw::one_warp_missing>},
      {"registers", start_registers<Flaw::none>},
      {"registers, too many", start_registers<Flaw::too_many>},
      {"registers without a warp", start_registers<Flaw::one_warp_missing>},
      {"hand over", start_hand_over<Flaw::none>},
      {"hand over without a wait", start_hand_over<Flaw::no_wait>},
      {"hand over with too few", start_hand_over<Flaw::too_few>},
      {"hand over that arrives twice", start_hand_over<Flaw::arrives_twice>},
      {"round trip of matrices", start_round_trip<false>},
      {"transposition by stmatrix", start_round_trip<true>},
      {"transposition of bytes",
       [](dev::Stream stream, float* in, float* out, int) {
         dev::launch(stream, "transpose_bytes", transpose_bytes, 1, 32, 2048, static_cast<const float*>(in), out);
       }},
  };
  return all;
}

}  // namespace DEV_FLAVOUR
}  // namespace test_kernels
