// Loop nests for which L2 hits and times are modelled. Counts are correct for every nest.
//
//   a CTA of     loops                                              for example
//   a block      one after another, query_heads() around them       flash2
//   a head       blocks of queries inside of blocks of keys         flash1
//   a row block  one of keys that it reads, last to first           flash2 --keys down
#pragma once
#include "sim/programs/program.h"
#include "sim/trace/trace.h"

namespace sim {

/// Throws Error for a launch with any other nest: its L2 hits would be wrong, and its time too short. Such a nest is
/// detected by a tile that depends on two loops: K in blocks of keys and, within them, in chunks of d. In a CTA of a
/// head the tiles of scores are such tiles, so there only tiles that move count. `counted`: the events of the launch.
/// Cost: O(events).
void check_nest(const Launch& launch, const Trace& counted);

}  // namespace sim
