// Functions shared by the modes of `verify` that run no kernel.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/simulation.h"
#include "viz/terminal/arguments.h"

namespace terminal {

/// Throws sim::Error for an option of kernel runs, or one of `more`. `instead`: description of this mode.
void refuse_options_of_runs(const Arguments& arguments, const std::vector<std::string>& more, std::string_view instead);

/// Program as text: "FlashAttention-2 forward: batch 1, heads 2, N 256, d 64, fp16, h200; tiles 128 x 128".
std::string words_of(const sim::Simulation& program);

}  // namespace terminal
