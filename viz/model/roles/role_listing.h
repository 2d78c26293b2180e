// The listing by roles: the function of each role, in which a call represents the lines of its function.
#pragma once
#include "viz/model/listing/listing.h"

namespace explorer {

/// A row: its line, and the numbers of all lines that it represents, its own first.
struct ListingRow {
  const ListingLine* line;
  std::vector<int> numbers;
};

/// A function with the roles that run it.
struct RoleColumn {
  std::vector<std::size_t> roles;
  std::vector<ListingRow> rows;
};

/// Columns in the order of their first roles. `counted`: the trace that the listing was made from; `source`: with lines
/// that are not equations. The listing outlives them. O(lines x events of the counted trace).
std::vector<RoleColumn> columns_of_roles(const Listing& listing, const sim::Trace& counted, bool source);

/// The row of an event of a replay, or -1. A function that is called twice has two rows: then it is the row after
/// that of the role's event before.
int row_of(const RoleColumn& column, const sim::Trace& replayed, std::int32_t event);

/// The first row in view, where `fit` of them fit: all, else those of the loop around `now`, or these.
std::size_t first_in_view(const RoleColumn& column, const std::vector<int>& now, std::size_t fit);

}  // namespace explorer
