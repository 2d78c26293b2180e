#include "viz/terminal/status_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/report/numbers.h"
#include "viz/terminal/command.h"

namespace terminal {

StatusLine::~StatusLine() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void StatusLine::show(std::int64_t done, std::int64_t all) {
  show(sim::text(report::thousands(done), " of ", report::thousands(all), " ", unit_));
}

void StatusLine::show(const std::string& text) {
  if (Clock::now() - last_ >= std::chrono::milliseconds(100)) say(text);
}

void StatusLine::say(const std::string& text) {
  if (!takes_escapes(STDERR_FILENO)) return;
  last_ = Clock::now();
  shown_ = true;
  std::fprintf(stderr, "\r%s\033[K", sim::printable(what_ + ": " + text).c_str());
}

namespace {

/// Text of a rate, as a whole number from 10.
std::string rate_text(double rate) {
  return rate < 10 ? fmt::format("{:.1f}", rate) : report::thousands(std::llround(rate));
}

}  // namespace

std::string progress_line(std::int64_t done, std::int64_t all, double seconds) {
  std::string start =
      fmt::format("sweep: {} of {} ({} %)", report::thousands(done), report::thousands(all), done * 100 / all);
  if (done == 0 || seconds <= 0) return start;
  const double rate = static_cast<double>(done) / seconds;
  return fmt::format("{}, {} scenarios/s, {} left", start, rate_text(rate),
                     report::seconds(static_cast<double>(all - done) / rate));
}

SweepProgress::SweepProgress(std::int64_t all) : all_(all), terminal_(takes_escapes(STDERR_FILENO)) {}

SweepProgress::~SweepProgress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void SweepProgress::add_one() {
  ++done_;
  if (!terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::fprintf(stderr, "\r%s\033[K", progress_line(done_, all_, seconds).c_str());
}

}  // namespace terminal
