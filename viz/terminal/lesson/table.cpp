#include "viz/terminal/lesson/table.h"

#include <algorithm>
#include <numeric>

#include "sim/base/text.h"
#include "viz/terminal/lesson/text.h"

namespace terminal {
namespace {

using std::string;

constexpr std::size_t column_gap = 2;  // spaces

std::size_t width_of(const string& cell) { return static_cast<std::size_t>(columns_of(cell)); }

/// ASCII letters, and all signs beyond ASCII.
bool begins_as_word(const string& cell) { return sim::is_letter(cell[0]) || static_cast<unsigned char>(cell[0]) > 127; }

}  // namespace

std::vector<std::size_t> LessonTable::widths() const {
  std::vector<std::size_t> widths;
  const auto widen = [&](const std::vector<string>& cells) {
    widths.resize(std::max(widths.size(), cells.size()));
    for (std::size_t c = 0; c < cells.size(); ++c) widths[c] = std::max(widths[c], width_of(cells[c]));
  };
  widen(header_);
  for (const auto& row : rows_) widen(row);
  return widths;
}

bool LessonTable::is_words(std::size_t column) const {
  std::ptrdiff_t words = 0;
  for (const auto& row : rows_) {
    if (column < row.size() && !row[column].empty()) words += begins_as_word(row[column]) ? 1 : -1;
  }
  return column == 0 || words > 0;
}

string LessonTable::line(const std::vector<string>& cells, const std::vector<std::size_t>& widths) const {
  string line;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const string space(widths[c] - width_of(cells[c]), ' ');
    line += string(c == 0 ? 0 : column_gap, ' ') + (is_words(c) ? cells[c] + space : space + cells[c]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

string LessonTable::list(int columns) const {
  string text;
  for (const auto& row : rows_) {
    if (!row.empty()) text += in_lines(row[0], columns);
    for (std::size_t c = 1; c < row.size(); ++c)
      text += in_lines((c < header_.size() ? header_[c] + ": " : "") + row[c], columns, "  ");
  }
  return text;
}

string LessonTable::text(int columns) const {
  const std::vector<std::size_t> widths = this->widths();
  const std::size_t total = std::accumulate(widths.begin(), widths.end(), column_gap * (widths.size() - 1));
  if (total > static_cast<std::size_t>(columns)) return list(columns);
  const string rule = string(total, '-') + "\n";
  string text = line(header_, widths) + rule;
  for (const auto& row : rows_) text += row.empty() ? rule : line(row, widths);
  return text;
}

}  // namespace terminal
