// S and P of the tile that the playhead is in, as cells, with their numbers where there is room.
#include <algorithm>
#include <cmath>
#include <limits>

#include "viz/panels/matrix.h"
#include "viz/panels/row_values.h"

namespace explorer {
namespace {

constexpr float least_tile = 72, least_cell = 6, wide_cell = 44, high_cell = 20;  // CSS pixels

/// The values as a picture: how they are averaged, and which part of the tile holds which tensor.
struct Heat {
  const TileStep& step;
  std::int64_t rows = 1, cols = 1;  ///< values that one cell stands for
  TileStage stage;
  float least = 0, most = 1;  ///< of S
};

void measure(Heat& heat) {
  heat.least = std::numeric_limits<float>::infinity();
  heat.most = -heat.least;
  for (const float s : heat.step.S) {
    if (!std::isfinite(s)) continue;
    heat.least = std::min(heat.least, s);
    heat.most = std::max(heat.most, s);
  }
}

/// The mean of the values of a cell that are not hidden; -inf when all are.
float mean(const Heat& heat, const std::vector<float>& values, sim::Interval rows, sim::Interval cols) {
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t r = rows.begin; r < rows.end; ++r) {
    for (std::int64_t c = cols.begin; c < cols.end; ++c) {
      const auto at = static_cast<std::size_t>(r * heat.step.keys.size() + c);
      if (!std::isfinite(heat.step.S[at])) continue;
      sum += static_cast<double>(values[at]);
      ++count;
    }
  }
  return count == 0 ? -std::numeric_limits<float>::infinity() : static_cast<float>(sum / static_cast<double>(count));
}

sim::Tensor tensor_at(const Heat& heat, float share) {
  return share <= heat.stage.share ? heat.stage.now : heat.stage.before;
}

/// How much of the tensor's colour: S from its least to its largest, P by its root, since most of it is small.
float strength(const Heat& heat, sim::Tensor tensor, float value) {
  if (tensor == sim::Tensor::P) return std::sqrt(std::clamp(value, 0.f, 1.f));
  return heat.most > heat.least ? (value - heat.least) / (heat.most - heat.least) : 0.5f;
}

void draw_number(ui::Canvas& canvas, ui::Rect cell, ui::Color fill, float value) {
  std::string text = fmt::format("{:.2f}", static_cast<double>(value));
  if (text.front() == '-') text.replace(0, 1, "−");
  canvas.text(cell, ui::Style::caption, text_on(fill), text, ui::Align::center);
}

void draw_cell(const MatrixFrame& frame, const Heat& heat, sim::Interval rows, sim::Interval cols) {
  ui::Canvas& canvas = frame.view.canvas();
  const sim::Interval queries{heat.step.queries.begin + rows.begin, heat.step.queries.begin + rows.end};
  const sim::Interval keys{heat.step.keys.begin + cols.begin, heat.step.keys.begin + cols.end};
  const ui::Rect cell = frame.lens.rect(queries, keys);
  const float share = (static_cast<float>(cols.begin) + 0.5f * static_cast<float>(cols.size())) /
                      static_cast<float>(heat.step.keys.size());
  const sim::Tensor tensor = tensor_at(heat, share);
  if (tensor == sim::Tensor::none) return canvas.fill(cell, canvas.theme().inset);
  const float value = mean(heat, tensor == sim::Tensor::P ? heat.step.P : heat.step.S, rows, cols);
  if (!std::isfinite(value)) return canvas.fill(cell, canvas.theme().card);
  const ui::Color ground = mix(canvas.theme().inset, canvas.theme().tensor(letter_of(tensor)),
                               0.08f + 0.92f * strength(heat, tensor, value));
  const bool large = cell.width >= canvas.px(least_cell * 2);
  canvas.fill({cell.x, cell.y, cell.width - (large ? 1.f : 0.f), cell.height - (large ? 1.f : 0.f)}, ground);
  if (cell.width >= canvas.px(wide_cell) && cell.height >= canvas.px(high_cell) && rows.size() * cols.size() == 1)
    draw_number(canvas, cell, ground, value);
}

std::int64_t values_per_cell(double pixels, float least) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(static_cast<double>(least) / pixels)));
}

/// The part of a range of the tile that is seen, from a whole cell on.
sim::Interval seen_part(sim::Interval all, double first, double last, std::int64_t cell) {
  const auto size = static_cast<double>(all.size());
  const auto from = static_cast<std::int64_t>(std::clamp(first - static_cast<double>(all.begin), 0.0, size));
  const auto to = static_cast<std::int64_t>(std::ceil(std::clamp(last - static_cast<double>(all.begin), 0.0, size)));
  return {from / cell * cell, to};
}

void draw_heat(const MatrixFrame& frame, Heat& heat) {
  const MatrixLens& lens = frame.lens;
  heat.rows = values_per_cell(lens.per_query(), frame.view.px(least_cell));
  heat.cols = values_per_cell(lens.per_key(), frame.view.px(least_cell));
  measure(heat);
  const sim::Interval rows =
      seen_part(heat.step.queries, lens.query_at(lens.area.y), lens.query_at(lens.area.bottom()), heat.rows);
  const sim::Interval cols =
      seen_part(heat.step.keys, lens.key_at(lens.area.x), lens.key_at(lens.area.right()), heat.cols);
  for (std::int64_t r = rows.begin; r < rows.end; r += heat.rows) {
    for (std::int64_t c = cols.begin; c < cols.end; c += heat.cols)
      draw_cell(frame, heat, {r, std::min(r + heat.rows, heat.step.queries.size())},
                {c, std::min(c + heat.cols, heat.step.keys.size())});
  }
}

}  // namespace

const TileStep* draw_matrix_values(const MatrixFrame& frame) {
  const TileMatrix& m = frame.matrix;
  if (!m.touched || m.visit < 0) return nullptr;
  const ui::Rect tile = frame.tile(m.row, m.col), seen = common(tile, frame.lens.area);
  if (seen.empty() || std::min(tile.width, tile.height) < frame.view.px(least_tile)) return nullptr;
  const SeenValues values = seen_values(frame.view, m);
  if (values.tile == nullptr) return nullptr;
  Heat heat{*values.tile, 1, 1, {sim::Tensor::S, sim::Tensor::P, 1}, 0, 1};
  if (m.working) heat.stage = stage_of(*frame.view.subject().replay, m.visit, frame.view.subject().time);
  frame.view.canvas().push_clip(frame.lens.area);
  frame.view.canvas().fill(tile, frame.view.theme().card);
  draw_heat(frame, heat);
  frame.view.canvas().stroke(tile, frame.view.theme().strong, frame.view.px(2));
  frame.view.canvas().pop_clip();
  return values.tile;
}

}  // namespace explorer
