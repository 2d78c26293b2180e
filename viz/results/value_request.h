// Request for values: a scenario, and arrays in place of drawn inputs.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/npy.h"
#include "sim/catalogue/options.h"
#include "sim/model/simulation.h"
#include "sim/model/value_check.h"
#include "viz/results/head_layout.h"

namespace results {

inline constexpr std::array<const char*, 4> input_names = {"input-q", "input-k", "input-v", "input-do"};

/// Is input n read? dO is an input of a backward pass only.
inline bool is_input(std::size_t n, sim::Pass pass) { return n < 3 || pass != sim::Pass::forward; }

struct ValueRequest {
  sim::Scenario scenario;
  std::array<std::optional<sim::NpyArray>, 4> given;  ///< Q, K, V, dO
  std::array<std::string, 4> paths;                   ///< of their files; "" for arrays in memory
  HeadLayout layout = HeadLayout::bhnd;               ///< of what is read and written
  std::size_t output_rank = 4;                        ///< of O: as Q, 4 when Q is drawn
  bool values = false;                                ///< compute the values
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  ///< what was taken from the arrays
  bool any_given() const { return given[0] || given[1] || given[2] || given[3]; }
};

/// Sets option `name` from an array, or checks that what is there says the same.
void agree(sim::OptionValues& values, const std::string& name, std::int64_t size, const char* file_option);

/// Makes the scenario of options and of the arrays that are given, whose sizes it takes, and says what is odd about
/// them. Throws sim::Error when arrays contradict each other or an option.
void make_scenario(ValueRequest& request, sim::OptionValues options, const sim::GpuLookup& gpu);

/// Inputs and outputs in fp32 and the reference in double must fit in 8 GiB and in the memory of this machine. Throws
/// sim::Error with both numbers.
void check_value_memory(const sim::Shape& shape, sim::Pass pass);

/// Refuses runs whose values take too much memory or too long, and says what takes long; "" where nothing does. `part`:
/// of their heads, whose memory counts only where it is all of them. Throws sim::Error.
std::string check_value_effort(std::span<const sim::Simulation> runs, double part = 1);

/// The given inputs rounded to the dtype, the missing ones drawn; without files those of the scenario. Takes the arrays
/// out of the request.
sim::AttentionInputs make_inputs(ValueRequest& request);

/// Values of all heads, checked against the reference.
struct Values {
  sim::AttentionOutputs outputs;
  sim::ValueChecks check;
  std::vector<std::string> warnings;  ///< of values that are not finite
};
Values compute_values(const sim::Plan& plan, const sim::AttentionInputs& inputs, sim::Progress progress);

}  // namespace results
