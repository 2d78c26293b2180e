// Expression: any text is a formula with a finite value that parentheses do not change, or an Error.
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "sim/base/check.h"
#include "sim/base/expression.h"
#include "tests/fuzz/invariant.h"

namespace {

using Values = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tiny = std::numeric_limits<double>::denorm_min(), large = std::numeric_limits<double>::max();

const std::vector<std::string> names = {"N", "d", "Br", "Bc"};
const Values ordinary = {1024, 64, 128, 128};
const Values odd[] = {
    ordinary, {0, 0, 0, 0}, {-0.0, -1, 0.5, -2}, {large, -large, tiny, 1}, {infinity, 0, 1, 2}, {1, -infinity, NAN, 0}};

std::optional<double> value_of(const sim::Expression& formula, const Values& values) {
  try {
    return formula.evaluate(values);
  } catch (const sim::Error& error) {
    fuzz::check_message(error.what());
    return std::nullopt;
  }
}

void check_formula(const sim::Expression& formula) {
  for (const Values& values : odd) {
    const std::optional<double> value = value_of(formula, values);
    fuzz::check(!value || std::isfinite(*value), "a value is finite");
    fuzz::check(value == value_of(sim::Expression::parse(formula.source(), names), values), "the source says it all");
  }
}

/// Checks the formula in parentheses, minus nothing: rejected as too long or too deep, or equal.
void check_in_parentheses(const sim::Expression& formula) {
  const std::optional<double> value = value_of(formula, ordinary);
  try {
    const auto wrapped = sim::Expression::parse("(" + formula.source() + ")-0", names);
    fuzz::check(value == value_of(wrapped, ordinary), "parentheses around all change nothing");
  } catch (const sim::Error& error) {
    const std::string_view message = error.what();
    fuzz::check(message.find("nested deeper") != message.npos || message.find("at most") != message.npos,
                "parentheses around all are refused for length or depth alone");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  try {
    const auto formula = sim::Expression::parse({reinterpret_cast<const char*>(input), size}, names);
    check_formula(formula);
    check_in_parentheses(formula);
  } catch (const sim::Error& error) {
    fuzz::check_message(error.what());
  }
  return 0;
}
