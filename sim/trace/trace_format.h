// Trace file formats, chosen by the suffix of the file name.
#pragma once
#include <string_view>

#include "sim/trace/sink.h"
#include "sim/trace/timeline.h"

namespace sim {

/// Writes a timeline in one format.
using TraceFormat = void (*)(const Timeline& timeline, const Sink& sink);

/// Returns the format of a suffix: .pftrace (Perfetto), .json (Chrome), .csv or .txt, the canonical text. Throws Error
/// for any other, naming `path`.
TraceFormat trace_format(std::string_view suffix, std::string_view path);

}  // namespace sim
