// Catalogue entry of block-sparse.
#include "sim/programs/programs.h"
#include "sim/programs/scenario.h"

namespace sim {

std::vector<Launch> block_sparse_forward_launches(const Problem& p);
std::vector<Launch> block_sparse_backward_launches(const Problem& p);
std::span<const NamedForm> block_sparse_forms();

namespace {

constexpr Footprint block_sparse_footprint{4, 2, 3, 0, 2};  // backward: Q, O, dO, dQ | K, V | P, P_d, dP | dK, dV

/// 64 x 64 in both passes: a pattern has blocks of one size, and the backward pass needs more memory.
constexpr Tiling block_sparse_tiling(const TilingCase& c) {
  return shrink(block_sparse_footprint, Tiling{64, 64}, c.element_bytes, c.d, c.chip);
}

}  // namespace

constinit const Program programs::block_sparse = {
    .name = "block-sparse",
    .title = /*say*/ "Block-sparse FlashAttention",
    .short_title = /*say*/ "Block-sparse",
    .summary = "flash1 that skips the blocks a pattern hides; K and V are read whole",
    .typed = "block-sparse flash attention, blocksparse flash1, bs-fa, sparse",
    .forward = {"programs/block_sparse/block_sparse.cpp", "Dao et al. 2022, Algorithm 5", block_sparse_tiling,
                block_sparse_forward_launches},
    .backward = {"programs/block_sparse/block_sparse_backward.cpp", "Dao et al. 2022, Algorithms 4 and 5",
                 block_sparse_tiling, block_sparse_backward_launches},
    .forms = block_sparse_forms,
    .pattern = PatternUse::of_tiles};

}  // namespace sim
