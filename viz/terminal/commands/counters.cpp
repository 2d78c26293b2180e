// flashscope counters: every number that simulate prints, its unit and level, and the GPU counter it should match.
#include <nlohmann/json.hpp>

#include "kernels/measurements/metrics.h"
#include "kernels/profile/command.h"
#include "sim/catalogue/quantities.h"
#include "sim/catalogue/typed_values.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "viz/terminal/command.h"

namespace terminal {
namespace {

/// The hardware counter of a quantity; "" if there is none.
std::string metric_of(const sim::RunQuantity& q) { return measurements::metric_text(q.path); }

/// Hardware counters without a counterpart in the program.
std::string unpaired_metrics() {
  std::string lines;
  for (const measurements::Metric& metric : measurements::metrics()) {
    if (!*metric.quantity) lines += sim::text("  ", metric.name, ": ", metric.meaning, "\n");
  }
  return lines;
}

nlohmann::ordered_json metrics_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const measurements::Metric& m : measurements::metrics()) {
    nlohmann::ordered_json entry = {{"name", m.name}, {"unit", m.unit}, {"meaning", m.meaning}};
    entry["counter"] = *m.quantity ? nlohmann::ordered_json(m.quantity) : nlohmann::ordered_json(nullptr);
    entry["factor"] = m.factor;
    entry["counter_unit"] = m.our_unit;
    list.push_back(entry);
  }
  return list;
}

std::string counter_table() {
  report::Table table({"counter", "unit", "level", "GPU metric it should match"});
  std::string meanings;
  for (const sim::RunQuantity& q : sim::quantities()) {
    if (!q.counter) continue;
    const std::string metric = metric_of(q);
    table.row({std::string(q.path), std::string(sim::short_unit(q.unit)), std::string(q.level),
               metric.empty() ? "-" : metric});
    meanings += sim::text("  ", q.path, ": ", q.meaning, "\n");
  }
  std::string causes;
  for (const sim::Cause cause : sim::all_causes) {
    causes += sim::text("  ", sim::key_of(cause), ": ", sim::meaning_of(cause), "\n");
  }
  return table.text() + "\n" + meanings + "\nRead on a GPU as well:\n" + unpaired_metrics() + "\nCauses of time:\n" +
         causes +
         "\nEach .read_bytes has its .write_bytes. flashscope simulate --why COUNTER derives any of them.\n"
         "SRAM: shared memory and registers of an SM.\n";
}

std::string counters_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const sim::RunQuantity& q : sim::quantities()) {
    if (!q.counter) continue;
    nlohmann::ordered_json entry = {
        {"name", q.path}, {"unit", sim::short_unit(q.unit)}, {"level", q.level}, {"meaning", q.meaning}};
    const std::string metric = metric_of(q);
    entry["gpu_metric"] = metric.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(metric);
    list.push_back(entry);
  }
  nlohmann::ordered_json causes = nlohmann::ordered_json::object();
  for (const sim::Cause cause : sim::all_causes) {
    causes[sim::key_of(cause)] = sim::meaning_of(cause);
  }
  return report::to_text({{"schema", 1}, {"counters", list}, {"causes", causes}, {"gpu_metrics", metrics_json()}});
}

}  // namespace

namespace {

constexpr std::int64_t most_launches = 1'000'000;

/// Options of `counters --ncu` for the recorded program.
profile::Recorded recorded(const Arguments& arguments) {
  profile::Recorded recorded;
  recorded.kernel = arguments.value("kernel", "");
  const auto number = [&](const char* name, std::int64_t least, std::int64_t otherwise) {
    const auto value = arguments.find(name);
    sim::require(!value || !recorded.kernel.empty(), name, ": is of the launches of one kernel: add --kernel NAME");
    return value ? sim::typed_whole_number(name, *value, least, most_launches) : otherwise;
  };
  recorded.skip = number("launch-skip", 0, recorded.skip);
  recorded.count = number("launch-count", 1, recorded.count);
  recorded.from_start = arguments.value("profile-from-start", "on") == "on";
  const auto program = arguments.repeated.find("program");
  if (program != arguments.repeated.end()) recorded.program = program->second;
  return recorded;
}

/// Throws sim::Error for options that require --ncu.
void refuse_without_ncu(const Arguments& arguments) {
  for (const char* name : {"kernel", "launch-skip", "launch-count", "profile-from-start"})
    sim::require(!arguments.find(name), name, ": is for the command that --ncu prints: add --ncu");
  sim::require(arguments.repeated.find("program") == arguments.repeated.end(),
               "counters: a program after -- is for the command that --ncu prints: add --ncu");
}

}  // namespace

CommandSyntax counters_syntax() {
  CommandSyntax syntax{
      "counters",
      "What is counted: unit, level, and the GPU metric it should match",
      false,
      {{"format", "table|json", "what to print [table]", {"table", "json"}},
       {"ncu", "", "only the command that records these metrics of your program for verify --import", {}},
       {"kernel", "NAME", "with --ncu: record the kernels with this in their name (a regular expression) [all]", {}},
       {"launch-skip", "N", "with --kernel: skip its first N launches, as warm-ups [0]", {}},
       {"launch-count", "N", "with --kernel: record N launches, whose median is compared [5]", {}},
       {"profile-from-start",
        "on|off",
        "with --ncu: off: record from where the program calls cudaProfilerStart, as after autotuning [on]",
        {"on", "off"}}},
      "flashscope counters --ncu --kernel attn_fwd -- python attention.py"};
  syntax.note = "After -- comes your program with its arguments.";
  syntax.behind = {"program", "PROGRAM...", "", {}, true};
  return syntax;
}

int run_counters(const Arguments& arguments) {
  if (arguments.find("ncu")) {
    sim::require(!arguments.find("format"), "ncu: prints a command line: cannot be combined with --format");
    print(profile::ncu_command(recorded(arguments)) + "\n");
    return exit_done;
  }
  refuse_without_ncu(arguments);
  print(arguments.value("format", "table") == "json" ? counters_json() : as_typed(counter_table()));
  return exit_done;
}

}  // namespace terminal
