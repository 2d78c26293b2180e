// Rows of the options that modify scores, and of sinks.
#include "sim/base/named_steps.h"
#include "sim/base/sinks.h"
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

/// Row of --sink, which acts on the softmax of the scores.
ScenarioOption sink_row() {
  ScenarioOption option = read_by(
      [](const Scenario& s) { return s.sinks == nullptr ? OptionValue() : OptionValue(text_of_sinks(*s.sinks)); },
      [](Scenario& s, const std::string& value, const GpuLookup&) {
        s.sinks = std::make_shared<const std::vector<float>>(read_sinks(value));
      },
      {"sink",
       "X|X,X,...|FILE.npy",
       OptionKind::name,
       "a logit that joins the softmax of each row without a value: one number, or one for each query head, or a file "
       "of them; -inf is no sink [none]",
       /*say*/ "sink",
       /*say*/ "a logit that joins the softmax of each row",
       {},
       automatic | seldom,
       [] {
         return std::vector<std::string>{"0", "1", "4"};
       }});
  option.applies = [](const Scenario& s) { return named_program(s)->sinks; };
  return option;
}

}  // namespace

std::vector<ScenarioOption> score_options() {
  std::vector<ScenarioOption> rows;
  for (const NamedStep& step : named_steps()) rows.push_back(row_of(step));
  rows.push_back(sink_row());
  return rows;
}

}  // namespace sim
