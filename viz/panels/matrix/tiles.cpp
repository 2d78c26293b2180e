// Tiles of the attention matrix: done, current, to do, partly masked, skipped.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/block_mask.h"
#include "viz/panels/matrix/matrix.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

constexpr float merged_below = 5, separate_from = 12, round_from = 18, dots_from = 9;  // CSS pixels of a tile's side

ui::Color color_of(const ui::Theme& theme, TileState state) {
  return state == TileState::to_do ? theme.tile_to_do : theme.tile_done;
}

/// Colour of the part of a tile that is computed and then masked.
ui::Color hidden(const ui::Theme& theme, ui::Color color) { return mix(theme.card, color, 0.25f); }

/// Clips a convex polygon to a x + b y <= c.
std::vector<ui::Point> cut(const std::vector<ui::Point>& polygon, float a, float b, float c) {
  std::vector<ui::Point> kept;
  for (std::size_t n = 0; n < polygon.size(); ++n) {
    const ui::Point p = polygon[n], q = polygon[(n + 1) % polygon.size()];
    const float at_p = a * p.x + b * p.y - c, at_q = a * q.x + b * q.y - c;
    if (at_p <= 0) kept.push_back(p);
    if ((at_p <= 0) == (at_q <= 0)) continue;
    const float t = at_p / (at_p - at_q);
    kept.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
  }
  return kept;
}

using Polygon = std::vector<ui::Point>;

Polygon corners_of(ui::Rect r) { return {{r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}}; }

/// Part of a tile that the masks of one document show. The steps of a diagonal, one query high and one key wide, are
/// drawn as the line through their midpoints.
Polygon visible_band(const MatrixFrame& frame, ui::Rect tile) {
  const sim::Shape& shape = frame.matrix.shape();
  const MatrixLens& lens = frame.lens;
  Polygon part = corners_of(tile);
  const auto offset = static_cast<double>(shape.diagonal(0)) + 0.5;
  const auto slope = static_cast<float>(lens.per_key() / lens.per_query());
  const auto right_of = [&](double key) { return lens.x(key) - slope * lens.y(0); };  // the diagonal through (0, key)
  if (const auto after = shape.mask.after())
    part = cut(part, 1, -slope, right_of(offset + static_cast<double>(*after)));
  if (shape.mask.window) part = cut(part, -1, slope, -right_of(offset - static_cast<double>(*shape.mask.window)));
  if (shape.mask.padding > 0) part = cut(part, 1, 0, lens.x(static_cast<double>(shape.seqlen_k - shape.mask.padding)));
  return part;
}

/// Visible parts of a tile, which may overlap: the band and the keys of a prefix, or the band of each document.
std::vector<Polygon> visible_parts(const MatrixFrame& frame, ui::Rect tile) {
  const sim::Shape& shape = frame.matrix.shape();
  const MatrixLens& lens = frame.lens;
  const auto left_of = [&](std::int64_t key) {
    ui::Rect part = tile;
    part.width = std::clamp(lens.x(static_cast<double>(key)) - tile.x, 0.f, tile.width);
    return part;
  };
  if (shape.mask.prefix > 0)
    return {visible_band(frame, tile),
            corners_of(left_of(std::min(shape.mask.prefix, shape.seqlen_k - shape.mask.padding)))};
  if (shape.mask.documents == nullptr) return {visible_band(frame, tile)};
  std::vector<Polygon> parts;
  const auto end = static_cast<std::int64_t>(std::ceil(lens.key_at(tile.right())));
  for (auto key = static_cast<std::int64_t>(std::max(0.0, lens.key_at(tile.x))); key < std::min(end, shape.seqlen_k);) {
    const sim::Interval keys = shape.document_at(key);
    const sim::Interval queries{keys.begin - shape.diagonal(0), keys.end - shape.diagonal(0)};
    const ui::Rect part = common(tile, lens.rect(overlap(queries, {0, shape.seqlen_q}), keys));
    if (part.width > 0 && part.height > 0) parts.push_back(visible_band(frame, part));
    key = keys.end;
  }
  return parts;
}

/// Draws the tiles of a row between two whole rows of pixels; runs are clipped to the visible blocks.
class TileRow {
 public:
  TileRow(const MatrixFrame& frame, std::int64_t row, sim::Interval cols, float top, float bottom)
      : frame_(frame), canvas_(frame.view.canvas()), row_(row), cols_(cols), top_(top), bottom_(bottom) {
    const float pitch = std::min(frame.col_pitch(), frame.row_pitch());
    hole_ = pitch < canvas_.px(merged_below) ? 0 : std::max(1.f, canvas_.px(pitch > canvas_.px(14) ? 2 : 1));
    separate_ = pitch >= canvas_.px(separate_from);
    radius_ = pitch >= canvas_.px(round_from) ? canvas_.px(3) : 0;
  }

