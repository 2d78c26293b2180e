// The reuse distances of a kernel's accesses, found by an LRU stack (machine/l2.h), in three ways: one for each kind of
// grid. CTAs start in waves in issue order; the CTAs of a wave run in step, one iteration of their loops each at a
// time.
//
// Not every access is made: CTAs that do the same are one group, neighbouring blocks are joined where there are many,
// and heads (or rows) that would repeat what came before are left out. A tally therefore tells which part of the
// accesses misses, not how many there are.
#pragma once
#include "sim/model/access_pattern.h"

namespace sim {

/// What reuse depends on, of a kernel and the chip.
struct L2Scene {
  const Shape& shape;
  GridShape grid;
  const AccessPattern& pattern;
  std::int64_t slice = 32;     ///< columns of one step of a plain GEMM
  std::int64_t in_flight = 1;  ///< CTAs that the chip holds: the size of a wave
  double capacity = 0;         ///< bytes of L2
};

/// CTAs of row blocks that loop over keys, or of column blocks that loop over queries. Those of one head share what
/// they loop over.
L2Tally reuse_in_streams(const L2Scene& scene);

/// CTAs of whole heads with a loop in a loop: the inner one comes back to the same rows at every iteration of the outer
/// one.
L2Tally reuse_in_nested(const L2Scene& scene);

/// CTAs of tiles of a matrix, which share slices of rows with those of the same row block, or column block.
L2Tally reuse_in_tiles(const L2Scene& scene);

/// How many accesses are made at most, more or less. Kernels that have no more are gone through tile by tile.
inline constexpr std::int64_t access_budget = 4096;

}  // namespace sim
