// What one CTA of a kernel reads and writes, in order and without its coordinates: read off the counted trace, whose
// events name their tiles relative to the CTA's place in the grid and to its loops.
//
// Example: the main kernel of FlashAttention-2's backward pass. Its CTA takes a block of keys, and loops over the query
// heads of a KV head (loop 0) and the row blocks of each (loop 1).
//
//   bundle   scope     tensors             stage   loop   what happens
//   0        own       K V                 0       -      bundle 0 is read
//   1        queries   Q L dO D dQ_acc     1       1      bundle 1 is read, dQ_acc written, at every iteration
//   2        own       dK dV               2       -      bundle 2 is written
//
// Bundles 0 and 2 are touched by one CTA and once: all their bytes reach HBM, whatever the L2 is. Only bundle 1 can
// hit, for every CTA of the query head comes past its rows.
#pragma once
#include <vector>

#include "sim/machine/l2.h"
#include "sim/programs/program.h"
#include "sim/trace/trace.h"

namespace sim {

/// Who else touches a block, and what an element of it is.
enum class Scope {
  own,       ///< rows of the CTA's own block (entries, in a grid of tiles): nobody else
  own_rows,  ///< the same in a grid that splits the keys: the CTAs of the other parts of this row block as well
  own_tile,  ///< entries of a matrix where the CTA's block meets the loop's: nobody else
  own_part,  ///< rows of a part of O or of a statistic, one for each block of keys, where the two meet: nobody else
  queries,   ///< rows of a tensor of queries: every CTA of the query head that comes past
  keys,      ///< rows of a tensor of keys: every CTA of the KV head that comes past
};

/// Whether nobody else touches it.
inline bool is_alone(Scope scope) {
  return scope == Scope::own || scope == Scope::own_tile || scope == Scope::own_part;
}

/// The accesses of one bundle in one stage.
struct BundleUse {
  int bundle = 0;
  Move move;
  unsigned rereads = 0;  ///< parts read again in the same iteration, after they were written
  bool returns = false;  ///< named again in the same iteration after other bundles
  double between = 0;    ///< bytes of the CTA from the first access to the second, each once
};

/// Accesses that happen together: once, or at every iteration of a loop.
struct Stage {
  int depth = -1;     ///< of its loop; -1 outside of loops
  bool down = false;  ///< its loop goes from the last block to the first
  std::vector<BundleUse> uses;
  bool loop() const { return depth >= 0; }
};

/// How much of one tensor a kernel touches at least once in each direction: what an endless L2 leaves.
struct TouchedOnce {
  Bytes read, written;
};

struct AccessPattern {
  std::vector<Bundle> bundles;
  std::vector<Scope> scopes;  ///< of the bundles
  std::vector<Stage> stages;  ///< in the order of the listing
  std::array<TouchedOnce, tensor_capacity> once;
  bool reuses = false;  ///< some tile may move more than once
};

/// `trace`: the counted events of the launch. Cost: O(events).
AccessPattern access_pattern(const Problem& problem, const Launch& launch, const Trace& trace);

}  // namespace sim
