// A timeline as a Perfetto trace, the binary file that https://ui.perfetto.dev opens.
#pragma once
#include "sim/trace/sink.h"
#include "sim/trace/timeline.h"

namespace sim {

/// Writes a sequence of TracePacket messages of Perfetto's public schema: a TrackDescriptor per process, engine and
/// counter; two TrackEvents per slice (begin with the arguments, end), one per counter sample. Times are whole
/// nanoseconds. Names are written once and referred to by number afterwards. About 150 bytes per event.
/// tests/support/perfetto_subset.proto describes the messages that occur. Cost: O(events).
void write_perfetto(const Timeline& timeline, const Sink& sink);

}  // namespace sim
