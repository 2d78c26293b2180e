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
  const char* text;
  double factor;
};

/// The names of a unit without a prefix. Numbers that count something may come without a unit.
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

double time_factor(std::string_view name) {
  constexpr std::array<Scaled, 8> times = {{{"ns", 1e-3},
                                            {"us", 1},
                                            {"ms", 1e3},
                                            {"s", 1e6},
                                            {"nsecond", 1e-3},
                                            {"usecond", 1},
                                            {"msecond", 1e3},
                                            {"second", 1e6}}};
  const auto found = std::find_if(times.begin(), times.end(), [&](const Scaled& time) { return name == time.text; });
  return found == times.end() ? 0 : found->factor;
}

/// What a number in the unit `name` is multiplied by; 0 where that is no such unit.
double factor_of(std::string_view name, Unit unit) {
  if (unit == Unit::microsecond) return time_factor(name);
  const std::vector<std::string_view> names = names_of(unit);
  const auto known = [&](std::string_view plain) {
    return std::find(names.begin(), names.end(), plain) != names.end();
  };
  if (known(name)) return 1;
  constexpr std::array<Scaled, 4> prefixes = {{{"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}};
  for (const Scaled& prefix : prefixes) {
    if (unit != Unit::percent && name.starts_with(prefix.text) && known(name.substr(1))) return prefix.factor;
  }
  return 0;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A number taken apart: its digits without commas, and how many decimals it has.
struct Digits {
  std::string plain;
  int decimals = 0;
};

/// Reads from the left; `at` is where it stopped.
class DigitReader {
 public:
  explicit DigitReader(std::string_view cell) : cell_(cell) {}

  Digits read() {
    whole_part();
    if (take('.')) digits_.decimals = run();
    if (take('e') || take('E')) {
      if (!take('-')) take('+');
      check(run() > 0);
    }
    check(at_ == cell_.size());
    return digits_;
  }

 private:
  void check(bool holds) const {
    sim::require(holds, quoted(cell_), " is not a number as in 1234.5 or 1,234.5: expected digits with commas between ",
                 "thousands and a point before decimals");
  }
  bool take(char c) {
    if (at_ >= cell_.size() || cell_[at_] != c) return false;
    digits_.plain += cell_[at_++];
    return true;
  }
  int run() {
    int length = 0;
    for (; at_ < cell_.size() && is_digit(cell_[at_]); ++length) digits_.plain += cell_[at_++];
    return length;
  }
  void whole_part() {
    int length = run();
    check(length > 0);
    if (at_ < cell_.size() && cell_[at_] == ',') check(length <= 3);
    while (at_ < cell_.size() && cell_[at_] == ',') {
      ++at_;
      length = run();
      check(length == 3);
    }
  }

  std::string_view cell_;
  std::size_t at_ = 0;
  Digits digits_;
};

}  // namespace

std::optional<Reading> parse_reading(std::string_view cell, std::string_view unit_text, Unit unit) {
  cell = sim::trimmed(cell);
  if (cell.empty() || cell == "n/a") return std::nullopt;
  const double factor = factor_of(sim::trimmed(unit_text), unit);
  if (factor <= 0) throw sim::Error(sim::text("the unit is ", quoted(unit_text), ": expected ", allowed(unit)));
  const Digits digits = DigitReader(cell).read();
  const double value = std::strtod(digits.plain.c_str(), nullptr) * factor;
  sim::require(std::isfinite(value) && value < too_large, quoted(cell), " is too large: less than 2^62 is allowed");
  const bool whole = digits.decimals == 0 && factor == 1;
  return Reading{value, whole ? 0 : 0.5 * std::pow(10.0, -digits.decimals) * factor};
}

}  // namespace profile
