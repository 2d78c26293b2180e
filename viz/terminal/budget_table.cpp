#include <fmt/format.h>

#include "sim/report/numbers.h"
#include "viz/terminal/simulation_table.h"

namespace terminal {
namespace {

struct Column {
  std::string name;
  const sim::Budget* budget;
};

std::vector<Column> columns_of(const sim::Simulation& s) {
  constexpr std::size_t most_kernels = 4;
  std::vector<Column> columns;
  for (const sim::KernelMeters& kernel : s.kernels) {
    const bool shown = s.kernels.size() <= most_kernels || &kernel == &s.longest_kernel();
    if (shown && s.kernels.size() > 1) columns.push_back({kernel.name, &kernel.time.budget});
  }
  columns.push_back({s.kernels.size() == 1 ? s.kernels[0].name : "all kernels", &s.budget});
  return columns;
}

/// A row that adds up some causes; the share refers to the last column.
template <class Counts>
std::vector<std::string> row_of(std::string title, const std::vector<Column>& columns, Counts counts) {
  std::vector<std::string> row = {std::move(title)};
  double part = 0;
  for (const Column& column : columns) {
    part = 0;
    for (const sim::Cause cause : sim::all_causes) {
      if (counts(cause)) part += (*column.budget)[cause];
    }
    row.push_back(part > 1e-9 * column.budget->total() ? report::microseconds(part) : "-");
  }
  row.push_back(fmt::format("{:.1f} %", 100 * part / columns.back().budget->total()));
  return row;
}

}  // namespace

report::Table budget_table(const sim::Simulation& s) {
  const std::vector<Column> columns = columns_of(s);
  std::vector<std::string> header = {"time budget"};
  for (const Column& column : columns) header.push_back(column.name);
  header.emplace_back("share");
  report::Table table(header);
  const double rounding = 1e-9 * s.microseconds;
  for (const bool work : {true, false}) {
    table.row(row_of(work ? "work" : "waits", columns, [&](sim::Cause cause) { return is_work(cause) == work; }));
    for (const sim::Cause one : sim::all_causes) {
      if (is_work(one) != work || s.budget[one] < rounding) continue;
      table.row(row_of(sim::text("  ", name_of(one)), columns, [&](sim::Cause cause) { return cause == one; }));
    }
  }
  table.rule();
  table.row(row_of("predicted time", columns, [](sim::Cause) { return true; }));
  return table;
}

}  // namespace terminal
