// CUPTI's range profiler on one GPU of this process. Only where CUPTI's headers are.
// Inaccuracies: it compiles and has not run on a GPU yet; see open() in counters.h for what it does not hold still.
#pragma once
#include "kernels/counters/cupti.h"
#include "kernels/counters/host.h"

namespace counters {

/// The GPU that is current on this thread, its counters taken for this process until the end. A range is the time from
/// begin_range() to end_range(), at most `ranges` of them in a pass. Every function throws Unavailable when CUPTI
/// refuses.
class Session {
 public:
  Session(const std::vector<std::string>& metrics, std::size_t ranges);

  void begin_pass();
  /// Whether that was the last pass. Else all ranges must run again.
  bool end_pass();
  void begin_range(const std::string& name);
  void end_range();

  std::int64_t passes() const { return host_.passes(); }
  /// After the last pass: for each range the metrics, in their order and units.
  std::vector<std::vector<double>> values();

 private:
  void make_room(const std::vector<std::string>& metrics, std::size_t ranges);
  void configure(std::size_t ranges);

  Host host_;
  std::vector<std::uint8_t> counted_;  ///< CUPTI writes what it counts here, as long as there is a profiler
  std::unique_ptr<CUpti_RangeProfiler_Object, void (*)(CUpti_RangeProfiler_Object*)> profiler_{nullptr, nullptr};
};

}  // namespace counters
