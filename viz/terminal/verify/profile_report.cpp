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
using profile::Part;
using profile::Row;

bool is_rate(const Row& row) { return row.quantity == profile::path::l2_hits; }
bool is_time(const Row& row) { return row.quantity == profile::path::time; }

Json number(const Row& row, double value) {
  return is_rate(row) || is_time(row) ? Json(value) : Json(std::llround(value));
}

Json row_json(const Part& part, const Row& row) {
  Json json = {{"quantity", row.quantity},
               {"unit", row.unit},
               {"simulated", number(row, row.simulated)},
               {"measured", nullptr},
               {"difference", nullptr},
               {"tolerance", nullptr},
               {"ok", nullptr},
               {"cause", row.cause},
               {"kernel", part.kernel},
               {"metric", row.metric}};
  if (row.expectation) json["tolerance"] = *row.expectation * row.simulated;
  if (!row.measured) return json;
  json["measured"] = number(row, *row.measured);
  json["difference"] = number(row, row.difference());
  if (row.expectation) json["ok"] = row.within();
  return json;
}

std::string cell(const Row& row, double value) {
  if (is_rate(row)) return report::percent(value);
  return is_time(row) ? fmt::format("{:.1f}", value) : report::thousands(std::llround(value));
}

/// Of rates in percentage points.
std::string difference_cell(const Row& row) {
  if (!row.measured) return "-";
  if (is_rate(row)) return fmt::format("{:+.1f} points", row.difference() * 100);
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

std::string rows_table(const Part& part) {
  report::Table table({"quantity", "simulated", "measured", "difference", "expected within", "unit", "result"});
  for (const Row& row : part.rows) {
    table.row({std::string(row.quantity), cell(row, row.simulated), row.measured ? cell(row, *row.measured) : "-",
               difference_cell(row), expectation_cell(row), is_rate(row) ? "-" : std::string(row.unit),
               result_cell(row)});
  }
  return table.text();
}

std::string causes(const Part& part) {
  std::string text;
  for (const Row& row : part.rows) {
    if (!row.cause.empty()) text += "  " + std::string(row.quantity) + ": " + sim::printable(row.cause) + "\n";
  }
  return text;
}

std::string metrics(const Part& part) {
  std::string text;
  for (const Row& row : part.rows) {
    if (row.measured) text += "  " + std::string(row.quantity) + ": " + row.metric + "\n";
  }
  return text.empty() ? "" : "\nMeasured by\n" + text;
}

/// Names of kernels are long: templates and their arguments.
std::string short_name(const std::string& name) { return sim::shortened(name, 60); }

std::string launches_text(const Part& part) {
  const profile::Launch& first = *part.launches.front();
  const std::string one = "launch " + short_name(first.id) + ", " + short_name(first.kernel);
  return part.launches.size() == 1 ? one : sim::text(part.launches.size(), " launches from ", one);
}

std::string unknown_text(const profile::Profile& file) {
  constexpr std::size_t most = 3;
  if (file.unknown.empty()) return "";
  std::string names;
  for (std::size_t n = 0; n < std::min(most, file.unknown.size()); ++n)
    names += (n == 0 ? "" : ", ") + short_name(file.unknown[n]);
  if (file.unknown.size() > most) names += ", ...";
  return sim::text("Not compared: ", file.unknown.size(), " other metric", file.unknown.size() == 1 ? "" : "s",
                   " of the file: ", names, "\n");
}

std::string last_line(const profile::Comparison& comparison) {
  const std::size_t rows = comparison.rows(), outside = comparison.outside();
  const std::string counted = sim::text(rows, " row", rows == 1 ? "" : "s");
  return outside == 0 ? "compared: " + counted + ", none beyond what is expected\n"
                      : sim::text("compared: ", counted, ", ", outside, " beyond what is expected\n");
}

std::string matching(const ImportedProfile& imported) {
  const std::size_t launches = imported.comparison.parts.back().launches.size(),
                    kernels = imported.program.kernels.size();
  const std::string counted = sim::text(launches, " launch", launches == 1 ? "" : "es", " beside ", kernels, " kernel",
                                        kernels == 1 ? "" : "s", " of the program: ");
  return counted + (imported.comparison.in_order ? "compared in order" : "the launches are summed, --launch chooses");
}

std::string to_capability(const std::string& architecture) {  // "sm_90" -> "9.0"
  const std::size_t at = architecture.find('_') + 1;
  if (at == 0 || architecture.size() < at + 2) return "";
  return architecture.substr(at, architecture.size() - at - 1) + "." + architecture.back();
}

}  // namespace

std::vector<std::string> notes(const ImportedProfile& imported) {
  std::vector<std::string> list = {matching(imported)};
  const sim::DeviceSpec& gpu = *imported.program.plan.scenario.gpu;
  const std::string assumed = to_capability(gpu.architecture);
  for (const profile::Launch* launch : imported.comparison.parts.back().launches) {
    if (launch->capability.empty() || assumed.empty() || launch->capability == assumed) continue;
    list.push_back("the file is of a GPU of compute capability " + short_name(launch->capability) +
                   ", the scenario's " + gpu.name + " has " + assumed + ": --gpu chooses");
    break;
  }
  return list;
}

Json profile_json(const ImportedProfile& imported) {
  Json rows = Json::array(), launches = Json::array();
  for (const Part& part : imported.comparison.parts) {
    for (const Row& row : part.rows) rows.push_back(row_json(part, row));
  }
  for (const profile::Launch* launch : imported.comparison.parts.back().launches)
    launches.push_back({{"id", launch->id}, {"kernel", launch->kernel}});
  return {{"device", "profile " + imported.file.origin},
          {"ok", imported.comparison.outside() == 0},
          {"matching", imported.comparison.in_order ? "in order" : "summed"},
          {"notes", notes(imported)},
          {"launches", launches},
          {"unknown_metrics", imported.file.unknown},
          {"rows", rows}};
}

std::string profile_table(const ImportedProfile& imported) {
  std::string text = sim::printable(imported.scenario) + "\nmeasured: " + sim::printable(imported.file.origin) + "\n";
  for (const std::string& note : notes(imported)) text += note + "\n";
  for (const Part& part : imported.comparison.parts)
    text += "\n" + part.kernel + ", beside " + launches_text(part) + "\n" + rows_table(part) + causes(part);
  return text + metrics(imported.comparison.parts.back()) + unknown_text(imported.file) +
         last_line(imported.comparison);
}

}  // namespace terminal
