// Request for values: a scenario, and arrays that replace drawn inputs.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/npy.h"
#include "sim/catalogue/options.h"
#include "sim/model/simulation.h"
#include "sim/model/value_check.h"

namespace results {

// Order of the axes in files of Q, K, V, O and their gradients.

/// bhnd is (batch, heads, N, d), as in the simulator and PyTorch's scaled_dot_product_attention; bnhd is (batch, N,
/// heads, d), as in the flash-attn library. Without batch: (heads, N, d) and (N, heads, d); (N, d) is one head in both.
enum class HeadLayout { bhnd, bnhd };
HeadLayout head_layout_called(const std::string& name);  ///< accepts "bhnd" and "bnhd"

/// Batch, heads, rows, d.
using HeadSizes = std::array<std::int64_t, 4>;

/// The sizes of a file's axes. Throws sim::Error, naming `option`, for a rank other than 2, 3 and 4.
HeadSizes head_sizes(const sim::NpyArray& array, HeadLayout layout, const std::string& option);

/// Converts values of a file to the order (batch, heads, N, d), and back.
std::vector<float> from_layout(HeadLayout layout, const HeadSizes& sizes, std::vector<float> values);
std::vector<float> to_layout(HeadLayout layout, const HeadSizes& sizes, std::vector<float> values);

/// The axes of a file of a rank.
std::vector<std::int64_t> axes_in(HeadLayout layout, const HeadSizes& sizes, std::size_t rank);

inline constexpr std::array<const char*, 4> input_names = {"input-q", "input-k", "input-v", "input-do"};

/// True if input n is read: dO only in a backward pass.
inline bool is_input(std::size_t n, sim::Pass pass) { return n < 3 || pass != sim::Pass::forward; }

struct ValueRequest {
  sim::Scenario scenario;
  std::array<std::optional<sim::NpyArray>, 4> given;  ///< Q, K, V, dO
  std::array<std::string, 4> paths;                   ///< paths of the files; "" for arrays in memory
  HeadLayout layout = HeadLayout::bhnd;               ///< for inputs and outputs
  std::size_t output_rank = 4;                        ///< rank of O: that of Q, or 4 if Q is drawn
  bool values = false;                                ///< compute the values
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  ///< options taken from the arrays
  bool any_given() const { return given[0] || given[1] || given[2] || given[3]; }
};

/// The option that an input's elements of a row set: --head-dim of Q and K, --head-dim-v of V and dO.
const char* width_option(std::size_t n);

/// Sets option `name` from an array, or throws if it already has another value.
void agree(sim::OptionValues& values, const std::string& name, std::int64_t size, const char* file_option);

/// Builds the scenario from the options and the sizes of the given arrays, and adds warnings. Throws sim::Error if
/// arrays contradict each other or an option.
void make_scenario(ValueRequest& request, sim::OptionValues options, const sim::GpuLookup& gpu);

/// Throws sim::Error unless inputs and outputs in fp32 and the reference in double fit in 8 GiB and in this machine's
/// memory. The error has both numbers.
void check_value_memory(const sim::Shape& shape, sim::Pass pass);

/// Rejects runs whose values take too much memory or too long, and returns a warning about slow ones, or "". `part`:
/// share of their heads; memory is checked only if it is 1. Throws sim::Error.
std::string check_value_effort(std::span<const sim::Simulation> runs, double part = 1);

/// The given inputs rounded to the dtype, the missing ones drawn; without files those of the scenario. Moves the arrays
/// out of the request.
sim::AttentionInputs make_inputs(ValueRequest& request);

/// Values of all heads, checked against the reference.
struct Values {
  sim::AttentionOutputs outputs;
  sim::ValueChecks check;
  std::vector<std::string> warnings;  ///< for values that are not finite
};
Values compute_values(const sim::Plan& plan, const sim::AttentionInputs& inputs, sim::Progress progress);

}  // namespace results
