#include "viz/panels/verification/table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/verdict.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr float row_height = 22, header_height = 24, column_gap = 16, scroll_bar = 10;  // CSS pixels

constexpr std::string_view unseen = "–";

std::string written(const ComparedRow& row, const std::optional<double>& value, bool with_sign = false) {
  if (!value) return std::string(unseen);
  const std::string sign = with_sign && *value > 0 ? "+" : "";
  if (std::isnan(*value)) return std::string(unseen);
  return sign + (std::isfinite(*value) ? report::verdict_number(row.quantity, *value) : "∞");
}

/// Difference of the kernels' figure from the program's: of the emulated device, else of the recording, else of the
/// GPU.
std::optional<double> difference_of(const ComparedRow& row) {
  const std::optional<double>& measured = row.emulated ? row.emulated : row.recorded ? row.recorded : row.gpu;
  if (!measured || !row.simulated) return std::nullopt;
  return *measured - *row.simulated;
}

bool is_compared(const ComparedRow& row) { return row.emulated || row.recorded || row.gpu; }

/// Symbol of a row's result. A recorded figure may differ without failing the row.
std::string_view result_of(const ComparedRow& row) {
  if (!row.ok) return "✗";
  if (row.emulated || row.gpu) return "✓";
  return row.recorded && std::abs(difference_of(row).value_or(0)) <= row.tolerance ? "✓" : "";
}

struct Column {
  std::string_view title;
  std::string (*cell)(const ComparedRow& row);
  int rank;              ///< columns with a higher rank are left out first; 0 never
  int rank_seen = rank;  ///< rank if some row has a value in the column
};
constexpr std::array<Column, 7> columns = {
    {{/*say*/ "simulated", [](const ComparedRow& row) { return written(row, row.simulated); }, 0},
     {/*say*/ "emulated", [](const ComparedRow& row) { return written(row, row.emulated); }, 2, 0},
     {/*say*/ "recorded", [](const ComparedRow& row) { return written(row, row.recorded); }, 6, 1},
     {/*say*/ "this GPU", [](const ComparedRow& row) { return written(row, row.gpu); }, 5, 1},
     {/*say*/ "difference", [](const ComparedRow& row) { return written(row, difference_of(row), true); }, 3},
     {/*say*/ "tolerance",
      [](const ComparedRow& row) {
        return written(row, is_compared(row) ? std::optional(row.tolerance) : std::nullopt);
      },
      4},
     {"", [](const ComparedRow& row) { return std::string(result_of(row)); }, 0}}};

using Cells = std::vector<std::string>;

struct Laid {
  std::vector<std::size_t> shown;  ///< columns
  std::array<float, columns.size()> widths{};
  float first = 0;  ///< width of the quantities
};

float table_width(const Laid& laid, float gap) {
  float width = laid.first;
  for (const std::size_t c : laid.shown) width += laid.widths[c] + gap;
  return width;
}

int rank_of(const Column& column, const std::vector<ComparedRow>& rows) {
  const bool seen =
      std::any_of(rows.begin(), rows.end(), [&](const ComparedRow& row) { return column.cell(row) != unseen; });
  return seen ? column.rank_seen : column.rank;
}

