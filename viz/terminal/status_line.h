// Progress line of long work on stderr: updated in place, only on a terminal, at most ten times a second.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace terminal {

class StatusLine {
 public:
  /// "film: 12 of 90 pictures": `what` precedes the numbers, `unit` follows them.
  StatusLine(std::string what, std::string unit) : what_(std::move(what)), unit_(std::move(unit)) {}
  ~StatusLine();  ///< clears the line
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(std::int64_t done, std::int64_t all);
  /// Shows a text, if the total is unknown.
  void show(const std::string& text);
  /// Shows a text immediately, for a long step.
  void say(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_, unit_;
  bool shown_ = false;
  Clock::time_point last_ = Clock::now();  ///< the first line comes after 100 ms
};

// The line of a sweep, which tells its rate and the time left as well.

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
