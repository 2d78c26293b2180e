// Tables of a lesson's text. Numbers never break: words wrap instead, or the table is
// transposed, or written as a list.
#include <algorithm>
#include <cmath>

#include "sim/base/text.h"
#include "viz/panels/lesson/blocks.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using std::string_view;
using ui::Rect;
using ui::Style;

constexpr float column_gap = 16, least_chinese = 56;  // CSS pixels: between columns; four Chinese characters

using Row = TableRow;

bool is_rule(string_view row) { return row.find_first_not_of("|-: ") == string_view::npos; }

/// Transposes: each column becomes a row that starts with its heading.
std::vector<Row> turned(const std::vector<Row>& rows) {
  std::vector<Row> result(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t n = 0; n < result.size(); ++n) result[n].push_back(n < row.size() ? row[n] : string_view());
  }
  return result;
}

/// Splits a cell at the spaces outside brackets.
std::vector<string_view> words_of(string_view cell) {
  std::vector<string_view> words;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t n = 0; n <= cell.size(); ++n) {
    const char c = n < cell.size() ? cell[n] : ' ';
    depth += std::string_view("{[(").find(c) < 3 ? 1 : std::string_view("}])").find(c) < 3 ? -1 : 0;
    if (c != ' ' || (depth > 0 && n < cell.size())) continue;
    if (n > begin) words.push_back(cell.substr(begin, n - begin));
    begin = n + 1;
  }
  return words;
}

/// Widths of a column: of its widest text on one line, and the least at which no number breaks, nor is parted from its
/// unit, and no word breaks.
struct Need {
  float whole = 0, least = 0;
};

Need need_of(const View& view, Style style, string_view cell) {
  const float whole = width_for(view, style, cell);
  if (std::any_of(cell.begin(), cell.end(), sim::is_digit)) return {whole, whole};
  float least = 0;
  for (const string_view word : words_of(cell)) {
    const bool breaks = std::any_of(word.begin(), word.end(), [](char c) { return (c & 0x80) != 0; });
    const float width = width_for(view, style, word);
    least = std::max(least, breaks ? std::min(width, view.px(least_chinese)) : width);
  }
  return {whole, least};
}

std::vector<Need> needs_of(const View& view, const std::vector<Row>& rows, bool head) {
  std::vector<Need> needs;
  for (const Row& row : rows) {
    needs.resize(std::max(needs.size(), row.size()));
    const Style style = head && &row == &rows.front() ? Style::caption : Style::body;
    for (std::size_t n = 0; n < row.size(); ++n) {
      const Need need = need_of(view, style, row[n]);
      needs[n] = {std::max(needs[n].whole, need.whole), std::max(needs[n].least, need.least)};
    }
  }
  return needs;
}

/// Widths of the columns in a room: whole, or with words that wrap; empty if a number or a word would break.
std::vector<float> widths_in(const std::vector<Need>& needs, float room) {
  float whole = 0, least = 0;
  for (const Need& need : needs) {
    whole += need.whole;
    least += need.least;
  }
  if (least > room) return {};
  const float share = whole > room ? (room - least) / (whole - least) : 1;
  std::vector<float> widths;
  for (const Need& need : needs) widths.push_back(std::floor(need.least + share * (need.whole - need.least)));
  return widths;
}

void write_row(Column& column, const Row& row, const std::vector<float>& widths, bool head) {
  View& view = column.view;
  const ui::Theme& theme = view.theme();
  const Words words{head ? Style::caption : Style::body, head ? theme.muted : theme.text, theme.card};
  float height = 0;
  for (const bool draws : {false, true}) {
    if (draws && !column.draws()) break;
    ui::Space cells(draws ? column.take(0) : Rect{0, 0, column.width(), 0});
    for (std::size_t n = 0; n < row.size(); ++n) {
      const Rect place = cells.left(widths[n] + view.px(column_gap));
      Column cell(view, {place.x, place.y, widths[n], 0}, draws);
      write(cell, words, row[n]);
      height = std::max(height, cell.used());
    }
  }
  column.take(height + view.px(4));
}

}  // namespace

std::vector<Row> table_rows(string_view table) {
  std::vector<Row> rows;
  for (const string_view line : sim::split(table, "\n")) {
    if (is_rule(line)) continue;
    Row row;
    for (const string_view cell : sim::split(sim::trimmed(line, "| "), "|")) row.push_back(sim::trimmed(cell));
    rows.push_back(row);
  }
  return rows;
}

TableShape shape_of_table(const View& view, string_view table, float width) {
  const auto room_of = [&](const std::vector<Row>& rows) {
    return width - view.px(column_gap) * static_cast<float>(rows.front().size() - 1);
  };
  TableShape shape{table_rows(table), {}, true};
  if (shape.rows.empty()) return shape;
  shape.widths = widths_in(needs_of(view, shape.rows, true), room_of(shape.rows));
  if (!shape.widths.empty()) return shape;
  const std::vector<Row> turned_rows = turned(shape.rows);
  const std::vector<float> widths = widths_in(needs_of(view, turned_rows, false), room_of(turned_rows));
  return widths.empty() ? shape : TableShape{turned_rows, widths, false};
}

namespace {

/// Writes each row as its first cell, and below it "heading: cell" for the others.
void write_as_list(Column& column, const std::vector<Row>& rows) {
  for (std::size_t r = 1; r < rows.size(); ++r) {
    write(column, Style::body, rows[r].front());
    for (std::size_t n = 1; n < rows[r].size(); ++n) {
      const string_view heading = n < rows.front().size() ? rows.front()[n] : string_view();
      write(column, Style::body, sim::text("  ", heading, heading.empty() ? "" : ": ", rows[r][n]));
    }
    column.space(6);
  }
}

}  // namespace

void write_table(Column& column, string_view table) {
  const View& view = column.view;
  const TableShape shape = shape_of_table(view, table, column.width());
  if (shape.rows.empty()) return;
  if (shape.widths.empty()) return write_as_list(column, shape.rows);
  for (std::size_t n = 0; n < shape.rows.size(); ++n) {
    write_row(column, shape.rows[n], shape.widths, shape.head && n == 0);
    if (!shape.head || n > 0) continue;
    const Rect line = column.take(view.px(6));
    if (column.draws()) column.view.canvas().fill({line.x, line.y, line.width, view.px(1)}, view.theme().border);
  }
}

}  // namespace explorer
