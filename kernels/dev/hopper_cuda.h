// Operations of Hopper on a GPU, sm_90a alone: inline PTX. hopper_host.h documents each; included by hopper.h.
// Source: PTX ISA 8.0 and later, sections on mbarrier, cp.async.bulk, wgmma, setmaxnreg, bar and elect. Never run on a
// GPU: compiled alone.
#pragma once
#include <cuda.h>

#include "kernels/dev/cuda.h"
#include "kernels/dev/descriptor.h"
#include "kernels/dev/tensor_map.h"

namespace dev {
inline namespace DEV_FLAVOUR {

using Barrier = std::uint64_t;

__device__ inline void mbarrier_init(Barrier* barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count) : "memory");
}
__device__ inline void fence_mbarrier_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ inline void mbarrier_arrive(Barrier* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
__device__ inline void mbarrier_expect(Barrier* barrier, int bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}
__device__ inline void mbarrier_arrive_expect(Barrier* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}
__device__ inline void mbarrier_wait(Barrier* barrier, int parity) {
  asm volatile(
      "{.reg .pred over;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
      "@!over bra again;}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

using TensorMap = CUtensorMap;
/// In tensor_map.cu.
TensorMap tensor_map(const TiledTensor& tensor);
void require_sm_90(const char* kernel);

__device__ inline void prefetch_tensor_map(const TensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}
__device__ inline void tma_load(void* to, const TensorMap& map, Barrier* barrier, int x, int y, int z) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], "
      "[%2];" ::"r"(shared_address(to)),
      "l"(&map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z)
      : "memory");
}
__device__ inline void tma_load(void* to, const TensorMap& map, Barrier* barrier, int x, int y, int z, int w) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], "
      "[%2];" ::"r"(shared_address(to)),
      "l"(&map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z), "r"(w)
      : "memory");
}
__device__ inline void tma_store(const TensorMap& map, const void* from, int x, int y, int z) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(&map),
               "r"(shared_address(from)), "r"(x), "r"(y), "r"(z)
               : "memory");
}
__device__ inline void tma_store(const TensorMap& map, const void* from, int x, int y, int z, int w) {
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(&map),
               "r"(shared_address(from)), "r"(x), "r"(y), "r"(z), "r"(w)
               : "memory");
}
__device__ inline void bulk_add(float* to, const void* from, int bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(to),
               "r"(shared_address(from)), "r"(bytes)
               : "memory");
}
__device__ inline void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int pending>
__device__ inline void bulk_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(pending) : "memory");
}
template <int pending>
__device__ inline void bulk_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}
__device__ inline void fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ inline std::uint32_t descriptor_address(const void* pointer) { return shared_address(pointer); }

enum class Major { k, mn };

__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int pending>
__device__ inline void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}
template <int count>
__device__ inline void keep(float (&registers)[count]) {
  DEV_UNROLL
  for (int n = 0; n < count; ++n) asm volatile("" : "+f"(registers[n])::"memory");
}

/// Products of one width, for every N that a kernel uses.
template <class T, int n>
struct Wgmma;

// NAMES: of the N / 2 accumulators; A to F: the numbers of the operands behind them.
#define DEV_WGMMA(T, TYPE, N, NAMES, REGISTERS, A, B, C, D, E, F)                                                   \
  template <>                                                                                                       \
  struct Wgmma<T, N> {                                                                                              \
    template <int a_mn, int b_mn>                                                                                   \
    __device__ static void shared(float (&c)[N / 2], std::uint64_t a, std::uint64_t b, int accumulate) {            \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %" C ", 0; wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE  \
                   "." TYPE " {" NAMES "}, %" A ", %" B ", p, 1, 1, %" D ", %" E ";}"                               \
                   : REGISTERS                                                                                      \
                   : "l"(a), "l"(b), "r"(accumulate), "n"(a_mn), "n"(b_mn));                                        \
    }                                                                                                               \
    template <int b_mn>                                                                                             \
    __device__ static void registers(float (&c)[N / 2], const std::uint32_t (&a)[4], std::uint64_t b,               \
                                     int accumulate) {                                                              \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %" F ", 0; wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE  \
                   "." TYPE " {" NAMES "}, {%" A ", %" B ", %" C ", %" D "}, %" E ", p, 1, 1, %" DEV_AFTER_##N ";}" \
                   : REGISTERS                                                                                      \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate), "n"(b_mn));               \
    }                                                                                                               \
  };
// Registers and their names, eight at a time.
#define DEV_LIST(...) __VA_ARGS__
#define DEV_C8(n)                                                                                             \
  "+f"(c[n]), "+f"(c[n + 1]), "+f"(c[n + 2]), "+f"(c[n + 3]), "+f"(c[n + 4]), "+f"(c[n + 5]), "+f"(c[n + 6]), \
      "+f"(c[n + 7])
#define DEV_NAMES_64                                                                                               \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
  "%24, %25, %26, %27, %28, %29, %30, %31"
#define DEV_REGISTERS_64 DEV_C8(0), DEV_C8(8), DEV_C8(16), DEV_C8(24)
#define DEV_AFTER_64 "38"
#define DEV_NAMES_80 DEV_NAMES_64 ", %32, %33, %34, %35, %36, %37, %38, %39"
#define DEV_REGISTERS_80 DEV_REGISTERS_64, DEV_C8(32)
#define DEV_AFTER_80 "46"
#define DEV_NAMES_128                                                                                           \
  DEV_NAMES_80                                                                                                  \
  ", %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, " \
  "%61, %62, %63"
