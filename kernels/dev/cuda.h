// The dual layer on a GPU: this layer's operations as CUDA and PTX. host.h documents each.
// Source: PTX ISA 8.0 and later, sections on ldmatrix, mma.sync.m16n8k16 and cp.async.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/dev/device.h"

#define DEV_UNROLL _Pragma("unroll")
#define DEV_UNROLL_TWICE _Pragma("unroll 2")

namespace dev {

using fp16 = __half;
using bf16 = __nv_bfloat16;

inline namespace DEV_FLAVOUR {

inline constexpr Flavour flavour = Flavour::cuda;

__device__ inline float to_float(float value) { return value; }
__device__ inline float to_float(fp16 value) { return __half2float(value); }
__device__ inline float to_float(bf16 value) { return __bfloat162float(value); }

template <class T>
__device__ T from_float(float value);
template <>
__device__ inline float from_float<float>(float value) {
  return value;
}
template <>
__device__ inline fp16 from_float<fp16>(float value) {
  return __float2half_rn(value);
}
template <>
__device__ inline bf16 from_float<bf16>(float value) {
  return __float2bfloat16_rn(value);
}

template <class T>
__device__ std::uint32_t pack(float low, float high);
template <>
__device__ inline std::uint32_t pack<fp16>(float low, float high) {
  std::uint32_t both;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  return both;
}
template <>
__device__ inline std::uint32_t pack<bf16>(float low, float high) {
  std::uint32_t both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  return both;
}

using Chunk = uint4;

__device__ inline Chunk load_chunk(const void* from) { return *static_cast<const Chunk*>(from); }
__device__ inline void store_chunk(void* to, Chunk chunk) { *static_cast<Chunk*>(to) = chunk; }

struct Pair {
  float first, second;
};

__device__ inline Pair load_pair(const float* from) {
  const float2 both = *reinterpret_cast<const float2*>(from);
  return {both.x, both.y};
}
__device__ inline void store_pair(float* to, Pair pair) {
  *reinterpret_cast<float2*>(to) = make_float2(pair.first, pair.second);
}

__device__ inline unsigned char* shared_memory() {
  extern __shared__ __align__(1024) unsigned char bytes[];
  return bytes;
}

using SharedAddress = std::uint32_t;

__device__ inline SharedAddress shared_address(const void* pointer) {
  return static_cast<SharedAddress>(__cvta_generic_to_shared(pointer));
}

template <class T>
__device__ T opaque(T n) {
  static_assert(sizeof(T) == 4);
  asm volatile("" : "+r"(n));
  return n;
}

__device__ inline int lowest_bit(std::uint32_t word) { return __ffs(static_cast<int>(word)) - 1; }

__device__ inline std::uint32_t shift_in_carry(std::uint32_t bits, std::uint32_t a, std::uint32_t b) {
  asm("{.reg .u32 sum; add.cc.u32 sum, %1, %2; addc.u32 %0, %0, %0;}" : "+r"(bits) : "r"(a), "r"(b));
  return bits;
}

__device__ inline float exp2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ inline float log(float x) { return logf(x); }
__device__ inline float tanh(float x) { return tanhf(x); }
__device__ inline float tanh_approximate(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ inline float infinity() { return __int_as_float(0x7f800000); }

__device__ inline void atomic_add(float* address, float value) { atomicAdd(address, value); }

__device__ inline void cp_async(void* to, const void* from, bool valid) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from), "r"(valid ? 16 : 0)
               : "memory");
}
__device__ inline void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int pending>
__device__ inline void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

template <int count>
__device__ void ldmatrix(std::uint32_t (&r)[count], SharedAddress row);
template <>
__device__ inline void ldmatrix<4>(std::uint32_t (&r)[4], SharedAddress row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}
template <>
__device__ inline void ldmatrix<2>(std::uint32_t (&r)[2], SharedAddress row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(row)
               : "memory");
}
template <int count>
__device__ void ldmatrix_transposed(std::uint32_t (&r)[count], SharedAddress row);
template <>
__device__ inline void ldmatrix_transposed<4>(std::uint32_t (&r)[4], SharedAddress row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}
template <>
__device__ inline void ldmatrix_transposed<2>(std::uint32_t (&r)[2], SharedAddress row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(row)
               : "memory");
}

template <class T>
__device__ void mma(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]);
template <>
__device__ inline void mma<fp16>(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
template <>
__device__ inline void mma<bf16>(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// Throws DeviceError with the error's text after `what`, unless the call succeeded. In cuda_device.cu.
void check(cudaError_t error, const char* what);
/// Throws DeviceError if the card has less shared memory per CTA than `bytes`. In cuda_device.cu.
void check_smem(const char* kernel, std::int64_t bytes);

template <class... Parameter, class... Argument>
void launch(Stream stream, const char* name, void (*kernel)(Parameter...), std::int64_t grid, int block,
            std::int64_t smem, const Argument&... arguments) {
  check_smem(name, smem);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(smem)), name);
  kernel<<<static_cast<unsigned>(grid), static_cast<unsigned>(block), static_cast<std::size_t>(smem),
           static_cast<cudaStream_t>(stream.handle)>>>(arguments...);
  check(cudaGetLastError(), name);
}

}  // namespace DEV_FLAVOUR
}  // namespace dev
