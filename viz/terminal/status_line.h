// A line on stderr that says how far long work is: in place, on a terminal only, at most ten times a second.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace terminal {

class StatusLine {
 public:
  /// "film: 12 of 90 pictures": `what` stands before the numbers, `unit` behind them.
  StatusLine(std::string what, std::string unit) : what_(std::move(what)), unit_(std::move(unit)) {}
  ~StatusLine();  ///< clears the line
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(std::int64_t done, std::int64_t all);
  /// Where nobody knows how much there is.
  void show(const std::string& text);
  /// At once: what stands there for long.
  void say(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_, unit_;
  bool shown_ = false;
  Clock::time_point last_ = Clock::now();  ///< the first line comes after 100 ms
};

}  // namespace terminal
