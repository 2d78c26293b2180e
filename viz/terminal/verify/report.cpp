#include "viz/terminal/verify/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/base/printable.h"
#include "sim/report/numbers.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;
using kernels::Verdict;
using kernels::VerdictRow;

/// True for counts: everything except errors and times, which are fractions.
bool is_count(const VerdictRow& row) { return !row.quantity.starts_with("error.") && row.quantity != "time"; }

Json number(const VerdictRow& row, double value) {
  if (!std::isfinite(value)) return nullptr;
  return is_count(row) ? Json(std::llround(value)) : Json(value);
}

std::string cell(const VerdictRow& row, double value) {
  if (row.quantity == "time") return fmt::format("{:.1f}", value);
  if (!is_count(row)) return value == 0 ? "0" : report::error(value);
  return report::thousands(std::llround(value));
}

std::string measured_cell(const VerdictRow& row) { return row.missing ? "-" : cell(row, row.measured); }

std::string signed_cell(const VerdictRow& row) {
  if (row.missing || !std::isfinite(row.difference())) return "-";
  return (row.difference() > 0 ? "+" : "") + cell(row, row.difference());
}

/// True if a passing row is outside its tolerance: a prediction may be off without failing.
bool is_outside(const VerdictRow& row) { return row.ok && !row.missing && std::abs(row.difference()) > row.tolerance; }

std::string result_cell(const VerdictRow& row) {
  if (row.missing) return "not measured";
  return !row.ok ? "FAILS" : is_outside(row) ? "outside" : "ok";
}

std::string rows_table(const std::vector<VerdictRow>& rows) {
  const bool causes = std::any_of(rows.begin(), rows.end(), [](const VerdictRow& row) { return !row.cause.empty(); });
  std::vector<std::string> header = {"quantity", "simulated", "measured", "difference", "tolerance", "unit", "result"};
  if (causes) header.emplace_back("cause");
  report::Table table(header);
  for (const VerdictRow& row : rows) {
    std::vector<std::string> cells = {row.quantity,     cell(row, row.simulated), measured_cell(row),
                                      signed_cell(row), cell(row, row.tolerance), row.unit,
                                      result_cell(row)};
    if (causes) cells.push_back(row.cause);
    table.row(cells);
  }
  return table.text();
}

std::string plural(std::size_t n, const char* word) {
  return report::thousands(static_cast<std::int64_t>(n)) + " " + word + (n == 1 ? "" : "s");
}

std::size_t count_rows(const Verdict& verdict, bool (*wanted)(const VerdictRow& row)) {
  return static_cast<std::size_t>(std::count_if(verdict.rows.begin(), verdict.rows.end(), wanted));
}
std::size_t failed_rows(const Verdict& verdict) {
  return count_rows(verdict, [](const VerdictRow& row) { return !row.ok; });
}
std::size_t missing_rows(const Verdict& verdict) {
  return count_rows(verdict, [](const VerdictRow& row) { return row.missing; });
}
std::size_t outside_rows(const Verdict& verdict) { return count_rows(verdict, is_outside); }

/// Names of the first failing rows.
std::string failed_names(const Verdict& verdict) {
  constexpr std::size_t most = 3;
  std::string names;
  std::size_t failed = 0;
  for (const VerdictRow& row : verdict.rows) {
    if (row.ok || ++failed > most) continue;
    names += (names.empty() ? "" : ", ") + row.quantity;
  }
  return failed > most ? sim::text(names, " and ", failed - most, " more") : names;
}

std::string last_line(const Verdict& verdict) {
  const std::string rows = plural(verdict.rows.size(), "row");
  if (!verdict.ok())
    return sim::text("not verified: ", failed_rows(verdict), " of ", rows, " fail: ", failed_names(verdict), "\n");
  const std::size_t missing = missing_rows(verdict), outside = outside_rows(verdict);
  std::string line = "verified: " + plural(verdict.rows.size() - missing - outside, "row") + " agree";
  if (outside > 0) line += ", " + plural(outside, "row") + " outside the tolerance";
  if (missing > 0) line += ", " + plural(missing, "row") + " not measured";
  return line + "\n";
}

