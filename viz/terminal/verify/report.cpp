#include "viz/terminal/verify/report.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/base/printable.h"
#include "sim/report/numbers.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;
using kernels::Verdict;
using kernels::VerdictRow;

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
std::size_t outside_rows(const Verdict& verdict) {
  return count_rows(verdict, [](const VerdictRow& row) { return row.is_outside(); });
}

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
    if (!rows.empty()) out += "\n" + sim::printable(each.scenario) + "\n" + report::verdict_table(rows).text();
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

Json verdicts_json(const std::string& device, const std::vector<VerifiedScenario>& verified) {
  Json verdicts = Json::array();
  bool ok = true;
  for (const VerifiedScenario& each : verified) {
    Json entry = {{"scenario", each.scenario}, {"kernel", each.kernel}};
    entry.update(report::verdict_json(each.verdict));
    verdicts.push_back(std::move(entry));
    ok = ok && each.verdict.ok();
  }
  return {{"device", device}, {"ok", ok}, {"verdicts", verdicts}};
}

std::string verdict_table(const VerifiedScenario& verified) {
  return sim::text(verified.scenario, "\nkernel ", verified.kernel, ", ", verified.verdict.device, "\n\n",
                   report::verdict_table(verified.verdict.rows).text(), "\n", last_line(verified.verdict));
}

std::string verdicts_table(const std::string& device, const std::vector<VerifiedScenario>& verified) {
  std::string out = device + "\n\n" + overview(verified) + shown_rows(verified) + not_measured(verified) + "\n";
  return out + last_line(verified);
}

}  // namespace terminal
