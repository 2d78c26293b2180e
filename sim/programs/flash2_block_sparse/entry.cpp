// flash2-block-sparse: what the catalogue knows of it.
#include "sim/programs/program.h"

namespace sim {

std::vector<Launch> flash2_block_sparse_forward_launches(const Problem& p);
std::vector<Launch> flash2_block_sparse_backward_launches(const Problem& p);
std::span<const NamedForm> flash2_block_sparse_forms();

namespace {

constexpr Footprint flash2_block_sparse_footprint{2, 2, 2, 1, 2};  // backward: Q, dO | K, V | P, dP | dQ | dK, dV

/// Those of the backward pass of flash2 in both passes: a pattern has blocks of one size, and that pass takes more
/// room.
constexpr Tiling flash2_block_sparse_tiling(const TilingCase& c) {
  const bool little = c.d > 96 && c.chip.smem < std::int64_t{144} << 10;
  const Tiling half = c.d <= 64 ? Tiling{128, 128} : Tiling{64, little ? 64 : 128};
  const Tiling single{c.d <= 64 ? 64 : 32, c.d <= 64 ? 64 : 32};
  return shrink(flash2_block_sparse_footprint, c.element_bytes == 4 ? single : half, c.element_bytes, c.d, c.chip);
}

}  // namespace

constinit const Program programs::flash2_block_sparse = {
    .name = "flash2-block-sparse",
    .title = /*say*/ "Block-sparse FlashAttention-2",
    .short_title = /*say*/ "Sparse Flash-2",
    .summary = "flash2 that skips the blocks a pattern hides",
    .typed = "block-sparse flash attention 2, blocksparse flash2, bs-fa2",
    .forward = {"programs/flash2_block_sparse/flash2_block_sparse.cpp", "Dao 2023, Algorithm 1",
                flash2_block_sparse_tiling, flash2_block_sparse_forward_launches},
    .backward = {"programs/flash2_block_sparse/flash2_block_sparse_backward.cpp", "Dao 2023, Algorithm 2",
                 flash2_block_sparse_tiling, flash2_block_sparse_backward_launches},
    .forms = flash2_block_sparse_forms,
    .half_kernel = "flash2-block-sparse_mma",
    .pattern = PatternUse::of_tiles};

}  // namespace sim
