// Values of the tile at the playhead as a heat map, with numbers if they fit.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/trace/tensors.h"
#include "viz/model/values/head_values.h"
#include "viz/panels/matrix/matrix.h"

namespace explorer {
namespace {

constexpr float least_cell = 6, high_cell = 20;  // CSS pixels

/// Limits in CSS pixels: lower for an audience, whose large type leaves fewer of them.
float least_tile(const View& view) { return view.bare ? 56 : 72; }
float wide_cell(const View& view) { return view.bare ? 26 : 44; }

/// The heat map: how values are averaged, and which layer replaces which.
struct Heat {
  const sim::Shape& shape;
  const TileLayers& tile;
  const TileLayer *before = nullptr, *now = nullptr;  ///< null: the tile holds nothing yet
  float share = 1;                                    ///< part of the tile's width that `now` has replaced
  std::int64_t rows = 1, cols = 1;                    ///< values per cell
};

/// Mean of a cell's values that the mask leaves visible; -inf if there are none. S is averaged without the mask, which
/// is applied after it.
float mean(const Heat& heat, const TileLayer& layer, sim::Interval rows, sim::Interval cols) {
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t r = rows.begin; r < rows.end; ++r) {
    const std::int64_t first = heat.tile.keys.begin;
    const sim::Interval keys{first + cols.begin, first + cols.end};
    const bool masked = layer.tensor != sim::Tensor::S;
    for (const sim::Interval seen :
         masked ? heat.shape.visible_parts(heat.tile.queries.begin + r, keys) : std::vector<sim::Interval>{keys}) {
      for (std::int64_t c = seen.begin - first; c < seen.end - first; ++c) {
        const float value = layer.values[static_cast<std::size_t>(r * heat.tile.keys.size() + c)];
        if (!std::isfinite(value)) continue;
        sum += static_cast<double>(value);
        ++count;
      }
    }
  }
  return count == 0 ? -std::numeric_limits<float>::infinity() : static_cast<float>(sum / static_cast<double>(count));
}

/// Strength of the tensor's colour. S: linear from its smallest to its largest value; P: by square root, since most
/// values are small; gradients have both signs, so 0 is one half.
float strength(const TileLayer& layer, float value) {
  const sim::TensorFacts& facts = facts_of(layer.tensor);
  if (facts.gradient) {
    const float largest = std::max(std::abs(layer.least), std::abs(layer.most));
    return largest > 0 ? 0.5f + std::copysign(0.5f * std::sqrt(std::abs(value) / largest), value) : 0.5f;
  }
  if (facts.family == sim::Tensor::P) return std::sqrt(std::clamp(value, 0.f, 1.f));
  return layer.most > layer.least ? (value - layer.least) / (layer.most - layer.least) : 0.5f;
}

void draw_number(ui::Canvas& canvas, ui::Rect cell, ui::Color fill, float value) {
  std::string text = fmt::format("{:.2f}", static_cast<double>(value));
  if (text.front() == '-') text.replace(0, 1, "−");
  canvas.text(cell, ui::Style::caption, text_on(fill), text, ui::Align::center);
}

void draw_cell(const MatrixFrame& frame, const Heat& heat, sim::Interval rows, sim::Interval cols) {
  ui::Canvas& canvas = frame.view.canvas();
  const TileLayers& tile = heat.tile;
  const ui::Rect cell = frame.lens.rect({tile.queries.begin + rows.begin, tile.queries.begin + rows.end},
                                        {tile.keys.begin + cols.begin, tile.keys.begin + cols.end});
  const float share =
      (static_cast<float>(cols.begin) + 0.5f * static_cast<float>(cols.size())) / static_cast<float>(tile.keys.size());
  const TileLayer* const layer = share <= heat.share ? heat.now : heat.before;
  if (layer == nullptr) return canvas.fill(cell, canvas.theme().inset);
  const bool one = rows.size() * cols.size() == 1;
  const auto path = [&] { return sim::text("here.", sim::name_of(layer->tensor), ".", rows.begin, ".", cols.begin); };
  if (one && frame.view.world.covered.hides(path())) return canvas.covered(cell, ui::Style::caption);
  const float value = mean(heat, *layer, rows, cols);
  if (!std::isfinite(value)) return canvas.fill(cell, canvas.theme().card);
  const ui::Color ground = mix(canvas.theme().inset, canvas.theme().tensor(letter_of(layer->tensor)),
                               0.08f + 0.92f * strength(*layer, value));
  const bool large = cell.width >= canvas.px(least_cell * 2);
  canvas.fill({cell.x, cell.y, cell.width - (large ? 1.f : 0.f), cell.height - (large ? 1.f : 0.f)}, ground);
  if (cell.width >= canvas.px(wide_cell(frame.view)) && cell.height >= canvas.px(high_cell) && one)
    draw_number(canvas, cell, ground, value);
}

std::int64_t values_per_cell(double pixels, float least) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(static_cast<double>(least) / pixels)));
}

