// Rows of the unified maximum of flash-decoding-plus: --phi, --range and --fallback.
#include <cmath>
#include <cstdlib>

#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/catalogue/option_places.h"

namespace sim {
namespace {

/// A bound of --range: a number or an infinity.
double bound_of_range(const std::string& value, std::string_view side) {
  const std::string digits(side);
  char* end = nullptr;
  const double bound = std::strtod(digits.c_str(), &end);
  require(!digits.empty() && *end == '\0' && !std::isnan(bound), "range: ", quoted(value),
          " is not A,B: two numbers with A < B, bounds of x - phi; -inf and inf are none");
  return bound;
}

ScoreRange read_range(const std::string& value) {
  const std::vector<std::string_view> sides = split(value, ",");
  require(sides.size() == 2, "range: ", quoted(value),
          " is not A,B: two numbers with A < B, bounds of x - phi; -inf and inf are none");
  const ScoreRange range{bound_of_range(value, sides[0]), bound_of_range(value, sides[1])};
  require(range.low < range.high, "range: ", quoted(value), " is not A,B with A < B, the bounds of x - phi");
  return range;
}

/// Row of an option of programs with a unified maximum; `used` is its value in a plan of such a program.
template <class Used>
ScenarioOption of_unified_max(Used used, ScenarioOption option) {
  option.applies = [](const Scenario& s) { return named_program(s)->unified_max; };
  option.resolved = [used, applies = option.applies](const Plan& plan) {
    return applies(plan.scenario) ? OptionValue(used(plan.scenario)) : OptionValue();
  };
  return option;
}

ScenarioOption phi_row() {
  return of_unified_max([](const Scenario& s) { return s.phi.value_or(0); },
                        at([](auto& s) -> auto& { return s.phi; },
                           {"phi",
                            "X",
                            OptionKind::number,
                            "of flash-decoding-plus: the maximum of all rows, which is subtracted from every score [0]",
                            "phi",
                            /*say*/ "one maximum of all rows, subtracted from every score",
                            {"1", 0, -1e3, 1e3, Pace::by_one},
                            automatic | seldom}));
}

ScenarioOption range_row() {
  return of_unified_max(
      [](const Scenario& s) { return text_of(unified_range(s)); },
      read_by([](const Scenario& s) { return s.range ? OptionValue(text_of(*s.range)) : OptionValue(); },
              [](Scenario& s, const std::string& value, const GpuLookup&) { s.range = read_range(value); },
              {"range",
               "A,B",
               OptionKind::name,
               "of flash-decoding-plus: row blocks with a score x outside A < x - phi < B are computed again; -inf "
               "and inf are no bound [-16.8,6.5 in fp16 and bf16; -inf,inf in fp32]",
               /*say*/ "range",
               /*say*/ "bounds of x - phi; row blocks beyond them are computed again",
               {},
               automatic | seldom,
               [] {
                 return std::vector<std::string>{"-16.8,6.5", "-3,3"};
               }}));
}

ScenarioOption fallback_row() {
  return of_unified_max(
      [](const Scenario& s) { return s.fallback.value_or(0); },
      at([](auto& s) -> auto& { return s.fallback; },
         {"fallback",
          "F",
          OptionKind::number,
          "of flash-decoding-plus, without values: share of the row blocks that is computed again, in [0, 1] [0]",
          /*say*/ "fallback",
          /*say*/ "share of the row blocks that is computed again",
          {"1", 0, 0, 1, Pace::by_tenth, "0.0001 0.001 0.01 0.1 1", "0 0.0001 0.001 0.01 0.1 1"},
          automatic | seldom}));
}

}  // namespace

std::vector<ScenarioOption> unified_max_rows() { return {phi_row(), range_row(), fallback_row()}; }

}  // namespace sim
