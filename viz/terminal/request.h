// What a command was asked to run: the scenario with its files read and its shapes agreed.
#pragma once
#include <array>
#include <optional>
#include <span>

#include "sim/base/npy.h"
#include "sim/model/simulation.h"
#include "viz/results/scenario_words.h"
#include "viz/terminal/arguments.h"
#include "viz/terminal/head_layout.h"
#include "viz/terminal/input_file.h"

namespace terminal {

using results::shape_text;
using results::tile_text;

struct Request {
  sim::Scenario scenario;
  std::array<std::optional<sim::NpyArray>, 4> given;  ///< Q, K, V, dO files
  std::array<std::string, 4> paths;                   ///< of these files
  HeadLayout layout = HeadLayout::bhnd;               ///< of the files that are read and written
  std::size_t output_rank = 4;                        ///< of O: as Q's file, 4 when Q is drawn
  bool values = false;                                ///< compute the values
  std::vector<std::string> warnings;
  bool any_given() const { return given[0] || given[1] || given[2] || given[3]; }
};

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

/// Inputs and outputs in fp32 and the reference in double must fit in 8 GiB and in the memory of this machine. Throws
/// sim::Error with both numbers.
void check_value_memory(const sim::Shape& shape, sim::Pass pass);

/// Before values of these runs are computed: refuses what takes too much memory or too long, and says on stderr, at
/// once, what takes long. `part`: of their heads.
void check_value_effort(std::span<const sim::Simulation> runs, double part = 1);

/// The given inputs rounded to the dtype, the missing ones drawn; without files those of the scenario. Takes the arrays
/// out of the request.
sim::AttentionInputs make_inputs(Request& request);

/// For sim::compute: a line on stderr, when that is a terminal.
void show_progress(std::int64_t done, std::int64_t all);

/// Values of all heads, checked against the reference; shows progress.
struct Values {
  sim::AttentionOutputs outputs;
  sim::ValueChecks check;
  std::vector<std::string> warnings;  ///< of values that are not finite
};
Values compute_values(const sim::Plan& plan, const sim::AttentionInputs& inputs);

}  // namespace terminal
