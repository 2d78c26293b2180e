#include "sim/base/named_steps.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "sim/base/check.h"
#include "sim/base/score.h"
#include "sim/base/text.h"

namespace sim {
namespace {

std::vector<std::string> softcap(std::string_view value, DiagonalFrom) {
  const double cap = std::strtod(std::string(value).c_str(), nullptr);
  require(cap > 0 && std::isfinite(cap), "softcap: ", value, " is not a number above 0");
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", cap);
  return {text(digits, "*tanh(s/", digits, ")")};
}

std::vector<std::string> alibi(std::string_view, DiagonalFrom corner) {
  return {corner == DiagonalFrom::top_left ? "s-slope*abs(q-k)" : "s-slope*abs(q+Nk-Nq-k)"};
}

std::vector<std::string> formulas_in(std::string_view value, DiagonalFrom) {
  std::vector<std::string> formulas;
  for (const std::string_view formula : split(value, ";")) {
    ScoreStep::parse(formula);
    formulas.emplace_back(formula);
  }
  return formulas;
}

}  // namespace

const std::vector<NamedStep>& named_steps() {
  using enum NamedStep::Takes;
  static const std::vector<NamedStep> steps = {
      {"softcap", number, "C", "keep the scores between -C and C: they become C tanh(s / C), before the mask [none]",
       /*say*/ "softcap", /*say*/ "scores become C tanh(s / C)", "30", softcap},
      {"alibi", nothing, "", "subtract a slope of the head times the distance to the diagonal from the scores (ALiBi)",
       /*say*/ "ALiBi", /*say*/ "scores fall with the distance to the diagonal", "1", alibi},
      {"score", formulas, "FORMULA[;FORMULA...]",
       "modify the scores before the mask, after softcap and alibi: formulas over s q k h Nq Nk d slope, such as "
       "'30*tanh(s/30)'; indices cost nothing [none]",
       /*say*/ "score", /*say*/ "formulas that modify the scores", "s-0.5*abs(q-k)", formulas_in}};
  return steps;
}

}  // namespace sim
