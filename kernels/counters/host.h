// CUPTI's Host API: facts about counters that need no GPU: the metrics of a chip, and the number of passes.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/counters/reason.h"

namespace counters {

/// "" if this build has CUPTI and its library is found; else the reason.
std::string why_no_cupti();

/// Metrics of a chip, and their schedule. Throws Unavailable without CUPTI, or for an unknown chip or metric.
class Host {
 public:
  Host(const std::string& chip, const std::vector<std::string>& metrics);

  /// Number of times that the kernels have to run for all metrics.
  std::int64_t passes() const { return passes_; }
  /// Schedule in CUPTI's format, for the GPU.
  const std::vector<std::uint8_t>& config() const { return config_; }
  /// Evaluates the metrics of one range of a GPU's counts, in their order and units. CUPTI does not validate `counted`:
  /// it must be CUPTI's own output.
  std::vector<double> values(const std::vector<std::uint8_t>& counted, std::size_t range) const;

 private:
  std::vector<std::string> metrics_;
  std::unique_ptr<void, void (*)(void*)> object_{nullptr, nullptr};  ///< CUpti_Profiler_Host_Object, and its deleter
  std::vector<std::uint8_t> config_;
  std::int64_t passes_ = 0;
};

}  // namespace counters
