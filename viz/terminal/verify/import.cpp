#include "viz/terminal/verify/import.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/profile/command.h"
#include "sim/report/run_json.h"
#include "viz/terminal/command.h"
#include "viz/terminal/input_file.h"
#include "viz/terminal/recordings.h"
#include "viz/terminal/request.h"
#include "viz/terminal/verify/nothing_runs.h"
#include "viz/terminal/verify/profile_report.h"

namespace terminal {
namespace {

/// Throws for options of runs, since no kernel runs here.
void refuse_what_runs(const Arguments& arguments) {
  refuse_options_of_runs(arguments, {"device", "kernel", "scenarios"}, "--import takes what was measured");
  sim::require(recorded_files(arguments).empty(), "recorded: is for our kernels, --import takes what was measured");
}

}  // namespace

bool is_import(const Arguments& arguments) {
  const bool import = arguments.find("import").has_value();
  const auto launches = arguments.repeated.find("launch");
  sim::require(import || launches == arguments.repeated.end() || launches->second.empty(),
               "launch: chooses launches of --import FILE.csv, which is missing");
  return import;
}

int run_import(const Arguments& arguments) {
  refuse_what_runs(arguments);
  const std::string path = *arguments.find("import");
  check_input("import", path, std::numeric_limits<std::int64_t>::max());
  profile::refuse_report(path);
  const profile::Profile file = profile::parse_profile(read_text("import", path, profile::longest_profile), path);
  const auto launches = arguments.repeated.find("launch");
  const auto chosen = profile::choose_launches(
      file, launches == arguments.repeated.end() ? std::vector<std::string>{} : launches->second);
  const sim::Simulation program = sim::simulate(sim::scenario_from(arguments.scenario, find_gpu));
  print_warnings(program.warnings);
  const ImportedProfile imported{words_of(program), file, program, profile::compare(program, chosen)};
  refuse_nothing(imported);
  print(arguments.value("format", "table") == "json" ? report::to_text(profile_json(imported))
                                                     : profile_table(imported));
  return exit_done;
}

}  // namespace terminal
