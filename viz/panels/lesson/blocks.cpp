#include "viz/panels/lesson/blocks.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/base/text.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using std::string_view;
using ui::Style;

void write_body(Column& column, string_view text, string_view links) {
  const ui::Theme& theme = column.view.theme();
  write(column, Words{Style::body, theme.text, theme.card, links}, text);
}

void write_item(Column& column, string_view text, string_view links) {
  const View& view = column.view;
  const auto dot = [&](ui::Rect rect) {
    column.view.canvas().disc({rect.x + view.px(5), rect.y + view.px(12)}, view.px(2.5f), view.theme().muted);
  };
  column.boxed(16, 0, dot, [&](Column& inner) { write_body(inner, text, links); });
}

/// A bar at its left, and what it is.
void write_myth(Column& column, string_view text, string_view links) {
  View& view = column.view;
  const auto bar = [&](ui::Rect rect) {
    view.canvas().fill({rect.x, rect.y, view.px(3), rect.height}, view.theme().strong);
  };
  column.boxed(16, 0, bar, [&](Column& inner) {
    write_muted(inner, view.say("A myth, and what the run says"));
    inner.space(2);
    write_body(inner, text, links);
  });
}

void write_equations(Column& column, string_view text) {
  View& view = column.view;
  const auto inset = [&](ui::Rect rect) { ui::inset_panel(view.canvas(), rect); };
  column.boxed(14, 10, inset, [&](Column& inner) {
    for (const string_view one : sim::split(text, lessons::between_equations)) write_equation(inner, sim::trimmed(one));
  });
}

using Row = std::vector<string_view>;

bool is_rule(string_view row) { return row.find_first_not_of("|-: ") == string_view::npos; }

std::vector<Row> rows_of(string_view table) {
  std::vector<Row> rows;
  for (const string_view line : sim::split(table, "\n")) {
    if (is_rule(line)) continue;
    Row row;
    for (const string_view cell : sim::split(sim::trimmed(line, "| "), "|")) row.push_back(sim::trimmed(cell));
    rows.push_back(row);
  }
  return rows;
}

/// As wide as their texts where there is room; else the widest become smaller.
std::vector<float> column_widths(const View& view, const std::vector<Row>& rows, float room) {
  std::vector<float> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t n = 0; n < row.size(); ++n)
      widths[n] = std::max(widths[n], std::ceil(written_width(view, Style::body, row[n])) + 1);
  }
  room -= view.px(16) * static_cast<float>(widths.size() - 1);
  for (int tries = 0; tries < 400 && std::accumulate(widths.begin(), widths.end(), 0.f) > room; ++tries)
    *std::max_element(widths.begin(), widths.end()) *= 0.97f;
  return widths;
}

void write_row(Column& column, const Row& row, const std::vector<float>& widths, bool head) {
  View& view = column.view;
  const ui::Theme& theme = view.theme();
  const Words words{head ? Style::caption : Style::body, head ? theme.muted : theme.text, theme.card};
  float height = 0;
  for (const bool draws : {false, true}) {
    if (draws && !column.draws()) break;
    ui::Rect place = draws ? column.take(0) : ui::Rect{};
    for (std::size_t n = 0; n < row.size(); ++n) {
      Column cell(view, {place.x, place.y, widths[n], 0}, draws);
      write(cell, words, row[n]);
      height = std::max(height, cell.used());
      cut_left(place, widths[n] + view.px(16));
    }
  }
  column.take(height + view.px(4));
}

void write_table(Column& column, string_view table) {
  View& view = column.view;
  const std::vector<Row> rows = rows_of(table);
  if (rows.empty()) return;
  const std::vector<float> widths = column_widths(view, rows, column.width());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    write_row(column, rows[n], widths, n == 0);
    if (n > 0) continue;
    const ui::Rect line = column.take(view.px(6));
    if (column.draws()) view.canvas().fill({line.x, line.y, line.width, view.px(1)}, view.theme().border);
  }
}

void write_block(Column& column, const lessons::Block& block, string_view links) {
  switch (block.kind) {
    case lessons::BlockKind::equations:
      return write_equations(column, block.text);
    case lessons::BlockKind::item:
      return write_item(column, block.text, links);
    case lessons::BlockKind::table:
      return write_table(column, block.text);
    case lessons::BlockKind::myth:
      return write_myth(column, block.text, links);
    case lessons::BlockKind::paragraph:
      return write_body(column, block.text, links);
  }
}

}  // namespace

void write_equation(Column& column, string_view equation) {
  View& view = column.view;
  const ui::Theme& theme = view.theme();
  for (const Style style : {Style::title, Style::body, Style::caption}) {
    if (ui::rich_width(view.canvas(), style, equation) > column.width()) continue;
    const ui::Rect line = column.take(view.px(28));
    if (column.draws()) ui::rich_text(view.canvas(), line, style, {theme.text, true, theme.inset}, equation);
    return;
  }
  write(column, Words{Style::body, theme.text, theme.inset}, equation);
}

void write_blocks(Column& column, const std::vector<lessons::Block>& blocks, string_view links) {
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    if (n > 0) column.space(blocks[n].kind == lessons::BlockKind::item ? 4 : 10);
    write_block(column, blocks[n], sim::text(links, "/", n + 1));
  }
}

}  // namespace explorer
