#include "viz/terminal/verify/recorded.h"

#include <nlohmann/json.hpp>

#include "kernels/verify/recorded_rows.h"
#include "sim/report/run_json.h"
#include "viz/terminal/command.h"
#include "viz/terminal/recordings.h"
#include "viz/terminal/request.h"
#include "viz/terminal/verify/nothing_runs.h"
#include "viz/terminal/verify/report.h"
#include "viz/terminal/verify/scenario_list.h"

namespace terminal {
namespace {

using Recordings = std::vector<measurements::Recording>;

/// The listed scenario, on the recorded GPU if it names none.
sim::Scenario scenario_of(const ListedScenario& listed, const std::string& kernel, const Recordings& recordings) {
  sim::Scenario scenario = sim::scenario_from(listed.options, find_gpu);
  const std::vector<std::string> gpus = measurements::gpus_with(recordings, scenario, kernel);
  if (listed.options.count("gpu") > 0 || gpus.empty()) return scenario;
  sim::OptionValues options = listed.options;
  options["gpu"] = gpus.back();
  return sim::scenario_from(options, find_gpu);
}

/// Compares a scenario with its recordings; no rows if there are none.
VerifiedScenario verified(const ListedScenario& listed, const Recordings& recordings) {
  const sim::Scenario asked = sim::scenario_from(listed.options, find_gpu);
  const std::string kernel = listed.kernel.value_or(measurements::default_kernel(asked));
  const sim::Simulation program = sim::simulate(scenario_of(listed, kernel, recordings));
  return {words_of(program), kernel, {"recorded", kernels::recorded_rows(program, kernel, recordings)}};
}

[[noreturn]] void say_none(const std::string& what, const Recordings& recordings) {
  throw MissingCapability(sim::text("verify: ", what, " is recorded",
                                    recordings.empty() ? " (there are no recordings)" : "",
                                    ": kernels/measure.sh records on a GPU, --recorded FILE.csv reads its files"));
}

int run_one(const Arguments& arguments, const Recordings& recordings) {
  const VerifiedScenario one = verified({"", "", arguments.scenario, arguments.find("kernel")}, recordings);
  if (one.verdict.rows.empty()) say_none("nothing of " + one.kernel + ", " + one.scenario + ",", recordings);
  print(arguments.value("format", "table") == "json" ? report::to_text(verdict_json(one.verdict)) : verdict_table(one));
  return exit_done;
}

int run_list(const Arguments& arguments, const Recordings& recordings) {
  std::vector<VerifiedScenario> all;
  const std::vector<ListedScenario> list = read_scenarios(arguments);
  for (const ListedScenario& each : list) {
    VerifiedScenario one = verified(each, recordings);
    if (!one.verdict.rows.empty()) all.push_back(std::move(one));
  }
  if (all.empty()) say_none("none of these scenarios", recordings);
  if (all.size() < list.size())
    print_warnings({sim::text("of ", list.size(), " scenarios ", list.size() - all.size(), " are not recorded")});
  print(arguments.value("format", "table") == "json" ? report::to_text(verdicts_json("recorded", all))
                                                     : verdicts_table("recorded", all));
  return exit_done;
}

}  // namespace

int run_recorded(const Arguments& arguments) {
  refuse_options_of_runs(arguments, {}, "--device recorded runs none");
  const Recordings recordings = all_recordings(arguments);
  return arguments.find("scenarios") ? run_list(arguments, recordings) : run_one(arguments, recordings);
}

}  // namespace terminal
