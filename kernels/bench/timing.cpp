#include "kernels/bench/timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "sim/base/check.h"

namespace bench {
namespace {

/// Quantile of sorted values: `part` is 0 for the first, 1 for the last.
double at(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place), above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

Series series_of(std::vector<double> values) {
  sim::require(!values.empty(), "bench: nothing was measured");
  std::sort(values.begin(), values.end());
  return {at(values, 0.5), at(values, 0.25), at(values, 0.75), std::ssize(values)};
}

double median_of(std::vector<double> values) { return series_of(std::move(values)).median; }

namespace {

constexpr double least_warm_up = 50e3;  // us, until clocks and caches settle

/// Rotates the sets, starting after the last one that ran.
class Turns {
 public:
  Turns(Buffers& buffers, std::size_t sets) : buffers_(buffers), sets_(sets) {}
  void run() { buffers_.run(next_++ % sets_); }

 private:
  Buffers& buffers_;
  std::size_t sets_, next_ = 0;
};

/// Runs until everything that should be warm is; returns the microseconds of the last run.
double warm_up(Turns& turns, dev::Device& device) {
  double all = 0, last = 0;
  for (std::int64_t n = 0; n < least_runs || all < least_warm_up; ++n) {
    const dev::Event begin(device);
    turns.run();
    const dev::Event end(device);
    last = end.microseconds_since(begin);
    all += last;
    if (n + 1 >= least_runs && n >= most_runs) break;  // runs too short for the clock's resolution
  }
  return last;
}

std::int64_t runs_for(const Effort& effort, double microseconds_a_run) {
  const double fit = effort.seconds * 1e6 / std::max(microseconds_a_run, 1e-3);
  return std::clamp(static_cast<std::int64_t>(std::min(fit, 1e9)), least_runs, effort.runs);
}

}  // namespace

Sensed sensed_until(const dev::Event& mark, Sensors& sensors) {
  constexpr auto pause = std::chrono::milliseconds(2);
  std::vector<double> clocks, powers;
  do {
    const Sensed now = sensors.read();
    if (now.sm_mhz) clocks.push_back(*now.sm_mhz);
    if (now.watts) powers.push_back(*now.watts);
    if (!mark.reached()) std::this_thread::sleep_for(pause);
  } while (!mark.reached());
  const auto median = [](const std::vector<double>& all) {
    return all.empty() ? std::nullopt : std::optional<double>(median_of(all));
  };
  return {median(clocks), median(powers)};
}

Timing time_of(Buffers& buffers, std::size_t sets, const Effort& effort, Sensors& sensors) {
  sim::require(effort.runs >= least_runs && effort.seconds > 0, "bench: at least ", least_runs, " runs");
  dev::Device& device = buffers.device();
  Turns turns(buffers, sets);
  const std::int64_t runs = runs_for(effort, warm_up(turns, device));
  std::vector<dev::Event> marks;
  marks.reserve(static_cast<std::size_t>(runs) + 1);
  marks.emplace_back(device);
  for (std::int64_t n = 0; n < runs; ++n) {
    turns.run();
    marks.emplace_back(device);
  }
  const Sensed sensed = sensed_until(marks.back(), sensors);
  std::vector<double> microseconds;
  for (std::size_t n = 1; n < marks.size(); ++n) microseconds.push_back(marks[n].microseconds_since(marks[n - 1]));
  return {series_of(std::move(microseconds)), sensed};
}

}  // namespace bench
