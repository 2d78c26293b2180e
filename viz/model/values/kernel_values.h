// Values of a kernel that can be shown, found from its tensors and counted events: nothing to add for a new program.
#pragma once
#include "sim/model/row_steps.h"
#include "viz/model/run.h"
#include "viz/model/tiles/tile_layers.h"

namespace explorer {

using sim::is_fused_forward;
using sim::values_of;

/// True if a kernel works on tiles of the matrix whose values are followed: not those of paged-attention, which goes
/// over a row of scores in three loops.
bool has_tiles(const Run& run, std::size_t kernel);
/// True if a kernel computes a statistic of the rows: m, l, L or D.
bool computes_rows(const Run& run, std::size_t kernel);

/// The events of a visit that load a tile of the matrix or leave one, in a trace of the iterations that contain it.
std::vector<std::int32_t> events_of(const sim::Trace& trace, const Visit& visit);
/// The tiles that the events of a visit leave, from the trace of the iterations that contain it.
TileLayers layers_of(const sim::Trace& trace, const Visit& visit, sim::Interval queries, sim::Interval keys);

}  // namespace explorer
