// FlashAttention-3, forward, on Hopper's wgmma: matches the overlapped schedule of sim/programs/flash3/flash3.cpp for
// fp16 and bf16, dense and causal. A thread of the producer warpgroup copies Q_i, and K_j and V_j from the last block
// of keys to the first, into rings of two stages; each consumer warpgroup has 64 rows. It issues S = Q_i K_j^T of the
// next tile before O += P V_j of this one, so that softmax runs beside the products, and then passes on its turn.
// Source: Shah et al. 2024, Algorithms 1 and 2, and the released code (flash-attention, hopper/).
// Inaccuracies: never run on a GPU. A NaN or infinity in a row of V that a query does not see reaches its O as 0 x NaN.
// Tests include this file again with a word changed, so it has no #pragma once; flash3_launch.h includes it for
// programs.
#include "kernels/attention/flash2_mma.h"
#include "kernels/attention/flash3_menu.h"
#include "kernels/dev/hopper.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// Compile-time configuration. Shared memory: Q (Br, d), two stages of K and V (Bc, d), each in parts of 64 columns,
/// swizzled by 128 bytes; then the barriers.
template <class T, int d_, int br_, int bc_>
struct Flash3Wgmma {
  using Element = T;
  static constexpr int d = d_, br = br_, bc = bc_, parts = d / 64, stages = flash3_wgmma_stages;
  static constexpr int consumers = br / 64, threads = 128 * (consumers + 1);
  static constexpr int producer_registers = consumers == 2 ? 24 : 32, consumer_registers = consumers == 2 ? 240 : 160;
  static constexpr int q_part = 128 * br, kv_part = 128 * bc, q_bytes = parts * q_part, kv_bytes = parts * kv_part;
  static constexpr int tile_bytes = q_bytes + 2 * stages * kv_bytes;
  static constexpr int barriers = 1 + 4 * stages, smem_bytes = tile_bytes + 8 * barriers;
  static_assert(kv_part % 1024 == 0 && smem_bytes == tile_bytes + flash3_wgmma_barrier_bytes);

  __device__ static unsigned char* Q() { return dev::shared_memory(); }
  __device__ static unsigned char* K(int n) { return Q() + q_bytes + n % stages * kv_bytes; }
  __device__ static unsigned char* V(int n) { return Q() + q_bytes + (stages + n % stages) * kv_bytes; }
  __device__ static dev::Barrier* barrier(int n) { return reinterpret_cast<dev::Barrier*>(Q() + tile_bytes) + n; }
  __device__ static dev::Barrier* Q_full() { return barrier(0); }
  __device__ static dev::Barrier* K_full(int n) { return barrier(1 + n % stages); }
  __device__ static dev::Barrier* V_full(int n) { return barrier(1 + stages + n % stages); }
  __device__ static dev::Barrier* K_empty(int n) { return barrier(1 + 2 * stages + n % stages); }
  __device__ static dev::Barrier* V_empty(int n) { return barrier(1 + 3 * stages + n % stages); }
  /// Parity of the phase of tile n: that in which it is copied, and read.
  __device__ static int parity(int n) { return n / stages % 2; }
};

/// Tensor maps of a launch; O has boxes of a warpgroup's 64 rows.
struct Flash3Maps {
  dev::TensorMap Q, K, V, O;
};

/// A CTA's place: its head of Q and of K, and its blocks of keys, of which the last is visited first.
struct Flash3Place {
  CtaBlocks at;
  int batch, head, kv_head;
  Range js;
  __device__ int tiles() const { return js.size(); }
  __device__ std::int32_t key(int n, int bc) const { return (js.end - 1 - n) * bc; }
};

template <class Shape>
__device__ Flash3Place flash3_place(const Arguments& a) {
  const CtaBlocks at = row_block_of(a, blockIdx.x, Shape::br, a.causal);
  const auto head = static_cast<int>(at.head % a.heads);
  return {at, static_cast<int>(at.head / a.heads), head, head / (a.heads / a.kv_heads),
          blocks_touching(live_keys<false>(a, at.i), Shape::bc)};
}

