// Matrix products of tiles in shared memory, in plain fp32: one thread sums up one element of the result at a time.
// In products with P or dS, an element 0 on the left adds nothing even if the right side is NaN or infinite: hidden
// keys must not poison visible ones.
#pragma once
#include "kernels/tile/tile.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

/// S = S + A B^T
template <class T>
__device__ void gemm_nt_add(Tile<float> S, Tile<T> A, Tile<T> B) {
  each(S.rows, S.cols, [&](auto r, auto c) {
    float sum = S(r, c);
    for (std::int32_t k = 0; k < A.cols; ++k) sum += A(r, k) * B(c, k);
    S.set(r, c, sum);
  });
}

/// S = A B^T, in the buffer of S
template <class T>
__device__ Tile<float> gemm_nt(Tile<float> S, Tile<T> A, Tile<T> B) {
  S.rows = A.rows;
  S.cols = B.rows;
  each(S.rows, S.cols, [&](auto r, auto c) {
    float sum = 0;
    for (std::int32_t k = 0; k < A.cols; ++k) sum += A(r, k) * B(c, k);
    S.set(r, c, sum);
  });
  return S;
}

/// Element (r, c) of A B
template <class A_element, class B_element>
__device__ float product_nn(Tile<A_element> A, Tile<B_element> B, std::int32_t r, std::int32_t c) {
  float sum = 0;
  for (std::int32_t k = 0; k < A.cols; ++k) sum = add_weighted(sum, A(r, k), B(k, c));
  return sum;
}

/// C = C + A B
template <class C_element, class A_element, class B_element>
__device__ void gemm_nn_add(Tile<C_element> C, Tile<A_element> A, Tile<B_element> B) {
  each(C.rows, C.cols, [&](auto r, auto c) { C.set(r, c, C(r, c) + product_nn(A, B, r, c)); });
}

/// HBM = HBM + A B, by one atomic addition per element
template <class A_element, class B_element>
__device__ void gemm_nn_atomic_add(Rows<float> C, Tile<A_element> A, Tile<B_element> B) {
  each(C.rows, C.cols, [&](auto r, auto c) { dev::atomic_add(&C(r, c), product_nn(A, B, r, c)); });
}

/// C = C + A^T B
template <class A_element, class B_element>
__device__ void gemm_tn_add(Tile<float> C, Tile<A_element> A, Tile<B_element> B) {
  each(C.rows, C.cols, [&](auto r, auto c) {
    float sum = C(r, c);
    for (std::int32_t k = 0; k < A.rows; ++k) sum = add_weighted(sum, A(k, r), B(k, c));
    C.set(r, c, sum);
  });
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels
