// State on chip of a CTA of flash3's backward pass: shared by its roles, and of each consumer.
#pragma once
#include "sim/machine/roles.h"
#include "sim/programs/launches.h"

namespace sim::flash3_backward {

/// Consumer warpgroups of a CTA. Up to d 128 each has 64 keys of the column block; above it they share the columns of
/// dK and dV: three of them for d 192, two for d 256.
int consumers(const Problem& p);

/// True if a consumer owns 64 keys of dK and dV; else all keys, and a part of the columns.
inline bool owns_keys(const Problem& p) { return p.kernel_dims.qk <= 128; }

/// True if dQ gets to HBM through shared memory and a role that writes it; else by atomics from registers, in slices.
inline bool has_writer(const Problem& p) { return p.kernel_dims.qk <= 192; }

/// Tiles of statistics that come with those of a ring, in as many stages as the ring of Q has.
class Statistics {
 public:
  Statistics(Cta& cta, Tensor tensor, const Problem& p, Line line);
  AnyTile& operator[](std::int64_t n) { return tiles_[static_cast<std::size_t>(n) % tiles_.size()]; }

 private:
  std::vector<SmemTile> space_;
  std::vector<AnyTile> tiles_;
};

/// Tiles of a CTA in shared memory, its barriers, and the parts of the consumers.
struct Shared {
  Shared(Cta& cta, const Problem& p, Line line = __builtin_LINE());
  const Problem& p;
  const int consumers;
  const std::vector<int> parts;  ///< numbers of the consumers
  Ring K, V, Q, dO;              ///< a stage of Q comes with L, one of dO with D
  Statistics L, D;
  std::vector<SmemTile> P;  ///< one if products read it there, else none
  std::vector<SmemTile> dS;
  std::vector<Ring> dQ;   ///< of each consumer; none without a writer
  Barrier put_p, put_ds;  ///< at which all consumers meet: P, and dS, is in shared memory

  SmemTile& stage_of_ds(std::int64_t n) { return dS[static_cast<std::size_t>(n) % dS.size()]; }
  Ring& dq_of(int w) { return dQ[static_cast<std::size_t>(w)]; }
  Block keys(const Block& j, int w) const;        ///< keys of S, P, dP and dS
  Block rows_of_dk(const Block& j, int w) const;  ///< keys of dK and dV
  Block cols_of_dk(int w) const;                  ///< columns of dK and dV
  /// Rows and columns of dQ; of slice `slice` of `slices`, each a part of the columns.
  Block rows_of_dq(const Block& i, int w) const;
  Block cols_of_dq(int w, int slice = 0) const;
};

/// A consumer's part of a column block: its keys of S, and its sums.
struct Part {
  Block keys;
  RegTile dK, dV;
};

/// Runs the producer, the writer if there is one, and the consumers, with their registers.
void run(Cta& cta, const Problem& p, Shared& s, Warpgroup (*producer)(Cta&, const Problem&, Shared&),
         Warpgroup (*writer)(Cta&, const Problem&, Shared&),
         Warpgroup (*consumer)(Cta&, const Problem&, Shared&, int w));

/// The body of a CTA.
void body(Cta& cta, const Problem& p);

}  // namespace sim::flash3_backward
