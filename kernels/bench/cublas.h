// Declarations of cuBLAS in use: names and numbers of its cublas_api.h and library_types.h, which a test compares.
#pragma once

namespace bench::cublas {

using Create = int(void** handle);
using SetStream = int(void* handle, void* stream);
using Destroy = int(void* handle);
/// C = alpha op(A) op(B) + beta C: the operations, m, n, k, alpha, A, its type and stride, B, ..., beta, C, ...,
/// type of the sums, algorithm.
using Gemm = int(void* handle, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int,
                 const void*, void*, int, int, int, int);

inline constexpr int as_is = 0, type_fp32 = 0, type_fp16 = 2, type_bf16 = 14, sums_in_fp32 = 68, chosen_by_cublas = -1;

}  // namespace bench::cublas
