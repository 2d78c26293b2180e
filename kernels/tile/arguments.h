// Arguments of every kernel: tensors in device memory, the shape, scale, mask, dropout and tiles. Passed by value.
#pragma once
#include <cstdint>

namespace kernels {

enum class Element { fp16, bf16, fp32 };

/// A right window that hides nothing: check_sizes() limits the rows of a head to 2^28.
inline constexpr std::int32_t no_limit = 1 << 30;

/// Sizes in elements; each fits in 31 bits, and their products are computed in 64.
/// Q, O, dO, dQ: (batch, heads, Nq, d); K, V, dK, dV: (batch, kv_heads, Nk, d); S, P, dP, dS ...: (batch, heads, Nq,
/// Nk), all of `element`; L, m, l, D: (batch, heads, Nq), dQ_acc (batch, heads, Nq, d), O_part (batch, heads, Nq, parts
/// d) and L_part (batch, heads, Nq, parts) in fp32; slopes and sinks (batch, heads, heads_in_rows) in fp32; mask
/// (batch, heads, Nq, Nk) in bytes. Row-major; null if a kernel does not use the tensor, and sinks if there are none.
struct Arguments {
  Element element = Element::fp32;
  std::int32_t batch = 1, heads = 1, kv_heads = 1, seqlen_q = 1, seqlen_k = 1, head_dim = 1;
  float scale = 1;

  /// Key k is visible to query q, at p = q + Nk - Nq, iff k < Nk - padding, (window >= 0) k >= p - window, and
  /// k <= p + window_right or k < prefix. `causal`: window_right = 0.
  bool causal = false;
  std::int32_t padding = 0, window = -1;

  /// An entry of P is kept, and multiplied by `keep_factor`, iff its Philox word reaches `keep_from`; tile/dropout.h.
  bool dropout = false;  ///< keep_from > 0
  std::uint64_t keep_from = 0;
  std::uint32_t carry_from = 0;          ///< 2^32 - keep_from: adding it to a kept word carries
  std::uint32_t round_keys[10][2] = {};  ///< round keys of Philox; derived from the seed
  float keep_factor = 1;

  std::int32_t br = 1, bc = 1, slice = 32;  ///< tiles: query rows, key rows, depth of a GEMM step
  std::int32_t cta_rows = 1;                ///< query rows of a CTA of this launch, if its grid splits them
  std::int32_t parts = 0, part_blocks = 0;  ///< parts of the keys with separate results; key blocks of each
  std::int64_t smem = 0;                    ///< maximum shared memory of a CTA, in bytes
  bool row_in_smem = true;                  ///< standard softmax: a whole row of scores stays in shared memory
  bool ragged = false;                      ///< batch entries have different lengths; those above are the maxima

  void *Q = nullptr, *K = nullptr, *V = nullptr, *O = nullptr, *dO = nullptr, *dQ = nullptr, *dK = nullptr,
       *dV = nullptr, *S = nullptr, *P = nullptr, *dS = nullptr, *dP = nullptr, *S_masked = nullptr,
       *P_dropped = nullptr, *dP_dropped = nullptr, *L = nullptr, *m = nullptr, *l = nullptr, *D = nullptr,
       *dQ_acc = nullptr, *mask = nullptr, *O_part = nullptr, *L_part = nullptr, *mask_blocks = nullptr,
       *slopes = nullptr, *sinks = nullptr;

  // Most kernels on tensor cores are compiled without the following; its place leaves their code as it is.
  std::int32_t window_right = no_limit, prefix = 0;
  /// Score steps: S = scale Q K^T becomes softcap tanh(S / softcap), if softcap > 0, then S - slope |q + Nk - Nq - k|.
  float softcap = 0;
  bool alibi = false;
  std::int32_t heads_in_rows = 1;  ///< above 1: rows of Q are query heads of one query, each with its slope and sink
  constexpr bool modified() const { return softcap > 0 || alibi; }
  bool adds_sinks = false;  ///< begins rows with `sinks`, or adds them to the sums of parts
  constexpr bool extended() const {
    return modified() || adds_sinks || (window_right < no_limit && (window_right > 0 || prefix > 0));
  }
};

}  // namespace kernels
