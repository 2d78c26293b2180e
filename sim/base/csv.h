// Comma-separated values, parsed strictly (RFC 4180): malformed text is an error with its line and column.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

/// The largest text that parse_csv takes, and its longest cell, in bytes.
inline constexpr std::size_t longest_csv = std::size_t{1} << 20, longest_csv_cell = 500;

/// A header and rows, each with one cell per column.
struct CsvTable {
  struct Row {
    std::int64_t line = 0;  ///< line number in the text, from 1
    std::vector<std::string> cells;
  };
  std::string origin;  ///< a file name, for messages
  std::vector<std::string> columns;
  std::vector<Row> rows;

  /// Throws Error unless the columns are `names`, in this order; the error names the first that differs.
  void expect_columns(const std::vector<std::string>& names) const;

  /// Returns "points.csv:3: heads: ", the prefix of an error about a cell.
  std::string place(const Row& row, std::size_t column) const;
};

/// Parses CSV. Lines end with LF or CRLF; the last line may have no line end. A cell in double quotes may hold commas
/// and doubled quotes, but no line end. Throws Error with origin, line and column: too long, no header, an empty or
/// repeated column name, a row with too few or too many cells, a cell too long, an unterminated quote, text next to a
/// quoted cell, a quote within an unquoted cell, a control character. O(size of the text).
CsvTable parse_csv(std::string_view text, const std::string& origin);

/// Returns the cells of one line, parsed equally strictly. Errors begin with `where` ("points.csv:3: "); a cell longer
/// than `longest_cell` bytes is an error.
std::vector<std::string> csv_cells(std::string_view line, const std::string& where,
                                   std::size_t longest_cell = longest_csv_cell);

/// Returns one cell as text that parse_csv reads back: quoted if necessary.
std::string csv_field(std::string_view value);

}  // namespace sim
