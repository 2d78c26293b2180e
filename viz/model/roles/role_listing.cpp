#include "viz/model/roles/role_listing.h"

#include <algorithm>

namespace explorer {
namespace {

constexpr int most_back = 16;  // events before one of a function that is called twice

const sim::Event& event_at(const sim::Trace& trace, std::int32_t n) {
  return trace.events[static_cast<std::size_t>(n)];
}

/// The function of a role: that of its first line that belongs to no called function; -1 if there is none.
int entry_of(const Listing& listing, const sim::Trace& counted, std::size_t role) {
  for (const sim::Event& event : counted.events) {
    if (event.role != role) continue;
    for (const ListingLine& line : listing.lines) {
      if (line.number == event.line && !line.called) return line.entry;
    }
  }
  return -1;
}

std::vector<ListingRow> rows_of(const Listing& listing, int entry, bool source) {
  std::vector<ListingRow> rows;
  for (const ListingLine& line : listing.lines) {
    if (line.entry == entry && !line.called && (source || in_equations(line)))
      rows.push_back({&line, numbers_of(listing.lines, line)});
  }
  return rows;
}

int row_back(const RoleColumn& column, const sim::Trace& trace, std::int32_t event, int left) {
  std::vector<int> found;
  const sim::Event& now = event_at(trace, event);
  for (std::size_t n = 0; n < column.rows.size(); ++n) {
    const std::vector<int>& numbers = column.rows[n].numbers;
    if (std::find(numbers.begin(), numbers.end(), now.line) != numbers.end()) found.push_back(static_cast<int>(n));
  }
  if (found.empty()) return -1;
  std::int32_t before = event - 1;
  while (before >= 0 && event_at(trace, before).role != now.role) --before;
  if (found.size() == 1 || before < 0 || left == 0) return found.front();
  const int after = row_back(column, trace, before, left - 1);
  const auto next = std::find_if(found.begin(), found.end(), [&](int row) { return row >= after; });
  return next == found.end() ? found.front() : *next;
}

}  // namespace

std::vector<RoleColumn> columns_of_roles(const Listing& listing, const sim::Trace& counted, bool source) {
  std::vector<RoleColumn> columns;
  std::vector<int> entries;
  for (std::size_t role = 0; role < counted.roles.size(); ++role) {
    const int entry = entry_of(listing, counted, role);
    if (entry < 0) continue;
    const auto found = std::find(entries.begin(), entries.end(), entry);
    const auto n = static_cast<std::size_t>(found - entries.begin());
    if (found == entries.end()) {
      entries.push_back(entry);
      columns.push_back({{}, rows_of(listing, entry, source)});
    }
    columns[n].roles.push_back(role);
  }
  return columns;
}

int row_of(const RoleColumn& column, const sim::Trace& replayed, std::int32_t event) {
  return row_back(column, replayed, event, most_back);
}

std::size_t first_in_view(const RoleColumn& column, const std::vector<int>& now, std::size_t fit) {
  const auto count = static_cast<int>(column.rows.size()), space = static_cast<int>(fit);
  if (count <= space) return 0;
  int low = count, high = -1;
  for (const int row : now) {
    if (row >= 0) low = std::min(low, row);
    high = std::max(high, row);
  }
  if (high < 0) return 0;
  const auto depth = [&](int row) { return column.rows[static_cast<std::size_t>(row)].line->depth; };
  int first = low, last = high;
  while (first > 0 && depth(first) > 0) --first;
  while (last + 1 < count && depth(last) > 0 && depth(last + 1) > 0) ++last;
  if (last - first < space) {
    low = first;
    high = last;
  }
  return static_cast<std::size_t>(std::clamp(high + 1 - space, 0, low));
}

}  // namespace explorer
