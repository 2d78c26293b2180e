// The run requested from a command: the scenario, with files read and shapes checked.
#pragma once
#include <span>

#include "sim/model/simulation.h"
#include "viz/results/scenario_words.h"
#include "viz/results/value_request.h"
#include "viz/terminal/arguments.h"
#include "viz/terminal/input_file.h"

namespace terminal {

using results::shape_text;
using results::tile_text;

using Request = results::ValueRequest;
using results::check_value_memory;
using results::make_inputs;
using results::Values;

/// Options of every command that can compute values, besides the scenario.
std::vector<CommandOption> value_options();

/// True if no scenario was requested: no scenario option, no input file and no --numerics.
bool is_bare(const Arguments& arguments);

/// Note on the scenario used by a bare command instead of a single head: "no scenario option is given: batch 4, heads
/// 32, ..."; and the corresponding sentence for its help.
std::string filled_card_note();
std::string filled_card_help();

/// Reads the files and builds the scenario; sizes come from the files. Throws sim::Error if they contradict each other
/// or an option. `writes_values`: an output is requested, so numerics are on by default.
Request make_request(const Arguments& arguments, bool writes_values);

/// Throws if values of these runs need too much memory or time; warns on stderr if they are slow. Call before they are
/// computed. `part`: share of their heads.
void check_value_effort(std::span<const sim::Simulation> runs, double part = 1);

/// Progress callback for sim::compute: a line on stderr, if that is a terminal.
void show_progress(std::int64_t done, std::int64_t all);

/// Values of all heads, checked against the reference; shows progress.
Values compute_values(const sim::Plan& plan, const sim::AttentionInputs& inputs);

}  // namespace terminal
