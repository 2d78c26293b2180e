// Table in a profile's text: its header and its rows, without other output in the file.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace profile {

/// Text of a file for messages: printable and short. Formatted lazily, as each cell may need one.
struct Quoted {
  std::string_view text;
};
inline Quoted quoted(std::string_view text) { return {text}; }
std::ostream& operator<<(std::ostream& out, const Quoted& quoted);

/// Prefix of an error about a row: "profile.csv:7: ".
struct FileLine {
  std::string_view origin;
  std::int64_t line = 0;
};
std::ostream& operator<<(std::ostream& out, const FileLine& place);

struct TableRow {
  std::int64_t line = 0;
  std::vector<std::string> cells;
};

/// A row of the raw page has a cell for each column. One of the details page may end after the metric's value: Nsight
/// Compute omits the columns of rules if there is none.
struct ProfileTable {
  std::string origin;
  std::vector<std::string> columns;
  std::vector<TableRow> rows;

  FileLine place(const TableRow& row) const { return {origin, row.line}; }
  std::optional<std::size_t> find(std::string_view column) const;
  std::size_t column(std::string_view name) const;  ///< throws sim::Error if it is missing
};

/// Finds the header, the first line whose first cell is ID, and reads the rows below it. Throws sim::Error as
/// parse_profile does.
ProfileTable parse_table(std::string_view text, const std::string& origin);

}  // namespace profile
