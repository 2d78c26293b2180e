#include "viz/terminal/verify/import.h"

#include <nlohmann/json.hpp>

#include "viz/terminal/command.h"
#include "viz/terminal/recordings.h"
#include "viz/terminal/report.h"
#include "viz/terminal/request.h"
#include "viz/terminal/verify/profile_report.h"

namespace terminal {
namespace {

/// Nothing runs: what says how is refused.
void refuse_options_of_runs(const Arguments& arguments) {
  std::vector<std::string> names = {"device", "kernel", "scenarios", "schedules", "counters", "workers"};
  for (const OwnOption& option : value_options()) names.push_back(option.name);
  for (const std::string& name : names) {
    sim::require(!arguments.find(name), name, ": is for kernels that run here, --import takes what was measured");
  }
  sim::require(recorded_files(arguments).empty(), "recorded: is for our kernels, --import takes what was measured");
}

}  // namespace

std::vector<OwnOption> import_options() {
  return {{"import",
           "FILE.csv",
           "compare what Nsight Compute measured of any kernel; flashscope counters --ncu prints the command that "
           "records it",
           {}},
          {"launch",
           "ID|NAME",
           "with --import: only the launch with this ID, or those with this in the kernel's name; may be given more "
           "than once [all]",
           {},
           true}};
}

bool is_import(const Arguments& arguments) {
  const bool import = arguments.find("import").has_value();
  const auto launches = arguments.repeated.find("launch");
  sim::require(import || launches == arguments.repeated.end() || launches->second.empty(),
               "launch: chooses launches of --import FILE.csv, which is missing");
  return import;
}

int run_import(const Arguments& arguments) {
  refuse_options_of_runs(arguments);
  const std::string path = *arguments.find("import");
  const profile::Profile file = profile::parse_profile(read_text("import", path, profile::longest_profile), path);
  const auto launches = arguments.repeated.find("launch");
  const auto chosen = profile::choose_launches(
      file, launches == arguments.repeated.end() ? std::vector<std::string>{} : launches->second);
  const sim::Simulation program = sim::simulate(sim::scenario_from(arguments.scenario, find_gpu));
  print_warnings(program.warnings);
  const std::string words = sim::text(program.plan.program->title, " ", sim::name_of(program.plan.scenario.pass), ": ",
                                      shape_text(program.plan.scenario), ", ", program.plan.scenario.gpu->name,
                                      "; tiles ", tile_text(program.plan));
  const ImportedProfile imported{words, file, program, profile::compare(program, chosen)};
  print(arguments.value("format", "table") == "json" ? to_text(profile_json(imported)) : profile_table(imported));
  return exit_done;
}

}  // namespace terminal