#define DEV_REGISTERS_128 DEV_REGISTERS_80, DEV_C8(40), DEV_C8(48), DEV_C8(56)
#define DEV_AFTER_128 "70"
#define DEV_NAMES_176                                                                                           \
  DEV_NAMES_128                                                                                                 \
  ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, " \
  "%85, %86, %87"
#define DEV_REGISTERS_176 DEV_REGISTERS_128, DEV_C8(64), DEV_C8(72), DEV_C8(80)
#define DEV_AFTER_176 "94"
#define DEV_NAMES_192 DEV_NAMES_176 ", %88, %89, %90, %91, %92, %93, %94, %95"
#define DEV_REGISTERS_192 DEV_REGISTERS_176, DEV_C8(88)
#define DEV_AFTER_192 "102"
#define DEV_NAMES_256                                                                                          \
  DEV_NAMES_192                                                                                                \
  ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, " \
  "%114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define DEV_REGISTERS_256 DEV_REGISTERS_192, DEV_C8(96), DEV_C8(104), DEV_C8(112), DEV_C8(120)
#define DEV_AFTER_256 "134"
DEV_WGMMA(fp16, "f16", 64, DEV_NAMES_64, DEV_LIST(DEV_REGISTERS_64), "32", "33", "34", "35", "36", "37")
DEV_WGMMA(bf16, "bf16", 64, DEV_NAMES_64, DEV_LIST(DEV_REGISTERS_64), "32", "33", "34", "35", "36", "37")
DEV_WGMMA(fp16, "f16", 80, DEV_NAMES_80, DEV_LIST(DEV_REGISTERS_80), "40", "41", "42", "43", "44", "45")
DEV_WGMMA(bf16, "bf16", 80, DEV_NAMES_80, DEV_LIST(DEV_REGISTERS_80), "40", "41", "42", "43", "44", "45")
DEV_WGMMA(fp16, "f16", 128, DEV_NAMES_128, DEV_LIST(DEV_REGISTERS_128), "64", "65", "66", "67", "68", "69")
DEV_WGMMA(bf16, "bf16", 128, DEV_NAMES_128, DEV_LIST(DEV_REGISTERS_128), "64", "65", "66", "67", "68", "69")
DEV_WGMMA(fp16, "f16", 176, DEV_NAMES_176, DEV_LIST(DEV_REGISTERS_176), "88", "89", "90", "91", "92", "93")
DEV_WGMMA(bf16, "bf16", 176, DEV_NAMES_176, DEV_LIST(DEV_REGISTERS_176), "88", "89", "90", "91", "92", "93")
DEV_WGMMA(fp16, "f16", 192, DEV_NAMES_192, DEV_LIST(DEV_REGISTERS_192), "96", "97", "98", "99", "100", "101")
DEV_WGMMA(bf16, "bf16", 192, DEV_NAMES_192, DEV_LIST(DEV_REGISTERS_192), "96", "97", "98", "99", "100", "101")
DEV_WGMMA(fp16, "f16", 256, DEV_NAMES_256, DEV_LIST(DEV_REGISTERS_256), "128", "129", "130", "131", "132", "133")
DEV_WGMMA(bf16, "bf16", 256, DEV_NAMES_256, DEV_LIST(DEV_REGISTERS_256), "128", "129", "130", "131", "132", "133")
#undef DEV_WGMMA

template <class T, int n, Major a_major = Major::k, Major b_major = Major::k>
requires wgmma_width<n> __device__ inline void wgmma(float (&c)[n / 2], std::uint64_t a, std::uint64_t b,
                                                     bool accumulate) {
  Wgmma<T, n>::template shared<a_major == Major::mn, b_major == Major::mn>(c, a, b, accumulate);
}
template <class T, int n, Major b_major = Major::k>
requires wgmma_width<n> __device__ inline void wgmma(float (&c)[n / 2], const std::uint32_t (&a)[4], std::uint64_t b,
                                                     bool accumulate) {
  Wgmma<T, n>::template registers<b_major == Major::mn>(c, a, b, accumulate);
}

template <int registers>
__device__ inline void increase_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ inline void decrease_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}

__device__ inline void named_barrier_sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ inline void named_barrier_arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ inline bool elect_one() {
  int elected;
  asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.s32 %0, 1, 0, p;}" : "=r"(elected));
  return elected != 0;
}

template <int count>
__device__ void stmatrix(SharedAddress row, const std::uint32_t (&r)[count]);
template <>
__device__ inline void stmatrix<4>(SharedAddress row, const std::uint32_t (&r)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(r[0]), "r"(r[1]),
               "r"(r[2]), "r"(r[3])
               : "memory");
}
template <int count>
__device__ void stmatrix_transposed(SharedAddress row, const std::uint32_t (&r)[count]);
template <>
__device__ inline void stmatrix_transposed<4>(SharedAddress row, const std::uint32_t (&r)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(r[0]),
               "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
}

__device__ inline std::uint32_t permute_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
  return __byte_perm(low, high, selector);
}

}  // namespace DEV_FLAVOUR
}  // namespace dev
