// A timeline in the JSON trace event format, which chrome://tracing, https://ui.perfetto.dev and Speedscope open.
#pragma once
#include "sim/trace/sink.h"
#include "sim/trace/timeline.h"

namespace sim {

/// Appends a JSON string with its quotes: quotes, backslashes and invisible characters are escaped.
void append_json_string(std::string& out, std::string_view text);

/// Writes one JSON object, one event a line: metadata (M) names processes and threads, complete events (X) are slices,
/// counter events (C) are samples. `ts` and `dur` are microseconds with exactly three decimals, so they equal the
/// nanoseconds of the Perfetto trace. About 350 bytes per event. Cost: O(events). Source: "Trace Event Format", Google
/// 2016.
void write_chrome_json(const Timeline& timeline, const Sink& sink);

}  // namespace sim
