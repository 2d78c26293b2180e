// CUPTI's Host API: what can be said of counters without a GPU: which metrics a chip has, in how many passes.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/counters/reason.h"

namespace counters {

/// "" when this build has CUPTI and its library is found; else why not.
std::string why_no_cupti();

/// Metrics of a chip, and how they are scheduled. Throws Unavailable: no CUPTI, a chip or a metric that it does not
/// know.
class Host {
 public:
  Host(const std::string& chip, const std::vector<std::string>& metrics);

  /// How often the kernels have to run for all metrics.
  std::int64_t passes() const { return passes_; }
  /// The schedule, for the GPU.
  const std::vector<std::uint8_t>& config() const { return config_; }
  /// The metrics of one range of what a GPU counted, in their order and units. CUPTI believes `counted` unchecked: it
  /// must be what CUPTI itself has written.
  std::vector<double> values(const std::vector<std::uint8_t>& counted, std::size_t range) const;

 private:
  std::vector<std::string> metrics_;
  std::unique_ptr<void, void (*)(void*)> object_{nullptr, nullptr};  ///< CUpti_Profiler_Host_Object, and its end
  std::vector<std::uint8_t> config_;
  std::int64_t passes_ = 0;
};

}  // namespace counters
