// flashscope options: the options of a scenario, as their table has them: for people, and for programs that offer them.
#include <nlohmann/json.hpp>

#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "viz/terminal/command.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

/// What a scenario has that nobody asked for anything.
sim::OptionValue default_of(const sim::ScenarioOption& option) {
  static const sim::Scenario scenario;
  return option.asked ? option.asked(scenario) : sim::OptionValue();
}

Json option_json(const sim::ScenarioOption& option) {
  const bool whole = option.kind == sim::OptionKind::whole_number;
  Json json = {
      {"name", option.name}, {"kind", sim::name_of(option.kind)}, {"default", report::value_json(default_of(option))}};
  json["unit"] = whole || option.kind == sim::OptionKind::number ? Json(option.number.unit) : Json(nullptr);
  json["least"] = whole ? Json(option.number.least) : Json(nullptr);
  json["most"] = whole ? Json(sim::largest_option) : Json(nullptr);
  json["words"] = option.words != nullptr ? Json(option.words()) : Json(nullptr);
  json["sets"] = option.covers;
  json["label"] = option.label;
  json["takes"] = option.values;
  json["help"] = option.help;
  return json;
}

std::string options_json() {
  Json list = Json::array();
  for (const sim::ScenarioOption& option : sim::scenario_options()) list.push_back(option_json(option));
  return report::to_text({{"schema", 1}, {"options", list}});
}

std::string options_table() {
  report::Table table({"option", "takes", "unit", "default", "called"});
  std::string help;
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    const std::string name(option.name), otherwise = sim::text_of(default_of(option));
    table.row({name, std::string(option.values.empty() ? "0|1" : option.values), std::string(option.number.unit),
               otherwise.empty() ? "-" : otherwise, std::string(option.label)});
    help += sim::text("  ", name, ": ", option.help, "\n");
  }
  return table.text() + "\n" + help +
         "\nOn the command line flashscope simulate --seqlen 4096 --causal, in a link seqlen=4096&causal=1.\n";
}

}  // namespace

CommandSyntax options_syntax() {
  return {"options",
          "The options of a scenario: what they take, their units and defaults",
          false,
          {{"format", "table|json", "what to print [table]", {"table", "json"}}},
          "flashscope options --format json"};
}

int run_options(const Arguments& arguments) {
  print(arguments.value("format", "table") == "json" ? options_json() : as_typed(options_table()));
  return exit_done;
}

}  // namespace terminal
