// Three walks through the accesses of a kernel, each over what its kind of grid shares. CTAs start in waves in issue
// order; the CTAs of a wave march in step, one turn of their loops each at a time.
//
// A walk need not cover everything: it merges CTAs that do the same, joins neighbouring blocks where there are many,
// and stops when the heads (or rows) to come would repeat what it saw. Its tally therefore tells which part of the
// accesses misses, not how many there are.
#pragma once
#include "sim/model/access_pattern.h"

namespace sim {

/// What the walks see of a kernel and the chip.
struct L2Scene {
  const Shape& shape;
  GridShape grid;
  const AccessPattern& pattern;
  std::int64_t slice = 32;     ///< columns of one step of a plain GEMM
  std::int64_t in_flight = 1;  ///< CTAs that the chip holds: the size of a wave
  double capacity = 0;         ///< bytes of L2
};

/// CTAs of row blocks that walk keys, or of column blocks that walk queries. Those of one head share what they walk.
L2Tally walk_streams(const L2Scene& scene);

/// CTAs of whole heads with a loop in a loop: the inner one comes back to the same rows at every turn of the outer one.
L2Tally walk_nested(const L2Scene& scene);

/// CTAs of tiles of a matrix, which share slices of rows with those of the same row block, or column block.
L2Tally walk_tiles(const L2Scene& scene);

/// How many accesses a walk makes at most, more or less. Small kernels are walked tile by tile within it.
inline constexpr std::int64_t walk_budget = 4096;

}  // namespace sim
