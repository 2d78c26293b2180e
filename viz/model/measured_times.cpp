#include "viz/model/measured_times.h"

#include "sim/base/check.h"
#include "sim/base/text.h"
#include "sim/model/measured.h"

namespace explorer {
namespace {

constexpr std::size_t most_runs = 4;
constexpr std::string_view none = "-";

bool is_time(std::string_view text) {
  try {
    return sim::parse_time("measured", std::string(text)) > 0;
  } catch (const sim::Error&) {
    return false;
  }
}

/// Joins times in the order of the runs, without trailing empty ones.
std::string joined_times(std::vector<std::string> times) {
  while (!times.empty() && times.back() == none) times.pop_back();
  return sim::joined(times, ",");
}

}  // namespace

bool is_measured_text(const std::string& text) {
  const auto times = sim::split(text, ",");
  for (const std::string_view time : times) {
    if (time != none && !is_time(time)) return text.empty();
  }
  return times.size() <= most_runs;
}

std::string measured_of(const Look& look, std::size_t run) {
  const auto times = sim::split(look.measured, ",");
  return run < times.size() && times[run] != none ? std::string(times[run]) : "";
}

std::optional<double> measured_microseconds(const Look& look, std::size_t run) {
  const std::string time = measured_of(look, run);
  return is_time(time) ? std::optional(sim::parse_time("measured", time)) : std::nullopt;
}

bool set_measured(Look& look, std::size_t run, const std::string& time) {
  if (run >= most_runs || (!time.empty() && !is_time(time))) return false;
  std::vector<std::string> times;
  if (!look.measured.empty()) {
    for (const std::string_view before : sim::split(look.measured, ",")) times.emplace_back(before);
  }
  times.resize(std::max(times.size(), run + 1), std::string(none));
  times[run] = time.empty() ? none : time;
  look.measured = joined_times(std::move(times));
  return true;
}

}  // namespace explorer
