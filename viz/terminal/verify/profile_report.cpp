#include "viz/terminal/verify/profile_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/printable.h"
#include "sim/report/numbers.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;
using profile::KernelComparison;
using profile::Row;

bool is_share(const Row& row) {
  return row.quantity == profile::path::l2_hits || row.quantity == profile::path::hbm_share;
}
bool has_decimals(const Row& row) {
  return row.quantity == profile::path::time || row.quantity == profile::path::clock;
}

/// Counts as whole numbers; the median of two may have a half.
Json number(const Row& row, double value) {
  if (is_share(row) || has_decimals(row)) return value;
  const double twice = std::round(2 * value);
  return std::fmod(twice, 2) == 0 ? Json(std::llround(value)) : Json(twice / 2);
}

Json row_json(const KernelComparison& part, const Row& row) {
  Json json = {{"quantity", row.quantity},
               {"unit", row.unit},
               {"simulated", number(row, row.simulated)},
               {"measured", nullptr},
               {"difference", nullptr},
               {"tolerance", nullptr},
               {"ok", nullptr},
               {"cause", row.cause},
               {"kernel", part.kernel},
               {"metric", row.metric},
               {"repetitions", row.repetitions},
               {"low", nullptr},
               {"high", nullptr}};
  if (row.expectation) json["tolerance"] = *row.expectation * row.simulated;
  if (!row.measured) return json;
  json["measured"] = number(row, *row.measured);
  json["difference"] = number(row, row.difference());
  json["low"] = number(row, row.low);
  json["high"] = number(row, row.high);
  if (row.expectation) json["ok"] = row.within();
  return json;
}

std::string cell(const Row& row, double value) {
  if (is_share(row)) return report::percent(value);
  return has_decimals(row) ? fmt::format("{:.1f}", value) : report::thousands(std::llround(value));
}

/// Difference of a row; for rates in percentage points.
std::string difference_cell(const Row& row) {
  if (!row.measured) return "-";
  if (is_share(row)) return fmt::format("{:+.1f} points", row.difference() * 100);
  if (row.simulated == 0) return row.difference() == 0 ? "0" : "-";
  return fmt::format("{:+.2f} %", row.difference() / row.simulated * 100);
}

std::string result_cell(const Row& row) {
  if (!row.measured) return "missing";
  if (!row.expectation) return "-";
  return row.within() ? "ok" : "differs";
}

std::string expectation_cell(const Row& row) {
  return row.expectation ? fmt::format("{:.0f} %", *row.expectation * 100) : "-";
}

std::string spread_cell(const Row& row) {
  if (!row.measured || row.low == row.high) return row.measured ? "0" : "-";
  return cell(row, row.low) + " to " + cell(row, row.high);
}

/// Table of rows; the spread of passes is a column if there are several.
std::string rows_table(const KernelComparison& part) {
  const bool repeated = part.passes.size() > 1;
  std::vector<std::string> columns = {"quantity", "simulated", repeated ? "median" : "measured"};
  if (repeated) columns.emplace_back("spread");
  for (const char* column : {"difference", "expected within", "unit", "result"}) columns.emplace_back(column);
  report::Table table(columns);
  for (const Row& row : part.rows) {
    std::vector<std::string> cells = {std::string(row.quantity), cell(row, row.simulated),
                                      row.measured ? cell(row, *row.measured) : "-"};
    if (repeated) cells.push_back(spread_cell(row));
    for (const std::string& more : {difference_cell(row), expectation_cell(row),
                                    is_share(row) ? std::string("-") : std::string(row.unit), result_cell(row)})
      cells.push_back(more);
    table.row(cells);
  }
  return table.text();
}

std::string causes(const KernelComparison& part) {
  std::string text;
  for (const Row& row : part.rows) {
    if (!row.cause.empty()) text += "  " + std::string(row.quantity) + ": " + sim::printable(row.cause) + "\n";
  }
  return text;
}

std::string metrics(const KernelComparison& part) {
  std::string text;
  for (const Row& row : part.rows) {
    if (row.measured) text += "  " + std::string(row.quantity) + ": " + row.metric + "\n";
  }
  return text.empty() ? "" : "\nMeasured by\n" + text;
}

/// Shortens names of kernels, which are long because of template arguments.
std::string short_name(const std::string& name) { return sim::shortened(name, 60); }

std::string launch_text(const profile::Launch& launch) {
  return "launch " + short_name(launch.id) + ", " + short_name(launch.kernel);
}

std::string launches_text(const KernelComparison& part) {
  const std::string one = launch_text(*part.passes.front().front());
  const std::size_t launches = part.launches(), passes = part.passes.size();
  std::string text = launches == 1 ? one : sim::text(launches, " launches from ", one);
  if (passes > 1) text += sim::text(", and ", passes - 1, passes == 2 ? " repetition" : " repetitions");
  return text;
}

std::string last_line(const profile::Comparison& comparison) {
  const std::size_t rows = comparison.rows(), outside = comparison.outside();
  const std::string counted = sim::text(rows, " row", rows == 1 ? "" : "s");
  return outside == 0 ? "compared: " + counted + ", none beyond what is expected\n"
                      : sim::text("compared: ", counted, ", ", outside, " beyond what is expected\n");
}

