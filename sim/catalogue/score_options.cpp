// Rows of the options that modify scores.
#include "sim/base/named_steps.h"
#include "sim/catalogue/option_places.h"

namespace sim {
namespace {

OptionKind kind_of(NamedStep::Takes takes) {
  if (takes == NamedStep::Takes::nothing) return OptionKind::flag;
  return takes == NamedStep::Takes::number ? OptionKind::number : OptionKind::name;
}

/// Value of a step in a scenario: its text, a number, or whether it is there.
OptionValue value_in(const Scenario& s, const NamedStep& step) {
  const auto given = s.score_steps.find(step.name);
  if (step.takes == NamedStep::Takes::nothing) return given != s.score_steps.end();
  if (given == s.score_steps.end()) return {};
  if (step.takes == NamedStep::Takes::number) return parse_number(step.name, given->second);
  return given->second;
}

void set_step(Scenario& s, const NamedStep& step, const std::string& value) {
  s.score_steps.erase(std::string(step.name));
  if (step.takes == NamedStep::Takes::nothing && parse_choice(step.name, value, {"0", "1"}) == 0) return;
  if (step.takes == NamedStep::Takes::number) parse_number(step.name, value);
  step.formulas(value, s.shape.mask.diagonal);
  s.score_steps[std::string(step.name)] = value;
}

ScenarioOption row_of(const NamedStep& step) {
  const bool flag = step.takes == NamedStep::Takes::nothing;
  ScenarioOption option{step.name, step.values, kind_of(step.takes), step.help, step.label, step.note};
  option.number = {"1", 0, 1e-6, 1e6, Pace::by_tenth};
  option.traits = flag ? seldom : automatic | seldom;
  if (step.takes == NamedStep::Takes::formulas)
    option.words = [&step] { return std::vector<std::string>{std::string(step.example)}; };
  option.applies = [](const Scenario& s) { return named_program(s)->score_steps; };
  option = read_by([&step](const Scenario& s) { return value_in(s, step); },
                   [&step](Scenario& s, const std::string& value, const GpuLookup&) { set_step(s, step, value); },
                   std::move(option));
  return option;
}

}  // namespace

std::vector<ScenarioOption> score_options() {
  std::vector<ScenarioOption> rows;
  for (const NamedStep& step : named_steps()) rows.push_back(row_of(step));
  return rows;
}

}  // namespace sim
