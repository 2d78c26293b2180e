#include "viz/panels/hatch.h"

#include <cmath>

namespace explorer {
namespace {

constexpr float step = 5;  // CSS pixels between lines

/// Draws diagonals that rise to the right, clipped to the rectangle.
void draw_diagonals(ui::Canvas& canvas, ui::Rect place, ui::Color color) {
  for (float x = place.x + canvas.px(step) - place.height; x < place.right(); x += canvas.px(step)) {
    const float left = std::max(x, place.x), right = std::min(x + place.height, place.right());
    if (right <= left) continue;
    const std::array<ui::Point, 2> line = {
        {{left, place.bottom() - (left - x)}, {right, place.bottom() - (right - x)}}};
    canvas.polyline(line, color, 1);
  }
}

/// Draws rows of ">", each as high as it is far from the next.
void draw_chevrons(ui::Canvas& canvas, ui::Rect place, ui::Color color) {
  const float high = std::min(canvas.px(9), place.height - 2), deep = canvas.px(3), apart = canvas.px(8);
  if (high < 3) return;
  const int rows = std::max(1, static_cast<int>(place.height / (high + canvas.px(3))));
  for (int row = 0; row < rows; ++row) {
    const float middle = place.y + place.height * (static_cast<float>(row) + 0.5f) / static_cast<float>(rows);
    for (float x = place.x + canvas.px(2); x + deep <= place.right(); x += apart) {
      const std::array<ui::Point, 3> sign = {{{x, middle - high / 2}, {x + deep, middle}, {x, middle + high / 2}}};
      canvas.polyline(sign, color, std::max(1.f, canvas.px(1)));
    }
  }
}

/// Draws rows of small squares, hollow if there is space for that.
void draw_squares(ui::Canvas& canvas, ui::Rect place, ui::Color color) {
  const float side = std::min(canvas.px(4), place.height - 2), apart = canvas.px(7);
  if (side < 2) return;
  const int rows = std::max(1, static_cast<int>((place.height - 1) / apart));
  for (int row = 0; row < rows; ++row) {
    const float middle = place.y + place.height * (static_cast<float>(row) + 0.5f) / static_cast<float>(rows);
    for (float x = place.x + canvas.px(2); x + side <= place.right(); x += apart)
      canvas.stroke({std::round(x), std::round(middle - side / 2), side, side}, color, 1);
  }
}

}  // namespace

Hatch hatch_of(sim::Cause cause) {
  switch (cause) {
    case sim::Cause::data:
      return Hatch::dots;
    case sim::Cause::bandwidth:
      return Hatch::horizontal;
    case sim::Cause::barrier:
      return Hatch::vertical;
    case sim::Cause::turn:
      return Hatch::chevrons;
    case sim::Cause::stage:
      return Hatch::squares;
    case sim::Cause::launch:
    case sim::Cause::tail:
      return Hatch::none;
    default:
      return sim::is_work(cause) ? Hatch::none : Hatch::diagonal;
  }
}

void draw_hatch(ui::Canvas& canvas, ui::Rect place, Hatch hatch, ui::Color color) {
  const float s = std::max(2.f, canvas.px(step)), dot = std::max(1.f, canvas.px(1.5f));
  if (hatch == Hatch::diagonal) draw_diagonals(canvas, place, color);
  if (hatch == Hatch::chevrons) draw_chevrons(canvas, place, color);
  if (hatch == Hatch::squares) draw_squares(canvas, place, color);
  if (hatch == Hatch::vertical) {
    for (float x = place.x + s / 2; x < place.right(); x += s)
      canvas.line({std::round(x), place.y}, {std::round(x), place.bottom()}, color, 1);
  }
  if (hatch != Hatch::horizontal && hatch != Hatch::dots) return;
  for (float y = place.y + s / 2; y < place.bottom(); y += s) {
    if (hatch == Hatch::horizontal) canvas.line({place.x, std::round(y)}, {place.right(), std::round(y)}, color, 1);
    for (float x = place.x + s / 2; hatch == Hatch::dots && x + dot <= place.right(); x += s)
      canvas.fill({std::round(x), std::round(y), dot, dot}, color);
  }
}

}  // namespace explorer
