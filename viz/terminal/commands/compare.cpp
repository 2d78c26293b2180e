// flashscope compare: several algorithms on one scenario, with ratios to the first.
#include <nlohmann/json.hpp>

#include "sim/base/nearest.h"
#include "viz/terminal/command.h"
#include "viz/terminal/comparison.h"
#include "viz/terminal/numbers.h"
#include "viz/terminal/quantities.h"
#include "viz/terminal/report.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

std::string compare_json(const std::vector<sim::Simulation>& runs) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const sim::Simulation& s : runs) list.push_back(to_json(s));
  return to_text({{"schema", 1}, {"results", list}});
}

std::string compare_csv(const std::vector<sim::Simulation>& runs) {
  std::vector<std::string> columns = exact_quantities();
  columns.insert(columns.end(), {"check.max_abs_error", "check.max_rel_error"});
  std::string out = "algorithm";
  for (const std::string& column : columns) out += "," + column;
  for (const sim::Simulation& s : runs) {
    out += "\n" + s.plan.scenario.algorithm;
    const nlohmann::ordered_json json = to_json(s);
    for (const std::string& column : columns) out += "," + csv_cell(quantity_at(json, column));
  }
  return out + "\n";
}

}  // namespace

CommandSyntax compare_syntax() {
  CommandSyntax syntax{
      "compare", "Several algorithms side by side on one scenario", true, value_options(),
      "flashscope compare --model llama-3-8b --seqlen 8192 --causal --algorithms standard,flash1,flash2"};
  syntax.own.push_back(
      {"algorithms", "A,B,...", "which, in order; ratios are to the first [standard,flash1,flash2]", {}});
  syntax.own.push_back({"format", "table|json|csv", "what to print [table]", {"table", "json", "csv"}});
  syntax.one_algorithm = false;
  return syntax;
}

int run_compare(const Arguments& arguments) {
  sim::require(arguments.scenario.count("algorithm") == 0, "compare: takes --algorithms A,B,..., not --algorithm");
  Request request = make_request(arguments, false);
  std::vector<sim::Simulation> runs =
      simulate_each(request.scenario, algorithm_list(arguments.value("algorithms", "standard,flash1,flash2")));
  std::vector<std::string> warnings = request.warnings;
  if (request.values) {
    check_value_memory(request.scenario.shape, request.scenario.pass);
    const sim::AttentionInputs inputs = make_inputs(request);
    for (sim::Simulation& s : runs) s.check = compute_values(s.plan, inputs).check;
    for (const std::string& warning : sim::nonfinite_warnings(inputs)) warnings.push_back(warning);
  }
  for (const sim::Simulation& s : runs) {
    for (const std::string& warning : s.warnings) warnings.push_back(s.plan.scenario.algorithm + ": " + warning);
  }
  print_warnings(warnings);
  const std::string format = arguments.value("format", "table");
  print(format == "json" ? compare_json(runs) : format == "csv" ? compare_csv(runs) : comparison_table(runs));
  return exit_done;
}

}  // namespace terminal
