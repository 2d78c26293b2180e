// A trace of one CTA of each kernel as a file for another tool; the suffix of its name chooses the format.
#pragma once
#include <optional>

#include "sim/model/replayed_timeline.h"
#include "viz/files/output_set.h"
#include "viz/terminal/arguments.h"

namespace terminal {

/// --trace and --cta.
std::vector<OwnOption> trace_options();

/// "0,3,7,0": batch, head, row block, column block. Throws sim::Error when it is not four whole numbers.
sim::CtaPlace parse_cta(const std::string& text);

/// Replays the CTAs and writes them. Throws sim::Error for an unknown suffix (.pftrace, .json, .csv and .txt are
/// known), for a place outside the grid and on a full disk.
void write_trace(files::OutputFile& file, const sim::Plan& plan, const std::optional<sim::CtaPlace>& place);

/// Adds what --trace and --cta ask for to the outputs, written; nothing without --trace. Throws sim::Error for --cta
/// without --trace.
void add_asked_trace(files::OutputSet& outputs, const Arguments& arguments, const sim::Plan& plan);

}  // namespace terminal