  void draw() {
    const sim::Interval full = frame_.matrix.full(row_);
    const sim::Interval queries = frame_.matrix.rows.elements(row_);
    const sim::Interval partly = frame_.matrix.cols.touching(frame_.matrix.shape().live_keys(queries));
    for (const TileRun& run : frame_.matrix.runs(row_)) {
      const ui::Color color = color_of(canvas_.theme(), run.state);
      for (const sim::Interval seen : frame_.matrix.visited(row_, overlap(run.cols, cols_))) {
        const sim::Interval plain = overlap(seen, full);
        fill(plain, color);
        const std::int64_t left = plain.empty() ? seen.end : plain.begin, right = plain.empty() ? seen.end : plain.end;
        for (const sim::Interval rest : {sim::Interval{seen.begin, left}, sim::Interval{right, seen.end}}) {
          fill(rest, hidden(canvas_.theme(), color));
          const sim::Interval cut_through = overlap(rest, partly);
          for (std::int64_t j = cut_through.begin; j < cut_through.end; ++j) part(j, color);
        }
      }
    }
    if (separate_ || frame_.col_pitch() >= canvas_.px(dots_from)) dots();
  }

 private:
  ui::Rect span(sim::Interval cols) const {
    const auto& blocks = frame_.matrix.cols;
    const sim::Interval keys{blocks.elements(cols.begin).begin, blocks.elements(cols.end - 1).end};
    const ui::Rect wide = frame_.lens.rect({0, 1}, keys);
    return {wide.x, top_, wide.width - hole_, bottom_ - top_ - hole_};
  }

  void fill(sim::Interval cols, ui::Color color) {
    if (cols.empty()) return;
    if (!separate_) return canvas_.fill(span(cols), color);
    for (std::int64_t j = cols.begin; j < cols.end; ++j) canvas_.fill(span({j, j + 1}), color, radius_);
  }

  void part(std::int64_t j, ui::Color color) {
    const TileMatrix& m = frame_.matrix;
    if (!m.shape().mask.blocks || m.grid().skips) return draw_parts(span({j, j + 1}), color);
    // Draws the visible blocks of a pattern whose block size is not the tile's: elements of the tile are masked.
    const sim::BlockMask& pattern = *m.shape().mask.blocks;
    const auto& [all_queries, all_keys, br, bc] = pattern.matrix();
    const sim::Interval queries = m.rows.elements(row_), keys = m.cols.elements(j);
    if (std::min(frame_.lens.per_query() * static_cast<double>(br), frame_.lens.per_key() * static_cast<double>(bc)) <
        1)
      return;
    for (std::int64_t i = queries.begin / br; i * br < queries.end; ++i) {
      for (const sim::Interval run : touching(pattern.keys_of(i), {keys.begin / bc, (keys.end + bc - 1) / bc})) {
        const ui::Rect block =
            frame_.lens.rect(overlap(queries, {i * br, (i + 1) * br}), overlap(keys, {run.begin * bc, run.end * bc}));
        draw_parts(common(block, span({j, j + 1})), color);
      }
    }
  }

  void draw_parts(ui::Rect place, ui::Color color) {
    for (const Polygon& part : visible_parts(frame_, place)) canvas_.convex(part, color);
  }

  void dots() {
    if (frame_.row_pitch() < canvas_.px(dots_from)) return;
    const float side = std::max(1.f, canvas_.px(2));
    for (std::int64_t j = cols_.begin; j < cols_.end; ++j) {
      if (frame_.matrix.is_live(row_, j)) continue;
      const ui::Point middle = span({j, j + 1}).center();
      canvas_.fill({middle.x - side / 2, middle.y - side / 2, side, side}, canvas_.theme().skipped);
    }
  }

  const MatrixFrame& frame_;
  ui::Canvas& canvas_;
  std::int64_t row_;
  sim::Interval cols_;
  float top_, bottom_, hole_ = 0, radius_ = 0;
  bool separate_ = false;
};

