// flashscope verify: checks the program against its kernel on a device: values, bytes, memory, races.
#include "kernels/verify/verify.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/profile/command.h"
#include "kernels/threads/threads.h"
#include "kernels/verify/choice.h"
#include "kernels/verify/devices.h"
#include "kernels/verify/effort.h"
#include "kernels/verify/recorded_rows.h"
#include "sim/catalogue/typed_values.h"
#include "sim/model/simulation.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "sim/report/value_work.h"
#include "viz/terminal/arguments.h"
#include "viz/terminal/command.h"
#include "viz/terminal/input_file.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/request.h"
#include "viz/terminal/status_line.h"
#include "viz/terminal/verify/on_device.h"
#include "viz/terminal/verify/profile_report.h"
#include "viz/terminal/verify/report.h"
#include "viz/terminal/verify/scenario_list.h"

namespace terminal {
namespace {

using Recordings = std::vector<measurements::Recording>;

// Functions shared by the modes of `verify` that run no kernel.

/// Throws sim::Error for an option of kernel runs, or one of `more`. `instead`: description of this mode.
void refuse_options_of_runs(const Arguments& arguments, const std::vector<std::string>& more,
                            std::string_view instead) {
  std::vector<std::string> names = more;
  names.insert(names.end(), {"schedules", "counters", "workers"});
  for (const CommandOption& option : value_options()) names.push_back(option.name);
  for (const std::string& name : names) {
    sim::require(!arguments.find(name), name, ": is for kernels that run here, ", instead);
  }
}

/// Program as text: "FlashAttention-2 forward: batch 1, heads 2, N 256, d 64, fp16, h200; tiles 128 x 128".
std::string words_of(const sim::Simulation& program) {
  const sim::Scenario& s = program.plan.scenario;
  return sim::text(program.plan.program->title, " ", sim::name_of(s.pass), ": ", shape_text(s), ", ", s.gpu->name,
                   "; tiles ", tile_text(program.plan));
}

// flashscope verify --device recorded: compares recordings on GPUs with the simulation. Nothing runs: any size works.

/// The listed scenario, on the recorded GPU if it names none.
sim::Scenario recorded_scenario(const ListedScenario& listed, const std::string& kernel, const Recordings& recordings) {
  sim::Scenario scenario = sim::scenario_from(listed.options, find_gpu);
  const std::vector<std::string> gpus = measurements::gpus_with(recordings, scenario, kernel);
  if (listed.options.count("gpu") > 0 || gpus.empty()) return scenario;
  sim::OptionValues options = listed.options;
  options["gpu"] = gpus.back();
  return sim::scenario_from(options, find_gpu);
}

/// Compares a scenario with its recordings; no rows if there are none.
VerifiedScenario beside_recordings(const ListedScenario& listed, const Recordings& recordings) {
  const sim::Scenario asked = sim::scenario_from(listed.options, find_gpu);
  const std::string kernel = listed.kernel.value_or(measurements::default_kernel(asked));
  const sim::Simulation program = sim::simulate(recorded_scenario(listed, kernel, recordings));
  return {words_of(program), kernel, {"recorded", kernels::recorded_rows(program, kernel, recordings)}};
}

[[noreturn]] void say_none(const std::string& what, const Recordings& recordings) {
  throw MissingCapability(sim::text("verify: ", what, " is recorded",
                                    recordings.empty() ? " (there are no recordings)" : "",
                                    ": kernels/measure.sh records on a GPU, --recorded FILE.csv reads its files"));
}

int run_one_recorded(const Arguments& arguments, const Recordings& recordings) {
  const VerifiedScenario one = beside_recordings({"", "", arguments.scenario, arguments.find("kernel")}, recordings);
  if (one.verdict.rows.empty()) say_none("nothing of " + one.kernel + ", " + one.scenario + ",", recordings);
  print(arguments.value("format", "table") == "json" ? report::to_text(report::verdict_json(one.verdict))
                                                     : verdict_table(one));
  return exit_done;
}

int run_list_recorded(const Arguments& arguments, const Recordings& recordings) {
  std::vector<VerifiedScenario> all;
  const std::vector<ListedScenario> list = read_scenarios(arguments);
  for (const ListedScenario& each : list) {
    VerifiedScenario one = beside_recordings(each, recordings);
    if (!one.verdict.rows.empty()) all.push_back(std::move(one));
  }
  if (all.empty()) say_none("none of these scenarios", recordings);
  if (all.size() < list.size())
    print_warnings({sim::text("of ", list.size(), " scenarios ", list.size() - all.size(), " are not recorded")});
  print(arguments.value("format", "table") == "json" ? report::to_text(verdicts_json("recorded", all))
                                                     : verdicts_table("recorded", all));
  return exit_done;
}

/// Prints the recorded rows of the scenario, or of those in a list that have some, on the recorded GPU unless --gpu
/// names one. Differences are findings, not failures. Throws MissingCapability if nothing is recorded, and sim::Error
/// for options of runs.
int run_recorded(const Arguments& arguments) {
  refuse_options_of_runs(arguments, {}, "--device recorded runs none");
  const Recordings recordings = all_recordings(arguments);
  return arguments.find("scenarios") ? run_list_recorded(arguments, recordings)
                                     : run_one_recorded(arguments, recordings);
}

// flashscope verify --import: compares a profile of any kernel with the program of the scenario.

/// Throws for options of runs, since no kernel runs here.
void refuse_what_runs(const Arguments& arguments) {
  refuse_options_of_runs(arguments, {"device", "kernel", "scenarios"}, "--import takes what was measured");
  sim::require(recorded_files(arguments).empty(), "recorded: is for our kernels, --import takes what was measured");
}

/// True if --import is given. Throws sim::Error for --launch without it.
bool is_import(const Arguments& arguments) {
  const bool import = arguments.find("import").has_value();
  const auto launches = arguments.repeated.find("launch");
  sim::require(import || launches == arguments.repeated.end() || launches->second.empty(),
               "launch: chooses launches of --import FILE.csv, which is missing");
  return import;
}

/// Compares and prints; differences are findings, not failures. Throws sim::Error for a file that is not a profile, and
/// for options of runs.
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

// Kernels that run here.

constexpr std::int64_t most_workers = 1024, most_schedules = 10000;

/// Settings of a verification, independent of the scenario.
struct Setting {
  kernels::VerifyDevice device;
  int workers, schedules;
  std::vector<measurements::Recording> recordings;  ///< empty for a GPU, which is measured itself
};

Setting make_setting(const Arguments& arguments) {
  const auto number = [&](const char* name, std::int64_t least, std::int64_t most, std::int64_t otherwise) {
    const auto value = arguments.find(name);
    return static_cast<int>(value ? sim::typed_whole_number(name, *value, least, most) : otherwise);
  };
  const int workers = number("workers", 1, most_workers, threads::all_cores()),
            schedules = number("schedules", 0, most_schedules, 0);
  std::vector<measurements::Recording> recordings = all_recordings(arguments);
  const bool count = arguments.value("counters", "on") == "on";
  Setting setting{kernels::VerifyDevice(arguments.value("device", "emulated"), workers, count), workers, schedules, {}};
  if (setting.device.emulated()) setting.recordings = std::move(recordings);
  sim::require(setting.device.emulated() || schedules == 0,
               "schedules: a GPU has its own, only --device emulated can be told");
  return setting;
}

/// Reports the current scenario and step.
class Progress {
 public:
  void begin(std::string scenario) { scenario_ = std::move(scenario); }
  void show(std::string_view step) { line_.say(sim::text(scenario_, ": ", step)); }

