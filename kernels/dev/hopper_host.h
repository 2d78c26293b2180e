// Operations of Hopper on the host: functions of the emulator, which documents what each of them refuses.
// Included by hopper.h; hopper_cuda.h has the same operations as PTX.
#pragma once
#include <type_traits>

#include "kernels/dev/descriptor.h"
#include "kernels/dev/host.h"
#include "kernels/dev/tensor_map.h"
#include "kernels/emulator/mbarrier.h"
#include "kernels/emulator/named_barrier.h"
#include "kernels/emulator/tma.h"
#include "kernels/emulator/wgmma.h"

namespace dev {
inline namespace DEV_FLAVOUR {

/// An mbarrier in shared memory, at a multiple of 8 bytes.
using Barrier = std::uint64_t;

/// Makes a barrier of `count` arrivals a phase. One thread does it, then fences, then all meet.
inline void mbarrier_init(Barrier* barrier, int count) { ::emulator::mbarrier_init(barrier, count); }
inline void fence_mbarrier_init() { ::emulator::fence_mbarrier_init(); }
inline void mbarrier_arrive(Barrier* barrier) { ::emulator::mbarrier_arrive(barrier); }
/// The phase also waits for bytes of bulk copies; with or without an arrival.
inline void mbarrier_expect(Barrier* barrier, int bytes) { ::emulator::mbarrier_expect(barrier, bytes); }
inline void mbarrier_arrive_expect(Barrier* barrier, int bytes) { ::emulator::mbarrier_arrive_expect(barrier, bytes); }
/// Waits until the phase of this parity is over; on a new barrier parity 1 passes at once.
inline void mbarrier_wait(Barrier* barrier, int parity) { ::emulator::mbarrier_wait(barrier, parity != 0); }

/// A tensor in HBM and the box that a copy moves: a parameter of the kernel, made on the host by tensor_map().
using TensorMap = TiledTensor;
/// Throws DeviceError if the hardware takes no such tensor.
inline TensorMap tensor_map(const TiledTensor& tensor) {
  if (const std::string why = tensor_map_refusal(tensor); !why.empty())
    throw DeviceError(DeviceError::Kind::failed, why);
  return tensor;
}
/// Throws DeviceError, with the name of the kernel, on a GPU that is not of sm_90.
inline void require_sm_90(const char*) {}

inline void prefetch_tensor_map(const TensorMap& map) { ::emulator::prefetch_tensor_map(map); }

/// Starts to load the box at an element, the innermost coordinate first; its bytes count at the barrier.
inline void tma_load(void* to, const TensorMap& map, Barrier* barrier, int x, int y, int z, int w = 0) {
  ::emulator::tma_load(to, map, barrier, {x, y, z, w});
}
inline void tma_store(const TensorMap& map, const void* from, int x, int y, int z, int w = 0) {
  ::emulator::tma_store(map, from, {x, y, z, w});
}
/// Starts to add fp32 numbers in shared memory to as many in HBM.
inline void bulk_add(float* to, const void* from, int bytes) { ::emulator::bulk_add(to, from, bytes); }
/// Closes the group of this thread's stores and additions since the last one.
inline void bulk_commit() { ::emulator::bulk_commit(); }
/// Waits for all but the `pending` newest groups; with `read` only until shared memory may be used again.
template <int pending>
inline void bulk_wait() {
  ::emulator::bulk_wait(pending, false);
}
template <int pending>
inline void bulk_wait_read() {
  ::emulator::bulk_wait(pending, true);
}
/// Between a thread's stores to shared memory and the bulk copies and products that read them.
inline void fence_proxy_async() { ::emulator::fence_proxy_async(); }

/// Address of shared memory as matrix descriptors have it.
inline std::uint32_t descriptor_address(const void* pointer) {
  return static_cast<std::uint32_t>(static_cast<const unsigned char*>(pointer) - ::emulator::shared_memory());
}

enum class Major { k, mn };  ///< direction in which the lines of an operand run

inline void wgmma_fence() { ::emulator::wgmma_fence(); }
inline void wgmma_commit() { ::emulator::wgmma_commit(); }
/// Waits for all but the `pending` newest groups of products.
template <int pending>
inline void wgmma_wait() {
  ::emulator::wgmma_wait(pending);
}
/// Keeps the compiler from moving accesses to these registers across this place; after a wait.
template <int count>
inline void keep(float (&)[count]) {}

/// wgmma m64nNk16: C (64, N) = A (64, 16) B (16, N), + C if `accumulate`, fp32; C and A in registers as in
/// kernels/dev/descriptor.h.
template <class T, int n, Major a_major = Major::k, Major b_major = Major::k>
requires wgmma_width<n>
inline void wgmma(float (&c)[n / 2], std::uint64_t a, std::uint64_t b, bool accumulate) {
  ::emulator::wgmma_issue(
      {{n, false, a_major == Major::k, b_major == Major::k, std::is_same_v<T, bf16>}, c, nullptr, a, b, accumulate});
}
template <class T, int n, Major b_major = Major::k>
requires wgmma_width<n>
inline void wgmma(float (&c)[n / 2], const std::uint32_t (&a)[4], std::uint64_t b, bool accumulate) {
  ::emulator::wgmma_issue({{n, true, true, b_major == Major::k, std::is_same_v<T, bf16>}, c, a, 0, b, accumulate});
}

/// setmaxnreg: registers per thread of this warpgroup from here on.
template <int registers>
inline void increase_registers() {
  static_assert(registers >= 24 && registers <= 256 && registers % 8 == 0);
  ::emulator::set_max_registers(registers, true);
}
template <int registers>
inline void decrease_registers() {
  static_assert(registers >= 24 && registers <= 256 && registers % 8 == 0);
  ::emulator::set_max_registers(registers, false);
}

/// Barriers 1 to 15 among `threads` threads: arrives and waits, or only arrives.
inline void named_barrier_sync(int id, int threads) { ::emulator::named_barrier_sync(id, threads); }
inline void named_barrier_arrive(int id, int threads) { ::emulator::named_barrier_arrive(id, threads); }

/// True in one lane of the warp.
inline bool elect_one() {
  return lowest_bit(::emulator::ballot(0xffffffffu, true)) ==
         static_cast<int>(::emulator::thread_index().x) % ::emulator::warp_size;
}

/// stmatrix: stores what ldmatrix would load.
template <int count>
inline void stmatrix(SharedAddress row, const std::uint32_t (&registers)[count]) {
  ::emulator::store_matrices(registers, count, reinterpret_cast<void*>(row), false);
}
template <int count>
inline void stmatrix_transposed(SharedAddress row, const std::uint32_t (&registers)[count]) {
  ::emulator::store_matrices(registers, count, reinterpret_cast<void*>(row), true);
}

/// prmt: byte n of the result is byte (selector >> 4 n) % 8 of the eight bytes of low and high.
inline std::uint32_t permute_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
  const std::uint64_t bytes = low | std::uint64_t{high} << 32;
  std::uint32_t result = 0;
  for (unsigned n = 0; n < 4; ++n)
    result |= static_cast<std::uint32_t>(bytes >> 8 * (selector >> 4 * n & 7u) & 0xffu) << 8 * n;
  return result;
}

}  // namespace DEV_FLAVOUR
}  // namespace dev