template <class Shape>
__device__ void init_flash3_barriers() {
  if (threadIdx.x == 0) {
    for (int n = 0; n < Shape::barriers; ++n)
      dev::mbarrier_init(Shape::barrier(n), n < 1 + 2 * Shape::stages ? 1 : Shape::consumers);
    dev::fence_mbarrier_init();
  }
  __syncthreads();
}

/// Starts to copy `rows` rows of a head, in parts of 64 columns, to a tile.
template <class Shape>
__device__ void load_tile(unsigned char* to, const dev::TensorMap& map, dev::Barrier* full, int bytes, std::int32_t row,
                          int head, int batch) {
  dev::mbarrier_arrive_expect(full, bytes);
  for (int part = 0; part < Shape::parts; ++part)
    dev::tma_load(to + part * (bytes / Shape::parts), map, full, 64 * part, row, head, batch);
}

/// K of the last block, Q, then K of the next tile before V of this one. One thread.
template <class Shape>
__device__ void flash3_producer(const Flash3Maps& maps, const Flash3Place& place) {
  const int tiles = place.tiles();
  const auto load_K = [&](int n) {
    dev::mbarrier_wait(Shape::K_empty(n), Shape::parity(n) ^ 1);
    load_tile<Shape>(Shape::K(n), maps.K, Shape::K_full(n), Shape::kv_bytes, place.key(n, Shape::bc), place.kv_head,
                     place.batch);  // K_j
  };
  const auto load_V = [&](int n) {
    dev::mbarrier_wait(Shape::V_empty(n), Shape::parity(n) ^ 1);
    load_tile<Shape>(Shape::V(n), maps.V, Shape::V_full(n), Shape::kv_bytes, place.key(n, Shape::bc), place.kv_head,
                     place.batch);  // V_j
  };
  for (int n = 0; n < tiles; ++n) {
    load_K(n);
    if (n == 0)
      load_tile<Shape>(Shape::Q(), maps.Q, Shape::Q_full(), Shape::q_bytes, place.at.i.begin, place.head,
                       place.batch);  // Q_i
    if (n > 0) load_V(n - 1);
  }
  if (tiles > 0) load_V(tiles - 1);
}

/// Turns of the consumers on the tensor cores: named barriers 1 to `consumers`.
template <class Shape>
struct Turns {
  int w;
  __device__ void begin() const {
    if (w == 0) dev::named_barrier_arrive(1, 256);
  }
  __device__ void wait() const { dev::named_barrier_sync(1 + w, 256); }
  __device__ void pass() const { dev::named_barrier_arrive(1 + (w + 1) % Shape::consumers, 256); }
};

/// The registers of an accumulator in their order: those of 8 columns are four.
template <int n>
__device__ float (&registers_of(float (&c)[1][n][4]))[4 * n] {
  return reinterpret_cast<float(&)[4 * n]>(c);
}

/// S = Q_i K_j^T, issued: a product for every 16 columns.
template <class Shape>
__device__ void issue_scores(float (&S)[1][Shape::bc / 8][4], int w, int n) {
  const std::uint32_t q = dev::descriptor_address(Shape::Q()) + 64 * 128 * static_cast<std::uint32_t>(w);
  const std::uint32_t k = dev::descriptor_address(Shape::K(n));
  dev::wgmma_fence();
  DEV_UNROLL
  for (std::uint32_t step = 0; step < Shape::d / 16; ++step) {
    const std::uint32_t part = step / 4, within = step % 4 * 32;
    dev::wgmma<typename Shape::Element, Shape::bc>(
        registers_of(S), dev::k_major_descriptor(q + part * Shape::q_part + within),
        dev::k_major_descriptor(k + part * Shape::kv_part + within), step > 0);
  }
  dev::wgmma_commit();
}

