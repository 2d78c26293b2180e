// The table in a profile's text: its header and its rows, without what else was printed into the file.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace profile {

struct TableRow {
  std::int64_t line = 0;
  std::vector<std::string> cells;
};

/// A row has as many cells as there are columns.
struct ProfileTable {
  std::string origin;
  std::vector<std::string> columns;
  std::vector<TableRow> rows;

  std::string place(const TableRow& row) const;  ///< "profile.csv:7: "
  std::optional<std::size_t> find(std::string_view column) const;
  std::size_t column(std::string_view name) const;  ///< throws sim::Error where it is missing
};

/// Finds the header, the first line whose first cell is ID, and reads the rows below it. Throws sim::Error: see
/// parse_profile.
ProfileTable parse_table(std::string_view text, const std::string& origin);

/// Text of a file in a one-line message: printable and short.
std::string quoted(std::string_view found);

}  // namespace profile
