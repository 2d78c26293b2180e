// Reuse distances of a kernel's accesses, found by an LRU stack (machine/l2.h), with one method for each kind of grid.
// CTAs start in waves in issue order; the CTAs of a wave run in lockstep, one iteration of their loops at a time.
//
// Not every access is simulated: equal CTAs are one group, neighbouring blocks are joined if there are many, and heads
// (or rows) that would repeat earlier ones are omitted. A tally therefore gives the share of accesses that miss, not
// their number.
#pragma once
#include "sim/model/access_pattern.h"

namespace sim {

/// Inputs of reuse: properties of a kernel and the chip.
struct L2Scene {
  const Shape& shape;
  GridShape grid;
  const AccessPattern& pattern;
  std::int64_t slice = 32;        ///< columns of one iteration of a plain GEMM
  std::int64_t in_flight = 1;     ///< CTAs that the chip holds: the size of a wave
  double capacity = 0;            ///< bytes of L2
  bool last_block_first = false;  ///< blocks are issued from the last to the first
};

/// Reuse of CTAs of row blocks that loop over keys, or of column blocks that loop over queries. CTAs of one head share
/// the tiles that they loop over.
L2Tally reuse_in_streams(const L2Scene& scene);

/// Reuse of CTAs of whole heads with nested loops: the inner loop revisits the same rows in every iteration of the
/// outer one.
L2Tally reuse_in_nested(const L2Scene& scene);

/// Reuse of CTAs of tiles of a matrix, which share slices of rows with those of the same row block, or column block.
L2Tally reuse_in_tiles(const L2Scene& scene);

/// Approximate limit on simulated accesses. Kernels with no more are walked tile by tile.
inline constexpr std::int64_t access_budget = 4096;

}  // namespace sim