 private:
  StatusLine line_{"verify", ""};
  std::string scenario_;
};

/// Reports slow steps on stderr before they start.
void tell_effort(const sim::Simulation& program, const std::string& kernel, const Setting& setting) {
  const int runs = setting.device.emulated() ? 1 + setting.schedules : 0;
  const double seconds =
      report::value_seconds(program) + runs * kernels::emulated_seconds(program, kernel, setting.workers);
  if (seconds >= report::long_values)
    tell(sim::text("note: verify: takes about ", report::seconds(seconds), " on this machine; Ctrl-C ends it"));
}

/// Throws if a scenario cannot be verified; returns the name of its kernel.
std::string check(const sim::Simulation& program, const std::optional<std::string>& kernel, const Setting& setting) {
  std::string name =
      kernels::choose_kernel(program.plan, kernel, setting.device.flavour(), setting.device.smem_bytes_per_cta());
  kernels::check_sizes(program.plan);
  report::check_value_work({&program, 1}, 1, report::Values::are_needed);
  kernels::check_effort(program, name, setting.device.emulated() ? 1 + setting.schedules : 0, setting.workers);
  return name;
}

kernels::Verdict verify(sim::Simulation program, const std::string& kernel, sim::AttentionInputs inputs,
                        const Setting& setting, Progress& progress) {
  const double seconds = kernels::emulated_seconds(program, kernel, setting.workers);
  const kernels::Verification verification(std::move(program), kernel, std::move(inputs),
                                           [&](std::string_view step) { progress.show(step); });
  kernels::Verdict verdict;
  for (int schedule = 0; schedule <= setting.schedules; ++schedule) {
    std::string step = "kernel " + kernel;
    if (setting.device.emulated()) step += ", about " + report::seconds(seconds);
    if (schedule > 0) step += sim::text(", random schedule ", schedule, " of ", setting.schedules);
    progress.show(step);
    const kernels::Verdict next = setting.device.with(static_cast<std::uint64_t>(schedule), [&](dev::Device& device) {
      return verification.run(device, setting.device.counters());
    });
    if (schedule == 0)
      verdict = next;
    else
      kernels::keep_worst(verdict, next, sim::text("random schedule ", schedule));
  }
  const auto recorded = kernels::recorded_rows(verification.program(), kernel, setting.recordings);
  verdict.rows.insert(verdict.rows.end(), recorded.begin(), recorded.end());
  return verdict;
}

/// Adds the GPUs that have recordings of this scenario, if its own GPU has none.
void add_elsewhere(std::vector<std::string>& gpus, const sim::Scenario& scenario, const std::string& kernel,
                   const Setting& setting) {
  if (!measurements::recorded_of(setting.recordings, scenario, kernel).empty()) return;
  for (const std::string& gpu : measurements::gpus_with(setting.recordings, scenario, kernel)) {
    if (std::find(gpus.begin(), gpus.end(), gpu) == gpus.end()) gpus.push_back(gpu);
  }
}

void print_elsewhere(const std::vector<std::string>& gpus) {
  if (!gpus.empty()) print_warnings({elsewhere_note(gpus)});
}

int run_one(const Arguments& arguments, const Setting& setting) {
  Request request = make_request(arguments, true);
  sim::Simulation program = sim::simulate(request.scenario);
  const std::string kernel = check(program, arguments.find("kernel"), setting);
  const std::string words = sim::text(program.plan.program->title, " ", sim::name_of(request.scenario.pass), ": ",
                                      shape_text(request.scenario), "; tiles ", tile_text(program.plan));
  print_warnings(request.warnings);
  print_warnings(program.warnings);
  std::vector<std::string> elsewhere;
  add_elsewhere(elsewhere, request.scenario, kernel, setting);
  print_elsewhere(elsewhere);
  tell_effort(program, kernel, setting);
  sim::AttentionInputs inputs = make_inputs(request);
  VerifiedScenario verified{words, kernel, {}};
  const sim::BusySms sms = sim::busy_sms(program);
  {
    Progress progress;
    progress.begin(request.scenario.algorithm);
    verified.verdict = verify(std::move(program), kernel, std::move(inputs), setting, progress);
  }
  const auto& rows = verified.verdict.rows;
  const bool timed = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.quantity == "time"; });
  if (timed && sms.few()) print_notes({"time: " + sms_text(sms) + " SMs get work, the rest of the card is idle"});
  print(arguments.value("format", "table") == "json" ? report::to_text(report::verdict_json(verified.verdict))
                                                     : verdict_table(verified));
  return verified.verdict.ok() ? exit_done : exit_check_failed;
}

