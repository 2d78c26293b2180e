// The row of the option --inputs.
#include "sim/base/text_inputs.h"
#include "sim/catalogue/option_places.h"
#include "sim/programs/drawn_rows.h"

namespace sim {
namespace {

std::vector<std::string> input_names() {
  std::vector<std::string> names = text_names();
  names.insert(names.begin(), {"drawn", "worked", "outliers"});
  return names;
}

OptionValue asked_inputs(const Scenario& s) {
  constexpr const char* names[] = {"drawn", "worked", "text:", "outliers"};
  return names[static_cast<int>(s.inputs)] + s.text;
}

}  // namespace

ScenarioOption inputs_option() {
  const auto set = [](Scenario& s, const std::string& value, const GpuLookup&) {
    const std::size_t choice = parse_choice("inputs", value, input_names());
    constexpr InputRule rules[] = {InputRule::drawn, InputRule::worked, InputRule::outliers};
    s.inputs = choice < std::size(rules) ? rules[choice] : InputRule::text;
    s.text = s.inputs != InputRule::text ? "" : value.substr(value.find(':') + 1);
    if (s.inputs == InputRule::text) s.shape = shape_of_inputs(s);
  };
  return read_by(asked_inputs, set,
                 {"inputs",
                  "drawn|worked|outliers|text:NAME",
                  OptionKind::name,
                  "drawn: Q, K, V and dO from the normal distribution; worked: those of the worked example, for seqlen "
                  "4 and head-dim 2; outliers: one in a thousand drawn elements of Q, K and V is about 10 times as "
                  "large; text:NAME: heads with synthetic scores over a sentence, which sets the sizes and "
                  "tiles of 4 (mouse, fox, river, mao) [drawn]",
                  /*say*/ "inputs",
                  /*say*/ "drawn, with outliers, the worked example of N 4, d 2, or a sentence",
                  {},
                  seldom,
                  input_names});
}

}  // namespace sim
