// Trace file for another tool, with one CTA of each kernel; the suffix selects the format.
#pragma once
#include <optional>

#include "sim/model/replayed_timeline.h"
#include "viz/files/output_set.h"
#include "viz/terminal/arguments.h"

namespace terminal {

/// The options --trace and --cta.
std::vector<CommandOption> trace_options();

/// Reads "0,3,7,0": batch, head, row block, column block. Throws sim::Error unless it is four whole numbers.
sim::CtaPlace parse_cta(const std::string& text);

/// Replays the CTAs and writes them. Throws sim::Error for an unknown suffix (known: .pftrace, .json, .csv, .txt), for
/// a position outside the grid and on a full disk.
void write_trace(files::OutputFile& file, const sim::Plan& plan, const std::optional<sim::CtaPlace>& place);

/// Adds the trace requested by --trace and --cta to the outputs and writes it; does nothing without --trace. Throws
/// sim::Error for --cta without --trace.
void add_asked_trace(files::OutputSet& outputs, const Arguments& arguments, const sim::Plan& plan);

}  // namespace terminal
