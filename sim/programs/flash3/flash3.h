// State on chip of a CTA of flash3: shared by its warpgroups, and of each consumer.
#pragma once
#include "sim/machine/roles.h"
#include "sim/programs/launches.h"

namespace sim::flash3 {

/// Overlap of a warpgroup's softmax: with products of its own tiles as well as others', with products of other
/// warpgroups alone, not arranged, or not arranged and without a producer.
enum class Schedule : std::uint8_t { overlapped, ping_pong, warp_specialised, serial };

/// Options of flash3 alone, as its entry.cpp declares them.
struct Options {
  explicit Options(const Problem& p);
  Schedule schedule;
  bool persistent;            ///< --grid persistent
  std::int64_t stages;        ///< stages of the rings of K and V
  bool turns_await_products;  ///< --arrive ended
};

/// Consumer warpgroups of a CTA: each has 64 of its rows.
inline int consumers(const Problem& p) { return static_cast<int>(ceil_div(p.tiling.br, wgmma_rows)); }

/// True if P gets to its product through shared memory: O, S and P leave no register of a thread for anything else, or
/// the released code does so (192 rows of 64 < d <= 96).
bool puts_p(const Problem& p);

/// True if each tile has scales of its own.
bool scales_tiles(const Problem& p);

/// True if warpgroups take turns on the tensor cores: several of them, in released code for d <= 128 alone, in e4m3 for
/// d >= 128.
bool takes_turns(const Problem& p);

/// True if O is scaled while S = Q K^T of the next tile runs, and not after it: in released code for d > 128.
inline bool scales_early(const Problem& p) { return p.kernel_dims.qk > 128; }

/// Scales of a tile of K and V in e4m3, a number each.
struct Scales {
  RegVec K, V;
};

/// Tiles of a CTA in shared memory: Q, rings of K and V, and P of each warpgroup if its product reads it there. In
/// e4m3 products read the transpose of V, since wgmma takes operands of 8 bits with their sums along rows alone.
struct Shared {
  Shared(Cta& cta, const Problem& p, Line line = __builtin_LINE());
  Options own;
  Ring Q, K, V, VT;  ///< VT: in e4m3, else without stages
  Ring& values;      ///< V or VT: what products read
  Barrier all;       ///< barrier of the serial schedule: __syncthreads
  Turns turns;
  std::vector<SmemTile> P;
  RegVec sink;  ///< of the CTA's head, in all of its warps
  RegVec q_scale;
  std::vector<Scales> scales;  ///< of the tiles in the ring of K
  Scales& scales_of(std::int64_t n) { return scales[static_cast<std::size_t>(n % K.size())]; }
};

/// Tiles of a warpgroup in registers: O, m, l of its rows, and P of the tile that it works on.
struct Rows {
  Block i;  ///< the warpgroup's rows of the row block
  RegTile O, P;
  RegVec m, l, alpha;
  RegVec q_scale;
  Scales scales;              ///< of the tile that it works on
  RegVec unit;                ///< scale of V of the tiles before: O is in units of it
  std::int64_t tiles = 0;     ///< whose softmax it has computed
  SmemTile* place = nullptr;  ///< tile of P in shared memory; null: P stays in registers
  const AnyTile& operand() const { return place != nullptr ? static_cast<const AnyTile&>(*place) : P; }
};

/// Runs the producer, if there is one, and a consumer for each 64 rows, with their registers.
void run(Cta& cta, const Problem& p, Shared& s, Warpgroup (*producer)(Cta&, const Problem&, Shared&),
         Warpgroup (*consumer)(Cta&, const Problem&, Shared&, int w));

/// The body of a CTA by each schedule.
void forward(Cta& cta, const Problem& p);

}  // namespace sim::flash3
