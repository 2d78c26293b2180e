// Runs the program and the kernels of one scenario on the same inputs and compares everything that both show.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/verify/verdict.h"
#include "sim/programs/run.h"

namespace kernels {

/// Told what begins: "values of the program", "reference in double".
using OnProgress = std::function<void(std::string_view)>;

/// A scenario and what its kernels are held to. Making it runs the program with values, the reference in double and the
/// plain formula in the dtype: O(N^2 d) per head. Inputs must be rounded to the dtype, with d_o for a backward pass.
/// Throws Error when a head's matrix of scores is too large for the plain formula (4 GiB).
class Verification {
 public:
  Verification(sim::Simulation program, std::string kernel, sim::AttentionInputs inputs,
               const OnProgress& on_progress = nullptr);

  /// Runs the kernels once. A kernel that fails (deadlock, illegal access) gives a verdict of one row, `run`; throws
  /// DeviceError when memory or the device is missing. With `counters` they run again, once per pass of the hardware.
  Verdict run(dev::Device& device, counters::Counters* counters = nullptr) const;

  const sim::Simulation& program() const { return program_; }
  const std::string& kernel() const { return kernel_; }

 private:
  /// One result: what it should be, and how far each head of the program was from that.
  struct Yardstick {
    sim::JudgedOutput output;
    std::vector<sim::ValueCheck> program;
    std::map<std::size_t, std::string> origins;  ///< of the first heads with values that are not finite
    std::int64_t first_head = 0;                 ///< of a ragged batch: heads of the classes before
    std::int64_t first = 0;                      ///< and their elements
  };
  /// A class of batch entries with its results; of entries that are alike there is one.
  struct Class {
    const sim::Plan& plan;
    const sim::AttentionInputs& inputs;
    sim::AttentionOutputs outputs;  ///< of the program
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
  std::vector<Yardstick> yardsticks_;  ///< of each class in turn, the outputs in the same order
};

}  // namespace kernels