/// Visible part of a range of the tile, extended to start at a whole cell.
sim::Interval seen_part(sim::Interval all, double first, double last, std::int64_t cell) {
  const auto size = static_cast<double>(all.size());
  const auto from = static_cast<std::int64_t>(std::clamp(first - static_cast<double>(all.begin), 0.0, size));
  const auto to = static_cast<std::int64_t>(std::ceil(std::clamp(last - static_cast<double>(all.begin), 0.0, size)));
  return {from / cell * cell, to};
}

void draw_heat(const MatrixFrame& frame, Heat& heat) {
  const MatrixLens& lens = frame.lens;
  const TileLayers& tile = heat.tile;
  heat.rows = values_per_cell(lens.per_query(), frame.view.px(least_cell));
  heat.cols = values_per_cell(lens.per_key(), frame.view.px(least_cell));
  const sim::Interval rows =
      seen_part(tile.queries, lens.query_at(lens.area.y), lens.query_at(lens.area.bottom()), heat.rows);
  const sim::Interval cols = seen_part(tile.keys, lens.key_at(lens.area.x), lens.key_at(lens.area.right()), heat.cols);
  for (std::int64_t r = rows.begin; r < rows.end; r += heat.rows) {
    for (std::int64_t c = cols.begin; c < cols.end; c += heat.cols)
      draw_cell(frame, heat, {r, std::min(r + heat.rows, tile.queries.size())},
                {c, std::min(c + heat.cols, tile.keys.size())});
  }
}

/// The tile's content at the playhead; its final layer once the visit is over.
Heat heat_of(const MatrixFrame& frame, MatrixValues& values) {
  const Subject& subject = frame.view.subject();
  const TileLayers& tile = *values.layers;
  values.events = tile.all.size();
  Heat heat{subject.problem().shape, tile};
  if (frame.matrix.working) {
    const TileStage stage = stage_of(*subject.replay, frame.matrix.visit, subject.time);
    values.events = stage.layers;
    heat.share = stage.of_newest;
    if (stage.layers > 0) heat.before = tile.after(stage.layers - 1);
  }
  heat.now = tile.after(values.events);
  return heat;
}

/// True if values are drawn: without zoom only in tiles large in both directions, zoomed in also in flat ones, down to
/// one cell.
bool large_enough(const MatrixFrame& frame, ui::Rect tile) {
  const float larger = std::max(tile.width, tile.height), smaller = std::min(tile.width, tile.height);
  const float least = frame.lens.zoom > 1 ? least_cell : least_tile(frame.view);
  return larger >= frame.view.px(least_tile(frame.view)) && smaller >= frame.view.px(least);
}

/// Draws an outline; around a flat tile, so that the tile stays visible.
void draw_outline(const MatrixFrame& frame, ui::Rect tile) {
  const View& view = frame.view;
  const bool flat = std::min(tile.width, tile.height) < view.px(4 * least_cell);
  const float width = view.px(flat ? 1 : 2);
  view.canvas().stroke(flat ? tile.inset(-width) : tile, view.theme().strong, width);
}

}  // namespace

MatrixValues draw_matrix_values(const MatrixFrame& frame) {
  MatrixValues values;
  const TileMatrix& m = frame.matrix;
  if (!m.touched || m.visit < 0) return values;
  const ui::Rect tile = frame.tile(m.row, m.col), seen = common(tile, frame.lens.area);
  if (seen.empty() || !large_enough(frame, tile)) return values;
  values.wanted = true;
  values.layers = layers_seen(frame.view.model, frame.view.index, m);
  if (values.layers == nullptr) return values;
  Heat heat = heat_of(frame, values);
  frame.view.canvas().push_clip(frame.lens.area);
  frame.view.canvas().fill(tile, frame.view.theme().card);
  draw_heat(frame, heat);
  draw_outline(frame, tile);
  frame.view.canvas().pop_clip();
  return values;
}

}  // namespace explorer
