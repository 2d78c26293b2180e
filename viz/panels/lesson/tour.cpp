#include "viz/panels/lesson/tour.h"

#include <array>
#include <cmath>

#include "viz/panels/lesson/list.h"
#include "viz/panels/lesson/picture.h"
#include "viz/panels/lesson/places.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

// CSS pixels.
constexpr float card_width = 420, padding = 18, between = 10, head = 26, finger_head = 40, gap = 12, margin = 16;
constexpr float least_sheet = 0.5f;  // of the window, if the text needs it

/// Colour that distinguishes the card from the cards below it.
ui::Color front_color(const ui::Theme& theme) {
  return theme.dark ? ui::mix(theme.card, theme.text, 0.05f) : theme.card;
}

float head_height(const View& view) { return view.px(view.for_fingers() ? finger_head : head); }

/// Draws the title, the number of the step, and the close button.
void draw_head(View& view, const LessonPage& page, Rect rect) {
  const std::string step = sim::text(page.number, " / ", page.steps());
  const float wide = view.canvas().text_width(Style::caption, step) + view.px(4);
  const auto [title, space, count, close] =
      ui::columns(rect, 0, {ui::rest(), view.px(8), wide, std::max(view.px(28), rect.height)});
  if (draw_close(view, close.moved(view.px(6), 0))) view.set([](Look& look) { look.overlay = Overlay::none; });
  view.canvas().text(count, Style::caption, view.theme().muted, step);
  view.canvas().text(title, Style::title, view.theme().text, page.page.title);
}

/// Draws a dot per step, the current one elongated. Returns the clicked step; 0 if none.
int draw_dots(View& view, const LessonPage& page, Rect rect) {
  int chosen = 0;
  const float pitch = std::min(view.px(14), rect.width / static_cast<float>(page.steps() + 1));
  ui::Space dots(rect);
  dots.left(std::floor((rect.width - pitch * static_cast<float>(page.steps() + 1)) / 2));
  for (int n = 1; n <= page.steps(); ++n) {
    const bool here = n == page.number;
    const Rect place = dots.left(here ? 2 * pitch : pitch);
    const ui::Hit h = ui::hit(view.ui, sim::text("lesson/step/", n), place);
    const float size = std::min(view.px(6), pitch - view.px(2));
    const Rect dot{place.x, std::round(place.center().y - size / 2), place.width - pitch + size, size};
    view.canvas().fill(dot, h.hovered || here ? view.theme().strong : view.theme().skipped);
    if (h.clicked) chosen = n;
  }
  return chosen;
}

/// Heights of the title, the text, the note on changes, and the buttons.
std::array<ui::Part, 4> card_rows(const View& view, const LessonPage& page, float text) {
  return {head_height(view), ui::rest(text), changed_height(view, page), view.control_height()};
}

/// Draws the card. Returns the step to go to; 0 if none.
int draw_card_of_tour(View& view, const LessonPage& page, Rect card) {
  const ui::Theme& theme = view.theme();
  view.canvas().card(card, front_color(theme), ui::mix(theme.border, theme.text, 0.3f), view.px(ui::card_radius));
  const auto [title, text, changed, footer] =
      ui::rows(card.inset(view.px(padding), view.px(padding - 4)), view.px(between), card_rows(view, page, 0));
  draw_head(view, page, title);
  int chosen = 0;
  const Rect between_turns = draw_turns(view, page, footer, chosen);
  if (const int dot = draw_dots(view, page, between_turns); dot != 0) chosen = dot;
  if (draw_changed(view, changed)) chosen = page.number;
  draw_scrolled(view, text, [&](Column& column) { write_page(column, page); });
  return chosen;
}

/// Dims all but the target.
void draw_shade(View& view, const Rect& target, Rect window) {
  const ui::Color shade = ui::with_alpha(view.theme().window, view.theme().dark ? 0.4f : 0.5f);
  if (target.empty()) return;
  ui::Space outside(window);
  view.canvas().fill(outside.top(target.y - window.y), shade);
  view.canvas().fill(outside.bottom(window.bottom() - target.bottom()), shade);
  view.canvas().fill(outside.left(target.x - window.x), shade);
  view.canvas().fill(outside.right(window.right() - target.right()), shade);
  view.canvas().stroke(target, view.theme().strong, view.px(2), view.px(ui::card_radius));
}

