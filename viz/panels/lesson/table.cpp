// Tables of a lesson's text. A table much too wide for its column is transposed.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/text.h"
#include "viz/panels/lesson/blocks.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using std::string_view;
using ui::Rect;
using ui::Style;

constexpr float column_gap = 16;  // between columns, in CSS pixels
constexpr float much = 1.2f;      // ratio of widths from which numbers would break

using Row = std::vector<string_view>;

bool is_rule(string_view row) { return row.find_first_not_of("|-: ") == string_view::npos; }

/// Transposes: each column becomes a row that starts with its heading.
std::vector<Row> turned(const std::vector<Row>& rows) {
  std::vector<Row> result(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t n = 0; n < result.size(); ++n) result[n].push_back(n < row.size() ? row[n] : string_view());
  }
  return result;
}

/// Widths of the columns' texts.
std::vector<float> text_widths(const View& view, const std::vector<Row>& rows) {
  std::vector<float> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t n = 0; n < row.size(); ++n)
      widths[n] = std::max(widths[n], std::ceil(written_width(view, Style::body, row[n])) + 1);
  }
  return widths;
}

float sum(const std::vector<float>& widths) { return std::accumulate(widths.begin(), widths.end(), 0.f); }

/// Width available to the columns, without the gaps between.
float room_of(const Column& column, const std::vector<float>& widths) {
  return column.width() - column.view.px(column_gap) * static_cast<float>(widths.size() - 1);
}

/// Reduces the widest columns until all fit.
void narrow(std::vector<float>& widths, float room) {
  for (int tries = 0; tries < 400 && sum(widths) > room; ++tries)
    *std::max_element(widths.begin(), widths.end()) *= 0.97f;
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

void write_table(Column& column, string_view table) {
  View& view = column.view;
  std::vector<Row> rows = table_rows(table);
  if (rows.empty()) return;
  std::vector<float> widths = text_widths(view, rows);
  bool head = true;
  if (sum(widths) > much * room_of(column, widths)) {
    const std::vector<Row> turned_rows = turned(rows);
    const std::vector<float> turned_widths = text_widths(view, turned_rows);
    if (sum(turned_widths) <= room_of(column, turned_widths)) {
      rows = turned_rows;
      widths = turned_widths;
      head = false;
    }
  }
  narrow(widths, room_of(column, widths));
  for (std::size_t n = 0; n < rows.size(); ++n) {
    write_row(column, rows[n], widths, head && n == 0);
    if (!head || n > 0) continue;
    const Rect line = column.take(view.px(6));
    if (column.draws()) view.canvas().fill({line.x, line.y, line.width, view.px(1)}, view.theme().border);
  }
}

}  // namespace explorer
