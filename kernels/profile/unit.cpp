#include "kernels/profile/unit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "kernels/profile/table.h"
#include "sim/base/check.h"
#include "sim/base/text.h"

namespace profile {
namespace {

constexpr double too_large = 0x1p62;

struct Scaled {
  std::string_view text;
  double factor;
};
constexpr std::array<Scaled, 5> prefixes = {{{"", 1}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}};
constexpr std::array<Scaled, 8> times = {{{"ns", 1e-9},
                                          {"us", 1e-6},
                                          {"ms", 1e-3},
                                          {"s", 1},
                                          {"nsecond", 1e-9},
                                          {"usecond", 1e-6},
                                          {"msecond", 1e-3},
                                          {"second", 1}}};

/// Names of a unit without a prefix. Counts may have no unit.
std::vector<std::string_view> names_of(Unit unit) {
  switch (unit) {
    case Unit::byte:
      return {"byte", "byte/block"};
    case Unit::sector:
      return {"sector", ""};
    case Unit::instruction:
      return {"inst", "instruction", ""};
    case Unit::operation:
      return {"op", "ops", "math_op", "inst", ""};
    case Unit::cycle:
      return {"cycle", ""};
    case Unit::percent:
      return {"%"};
    case Unit::microsecond:
      return {"ns", "us", "ms", "s", "nsecond", "usecond", "msecond", "second"};
    case Unit::hertz:
      return {"hz", "cycle/second"};
    case Unit::byte_per_second:
      return {"byte/s", "byte/second"};
  }
  return {};
}

std::string allowed(Unit unit) {
  std::string text;
  for (const std::string_view name : names_of(unit)) {
    if (!name.empty()) text += (text.empty() ? "" : ", ") + std::string(name);
  }
  const bool prefixed = unit != Unit::microsecond && unit != Unit::percent;
  return text + (prefixed ? " and those with K, M, G, T before them" : "");
}

/// Seconds in a unit of time; 0 if it is not one.
double seconds_in(std::string_view name) {
  const auto found = std::find_if(times.begin(), times.end(), [&](const Scaled& time) { return name == time.text; });
  return found == times.end() ? 0 : found->factor;
}

/// Factor of a prefix before one of these names; 0 for another name.
double prefix_of(std::string_view name, const std::vector<std::string_view>& names) {
  const auto known = [&](std::string_view plain) {
    return std::find(names.begin(), names.end(), plain) != names.end();
  };
  for (const Scaled& prefix : prefixes) {
    if (name.starts_with(prefix.text) && known(name.substr(prefix.text.size()))) return prefix.factor;
  }
  return 0;
}

/// Factor of a rate to units per second, for "Gbyte/second" or "cycle/nsecond"; 0 for another name.
double rate_factor(std::string_view name, std::string_view counted) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return 0;
  const double seconds = seconds_in(name.substr(slash + 1));
  return seconds > 0 ? prefix_of(name.substr(0, slash), {counted}) / seconds : 0;
}

/// Factor from the unit `name` to `unit`; 0 if `name` is not such a unit.
double factor_of(std::string_view name, Unit unit) {
  if (unit == Unit::microsecond) return seconds_in(name) * 1e6;
  if (unit == Unit::percent) return name == "%" ? 1 : 0;
  if (unit == Unit::byte_per_second) return rate_factor(name, "byte");
  if (unit != Unit::hertz) return prefix_of(name, names_of(unit));
  const double rate = rate_factor(name, "cycle");
  return rate > 0 ? rate : prefix_of(name, {"hz", "Hz"});
}

}  // namespace

std::optional<Reading> parse_reading(std::string_view cell, std::string_view unit_text, Unit unit,
                                     const NumberStyle& style) {
  cell = number_text(cell);
  if (cell.empty()) return std::nullopt;
  const double factor = factor_of(sim::trimmed(unit_text), unit);
  if (factor <= 0) throw sim::Error("the unit is ", quoted(unit_text), ": expected ", allowed(unit));
  const Spelled number = style.read(cell);
  const double value = std::strtod(number.digits.c_str(), nullptr) * factor;
  sim::require(std::isfinite(value) && value < too_large, quoted(cell), " is too large: less than 2^62 is allowed");
  const bool whole = number.decimals == 0 && factor == 1;
  return Reading{value, whole ? 0 : 0.5 * std::pow(10.0, -number.decimals) * factor};
}

bool is_count(std::string_view metric, std::string_view unit_text) {
  constexpr std::array<std::string_view, 16> units = {
      "byte",   "byte/block", "sector", "inst",    "instruction",     "request", "cycle", "warp",
      "thread", "block",      "ns",     "nsecond", "register/thread", "op",      "ops",   "SM"};
  constexpr std::array<std::string_view, 6> labels = {"Duration",   "Elapsed Cycles", "Grid Size",
                                                      "Block Size", "Threads",        "Registers Per Thread"};
  constexpr std::array<std::string_view, 4> launch = {"launch__grid_size", "launch__block_size", "launch__thread_count",
                                                      "launch__registers_per_thread"};
  const auto in = [&](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  unit_text = sim::trimmed(unit_text);
  if (unit_text.empty())
    return in(launch, metric) || metric == "Grid Size" || metric == "Block Size" ||
           metric.starts_with("lts__t_sectors");
  if (!in(units, unit_text)) return false;
  const bool events = metric.ends_with(".sum") || metric.ends_with(".max") || metric.ends_with(".min");
  return events || in(labels, metric) || metric.find("Shared Memory") != std::string_view::npos ||
         metric.starts_with("launch__shared_mem") || in(launch, metric);
}

}  // namespace profile
