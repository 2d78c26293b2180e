// Zooming and panning the attention matrix.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "viz/draw/steady.h"
#include "viz/panels/matrix/matrix.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr double largest_cell = 56;  // CSS pixels of one query at the highest zoom
constexpr double least_row = 8;      // CSS pixels of a single-query or single-key tile, when zoomed in
constexpr double zoom_step = 1.25;
const MatrixLens whole{{}, 1, 1, 1, 0.5, 0.5};

double most_zoom(const MatrixLens& lens, float css_pixel) {
  const double smaller =
      std::min(static_cast<double>(lens.area.width) / lens.keys, static_cast<double>(lens.area.height) / lens.queries);
  return std::max(1.0, largest_cell * static_cast<double>(css_pixel) / smaller);
}

double inside(double center, double zoom) { return std::clamp(center, 0.5 / zoom, 1 - 0.5 / zoom); }

void keep(const View& view, const MatrixLens& lens) {
  view.set([&](Look& look) {
    look.matrix_zoom = lens.zoom;
    look.matrix_x = lens.x_center;
    look.matrix_y = lens.y_center;
  });
}

/// Zooms; the point under `fixed` keeps its position.
MatrixLens zoomed_at(MatrixLens lens, ui::Point fixed, double factor, float css_pixel) {
  const double key = lens.key_at(fixed.x) / lens.keys, query = lens.query_at(fixed.y) / lens.queries;
  const double zoom = std::clamp(lens.zoom * factor, 1.0, most_zoom(lens, css_pixel));
  lens.x_center = inside(key + (lens.x_center - key) * lens.zoom / zoom, zoom);
  lens.y_center = inside(query + (lens.y_center - query) * lens.zoom / zoom, zoom);
  lens.zoom = zoom;
  return lens;
}

MatrixLens moved_by(MatrixLens lens, ui::Point pixels) {
  lens.x_center = inside(lens.x_center - static_cast<double>(pixels.x) / (lens.per_key() * lens.keys), lens.zoom);
  lens.y_center = inside(lens.y_center - static_cast<double>(pixels.y) / (lens.per_query() * lens.queries), lens.zoom);
  return lens;
}

/// Moves the playhead to the start of a tile; for another CTA's tile, selects that CTA first.
void go_to_tile(const View& view, const TileMatrix& matrix, std::int64_t row, std::int64_t col) {
  const Replay& replay = *view.subject().replay;
  const sim::CtaPlace place = matrix.cta_of(replay.place, row, col);
  if (place.row != replay.place.row || place.col != replay.place.col) view.edit(LookAt{replay.kernel, place});
  view.edit(SeekTile{row, col});
}

MatrixLens of_tile(const TileMatrix& matrix, MatrixLens lens, float css_pixel) {
  const double rows = static_cast<double>(matrix.rows.size), cols = static_cast<double>(matrix.cols.size);
  double zoom = 0.9 * std::min(lens.queries / rows, lens.keys / cols);
  const double thin = std::min(rows * static_cast<double>(lens.area.height) / lens.queries,
                               cols * static_cast<double>(lens.area.width) / lens.keys);
  if (std::min(rows, cols) == 1) zoom = std::max(zoom, least_row * static_cast<double>(css_pixel) / thin);
  lens.zoom = std::clamp(zoom, 1.0, most_zoom(lens, css_pixel));
  lens.x_center = inside((static_cast<double>(matrix.col) + 0.5) * cols / lens.keys, lens.zoom);
  lens.y_center = inside((static_cast<double>(matrix.row) + 0.5) * rows / lens.queries, lens.zoom);
  return lens;
}

}  // namespace

float MatrixLens::x(double key) const {
  return static_cast<float>(static_cast<double>(area.center().x) + (key - x_center * keys) * per_key());
}

float MatrixLens::y(double query) const {
  return static_cast<float>(static_cast<double>(area.center().y) + (query - y_center * queries) * per_query());
}

double MatrixLens::key_at(float px) const {
  return x_center * keys + static_cast<double>(px - area.center().x) / per_key();
}

double MatrixLens::query_at(float px) const {
  return y_center * queries + static_cast<double>(px - area.center().y) / per_query();
}

ui::Rect MatrixLens::rect(sim::Interval q, sim::Interval k) const {
  const float left = x(static_cast<double>(k.begin)), top = y(static_cast<double>(q.begin));
  return {left, top, x(static_cast<double>(k.end)) - left, y(static_cast<double>(q.end)) - top};
}

sim::Interval MatrixLens::rows_seen(const sim::Blocking& rows) const {
  const auto first = static_cast<std::int64_t>(std::floor(std::max(0.0, query_at(area.y))));
  const auto last = static_cast<std::int64_t>(std::ceil(std::min(queries, query_at(area.bottom()))));
  return rows.touching({first, last});
}