std::string overview(const std::vector<VerifiedScenario>& verified) {
  report::Table table({"scenario", "kernel", "rows", "result"});
  for (const VerifiedScenario& each : verified) {
    table.row({each.scenario, each.kernel, std::to_string(each.verdict.rows.size()),
               each.verdict.ok() ? "ok" : "FAILS: " + failed_names(each.verdict)});
  }
  return table.text();
}

/// Rows shown for a list: only those that fail and those recorded on a GPU.
std::string shown_rows(const std::vector<VerifiedScenario>& verified) {
  std::string out;
  for (const VerifiedScenario& each : verified) {
    std::vector<VerdictRow> rows;
    for (const VerdictRow& row : each.verdict.rows) {
      if (!row.ok || row.recorded) rows.push_back(row);
    }
    if (!rows.empty()) out += "\n" + sim::printable(each.scenario) + "\n" + rows_table(rows);
  }
  return out;
}

/// A line for each reason why rows could not be measured; for a list, whose passing rows are hidden.
std::string not_measured(const std::vector<VerifiedScenario>& verified) {
  std::map<std::string, std::size_t> rows;
  for (const VerifiedScenario& each : verified) {
    for (const VerdictRow& row : each.verdict.rows) {
      if (row.missing) ++rows[sim::printable(row.cause)];
    }
  }
  std::string out;
  for (const auto& [cause, count] : rows) out += sim::text("not measured: ", plural(count, "row"), ": ", cause, "\n");
  return out.empty() ? "" : "\n" + out;
}

std::string last_line(const std::vector<VerifiedScenario>& verified) {
  std::size_t rows = 0, failed = 0;
  for (const VerifiedScenario& each : verified) {
    rows += each.verdict.rows.size() - missing_rows(each.verdict) - outside_rows(each.verdict);
    failed += each.verdict.ok() ? 0 : 1;
  }
  if (failed == 0)
    return "verified: " + plural(verified.size(), "scenario") + ", " + plural(rows, "row") + " agree" + "\n";
  return sim::text("not verified: ", failed, " of ", plural(verified.size(), "scenario"), " fail", "\n");
}

}  // namespace

Json verdict_json(const Verdict& verdict) {
  Json rows = Json::array();
  for (const VerdictRow& row : verdict.rows) {
    rows.push_back({{"quantity", row.quantity},
                    {"unit", row.unit},
                    {"simulated", number(row, row.simulated)},
                    {"measured", row.missing ? Json() : number(row, row.measured)},
                    {"difference", row.missing ? Json() : number(row, row.difference())},
                    {"tolerance", number(row, row.tolerance)},
                    {"ok", row.ok},
                    {"cause", row.cause}});
  }
  return {{"device", verdict.device}, {"ok", verdict.ok()}, {"rows", rows}};
}

Json verdicts_json(const std::string& device, const std::vector<VerifiedScenario>& verified) {
  Json verdicts = Json::array();
  bool ok = true;
  for (const VerifiedScenario& each : verified) {
    Json entry = {{"scenario", each.scenario}, {"kernel", each.kernel}};
    entry.update(verdict_json(each.verdict));
    verdicts.push_back(std::move(entry));
    ok = ok && each.verdict.ok();
  }
  return {{"device", device}, {"ok", ok}, {"verdicts", verdicts}};
}

std::string verdict_table(const VerifiedScenario& verified) {
  return sim::text(verified.scenario, "\nkernel ", verified.kernel, ", ", verified.verdict.device, "\n\n",
                   rows_table(verified.verdict.rows), "\n", last_line(verified.verdict));
}

std::string verdicts_table(const std::string& device, const std::vector<VerifiedScenario>& verified) {
  std::string out = device + "\n\n" + overview(verified) + shown_rows(verified) + not_measured(verified) + "\n";
  return out + last_line(verified);
}

}  // namespace terminal
