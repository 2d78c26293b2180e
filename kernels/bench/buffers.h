// Rotating sets of tensors, so that a run reads its inputs from HBM and not from the L2.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "kernels/bench/drawn_inputs.h"
#include "kernels/counters/counters.h"
#include "kernels/verify/tensors.h"

namespace bench {

/// All tensors of a plan, in several copies, with equal inputs and with outputs of NaN. A backward pass alone also gets
/// the results of its forward pass. Device and plan must outlive it.
class Buffers {
 public:
  /// Allocates one set. Throws dev::DeviceError if it does not fit, sim::Error if `kernel` lacks a matching kernel.
  Buffers(dev::Device& device, const sim::Plan& plan, std::string kernel, DrawnInputs& inputs);

  /// Adds sets, copied from the first, until two or more have together at least `bytes`; false if they do not fit on
  /// the device. A single set of `bytes` suffices.
  bool grow(std::int64_t bytes);

  /// Launches every kernel of the plan on a set; does not wait. Passes each launch to `around`, if set.
  void run(std::size_t set, const counters::AroundLaunch& around = nullptr);

  std::size_t sets() const { return sets_.size(); }
  std::int64_t bytes_of_set() const { return bytes_; }
  const kernels::Tensors& set(std::size_t number) const { return *sets_.at(number); }
  dev::Device& device() const { return device_; }
  const sim::Plan& plan() const { return plan_; }

 private:
  std::unique_ptr<kernels::Tensors> allocated() const;
  void add();

  dev::Device& device_;
  const sim::Plan& plan_;
  std::string kernel_;
  std::vector<sim::Tensor> tensors_;
  std::vector<sim::Tensor> given_;  ///< inputs, and results of the forward pass that a backward pass alone reads
  std::int64_t bytes_ = 0;
  std::vector<std::unique_ptr<kernels::Tensors>> sets_;
};

}  // namespace bench
