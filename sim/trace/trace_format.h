// The formats that traces are written in; the suffix of a file's name chooses.
#pragma once
#include <string_view>

#include "sim/trace/sink.h"
#include "sim/trace/timeline.h"

namespace sim {

/// Writes a timeline in one format.
using TraceFormat = void (*)(const Timeline& timeline, const Sink& sink);

/// The format of a suffix: .pftrace (Perfetto), .json (Chrome), .csv or .txt, the canonical text. Throws Error for
/// another one; `path` is what the error names.
TraceFormat trace_format(std::string_view suffix, std::string_view path);

}  // namespace sim