/// A scenario of a list that can be verified.
struct Planned {
  ListedScenario listed;
  sim::Scenario scenario;
  std::string kernel;
};

/// Prepares a scenario; all errors of a list are reported before its first scenario runs.
Planned plan(ListedScenario listed, const Setting& setting) {
  try {
    const sim::Scenario scenario = sim::scenario_from(listed.options, find_gpu);
    std::string kernel = check(sim::simulate(scenario), listed.kernel, setting);
    return {std::move(listed), scenario, std::move(kernel)};
  } catch (const sim::Error& error) {
    throw sim::Error(listed.where, ": ", error);
  }
}

VerifiedScenario verify_planned(const Planned& planned, const Setting& setting, Progress& progress) {
  Request request;
  request.scenario = planned.scenario;
  try {
    sim::Simulation program = sim::simulate(planned.scenario);
    return {planned.listed.text, planned.kernel,
            verify(std::move(program), planned.kernel, make_inputs(request), setting, progress)};
  } catch (const dev::DeviceError&) {
    throw;  // keeps the exception's type
  } catch (const sim::Error& error) {
    throw sim::Error(planned.listed.where, ": ", error);
  }
}

std::vector<VerifiedScenario> verify_all(const std::vector<Planned>& planned, const Setting& setting) {
  std::vector<VerifiedScenario> verified;
  Progress progress;
  for (const Planned& each : planned) {
    progress.begin(sim::text(verified.size() + 1, " of ", planned.size()));
    verified.push_back(verify_planned(each, setting, progress));
  }
  return verified;
}

