// Margins of the attention matrix: bands of the current row and column, strips of the tensors, and block numbers.
#include <algorithm>
#include <cmath>

#include "sim/trace/tensors.h"
#include "viz/panels/matrix/matrix.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/within.h"

namespace explorer {
namespace {

using sim::Tensor;

constexpr float strip_width = 14, strip_gap = 6, merged_below = 4;  // CSS pixels

Tensor first_of(const sim::Launch& launch, bool written, std::initializer_list<Tensor> choices) {
  for (const Tensor tensor : choices) {
    if (written ? launch.writes(tensor) : launch.reads(tensor)) return tensor;
  }
  return Tensor::none;
}

/// A margin: blocks of one axis, aligned with the matrix.
struct Margin {
  const MatrixFrame& frame;
  bool of_rows;
  ui::Rect place;  ///< the strip; its extent along the axis is the area's

  const sim::Blocking& blocks() const { return of_rows ? frame.matrix.rows : frame.matrix.cols; }
  sim::Interval seen() const { return of_rows ? frame.lens.rows_seen(blocks()) : frame.lens.cols_seen(blocks()); }
  float pitch() const { return of_rows ? frame.row_pitch() : frame.col_pitch(); }
  ui::Rect span(sim::Interval range, float hole) const {
    const sim::Interval elements{blocks().elements(range.begin).begin, blocks().elements(range.end - 1).end};
    const ui::Rect in_matrix = of_rows ? frame.lens.rect(elements, {0, 1}) : frame.lens.rect({0, 1}, elements);
    if (of_rows) return {place.x, in_matrix.y, place.width, in_matrix.height - hole};
    return {in_matrix.x, place.y, in_matrix.width - hole, place.height};
  }
};

void fill_blocks(const Margin& margin, sim::Interval range, ui::Color color) {
  ui::Canvas& canvas = margin.frame.view.canvas();
  const sim::Interval seen = overlap(range, margin.seen());
  if (seen.empty()) return;
  if (margin.pitch() < canvas.px(merged_below)) return canvas.fill(margin.span(seen, 0), color);
  const float hole = std::max(1.f, canvas.px(margin.pitch() > canvas.px(14) ? 2 : 1));
  for (std::int64_t n = seen.begin; n < seen.end; ++n) canvas.fill(margin.span({n, n + 1}, hole), color, canvas.px(2));
}

/// Blocks that the current row or column visits, and the playhead's position in them.
struct Progress {
  sim::Interval met;
  std::int64_t at;
  bool begun, finished;  ///< the block `at`
};

Progress progress_along(const MatrixFrame& frame, bool of_rows) {
  const TileMatrix& m = frame.matrix;
  const bool outer = of_rows != m.by_columns;  // the axis that is traversed once
  sim::Interval met = of_rows ? sim::Interval{0, m.rows.count()} : m.live(m.row);
  if (of_rows && m.by_columns && m.grid().skips) met = visit_queries(m.shape(), m.grid(), m.col).live;
  if (outer) met = {0, of_rows ? m.rows.count() : m.cols.count()};
  const bool done = m.state(m.row, m.col) == TileState::done && !outer;
  return {met, of_rows ? m.row : m.col, m.visit >= 0 || outer, done};
}

/// Draws a tensor's strip. Read: blocks no longer needed are dimmed. Written: finished blocks are full.
void draw_strip(const Margin& margin, Tensor tensor, bool written) {
  const ui::Canvas& canvas = margin.frame.view.canvas();
  const ui::Theme& theme = canvas.theme();
  const char letter = letter_of(tensor);
  if (letter == '\0') return;
  const Progress p = progress_along(margin.frame, margin.of_rows);
  const ui::Color full = theme.tensor(letter), done = theme.tensor(letter, ui::Phase::done);
  const ui::Color future = theme.tensor(letter, ui::Phase::future);
  const std::int64_t count = margin.blocks().count();
  margin.frame.view.canvas().push_clip(
      margin.of_rows
          ? ui::Rect{margin.place.x, margin.frame.lens.area.y, margin.place.width, margin.frame.lens.area.height}
          : ui::Rect{margin.frame.lens.area.x, margin.place.y, margin.frame.lens.area.width, margin.place.height});
  const ui::Color unmet = mix(theme.card, future, 0.5f);
  fill_blocks(margin, {0, p.met.begin}, unmet);
  fill_blocks(margin, {p.met.begin, std::min(p.at, p.met.end)}, written ? full : done);
  fill_blocks(margin, overlap({p.at, p.at + 1}, p.met), written ? done : p.begun ? full : future);
  fill_blocks(margin, {std::max(p.at + 1, p.met.begin), p.met.end}, future);
  fill_blocks(margin, {p.met.end, count}, unmet);
  margin.frame.view.canvas().pop_clip();
}

void draw_letter(const MatrixFrame& frame, ui::Rect box, std::string_view markup, ui::Align align) {
  const ui::Theme& theme = frame.view.theme();
  rich_text(frame.view.canvas(), box, ui::Style::control, {theme.text, true, theme.card}, markup, align);
}

/// Name without the stage of a tensor, such as its fp32 sum.
std::string_view short_name(Tensor tensor) { return tensor == Tensor::none ? "" : stem_of(tensor); }

/// Draws the numbers of the first, the last and the current block, as far as they fit.
void draw_ticks(const MatrixFrame& frame, bool of_rows) {
  ui::Canvas& canvas = frame.view.canvas();
  const TileMatrix& m = frame.matrix;
  const ui::Rect area = frame.lens.area;
  const sim::Interval seen = of_rows ? frame.lens.rows_seen(m.rows) : frame.lens.cols_seen(m.cols);
  const std::int64_t current = of_rows ? m.row : m.col;
  const auto place = [&](std::int64_t n) {
    const ui::Rect tile = of_rows ? frame.tile(n, 0) : frame.tile(0, n);
    const float middle = of_rows ? ui::kept_within(tile.center().y, canvas.px(7), area.y, area.bottom())
                                 : ui::kept_within(tile.center().x, canvas.px(7), area.x, area.right());
    const float away = canvas.px(strip_width + strip_gap + 4);
    if (of_rows) return ui::Rect{area.x - away - canvas.px(48), middle - canvas.px(8), canvas.px(48), canvas.px(16)};
    return ui::Rect{middle - canvas.px(30), area.y - away - canvas.px(14), canvas.px(60), canvas.px(16)};
  };
  const ui::Align align = of_rows ? ui::Align::right : ui::Align::center;
  const bool shown = seen.contains({current, current + 1});
  const ui::Rect now = place(current);
  if (shown) canvas.text(now, ui::Style::caption, canvas.theme().text, sim::text(current), align);
  constexpr std::int64_t none = -1;
  std::int64_t drawn = shown ? current : none;
  for (const std::int64_t n : {seen.begin, seen.end - 1}) {
    const ui::Rect tick = place(n), other = place(drawn == none ? n : drawn);
    const float apart = of_rows ? std::abs(tick.y - other.y) : std::abs(tick.x - other.x);
    const std::string both = sim::text(n, drawn == none ? n : drawn);
    const float room = of_rows ? canvas.px(16) : canvas.text_width(ui::Style::caption, both) / 2 + canvas.px(10);
    if (drawn != none && (n == drawn || apart < room)) continue;
    canvas.text(tick, ui::Style::caption, canvas.theme().faint, sim::text(n), align);
    if (drawn == none) drawn = n;
  }
}

}  // namespace

MatrixStrips strips_of(const sim::Launch& launch) {
  return {first_of(launch, false, {Tensor::Q, Tensor::dO, Tensor::dQ_acc, Tensor::O}),
          first_of(launch, false, {Tensor::K, Tensor::V}),
          first_of(launch, true, {Tensor::O, Tensor::dQ, Tensor::dQ_acc}),
          first_of(launch, true, {Tensor::dK, Tensor::dV})};
}

void draw_matrix_bands(const MatrixFrame& frame, const MatrixStrips& strips) {
  const TileMatrix& m = frame.matrix;
  ui::Canvas& canvas = frame.view.canvas();
  const ui::Theme& theme = canvas.theme();
  const float over = canvas.px(2);
  canvas.push_clip(frame.lens.area.inset(-over));
  const sim::Interval cols = m.touched ? m.live(m.row) : sim::Interval{0, m.cols.count()};
  const auto band = [&](sim::Interval queries, sim::Interval keys, Tensor tensor) {
    const char letter = letter_of(tensor);
    const ui::Color color = letter == '\0' ? theme.muted : theme.tensor(letter);
    if (queries.empty() || keys.empty()) return;
    ui::Rect rect = frame.lens.rect(queries, keys);
    if (rect.height < canvas.px(3)) rect = {rect.x, rect.center().y - canvas.px(1.5f), rect.width, canvas.px(3)};
    if (rect.width < canvas.px(3)) rect = {rect.center().x - canvas.px(1.5f), rect.y, canvas.px(3), rect.height};
    canvas.fill(rect.inset(-over), mix(theme.card, color, 0.28f), canvas.px(4));
  };
  const sim::Interval met =
      m.grid().skips ? visit_queries(m.shape(), m.grid(), m.col).live : sim::Interval{0, m.rows.count()};
  if (m.touched && !met.empty())
    band({m.rows.elements(met.begin).begin, m.rows.elements(met.end - 1).end}, m.cols.elements(m.col), strips.top);
  if (!cols.empty())
    band(m.rows.elements(m.row), {m.cols.elements(cols.begin).begin, m.cols.elements(cols.end - 1).end}, strips.left);
  canvas.pop_clip();
}

void draw_matrix_strips(const MatrixFrame& frame, const MatrixStrips& strips) {
  const ui::Canvas& canvas = frame.view.canvas();
  const ui::Rect area = frame.lens.area;
  const float width = canvas.px(strip_width), away = canvas.px(strip_gap) + width, line = canvas.px(18);
  const Margin left{frame, true, {area.x - away, area.y, width, area.height}};
  const Margin right{frame, true, {area.right() + canvas.px(strip_gap), area.y, width, area.height}};
  const Margin top{frame, false, {area.x, area.y - away, area.width, width}};
  const Margin bottom{frame, false, {area.x, area.bottom() + canvas.px(strip_gap), area.width, width}};
  draw_strip(left, strips.left, false);
  draw_strip(top, strips.top, false);
  draw_strip(right, strips.right, true);
  draw_strip(bottom, strips.bottom, true);
  for (const auto& [tensor, margin] : {std::pair(strips.left, left), std::pair(strips.top, top),
                                       std::pair(strips.right, right), std::pair(strips.bottom, bottom)}) {
    if (tensor != Tensor::none) ui::mark_place(frame.view.ui, sim::text("tensor:", sim::name_of(tensor)), margin.place);
  }
  const float wide = width + canvas.px(8), above = area.y - line - canvas.px(2);
  const bool both =
      frame.view.subject().launch().writes(Tensor::dK) && frame.view.subject().launch().writes(Tensor::dV);
  draw_letter(frame, {area.x - away - canvas.px(8), above, wide, line}, short_name(strips.left), ui::Align::right);
  draw_letter(frame, {area.x - away - canvas.px(8), top.place.y - canvas.px(16), wide, line},
              strips.top == Tensor::K ? "K^T" : short_name(strips.top), ui::Align::right);
  draw_letter(frame, {right.place.x - canvas.px(4), above, wide, line}, short_name(strips.right), ui::Align::center);
  draw_letter(frame, {area.x - canvas.px(58), bottom.place.y - canvas.px(2), canvas.px(54), line},
              both ? "dK dV" : short_name(strips.bottom), ui::Align::right);
  draw_ticks(frame, true);
  draw_ticks(frame, false);
}

}  // namespace explorer
