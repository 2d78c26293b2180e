// Measures one scenario's kernels on a device: time with cold and warm L2, whether the results are right, counters.
#pragma once
#include <functional>
#include <optional>

#include "kernels/bench/samples.h"
#include "kernels/bench/timing.h"

namespace bench {

/// What to measure.
struct Wanted {
  bool cold = true, warm = true;
  Effort effort;
  counters::Counters* counters = nullptr;  ///< of the hardware, read in a run of its own where given
  std::function<void(const sim::Plan&, const kernels::Tensors&)> look;  ///< called with a set that ran, where given
};

struct Measured {
  std::optional<Timing> cold, warm;
  std::optional<counters::Reading> counters;
  Samples samples;
  std::string note;  ///< what could not be measured, and why; "" when all was
};

/// Cold: sets of tensors take turns that together have at least twice the bytes of the L2, so that nothing of a set is
/// left in it when its turn comes. Warm: one set again and again. Counters: after a run of another set, so that the L2
/// holds what a stream of such calls leaves in it. Throws dev::DeviceError when there is no room for one set, or when a
/// kernel fails; where there is no room for more sets the note says so.
Measured measure(dev::Device& device, const sim::Plan& plan, const std::string& kernel, DrawnInputs& inputs,
                 const Wanted& wanted, Sensors& sensors);

}  // namespace bench