/// Draws one row of pixels when matrix rows are less than a few pixels high: the state at its middle, exact along the
/// keys.
void draw_pixel_row(const MatrixFrame& frame, float top, float height) {
  const TileMatrix& m = frame.matrix;
  const auto query = static_cast<std::int64_t>(frame.lens.query_at(top + height / 2));
  if (query < 0 || query >= m.rows.extent) return;
  ui::Canvas& canvas = frame.view.canvas();
  for (const TileRun& run : m.runs(query / m.rows.size)) {
    if (run.cols.empty()) continue;
    const sim::Interval keys{m.cols.elements(run.cols.begin).begin, m.cols.elements(run.cols.end - 1).end};
    const auto paint = [&](sim::Interval range, ui::Color color) {
      if (range.empty()) return;
      const ui::Rect wide =
          common(frame.lens.rect({0, 1}, range), {frame.lens.area.x, -1e9f, frame.lens.area.width, 2e9f});
      canvas.fill({wide.x, top, wide.width, height}, color);
    };
    const ui::Color color = color_of(canvas.theme(), run.state);
    if (!m.grid().skips) paint(keys, hidden(canvas.theme(), color));
    for (const sim::Interval visible : m.shape().visible_parts(query, keys)) paint(visible, color);
  }
}

void draw_gaps(const MatrixFrame& frame, sim::Interval cols) {
  ui::Canvas& canvas = frame.view.canvas();
  const float pitch = std::min(frame.col_pitch(), frame.row_pitch());
  if (pitch < canvas.px(merged_below) || pitch >= canvas.px(separate_from)) return;
  const float hole = std::max(1.f, canvas.px(pitch > canvas.px(14) ? 2 : 1));
  for (std::int64_t j = cols.begin; j < cols.end; ++j) {
    const float right = frame.lens.x(static_cast<double>(frame.matrix.cols.elements(j).end));
    canvas.fill({right - hole, frame.lens.area.y, hole, frame.lens.area.height}, canvas.theme().card);
  }
}

/// Rectangle of the current tile, never too small to be seen.
ui::Rect current_place(const MatrixFrame& frame) {
  const ui::Canvas& canvas = frame.view.canvas();
  ui::Rect tile = frame.tile(frame.matrix.row, frame.matrix.col);
  const float least = canvas.px(5), hole = canvas.px(2);
  if (std::min(tile.width, tile.height) > canvas.px(separate_from)) {
    tile.width -= hole;
    tile.height -= hole;
  }
  if (tile.width < least) tile = {tile.center().x - least / 2, tile.y, least, tile.height};
  if (tile.height < least) tile = {tile.x, tile.center().y - least / 2, tile.width, least};
  return tile;
}

/// Draws the tile's content: S that fills up with P, or the kernel's own tensors.
void draw_stage(const MatrixFrame& frame, ui::Rect tile) {
  ui::Canvas& canvas = frame.view.canvas();
  const TileStage stage = stage_of(*frame.view.subject().replay, frame.matrix.visit, frame.view.subject().time);
  const auto paint = [&](ui::Rect part, sim::Tensor tensor) {
    const char letter = letter_of(tensor);
    const ui::Color color = letter == '\0' ? canvas.theme().inset : canvas.theme().tensor(letter);
    canvas.fill(part, color, part.width == tile.width ? canvas.px(3) : 0);
  };
  paint(tile, stage.before);
  if (stage.now != sim::Tensor::none) paint(tile.share(stage.share), stage.now);
}

void draw_current(const MatrixFrame& frame) {
  const TileMatrix& m = frame.matrix;
  if (!m.touched || m.visit < 0 || !m.is_live(m.row, m.col)) return;
  ui::Canvas& canvas = frame.view.canvas();
  const ui::Rect tile = current_place(frame);
  canvas.push_clip(frame.lens.area);
  if (m.working) draw_stage(frame, tile);
  canvas.pop_clip();
  canvas.push_clip(frame.lens.area.inset(-canvas.px(4)));
  canvas.stroke(tile.inset(-canvas.px(2)), canvas.theme().strong, canvas.px(2), canvas.px(4));
  canvas.pop_clip();
}

}  // namespace

void draw_matrix_tiles(const MatrixFrame& frame) {
  ui::Canvas& canvas = frame.view.canvas();
  const MatrixLens& lens = frame.lens;
  const TileMatrix& m = frame.matrix;
  const sim::Interval rows = lens.rows_seen(m.rows), cols = lens.cols_seen(m.cols);
  canvas.push_clip(lens.area);
  if (m.touched && frame.row_pitch() < canvas.px(merged_below)) {
    const float step = std::max(1.f, std::floor(canvas.px(1)));
    for (float y = lens.area.y; y < lens.area.bottom(); y += step) draw_pixel_row(frame, y, step);
  } else if (m.touched) {
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      const ui::Rect place = lens.rect(m.rows.elements(i), {0, 1});
      TileRow(frame, i, cols, place.y, place.bottom()).draw();
    }
  }
  draw_gaps(frame, cols);
  canvas.pop_clip();
  draw_current(frame);
}

}  // namespace explorer