sim::Interval MatrixLens::cols_seen(const sim::Blocking& cols) const {
  const auto first = static_cast<std::int64_t>(std::floor(std::max(0.0, key_at(area.x))));
  const auto last = static_cast<std::int64_t>(std::ceil(std::min(keys, key_at(area.right()))));
  return cols.touching({first, last});
}

MatrixLens lens_of(const View& view, const TileMatrix& matrix, ui::Rect area) {
  const Look& look = view.state.look;
  MatrixLens lens{area, static_cast<double>(matrix.rows.extent), static_cast<double>(matrix.cols.extent), 1, 0.5, 0.5};
  lens.zoom = std::clamp(look.matrix_zoom, 1.0, most_zoom(lens, view.px(1)));
  lens.x_center = inside(look.matrix_x, lens.zoom);
  lens.y_center = inside(look.matrix_y, lens.zoom);
  return lens;
}

bool use_matrix(View& view, const MatrixFrame& frame) {
  const ui::Hit hit = ui::hit(view.ui, view.id("matrix"), frame.lens.area);
  const ImGuiIO& io = ImGui::GetIO();
  const ui::Point pointer{io.MousePos.x, io.MousePos.y};
  if (hit.hovered && io.MouseWheel != 0) {
    const double factor = draw::steady::power(zoom_step, static_cast<double>(io.MouseWheel));
    keep(view, zoomed_at(frame.lens, pointer, factor, view.px(1)));
  }
  const ui::Fingers& fingers = view.ui.state.fingers;
  if (fingers.two) {
    const auto spread = static_cast<double>(fingers.spread);
    if (hit.hovered) keep(view, zoomed_at(moved_by(frame.lens, fingers.moved), pointer, spread, view.px(1)));
    return false;
  }
  const bool dragged = io.MouseDragMaxDistanceSqr[0] > view.px(4) * view.px(4);
  if (hit.held && dragged) keep(view, moved_by(frame.lens, {io.MouseDelta.x, io.MouseDelta.y}));
  // Resets the zoom at the release, not at the press: a second press may be the first finger of two.
  if (hit.clicked && !dragged && io.MouseClickedLastCount[0] == 2) {
    keep(view, whole);
    return false;
  }
  if (!hit.clicked || dragged || !frame.matrix.touched) return hit.hovered;
  const auto query = static_cast<std::int64_t>(std::floor(frame.lens.query_at(pointer.y)));
  const auto key = static_cast<std::int64_t>(std::floor(frame.lens.key_at(pointer.x)));
  const TileMatrix& m = frame.matrix;
  if (query < 0 || key < 0 || query >= m.rows.extent || key >= m.cols.extent) return hit.hovered;
  const std::int64_t row = query / m.rows.size, col = key / m.cols.size;
  if (!m.is_live(row, col)) return false;  // a skipped tile is not an answer either
  if (asks_for_tile(view.model))
    view.edit(AnswerTile{row, col});
  else
    go_to_tile(view, m, row, col);
  return false;
}

void draw_zoom_buttons(View& view, const MatrixFrame& frame, ui::Space& line) {
  if (view.bare) return;
  struct Choice {
    std::string_view id, label;
  };
  const std::array<Choice, 5> from_the_right = {{{"matrix/pattern", view.say("Pattern")},
                                                 {"matrix/tile", view.say("Tile")},
                                                 {"matrix/fit", view.say("Fit")},
                                                 {"matrix/out", "−"},
                                                 {"matrix/in", "+"}}};
  const bool sparse = view.subject().simulation().plan.code->pattern == sim::PatternUse::of_tiles;
  for (const Choice& choice : from_the_right) {
    if (choice.id == "matrix/pattern" && !(sparse && view.index == 0)) continue;
    const float width =
        std::max(line.height(), view.canvas().text_width(ui::Style::control, choice.label) + view.px(16));
    if (!ui::button(view.ui, view.id(choice.id), line.right(width), choice.label)) continue;
    if (choice.id == "matrix/pattern") view.set([](Look& look) { look.overlay = Overlay::pattern; });
    const ui::Point middle = frame.lens.area.center();
    if (choice.label == "+") keep(view, zoomed_at(frame.lens, middle, zoom_step * zoom_step, view.px(1)));
    if (choice.label == "−") keep(view, zoomed_at(frame.lens, middle, 1 / (zoom_step * zoom_step), view.px(1)));
    if (choice.id == "matrix/fit") keep(view, whole);
    if (choice.id == "matrix/tile") keep(view, of_tile(frame.matrix, frame.lens, view.px(1)));
  }
}

}  // namespace explorer