std::string matching(const ImportedProfile& imported) {
  const profile::Comparison& comparison = imported.comparison;
  const std::size_t passes = comparison.repetitions(), launches = comparison.parts.back().launches(),
                    kernels = imported.program.kernels.size();
  const auto counted = [](std::size_t count, const char* one, const char* many) {
    return sim::text(count, " ", count == 1 ? one : many);
  };
  const std::string counts =
      counted(launches, "launch", "launches") + " for " + counted(kernels, "kernel", "kernels") + " of the program: ";
  const std::string how = comparison.in_order ? "compared in order" : "the launches are summed, --launch chooses";
  if (passes == 1) return counts + how;
  return sim::text(passes, " repetitions of ", counts, how, ", by the median of the repetitions");
}

/// Names some of the launches outside every pass.
std::string left_out(const profile::Comparison& comparison) {
  constexpr std::size_t most = 3;
  const std::size_t count = comparison.left_out.size();
  std::string names;
  for (std::size_t n = 0; n < std::min(most, count); ++n)
    names += (n == 0 ? "" : "; ") + launch_text(*comparison.left_out[n]);
  if (count > most) names += sim::text("; and ", count - most, " more");
  return sim::text("left out, as they fit no repetition: ", names, " (--launch chooses)");
}

std::vector<const profile::Launch*> compared_launches(const profile::Comparison& comparison) {
  std::vector<const profile::Launch*> launches;
  for (const auto& pass : comparison.parts.back().passes) launches.insert(launches.end(), pass.begin(), pass.end());
  return launches;
}

Json launches_json(const std::vector<const profile::Launch*>& launches) {
  Json list = Json::array();
  for (const profile::Launch* launch : launches) list.push_back({{"id", launch->id}, {"kernel", launch->kernel}});
  return list;
}

std::string to_capability(const std::string& architecture) {  // "sm_90" -> "9.0"
  const std::size_t at = architecture.find('_') + 1;
  if (at == 0 || architecture.size() < at + 2) return "";
  return architecture.substr(at, architecture.size() - at - 1) + "." + architecture.back();
}

std::string first_ones(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t n = 0; n < std::min(most, names.size()); ++n) text += (n == 0 ? "" : ", ") + short_name(names[n]);
  return names.size() > most ? text + ", ..." : text;
}

std::string unknown_text(const profile::Profile& file) {
  if (file.unknown.empty()) return "";
  return sim::text("Not compared: ", file.unknown.size(), " other metric", file.unknown.size() == 1 ? "" : "s",
                   " of the file: ", first_ones(file.unknown), "\n");
}

}  // namespace

std::vector<std::string> notes(const ImportedProfile& imported) {
  std::vector<std::string> list = {matching(imported)};
  if (!imported.comparison.left_out.empty()) list.push_back(left_out(imported.comparison));
  if (!imported.comparison.grid.empty()) list.push_back(imported.comparison.grid);
  const sim::DeviceSpec& gpu = *imported.program.plan.scenario.gpu;
  const std::string assumed = to_capability(gpu.architecture);
  for (const profile::Launch* launch : compared_launches(imported.comparison)) {
    if (launch->capability.empty() || assumed.empty() || launch->capability == assumed) continue;
    list.push_back("the file is of a GPU of compute capability " + short_name(launch->capability) +
                   ", the scenario's " + gpu.name + " has " + assumed + ": --gpu chooses");
    break;
  }
  return list;
}

Json profile_json(const ImportedProfile& imported) {
  Json rows = Json::array();
  for (const KernelComparison& part : imported.comparison.parts) {
    for (const Row& row : part.rows) rows.push_back(row_json(part, row));
  }
  return {{"device", "profile " + imported.file.origin},
          {"ok", imported.comparison.outside() == 0},
          {"matching", imported.comparison.in_order ? "in order" : "summed"},
          {"repetitions", imported.comparison.repetitions()},
          {"notes", notes(imported)},
          {"launches", launches_json(compared_launches(imported.comparison))},
          {"left_out", launches_json(imported.comparison.left_out)},
          {"unknown_metrics", imported.file.unknown},
          {"rows", rows}};
}

void refuse_nothing(const ImportedProfile& imported) {
  if (!imported.comparison.nothing()) return;
  std::vector<std::string> there = imported.file.unknown, metrics;
  for (const profile::Launch* launch : compared_launches(imported.comparison)) {
    for (const auto& [metric, reading] : launch->readings) metrics.push_back(metric + (reading ? "" : " (n/a)"));
  }
  std::sort(metrics.begin(), metrics.end());
  metrics.erase(std::unique(metrics.begin(), metrics.end()), metrics.end());
  there.insert(there.begin(), metrics.begin(), metrics.end());
  std::string missing;
  for (const Row& row : imported.comparison.parts.back().rows) {
    if (!row.measured) missing += (missing.empty() ? "" : ", ") + std::string(row.quantity);
  }
  throw sim::Error(imported.file.origin + ": nothing to compare: it has " +
                   (there.empty() ? "no metrics" : first_ones(there)) + "; it has no number for " + missing +
                   ": record it with the command that flashscope counters --ncu prints");
}

std::string profile_table(const ImportedProfile& imported) {
  std::string text = sim::printable(imported.scenario) + "\nmeasured: " + sim::printable(imported.file.origin) + "\n";
  for (const std::string& note : notes(imported)) text += note + "\n";
  for (const KernelComparison& part : imported.comparison.parts)
    text += "\n" + part.kernel + ", compared with " + launches_text(part) + "\n" + rows_table(part) + causes(part);
  return text + metrics(imported.comparison.parts.back()) + unknown_text(imported.file) +
         last_line(imported.comparison);
}

}  // namespace terminal
