// Progress line of a sweep: only on a terminal, at most ten times a second.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace terminal {

/// "sweep: 3,210 of 10,000 (32 %), 2,900 scenarios/s, 2.3 s left", after `seconds` of work.
std::string progress_line(std::int64_t done, std::int64_t all, double seconds);

class SweepProgress {
 public:
  explicit SweepProgress(std::int64_t all);
  ~SweepProgress();  ///< clears the line
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;
  void add_one();

 private:
  using Clock = std::chrono::steady_clock;
  std::int64_t done_ = 0, all_;
  bool terminal_, shown_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace terminal
