// flashscope tune: the best tiles of a scenario, and the constraint that binds.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/catalogue/typed_values.h"
#include "sim/machine/device_fields.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "viz/results/tuning.h"
#include "viz/terminal/command.h"
#include "viz/terminal/input_file.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/request.h"
#include "viz/terminal/status_line.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

const std::string star = " *";  // of tiles that no kernel is compiled for

std::vector<std::string> cells(std::string name, const results::TriedTiles& t) {
  return {std::move(name),
          t.text + (t.compiled == false ? star : ""),
          report::bytes(t.tile_traffic.count()),
          t.hbm_counted ? report::bytes(t.hbm_traffic.count()) : "-",
          report::microseconds(t.microseconds),
          report::kibibytes(t.smem.count()),
          report::kibibytes(t.registers.count()),
          std::to_string(t.ctas_per_sm),
          fmt::format("{:.2f}", t.waves)};
}

/// Meaning of a star in a table.
std::string footnote(const std::string& table, const sim::Plan& plan) {
  if (table.find(star) == std::string::npos) return "";
  return sim::text("* no ", plan.code->main_loop, " is compiled for these tiles: instructions are estimated\n");
}

std::string table_text(const results::Tuning& tuning, const sim::Simulation& best, std::size_t top) {
  const sim::Plan& plan = best.plan;
  const auto fitting = static_cast<std::int64_t>(tuning.ranked.size());
  report::Table table(
      {"", "Br x Bc", "tile traffic", "HBM traffic", "predicted time", "SMEM", "registers", "CTAs/SM", "waves"});
  for (std::size_t n = 0; n < std::min(top, tuning.ranked.size()); ++n) {
    table.row(cells(n == 0 ? "best" : std::to_string(n + 1), tuning.ranked[n]));
  }
  table.rule();
  for (const auto& [name, rule] : {std::pair{"kernel rule", &tuning.by_kernel}, {"paper rule", &tuning.by_paper}}) {
    table.row(rule->tiles ? cells(name, *rule->tiles) : std::vector<std::string>{name, "does not fit"});
  }
  const sim::Scenario& s = plan.scenario;
  std::string out =
      sim::text(plan.program->title, ", ", sim::name_of(s.pass), ": ", shape_text(s), "; ", s.gpu->title, "\n",
                "least ", tuning.goal == sim::Goal::bytes ? "tile traffic" : "time", " of ", report::thousands(fitting),
                " tilings that fit; SMEM ", report::kibibytes(plan.capacity.smem.count()), " of a CTA, registers ",
                report::kibibytes(plan.capacity.registers.count()), " of an SM\n\n", table.text(), "\n");
  for (const results::LargerTiles& larger : tuning.larger) {
    out += sim::text("larger, ", larger.step, larger.fits ? ": " : " does not fit: ", larger.outcome, "\n");
  }
  for (const auto& [name, rule] : {std::pair{"kernel rule", &tuning.by_kernel}, {"paper rule", &tuning.by_paper}}) {
    if (!rule->tiles) out += sim::text(name, " does not fit: ", rule->refusal, "\n");
  }
  const std::string use = tuning.kernel_rule_wins()
                              ? "better than any one pair: the kernels' own tiles, without --br and --bc"
                              : sim::text("use it: --br ", tuning.ranked[0].br, " --bc ", tuning.ranked[0].bc);
  sim::Scenario by_rule = s;
  by_rule.br = by_rule.bc = std::nullopt;
  out += footnote(out, plan);
  if (!has_time(*s.gpu)) return out + use + ".\n" + sim::why_no_time(*s.gpu) + "\n" + few_sms_line({best});
  return out + use + ". Times are predicted, at " + sim::megahertz(best.longest_kernel().time.clock_hz) +
         ".\nError of time of the kernel rule: " + accuracy_text(sim::accuracy_of(sim::make_plan(by_rule))) +
         ". Times of other tiles are not validated.\n" + few_sms_line({best});
}

std::string csv(const results::Tuning& tuning, std::size_t top) {
  std::string out;
  for (std::size_t n = 0; n < std::min(top, tuning.ranked.size()); ++n) {
    const Json json = results::tiles_json(tuning.ranked[n]);
    std::string names, values;
    for (const auto& [name, value] : json.items()) {
      names += (names.empty() ? "" : ",") + name;
      values += (values.empty() ? "" : ",") + report::csv_cell(value);
    }
    if (n == 0) out = names + "\n";
    out += values + "\n";
  }
  return out;
}

}  // namespace

CommandSyntax tune_syntax() {
  CommandSyntax syntax{"tune",
                       "The best tiles of a scenario, and the constraint that binds",
                       true,
                       {},
                       "flashscope tune --algorithm flash2 --head-dim 128 --gpu a100-sxm-80gb --for bytes"};
  syntax.own.push_back({"for", "bytes|time", "least tile traffic, or least time [bytes]", {"bytes", "time"}});
  syntax.own.push_back(program_option());
  syntax.own.push_back({"top", "N", "how many tilings to show [5]", {}});
  syntax.own.push_back({"format", "table|json|csv", "what to print [table]", {"table", "json", "csv"}});
  return syntax;
}

int run_tune(const Arguments& arguments) {
  const std::int64_t top = sim::typed_whole_number("top", arguments.value("top", "5"), 1, 100'000);
  const Request request = make_request(arguments, false);
  require_output();  // before the work
  const sim::Goal goal = arguments.value("for", "bytes") == "bytes" ? sim::Goal::bytes : sim::Goal::time;
  StatusLine status("tune", "tilings");
  const results::Tuning tuning =
      results::tune(request.scenario, goal, [&](std::int64_t done, std::int64_t all) { status.show(done, all); });
  const results::TriedTiles& best = tuning.ranked.front();
  const sim::Simulation run = sim::simulate(sim::with_tiles(request.scenario, best.br, best.bc));
  print_warnings(request.warnings);
  print_warnings(run.warnings);
  const std::string format = arguments.value("format", "table");
  const auto shown = static_cast<std::size_t>(top);
  print(format == "json"  ? report::to_text(results::tuning_json(tuning, run.plan, shown))
        : format == "csv" ? csv(tuning, shown)
                          : table_text(tuning, run, shown));
  return exit_done;
}

}  // namespace terminal
