// Reads and writes of one CTA of a kernel, in order and without coordinates: derived from the counted trace, whose
// events name their tiles relative to the CTA's position in the grid and to its loops.
//
// Example: the main kernel of FlashAttention-2's backward pass. Its CTA takes a block of keys, and loops over the query
// heads of a KV head (loop 0) and the row blocks of each (loop 1).
//
//   bundle   scope     tensors             stage   loop   what happens
//   0        own       K V                 0       -      bundle 0 is read
//   1        queries   Q L dO D dQ_acc     1       1      bundle 1 is read, dQ_acc written, at every iteration
//   2        own       dK dV               2       -      bundle 2 is written
//
// Bundles 0 and 2 are accessed by one CTA only, once: all their bytes reach HBM, whatever the L2. Only bundle 1 can
// hit, because every CTA of the query head accesses its rows.
#pragma once
#include <array>
#include <vector>

#include "sim/programs/program.h"
#include "sim/trace/trace.h"

namespace sim {

/// Tensors that always move together, with the bytes of one element of a block (a row, or an entry of a matrix).
struct Bundle {
  struct Part {
    Tensor tensor = Tensor::none;
    double bytes = 0;
  };
  std::vector<Part> parts;  ///< at most 32
  double bytes() const;     ///< sum over parts
};

/// Reads and writes of an access to the parts of a bundle: bit n is part n.
struct Move {
  unsigned reads = 0, writes = 0;
};

/// Set of CTAs that access a block, and the kind of its elements.
enum class Scope {
  own,       ///< rows of the CTA's own block (entries, in a grid of tiles): no other CTA
  own_rows,  ///< as `own`, in a grid that splits the keys: also the CTAs of the other parts of this row block
  own_tile,  ///< entries of a matrix where the CTA's block meets the loop's: no other CTA
  own_part,  ///< rows of a part of O or of a statistic, one for each block of keys, where the two meet: no other CTA
  queries,   ///< rows of a tensor of queries: every CTA of the query head whose loop reaches them
  keys,      ///< rows of a tensor of keys: every CTA of the KV head whose loop reaches them
};

/// True if no other CTA accesses the block.
inline bool is_alone(Scope scope) {
  return scope == Scope::own || scope == Scope::own_tile || scope == Scope::own_part;
}

/// The accesses of one bundle in one stage.
struct BundleUse {
  int bundle = 0;
  Move move;
  unsigned rereads = 0;  ///< parts read again in one iteration, after they were written
  bool returns = false;  ///< named again in one iteration after other bundles
  double between = 0;    ///< bytes that the CTA accesses from the first access to the second, each counted once
};

/// Accesses that happen together: once, or at every iteration of a loop.
struct Stage {
  int depth = -1;  ///< depth of its loop; -1 outside loops
  BlockOrder order = BlockOrder::up;
  std::vector<BundleUse> uses;
  bool loop() const { return depth >= 0; }
};

/// Bytes of one tensor that a kernel accesses at least once in each direction: the traffic that an infinite L2 leaves.
struct TouchedOnce {
  Bytes read, written;
};

struct AccessPattern {
  std::vector<Bundle> bundles;
  std::vector<Scope> scopes;  ///< scopes of the bundles
  std::vector<Stage> stages;  ///< in the order of the listing
  std::array<TouchedOnce, tensor_capacity> once;
  bool reuses = false;  ///< a tile may move more than once
};

/// Derives the pattern from `trace`, the counted events of the launch. Cost: O(events).
AccessPattern access_pattern(const Problem& problem, const Launch& launch, const Trace& trace);

}  // namespace sim
