// flashscope options: prints the table of scenario options, for people and for programs that offer them.
#include <nlohmann/json.hpp>

#include "sim/report/catalogue_json.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "viz/terminal/command.h"

namespace terminal {
namespace {

std::string options_table() {
  report::Table table({"option", "takes", "unit", "default", "called"});
  std::string help;
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    const std::string name(option.name), otherwise = sim::text_of(report::default_of(option));
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
  print(arguments.value("format", "table") == "json" ? report::to_text(report::options_json())
                                                     : as_typed(options_table()));
  return exit_done;
}

}  // namespace terminal