/// O = O + P V_j, issued: a product for every 16 keys.
template <class Shape, class P>
__device__ void issue_output(float (&O)[1][Shape::d / 8][4], const P& rounded, int n) {
  const std::uint32_t v = dev::descriptor_address(Shape::V(n));
  dev::wgmma_fence();
  DEV_UNROLL
  for (std::uint32_t step = 0; step < Shape::bc / 16; ++step)
    dev::wgmma<typename Shape::Element, Shape::d, dev::Major::mn>(
        registers_of(O), rounded.a_of[0][step], dev::mn_major_descriptor(v + step * 2048, Shape::kv_part), true);
  dev::wgmma_commit();
}

/// Stores O of a warpgroup in the place of its rows of Q, and from there to HBM.
template <class Shape>
__device__ void store_output(const float (&O)[1][Shape::d / 8][4], const Flash3Maps& maps, const Flash3Place& place,
                             int w) {
  using T = typename Shape::Element;
  const auto lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
  const std::uint32_t row = 64 * static_cast<std::uint32_t>(w) + 16 * warp + lane % 8 + lane / 8 % 2 * 8;
  DEV_UNROLL
  for (std::uint32_t c = 0; c < Shape::d / 16; ++c) {
    const auto& left = O[0][2 * c];
    const auto& right = O[0][2 * c + 1];
    const std::uint32_t registers[4] = {dev::pack<T>(left[0], left[1]), dev::pack<T>(left[2], left[3]),
                                        dev::pack<T>(right[0], right[1]), dev::pack<T>(right[2], right[3])};
    const std::uint32_t chunk = 2 * c + lane / 16;
    dev::stmatrix(dev::shared_address(Shape::Q() + chunk / 8 * Shape::q_part + dev::swizzled_128(row, chunk % 8 * 16)),
                  registers);
  }
  dev::fence_proxy_async();
  dev::named_barrier_sync(8 + w, 128);
  if (threadIdx.x % 128 != 0) return;
  for (int part = 0; part < Shape::parts; ++part)
    dev::tma_store(maps.O, Shape::Q() + part * Shape::q_part + 64 * 128 * w, 64 * part, place.at.i.begin + 64 * w,
                   place.head, place.batch);
  dev::bulk_commit();
  dev::bulk_wait_read<0>();
}

/// O = diag(alpha) O
template <int n>
__device__ void scale_rows(float (&O)[1][n][4], const float (&alpha)[1][1][4]) {
  DEV_UNROLL
  for (int c = 0; c < 4 * n; ++c) O[0][c / 4][c % 4] *= alpha[0][0][c % 4 / 2 * 2];
}