/// Draws in an ImGui window of its own, so that widgets below do not react to the pointer. Its text is not covered,
/// though it may name what is covered below.
template <class Draw>
void in_window_of_its_own(View& view, Rect rect, Draw draw) {
  ImGui::SetNextWindowPos({rect.x, rect.y});
  ImGui::SetNextWindowSize({rect.width, rect.height});
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav |
                                     ImGuiWindowFlags_NoFocusOnAppearing;
  ImGui::Begin("tour", nullptr, flags);
  ui::Canvas canvas = view.canvas().on(*ImGui::GetWindowDrawList());
  canvas.cover_texts(nullptr);
  ui::Ui front{canvas, view.ui.state};
  View inside{front, view, view.index};
  draw(inside);
  ImGui::End();
}

/// Panel that a step points at, even if its question covers it; empty if it is not shown.
Rect target_of(View& view, const LessonPage& page, const ui::Layout& whole) {
  Rect target;
  if (view.state.compares()) return target;  // compared runs have another layout
  for (const Rect& rect : rects_of(view, whole, page.step.point)) target = target.empty() ? rect : around(target, rect);
  return target;
}

float height_of_card(View& view, const LessonPage& page, float width) {
  const float inner = width - 2 * view.px(padding);
  Column measured(view, {0, 0, inner, 0}, false);
  write_page(measured, page);
  return ui::length_of(view.px(between), card_rows(view, page, measured.used())) + 2 * view.px(padding - 4) + 1;
}

}  // namespace

Rect place_of_tour(Rect target, Rect window, float width, float space, const std::function<float(float)>& height_of) {
  const float height = std::ceil(height_of(width));
  if (target.empty()) {  // in the corner, so that some of the window stays visible
    const float w = std::min(width, window.width), h = std::min(std::ceil(height_of(w)), window.height);
    return {window.right() - w, window.bottom() - h, w, h};
  }
  const float x =
      std::clamp(std::round(target.center().x - width / 2), window.x, std::max(window.x, window.right() - width));
  const float y =
      std::clamp(std::round(target.center().y - height / 2), window.y, std::max(window.y, window.bottom() - height));
  const Rect right{target.right() + space, y, width, height}, left{target.x - space - width, y, width, height};
  const Rect below{x, target.bottom() + space, width, height}, above{x, target.y - space - height, width, height};
  const bool low = target.height < height;  // then below is better than at the side, and above hides what leads there
  for (const Rect& place : low ? std::array{below, right, left, above} : std::array{right, left, below, above}) {
    const Rect seen = common(place, window);
    if (seen.width >= place.width - 0.5f && seen.height >= place.height - 0.5f) return place;
  }
  const float room_below = window.bottom() - target.bottom() - space, room_above = target.y - space - window.y;
  const float most = std::max({room_below, room_above, std::round(least_sheet * window.height)});
  const float sheet = std::min(std::ceil(height_of(window.width)), most);
  if (room_below >= room_above) return {window.x, window.bottom() - sheet, window.width, sheet};
  return {window.x, std::max(window.y, target.y - space - sheet), window.width, sheet};
}

void draw_tour(View& view, const LessonFrame& frame) {
  if (!shows_tour(view.state.look)) return;
  const LessonPage& page = page_of(view.model);
  const Rect window = frame.layout.stage.window, target = target_of(view, page, frame.whole);
  draw_shade(view, target, window);
  if (!view.state.compares()) draw_in_picture(view, {});
  const Rect card = place_of_tour(target, window.inset(view.px(margin)), view.px(card_width), view.px(gap),
                                  [&](float width) { return height_of_card(view, page, width); });
  int chosen = 0;
  in_window_of_its_own(view, card, [&](View& inside) { chosen = draw_card_of_tour(inside, page, card); });
  light_up(view, frame.layout.stage);
  if (chosen != 0) view.edit(TurnTo{chosen});
}

}  // namespace explorer
