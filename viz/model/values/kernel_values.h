// Which values a kernel has to show: read off its tensors and its counted events, so a new program has them at once.
#pragma once
#include "viz/model/run.h"
#include "viz/model/tiles/tile_layers.h"

namespace explorer {

/// Whether a kernel goes along the keys, or a part of them, with a softmax of its own, and makes O of what it saw.
bool is_fused_forward(const sim::Launch& launch);
/// Whether it works on tiles of the matrix.
bool has_tiles(const Run& run, std::size_t kernel);
/// Whether it computes a statistic of the rows: m, l, L or D.
bool computes_rows(const Run& run, std::size_t kernel);

/// The events of a visit that load a tile of the matrix or leave one behind, in a trace of the iterations in which it
/// lies.
std::vector<std::int32_t> events_of(const sim::Trace& trace, const Visit& visit);
/// What the events of a visit leave behind, from the trace of the iterations in which it lies.
TileLayers layers_of(const sim::Trace& trace, const Visit& visit, sim::Interval queries, sim::Interval keys);

/// The values that an event of a trace left behind; none where they were not kept.
const std::vector<float>* values_of(const sim::Trace& trace, std::int32_t event);

}  // namespace explorer