/// Rows 64 w to 64 w + 63 of the CTA's row block.
template <class Shape>
__device__ void flash3_consumer(const Arguments& a, const ScoreScale& scale, const Flash3Maps& maps,
                                const Flash3Place& place, int w) {
  using T = typename Shape::Element;
  constexpr int n_s = Shape::bc / 8, n_o = Shape::d / 8;
  const int tiles = place.tiles(), row = 64 * w + static_cast<int>(threadIdx.x / 32 % 4) * 16;
  const Range full = full_keys<false>(a, place.at.i);
  const Turns<Shape> turns{w};
  const auto release = [&](dev::Barrier* empty) {
    if (threadIdx.x % 128 == 0) dev::mbarrier_arrive(empty);
  };
  float O[1][n_o][4], S[1][n_s][4], alpha[1][1][4];
  RowStatistics<1> rows;
  clear(O);                          // O = 0
  clear(rows);                       // l = 0, m = -inf
  const auto softmax = [&](int n) {  // m', alpha, S = P = exp(scale S - m'), l
    const std::int32_t j = place.key(n, Shape::bc);
    if (scale.before) multiply(S, a.scale);
    if (j < full.begin || j + Shape::bc > full.end) hide<false>(S, a, place.at.i.begin + row, j);
    for (float& one : alpha[0][0]) one = 1;  // a column that takes the factors of O, which is being added to
    softmax_step(S, alpha, rows, scale.exponent);
  };
  turns.begin();
  if (tiles > 0) {
    dev::mbarrier_wait(Shape::Q_full(), 0);
    dev::mbarrier_wait(Shape::K_full(0), 0);
    issue_scores<Shape>(S, w, 0);  // S = Q_i K_j^T
    dev::wgmma_wait<0>();
    dev::keep(registers_of(S));
    release(Shape::K_empty(0));
    softmax(0);
    LeftRounded<T, 1, n_s / 2> P(S);
    for (int n = 1; n < tiles; ++n) {
      dev::mbarrier_wait(Shape::K_full(n), Shape::parity(n));
      turns.wait();
      issue_scores<Shape>(S, w, n);  // S = Q_i K_j^T
      dev::mbarrier_wait(Shape::V_full(n - 1), Shape::parity(n - 1));
      issue_output<Shape>(O, P, n - 1);  // O = O + P V_j
      turns.pass();
      dev::wgmma_wait<1>();
      dev::keep(registers_of(S));
      release(Shape::K_empty(n));
      softmax(n);  // beside P V
      dev::wgmma_wait<0>();
      dev::keep(registers_of(O));
      release(Shape::V_empty(n - 1));
      scale_rows(O, alpha);               // O = diag(alpha) O
      P = LeftRounded<T, 1, n_s / 2>(S);  // P in the element type
    }
    dev::mbarrier_wait(Shape::V_full(tiles - 1), Shape::parity(tiles - 1));
    issue_output<Shape>(O, P, tiles - 1);  // O = O + P V_j
    dev::wgmma_wait<0>();
    dev::keep(registers_of(O));
    release(Shape::V_empty(tiles - 1));
  }
  const std::int64_t first = place.at.head * a.seqlen_q + place.at.i.begin + row;
  divide_rows(O, rows, 1.0f, static_cast<float*>(a.L) + first, place.at.i.size() - row);  // O / l, L = m + log l
  store_output<Shape>(O, maps, place, w);
}

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, 1)
    flash3_wgmma_kernel(const __grid_constant__ Arguments a, const ScoreScale scale,
                        const __grid_constant__ Flash3Maps maps) {
  init_flash3_barriers<Shape>();
  const Flash3Place place = flash3_place<Shape>(a);  // before roles part: they agree on the number of tiles
  if (threadIdx.x < 128) {
    dev::decrease_registers<Shape::producer_registers>();
    if (threadIdx.x == 0) flash3_producer<Shape>(maps, place);
  } else {
    dev::increase_registers<Shape::consumer_registers>();
    flash3_consumer<Shape>(a, scale, maps, place, static_cast<int>(threadIdx.x / 128) - 1);
  }
}

/// (d, N, heads, batch) with boxes of 64 columns and `rows` rows.
inline dev::TensorMap flash3_map(void* memory, int d, std::int32_t n, std::int32_t heads, std::int32_t batch,
                                 int rows) {
  const std::int64_t row = 2 * d, head = row * n;
  return dev::tensor_map({memory, 2, 4, {d, n, heads, batch}, {2, row, head, head * heads}, {64, rows, 1, 1}});
}

template <class Shape>
void launch_flash3(dev::Stream stream, const Arguments& a) {
  const auto map = [&](void* memory, std::int32_t n, std::int32_t heads, int rows) {
    return flash3_map(memory, Shape::d, n, heads, a.batch, rows);
  };
  const Flash3Maps maps = {map(a.Q, a.seqlen_q, a.heads, Shape::br), map(a.K, a.seqlen_k, a.kv_heads, Shape::bc),
                           map(a.V, a.seqlen_k, a.kv_heads, Shape::bc), map(a.O, a.seqlen_q, a.heads, 64)};
  dev::launch(stream, "flash3_forward", flash3_wgmma_kernel<Shape>, row_blocks(a), Shape::threads, Shape::smem_bytes, a,
              score_scale(a), maps);
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