int run_list(const Arguments& arguments, const Setting& setting) {
  for (const CommandOption& option : value_options()) {
    sim::require(!arguments.find(option.name), option.name, ": is of one scenario, --scenarios draws its inputs");
  }
  std::vector<Planned> planned;
  for (ListedScenario& listed : read_scenarios(arguments)) planned.push_back(plan(std::move(listed), setting));
  std::vector<std::string> elsewhere;
  for (const Planned& each : planned) add_elsewhere(elsewhere, each.scenario, each.kernel, setting);
  print_elsewhere(elsewhere);
  const std::vector<VerifiedScenario> verified = verify_all(planned, setting);
  const std::string device = setting.device.description();
  print(arguments.value("format", "table") == "json" ? report::to_text(verdicts_json(device, verified))
                                                     : verdicts_table(device, verified));
  const bool ok =
      std::all_of(verified.begin(), verified.end(), [](const VerifiedScenario& each) { return each.verdict.ok(); });
  return ok ? exit_done : exit_check_failed;
}

int run(const Arguments& given) {
  if (is_import(given)) return run_import(given);
  if (given.value("device", "emulated") == "recorded") return run_recorded(given);
  const Setting setting = make_setting(given);
  Arguments arguments = given;
  plan_for_card(arguments.scenario, setting.device.gpu(), setting.device.smem_bytes_per_cta());
  if (!setting.device.note().empty()) print_warnings({setting.device.note()});
  return arguments.find("scenarios") ? run_list(arguments, setting) : run_one(arguments, setting);
}

}  // namespace

int run_verify(const Arguments& arguments) { return on_device(run, arguments); }

}  // namespace terminal
