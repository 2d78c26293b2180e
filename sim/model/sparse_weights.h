// Products with block-sparse weights, Y = X W: of K x N weights only a share of the blocks of b x b is there. Formulas
// beside those of sim/model/flat_gemm.h; nothing here is replayed or measured.
//
//   FLOPs   2 M b^2 n,  n = density (K / b) (N / b) blocks, rounded up
//   HBM     e (M K + n b^2 + M N), each element once
//   tiles   e M b n of X, e ceil(M / 128) b^2 n of W, and 4 ceil(M / 128) n of their index: what CTAs of 128 rows read
//           through the L2
//
// Inaccuracies: as flat_gemm.h; a CTA reads X again for each block, since blocks of its columns share no rows.
#pragma once
#include "sim/model/flat_gemm.h"

namespace sim {

struct SparseWeights {
  std::int64_t block = 32;  ///< rows and columns of a block
  double density = 0.1;     ///< share of the blocks that are there
};

/// Blocks that are there, and the FLOPs and bytes of a product with them. `tiles` are what CTAs read of X, W and index.
struct SparseWork {
  std::int64_t blocks = 0, flops = 0, hbm_bytes = 0, x_tile_bytes = 0, w_tile_bytes = 0, index_bytes = 0;
  std::int64_t tile_bytes() const { return x_tile_bytes + w_tile_bytes + index_bytes; }
};

/// Throws Error if the block does not divide the weights, or the density is not above 0 and at most 1.
SparseWork sparse_work(const FlatGemm& gemm, const SparseWeights& weights);

/// How many times faster than the dense product: by tensor cores and HBM alone, and with the L2 as well.
struct SparseGain {
  double without_l2 = 1, with_l2 = 1;
};
SparseGain sparse_gain(const FlatGemm& gemm, const SparseWeights& weights, const DeviceSpec& gpu);

}  // namespace sim
