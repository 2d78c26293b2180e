// Comma-separated values, read strictly (RFC 4180): what is not exactly a table is an error with its place.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

/// The largest text that parse_csv takes, and its longest cell, in bytes.
inline constexpr std::size_t longest_csv = std::size_t{1} << 20, longest_csv_cell = 500;

/// A header and rows of as many cells.
struct CsvTable {
  struct Row {
    std::int64_t line = 0;  ///< of the text, counted from 1
    std::vector<std::string> cells;
  };
  std::string origin;  ///< a file name, for messages
  std::vector<std::string> columns;
  std::vector<Row> rows;

  /// Throws Error unless the columns are these, in this order: names the first that differs.
  void expect_columns(const std::vector<std::string>& names) const;

  /// "points.csv:3: heads: ", in front of what is wrong with a cell.
  std::string place(const Row& row, std::size_t column) const;
};

/// Lines end with LF or CRLF, the last one may end the text. A cell in double quotes may hold commas, and quotes
/// written twice, but no line end. Throws Error with origin, line and column: too long, no header, an empty or repeated
/// column name, a row with too few or too many cells, a cell too long, an open quote, text beside quotes, a quote
/// within a bare cell, a control character. O(size of the text).
CsvTable parse_csv(std::string_view text, const std::string& origin);

/// The cells of one line, read as strictly. `where` ("points.csv:3: ") begins the message of an Error; a cell of more
/// than `longest_cell` bytes is one.
std::vector<std::string> csv_cells(std::string_view line, const std::string& where,
                                   std::size_t longest_cell = longest_csv_cell);

/// One cell as parse_csv reads it: in quotes when it has to be.
std::string csv_field(std::string_view value);

}  // namespace sim