Laid lay_out(const View& view, const std::vector<ComparedRow>& rows, float width) {
  const ui::Canvas& canvas = view.canvas();
  Laid laid;
  for (const ComparedRow& row : rows) {
    laid.first = std::max(laid.first, ui::rich_width(canvas, ui::Style::caption, quantity_words(view, row.quantity)));
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    laid.shown.push_back(c);
    if (!columns[c].title.empty())
      laid.widths[c] = canvas.text_width(ui::Style::caption, view.say(columns[c].title)) + 1;
    for (const ComparedRow& row : rows)
      laid.widths[c] = std::max(laid.widths[c], canvas.text_width(ui::Style::table, columns[c].cell(row)) + 1);
  }
  std::array<int, columns.size()> ranks{};
  for (std::size_t c = 0; c < columns.size(); ++c) ranks[c] = rank_of(columns[c], rows);
  while (table_width(laid, view.px(column_gap)) > width) {
    const auto least = std::max_element(laid.shown.begin(), laid.shown.end(),
                                        [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
    if (ranks[*least] == 0) break;
    laid.shown.erase(least);
  }
  return laid;
}

/// Boxes of a line: first the quantity's, then those of the shown columns; the quantity's takes the remaining width.
std::vector<ui::Rect> boxes_of(const View& view, const Laid& laid, ui::Rect line) {
  std::vector<ui::Part> parts = {ui::rest()};
  for (const std::size_t c : laid.shown) parts.push_back(laid.widths[c]);
  return ui::columns(line, view.px(column_gap), parts);
}

void draw_header(View& view, const Laid& laid, ui::Rect line) {
  const std::vector<ui::Rect> boxes = boxes_of(view, laid, line);
  const ui::Color color = view.theme().muted;
  view.canvas().text(boxes[0], ui::Style::caption, color, view.say("quantity"));
  for (std::size_t n = 0; n < laid.shown.size(); ++n) {
    const std::string_view title = columns[laid.shown[n]].title;
    if (!title.empty()) view.canvas().text(boxes[n + 1], ui::Style::caption, color, view.say(title), ui::Align::right);
  }
  view.canvas().line({line.x, line.bottom()}, {line.right(), line.bottom()}, view.theme().border, view.px(1));
}

void describe(View& view, const ComparedRow& row) {
  std::vector<std::string> lines = {row.quantity, row.unit};
  for (const Column& column : columns) {
    if (!column.title.empty() && column.cell(row) != unseen)
      lines.push_back(sim::text(view.say(column.title), ": ", column.cell(row)));
  }
  if (!row.cause.empty()) {
    for (std::string& line : tooltip_lines(view, row.cause)) lines.push_back(std::move(line));
  }
  draw_tooltip(view, lines);
}

void draw_row(View& view, const Laid& laid, const ComparedRow& row, ui::Rect line) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const ui::Hit h = ui::hit(view.ui, view.id("verification/" + row.quantity), line);
  if (h.hovered) canvas.fill(line, ui::mix(theme.card, theme.text, 0.06f));
  const std::vector<ui::Rect> boxes = boxes_of(view, laid, line);
  ui::rich_text(canvas, boxes[0], ui::Style::caption, {row.ok ? theme.text : theme.strong, true, theme.card},
                quantity_words(view, row.quantity));
  for (std::size_t n = 0; n < laid.shown.size(); ++n) {
    const std::string cell = columns[laid.shown[n]].cell(row);
    canvas.text(boxes[n + 1], ui::Style::table, cell == unseen ? theme.faint : theme.text, cell, ui::Align::right);
  }
  if (h.hovered) describe(view, row);
}

}  // namespace

std::string quantity_words(const View& view, std::string_view quantity) {
  std::vector<std::string> parts(1);
  for (const char c : quantity) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  const std::string tensor = parts.size() < 2 ? "" : ui::escaped(parts[parts.size() == 4 ? 2 : 1]);
  const bool writes = parts.back().starts_with("write");
  if (quantity.starts_with("tile_traffic.by_tensor.") && parts.size() == 4)
    return writes ? view.say("{} written, B", tensor) : view.say("{} read, B", tensor);
  if (quantity.starts_with("tile_traffic.total."))
    return std::string(writes ? view.say("all written, B") : view.say("all read, B"));
  if (quantity.starts_with("hbm_traffic."))
    return std::string(writes ? view.say("HBM written, B") : view.say("HBM read, B"));
  if (parts[0] == "sectors" && parts.size() == 3)
    return writes ? view.say("{} written, sectors", tensor) : view.say("{} read, sectors", tensor);
  if (parts[0] == "error" && parts.size() == 2) return view.say("largest error of {}", tensor);
  if (quantity == "tile_traffic.atomic_bytes") return std::string(view.say("atomic additions, B"));
  if (quantity == "wavefronts") return std::string(view.say("passes through SMEM"));
  if (quantity == "memory.peak") return std::string(view.say("peak HBM memory, B"));
  if (quantity == "races") return std::string(view.say("races"));
  if (quantity == "time") return std::string(view.say("time, µs"));
  return ui::escaped(quantity);
}

void draw_verification_table(View& view, const std::vector<ComparedRow>& rows, ui::Rect rect) {
  const auto [header, window] = ui::rows(rect, view.px(2), {view.px(header_height), ui::rest()});
  const float width = rect.width - view.px(scroll_bar);
  const Laid laid = lay_out(view, rows, width);
  draw_header(view, laid, {header.x, header.y, width, header.height});
  if (window.empty()) return;
  const float step = view.px(row_height), height = step * static_cast<float>(rows.size());
  float& offset = view.ui.state.scrolled[view.id("verification")];
  offset = ui::begin_scroll(view.ui, view.id("verification-scroll"), window, height, offset);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const ui::Rect line{window.x, window.y + step * static_cast<float>(n) - std::round(offset), width, step};
    if (line.bottom() < window.y || line.y > window.bottom()) continue;
    draw_row(view, laid, rows[n], line);
  }
  ui::end_scroll();
}

}  // namespace explorer
