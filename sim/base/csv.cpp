#include "sim/base/csv.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/printable.h"

namespace sim {
namespace {

/// Reads the cells of one line.
class LineReader {
 public:
  LineReader(std::string_view line, std::string where, std::size_t longest_cell)
      : line_(line), where_(std::move(where)), longest_cell_(longest_cell) {}

  std::vector<std::string> cells() {
    std::vector<std::string> cells;
    do {
      cells.push_back(at_ < line_.size() && line_[at_] == '"' ? quoted_cell() : bare_cell());
      if (cells.back().size() > longest_cell_)
        complain("a cell of ", cells.back().size(), " bytes ends here, more than ", longest_cell_);
      if (at_ != line_.size() && line_[at_] != ',') complain("text after a closing quote: expected a comma");
    } while (at_++ < line_.size());
    return cells;
  }

 private:
  /// Throws Error. The location is formatted only here, because require() is called for every character.
  template <class... Part>
  [[noreturn]] void complain(const Part&... part) const {
    throw Error(where_, "column ", at_ + 1, ": ", part...);
  }

  void check_character() const {
    const char c = line_[at_];
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      complain("control character ", static_cast<int>(static_cast<unsigned char>(c)),
               ": only printable text is allowed");
  }

  std::string bare_cell() {
    const std::size_t begin = at_;
    for (; at_ < line_.size() && line_[at_] != ','; ++at_) {
      check_character();
      if (line_[at_] == '"') complain("a quote within a bare cell: put the cell in quotes and write \"\"");
    }
    return std::string(line_.substr(begin, at_ - begin));
  }

  std::string quoted_cell() {
    const std::size_t begin = at_;
    std::string cell;
    for (++at_; at_ < line_.size(); ++at_) {
      check_character();
      if (line_[at_] == '"') {
        ++at_;
        if (at_ == line_.size() || line_[at_] != '"') return cell;
      }
      cell += line_[at_];
    }
    at_ = begin;
    complain("this quote is not closed on its line");
  }

  std::string_view line_;
  std::string where_;
  std::size_t longest_cell_, at_ = 0;
};

void check_header(const CsvTable& table) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string& name = table.columns[c];
    require(!name.empty(), table.origin, ":1: cell ", c + 1, " of the header is empty: expected a column name");
    const auto first = std::find(table.columns.begin(), table.columns.end(), name);
    require(first == table.columns.begin() + static_cast<std::ptrdiff_t>(c), table.origin, ":1: column ", quoted(name),
            " occurs twice");
  }
}

}  // namespace

void CsvTable::expect_columns(const std::vector<std::string>& names) const {
  for (std::size_t c = 0; c < std::max(names.size(), columns.size()); ++c) {
    require(c < columns.size(), origin, ":1: column ", c + 1, " is missing: expected \"",
            c < names.size() ? names[c] : "", "\"");
    require(c < names.size(), origin, ":1: column ", c + 1, " is ", quoted(columns[c]), ": expected only ",
            names.size(), " columns");
    require(columns[c] == names[c], origin, ":1: column ", c + 1, " is ", quoted(columns[c]), ": expected \"", names[c],
            "\"");
  }
}

std::string CsvTable::place(const Row& row, std::size_t column) const {
  return text(origin, ":", row.line, ": ", columns.at(column), ": ");
}

std::vector<std::string> csv_cells(std::string_view line, const std::string& where, std::size_t longest_cell) {
  return LineReader(line, where, longest_cell).cells();
}

CsvTable parse_csv(std::string_view text_of_file, const std::string& origin) {
  require(text_of_file.size() <= longest_csv, origin, ": has ", text_of_file.size(), " bytes, more than ", longest_csv);
  CsvTable table;
  table.origin = origin;
  std::int64_t number = 0;
  while (!text_of_file.empty()) {
    const std::size_t end = std::min(text_of_file.find('\n'), text_of_file.size());
    std::string_view line = text_of_file.substr(0, end);
    text_of_file.remove_prefix(std::min(end + 1, text_of_file.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number;
    std::vector<std::string> cells = csv_cells(line, text(origin, ":", number, ": "));
    if (number == 1) {
      table.columns = std::move(cells);
      check_header(table);
      continue;
    }
    require(cells.size() == table.columns.size(), origin, ":", number, ": has ", cells.size(), " cells, expected ",
            table.columns.size(), ", from ", quoted(table.columns.front()), " to ", quoted(table.columns.back()));
    table.rows.push_back({number, std::move(cells)});
  }
  require(number > 0, origin, ": is empty: expected a header");
  return table;
}

std::string csv_field(std::string_view value) {
  if (value.find_first_of(",\"") == std::string_view::npos) return std::string(value);
  std::string result = "\"";
  for (const char c : value) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

}  // namespace sim
