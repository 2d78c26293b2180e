// The attention matrix as the kernel cuts it into tiles: done, current, to do, and never visited.
#include "viz/panels/matrix/matrix.h"

#include <algorithm>

#include "sim/report/numbers.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr float least_with_legend = 200;  // CSS pixels
constexpr float longest = 16;             // times as long as wide

bool stores(const sim::Plan& plan, sim::Tensor tensor) {
  return std::any_of(plan.launches.begin(), plan.launches.end(),
                     [&](const sim::Launch& launch) { return launch.writes(tensor); });
}

/// Draws whether the matrix itself is ever in HBM.
void draw_subtitle(View& view, ui::Rect line) {
  if (view.world.covered.hides("memory")) return;  // a question covers what is stored
  const Subject& subject = view.subject();
  const sim::Plan& plan = subject.simulation().plan;
  const sim::HbmTensor& S = subject.problem().hbm.S;
  const bool stored = stores(plan, sim::Tensor::S) || stores(plan, sim::Tensor::P) || stores(plan, sim::Tensor::dP);
  const std::string size = report::bytes(S.total_bytes(subject.problem().shape).count());
  const ui::Ink ink{view.theme().muted, true, view.theme().card};
  std::string words = stored ? view.say("S = QK^T and P are stored: {} each in HBM", size)
                             : view.say("S = QK^T is never stored: it would be {}", size);
  const auto fits = [&] { return rich_width(view.canvas(), ui::Style::caption, words) <= line.width; };
  if (!fits()) words = stored ? view.say("S and P are stored") : view.say("S is never stored");
  if (fits()) rich_text(view.canvas(), line, ui::Style::caption, ink, words);
}

/// Draws the longest form that fits.
void draw_tiling(View& view, ui::Rect line, const TileMatrix& matrix) {
  const std::string rows = report::thousands(matrix.rows.count()), cols = report::thousands(matrix.cols.count());
  for (const std::string& words : {view.say("{} × {} tiles of {} × {}", rows, cols, matrix.rows.size, matrix.cols.size),
                                   view.say("{} × {} tiles", rows, cols), rows + " × " + cols}) {
    if (view.canvas().text_width(ui::Style::caption, words) > line.width) continue;
    view.canvas().text(line, ui::Style::caption, view.theme().muted, words, ui::Align::right);
    return;
  }
}

/// Largest rectangle with the matrix's aspect ratio; ratios beyond 16 : 1, as in decoding, are squeezed to that.
ui::Rect matrix_area(const View& view, ui::Rect body, const TileMatrix& matrix, const MatrixStrips& strips) {
  const float left = view.px(strips.left == sim::Tensor::none ? 34 : 58), top = view.px(42);
  const float right = view.px(strips.right == sim::Tensor::none ? 8 : 26);
  const float bottom = view.px(strips.bottom == sim::Tensor::none ? 6 : 24) + parts_height(view);
  const ui::Rect most{body.x + left, body.y + top, std::max(8.f, body.width - left - right),
                      std::max(8.f, body.height - top - bottom)};
  const float aspect =
      std::clamp(static_cast<float>(matrix.cols.extent) / static_cast<float>(matrix.rows.extent), 1 / longest, longest);
  const float width = std::min(most.width, most.height * aspect), height = std::min(most.height, width / aspect);
  return {std::round(most.x + (most.width - width) / 2), std::round(most.y + (most.height - height) / 2),
          std::round(width), std::round(height)};
}

std::string place_words(const View& view) {
  const sim::Shape& shape = view.subject().problem().shape;
  const sim::CtaPlace& place = view.subject().replay->place;
  if (shape.batch * shape.heads == 1) return {};
  if (view.subject().launch().grid.by_kv_head()) return view.say("batch {} · KV head {}", place.batch, place.head);
  return view.say("batch {} · head {}", place.batch, place.head);
}

/// Draws S and P as they would be stored in HBM: dashed if they are not stored.
void draw_ghost(const MatrixFrame& frame) {
  ui::Canvas& canvas = frame.view.canvas();
  const sim::Plan& plan = frame.view.subject().simulation().plan;
  const ui::Rect area = frame.lens.area.inset(-canvas.px(3));
  const ui::Color color = mix(canvas.theme().card, canvas.theme().tensor('S'), 0.35f);
  if (stores(plan, sim::Tensor::S) || stores(plan, sim::Tensor::P)) return canvas.stroke(area, color, 1);
  const float dash = canvas.px(4);
  for (float x = area.x; x < area.right(); x += 2 * dash) {
    const float width = std::min(dash, area.right() - x);
    canvas.fill({x, area.y, width, 1}, color);
    canvas.fill({x, area.bottom() - 1, width, 1}, color);
  }
  for (float y = area.y; y < area.bottom(); y += 2 * dash) {
    const float height = std::min(dash, area.bottom() - y);
    canvas.fill({area.x, y, 1, height}, color);
    canvas.fill({area.right() - 1, y, 1, height}, color);
  }
}

}  // namespace

void draw_matrix(View& view, ui::Rect line, ui::Rect body) {
  const TileMatrix matrix(view.subject());
  const MatrixStrips strips = strips_of(view.subject().launch());
  const float top = view.px(view.for_fingers() ? 40 : 26);
  const bool low = body.height - top < view.px(least_with_legend);  // two runs on a phone
  const auto [above, picture, space, legend] = ui::rows(body, 0, {top, ui::rest(), view.px(6), low ? 0 : view.px(40)});
  const MatrixFrame now{view, matrix, lens_of(view, matrix, matrix_area(view, picture, matrix, strips))};
  draw_tiling(view, line, matrix);
  ui::Space caption(above, view.px(4));
  draw_zoom_buttons(view, now, caption);
  caption.right(view.px(8), 0);
  right_text(view.canvas(), caption, ui::Style::caption, view.theme().muted, place_words(view), view.px(8));
  draw_subtitle(view, caption.rest());

  const TileCounts& counts = view.world.tasks.get_for<TileCounts>(view.index, key_of(matrix), matrix);
  draw_ghost(now);
  draw_matrix_bands(now, strips);
  draw_matrix_tiles(now);
  draw_matrix_strips(now, strips);
  draw_matrix_parts(now);
  draw_matrix_claim(now, counts);
  const MatrixValues values = draw_matrix_values(now);
  if (!low) draw_matrix_legend(now, counts, legend, values);
  if (use_matrix(view, now)) draw_matrix_tip(now, values);
}

}  // namespace explorer
