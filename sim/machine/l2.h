// A simple L2: what is left of a kernel's tile traffic in HBM.
//
// Inaccuracies: the cache starts cold at every kernel; it holds a kernel's reused tensors of the heads in flight either
// wholly or not at all; CTAs of one head that run at the same time read a shared tile together.
#pragma once
#include "sim/base/units.h"

namespace sim {

/// One tensor in one kernel, all heads.
struct TensorReuse {
  Bytes tile_read, tile_written;              ///< across the SRAM boundary
  Bytes compulsory_read, compulsory_written;  ///< once per launch: inputs read, outputs written
  std::int64_t sharers = 1;                   ///< CTAs in flight that read the same tile at the same time
  bool reused() const { return tile_read > compulsory_read || tile_written > compulsory_written; }
};

struct HbmBytes {
  Bytes read, written;
};

/// `resident`: the reused tensors of the heads in flight fit in the L2 together. Then each byte moves once. Otherwise
/// reads miss but for what CTAs share at the same time, and every write goes through:
/// read = max(compulsory, tile / sharers), written = tile; never more than the tile traffic.
HbmBytes hbm_bytes(const TensorReuse& tensor, bool resident);

}  // namespace sim
