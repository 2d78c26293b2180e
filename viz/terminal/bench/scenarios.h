// Built-in lists of `bench`.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace terminal {

/// A list by name, a scenario per line as parse_scenarios reads it; "" for unknown names. Lists: `default`: the
/// published comparison, 16k tokens of hidden size 2,048 at N 512 to 16k, and GPT-2 medium; `ladder`: flash2_mma and
/// its ladder steps; `tiles`: flash2_mma with every compiled tile; `teaching`: standard, flash1 and flash2 in plain
/// arithmetic; `families`: decoding, shared keys, patterns, windows, dropout, ragged batches, bf16, and head dimensions
/// and lengths that the default list lacks.
std::string bench_list(std::string_view name);

/// Names of the lists.
const std::vector<std::string>& bench_lists();

}  // namespace terminal
