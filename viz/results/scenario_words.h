// Short texts for a scenario and its tiles, used everywhere.
#pragma once
#include <string>

#include "sim/programs/plan.h"

namespace results {

std::string tile_text(const sim::Plan& plan);  ///< "128 x 64"; with both passes "128 x 64, 64 x 128"
/// Returns shape and options that were set: "batch 1, heads 16, N 1,024, d 64, fp16, causal, schedule ping-pong".
std::string shape_text(const sim::Scenario& s);

}  // namespace results
