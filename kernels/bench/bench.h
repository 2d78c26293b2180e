// Measures one scenario's kernels on a device: time with cold and warm L2, correctness of the results, counters.
#pragma once
#include <functional>
#include <optional>

#include "kernels/bench/samples.h"
#include "kernels/bench/timing.h"

namespace bench {

/// Selects the measurements.
struct Wanted {
  bool cold = true, warm = true;
  Effort effort;
  counters::Counters* counters = nullptr;  ///< hardware counters, read in a separate run; null if there are none
  std::function<void(const sim::Plan&, const kernels::Tensors&)> look;  ///< called with a set that ran, if set
};

struct Measured {
  std::optional<Timing> cold, warm;
  std::optional<counters::Reading> counters;
  Samples samples;
  std::string note;  ///< measurements that failed, and why; "" if none
};

/// Cold: rotates sets of tensors that together have at least twice the bytes of the L2, so that nothing of a set is
/// left in it when it runs again. Warm: repeats one set. Counters: after a run of another set, so that the L2 holds
/// what a stream of such calls leaves in it. Throws dev::DeviceError if one set does not fit, or if a kernel fails; if
/// only further sets do not fit, the note tells so.
Measured measure(dev::Device& device, const sim::Plan& plan, const std::string& kernel, DrawnInputs& inputs,
                 const Wanted& wanted, Sensors& sensors);

}  // namespace bench
