// Runs the program and the kernels of one scenario on equal inputs and compares every number that both have.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/verify/verdict.h"
#include "sim/programs/run.h"

namespace kernels {

/// Called when a step begins: "values of the program", "reference in double".
using OnProgress = std::function<void(std::string_view)>;

/// A scenario and the reference for its kernels. Construction runs the program with values, the reference in double and
/// the plain formula in the dtype: O(N^2 d) per head. Inputs must be rounded to the dtype, with d_o for a backward
/// pass. Throws Error if a head's matrix of scores is too large for the plain formula (4 GiB).
class Verification {
 public:
  Verification(sim::Simulation program, std::string kernel, sim::AttentionInputs inputs,
               const OnProgress& on_progress = nullptr);

  /// Runs the kernels once. A kernel that fails (deadlock, illegal access) gives a verdict of one row, `run`; throws
  /// DeviceError if memory or the device is missing. With `counters` they run again, once per pass of the hardware.
  Verdict run(dev::Device& device, counters::Counters* counters = nullptr) const;

  const sim::Simulation& program() const { return program_; }
  const std::string& kernel() const { return kernel_; }

 private:
  /// One output: its reference, and the error of each head of the program.
  struct Yardstick {
    sim::JudgedOutput output;
    std::vector<sim::ValueCheck> program;
    std::map<std::size_t, std::string> origins;  ///< origins of the first heads with values that are not finite
    std::int64_t first_head = 0;                 ///< in a ragged batch: heads of the preceding classes
    std::int64_t first = 0;                      ///< elements of the preceding classes
  };
  /// A class of batch entries with its results; a single one if all entries are alike.
  struct Class {
    const sim::Plan& plan;
    const sim::AttentionInputs& inputs;
    sim::AttentionOutputs outputs;  ///< outputs of the program
  };
  void add(const Class& of, const OnProgress& on_progress);
  void add(const Class& of, sim::JudgedOutput output);
  void add_statistics(const Class& of, std::vector<double> exact);
  std::string nonfinite_text(const Yardstick& yardstick, std::size_t head, std::int64_t of_kernel) const;
  std::vector<ValueErrors> errors_of(const sim::AttentionOutputs& outputs) const;
  Measurement measure(dev::Device& device, counters::Counters* counters) const;

  sim::Simulation program_;
  std::string kernel_;
  sim::AttentionInputs inputs_;
  std::vector<Yardstick> yardsticks_;  ///< by class, in the order of the outputs
};

}  // namespace kernels
