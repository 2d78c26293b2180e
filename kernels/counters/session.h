// CUPTI's range profiler on one GPU of this process. Needs CUPTI's headers.
// Inaccuracies: it compiles and has not run on a GPU yet; open() in counters.h lists what it does not control.
#pragma once
#include "kernels/counters/cupti.h"
#include "kernels/counters/host.h"

namespace counters {

/// Reserves the counters of the GPU that is current on this thread until destruction. A range is the time from
/// begin_range() to end_range(), at most `ranges` of them in a pass. All functions throw Unavailable on CUPTI errors.
class CounterSession {
 public:
  CounterSession(const std::vector<std::string>& metrics, std::size_t ranges);

  void begin_pass();
  /// True if that was the last pass. Else all ranges must run again.
  bool end_pass();
  void begin_range(const std::string& name);
  void end_range();

  std::int64_t passes() const { return host_.passes(); }
  /// Returns, after the last pass, the metrics of each range, in their order and units.
  std::vector<std::vector<double>> values();

 private:
  void make_room(const std::vector<std::string>& metrics, std::size_t ranges);
  void configure(std::size_t ranges);

  Host host_;
  std::vector<std::uint8_t> counted_;  ///< CUPTI writes its counts here while the profiler exists
  std::unique_ptr<CUpti_RangeProfiler_Object, void (*)(CUpti_RangeProfiler_Object*)> profiler_{nullptr, nullptr};
};

}  // namespace counters
