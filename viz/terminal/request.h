// What a command was asked to run: the scenario with its files read and its shapes agreed.
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

/// The options that every command which can compute values takes beside the scenario.
std::vector<OwnOption> value_options();

/// Nobody asked for a scenario: no scenario option is given, no input file and no --numerics.
bool is_bare(const Arguments& arguments);

/// What a bare command takes instead of one head, for a note: "no scenario option is given: batch 4, heads 32, ...";
/// and for its help.
std::string filled_card_note();
std::string filled_card_help();

/// Reads the files and makes the scenario; sizes come from the files. Throws sim::Error when they contradict each other
/// or an option. `writes_values`: an output was asked for, so numerics are on unless told otherwise.
Request make_request(const Arguments& arguments, bool writes_values);

/// Before values of these runs are computed: refuses what takes too much memory or too long, and says on stderr, at
/// once, what takes long. `part`: of their heads.
void check_value_effort(std::span<const sim::Simulation> runs, double part = 1);

/// For sim::compute: a line on stderr, when that is a terminal.
void show_progress(std::int64_t done, std::int64_t all);

/// Values of all heads, checked against the reference; shows progress.
Values compute_values(const sim::Plan& plan, const sim::AttentionInputs& inputs);

}  // namespace terminal
