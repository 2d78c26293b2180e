#include "viz/panels/tour.h"

#include <array>
#include <cmath>

#include "lessons/catalogue.h"
#include "lessons/options_text.h"
#include "lessons/scene.h"
#include "viz/panels/lesson_language.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

// CSS pixels.
constexpr float card_width = 420, padding = 18, between = 10, head = 26, finger_head = 40, gap = 12, margin = 16,
                equation_row = 26;

/// It stands out from the cards below it.
ui::Color front_color(const ui::Theme& theme) {
  return theme.dark ? ui::mix(theme.card, theme.text, 0.05f) : theme.card;
}

const lessons::WrittenLesson& tour() { return lessons::built_in("00-tour"); }
const lessons::Step& step_of(int step) { return tour().lesson.steps.at(static_cast<std::size_t>(step - 1)); }

/// The words of a step, from 1, with their numbers, and the scenario that they speak of. Made at once: a few
/// milliseconds.
class TourPage : public Task {
 public:
  TourPage(int step, Language language) : TourPage(step, language, {tour().lesson, step_of(step), sim::built_in_gpu}) {}
  bool advance() override { return false; }

  const lessons::Page page;
  const sim::OptionValues options;

 private:
  TourPage(int step, Language language, const lessons::Scene& scene)
      : page(lessons::filled(tour().words(lesson_language(language)).page(step_of(step).name), scene.facts())),
        options(scene.options()) {}
};

std::vector<std::string_view> equations_of(std::string_view text) {
  std::vector<std::string_view> equations;
  while (!text.empty()) {
    equations.push_back(text.substr(0, text.find(lessons::between_equations)));
    text.remove_prefix(std::min(text.size(), equations.back().size() + lessons::between_equations.size()));
  }
  return equations;
}

/// Calls place(rect, equation) for each, from (0, 0) on: in as many columns as fit. Returns the height.
template <class Place>
float lay_out_equations(const View& view, std::string_view text, float width, Place place) {
  const std::vector<std::string_view> equations = equations_of(text);
  const float row = view.px(equation_row), space = view.px(24);
  float widest = 0;
  for (const std::string_view one : equations)
    widest = std::max(widest, std::ceil(ui::rich_width(view.canvas(), Style::title, one)));
  const auto columns = static_cast<std::size_t>(std::max(1.f, std::floor((width + space) / (widest + space))));
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const std::size_t line = i / columns;
    const float x = static_cast<float>(i % columns) * (widest + space), y = static_cast<float>(line) * row;
    place(Rect{x, y, std::min(widest, width), row}, equations[i]);
  }
  const std::size_t lines = (equations.size() + columns - 1) / columns;
  return static_cast<float>(lines) * row;
}

Rect inside_field(const View& view, Rect field) { return field.inset(view.px(12), view.px(6)); }

float block_height(const View& view, const lessons::Block& block, float width) {
  if (block.kind != lessons::BlockKind::equations)
    return ui::paragraph_height(view.canvas(), Style::body, block.text, width);
  const float inner = inside_field(view, {0, 0, width, 0}).width;
  return lay_out_equations(view, block.text, inner, [](Rect, std::string_view) {}) + 2 * view.px(6);
}

float blocks_height(const View& view, const lessons::Page& page, float width) {
  float height = view.px(between) * static_cast<float>(page.blocks.size() - 1);
  for (const lessons::Block& block : page.blocks) height += block_height(view, block, width);
  return height;
}

void draw_block(View& view, const lessons::Block& block, Rect rect) {
  const ui::Theme& theme = view.theme();
  if (block.kind != lessons::BlockKind::equations) {
    ui::paragraph(view.canvas(), rect, Style::body, {theme.text, true, front_color(theme)}, block.text);
    return;
  }
  ui::inset_panel(view.canvas(), rect);
  const Rect inner = inside_field(view, rect);
  lay_out_equations(view, block.text, inner.width, [&](Rect place, std::string_view equation) {
    ui::rich_text(view.canvas(), place.moved(inner.x, inner.y), Style::title, {theme.text, true, theme.inset},
                  equation);
  });
}

void draw_blocks(View& view, const lessons::Page& page, Rect rect) {
  float& offset = view.model.scroll["tour/text"];
  const float bar = view.px(12);
  float width = rect.width, height = blocks_height(view, page, width);
  if (height > rect.height) height = blocks_height(view, page, width -= bar);
  offset = ui::begin_scroll(view.ui, "tour/text", rect, height, offset);
  Rect rest{rect.x, rect.y - std::round(offset), width, height};
  for (const lessons::Block& block : page.blocks) {
    draw_block(view, block, cut_top(rest, block_height(view, block, width)));
    cut_top(rest, view.px(between));
  }
  ui::end_scroll();
}

float head_height(const View& view) { return view.px(view.for_fingers() ? finger_head : head); }

/// The title, which step it is, and the way out.
void draw_head(View& view, const lessons::Page& page, Rect rect) {
  const ui::Theme& theme = view.theme();
  const Rect close = cut_right(rect, std::max(view.px(28), rect.height)).moved(view.px(6), 0);
  const ui::Hit h = ui::hit(view.ui, "tour/close", close);
  if (h.hovered) view.canvas().fill(close, theme.track, view.px(ui::control_radius));
  view.canvas().text(close, Style::title, h.hovered ? theme.text : theme.muted, "×", ui::Align::center);
  const std::string step = sim::text(view.model.look.tour_step, " / ", tour_steps);
  const Rect count = cut_right(rect, view.canvas().text_width(Style::caption, step) + view.px(4));
  view.canvas().text(count, Style::caption, theme.muted, step);
  cut_right(rect, view.px(8));
  view.canvas().text(rect, Style::title, theme.text, page.title);
  if (h.clicked) view.model.look.overlay.clear();
}

/// A dot for each step, the current one drawn out; a click goes there. Returns that step, or 0.
int draw_dots(View& view, Rect rect) {
  int chosen = 0;
  const float pitch = std::min(view.px(16), rect.width / static_cast<float>(tour_steps + 1));
  for (int n = 1; n <= tour_steps; ++n) {
    const bool here = n == view.model.look.tour_step;
    const Rect place = cut_left(rect, here ? 2 * pitch : pitch);
    const ui::Hit h = ui::hit(view.ui, sim::text("tour/step/", n), place);
    const float size = std::min(view.px(6), pitch - view.px(2));
    const Rect dot{place.x, std::round(place.center().y - size / 2), place.width - pitch + size, size};
    view.canvas().fill(dot, h.hovered || here ? view.theme().strong : view.theme().skipped);
    if (h.clicked) chosen = n;
  }
  return chosen;
}

/// Returns the step that is asked for, 0 for none.
int draw_foot(View& view, Rect rect) {
  const int step = view.model.look.tour_step;
  const bool last = step == tour_steps;
  const std::string_view next = last ? view.say("Done") : view.say("Next"), back = view.say("Back");
  const float wide = view.px(16);
  int chosen = 0;
  const Rect next_place = cut_right(rect, ui::button_width(view.canvas(), next) + wide);
  if (ui::button(view.ui, "tour/next", next_place, next, ui::Weight::primary)) {
    chosen = last ? 0 : step + 1;
    if (last) view.model.look.overlay.clear();
  }
  cut_right(rect, view.px(8));
  const Rect back_place = cut_right(rect, ui::button_width(view.canvas(), back));
  if (step > 1 && ui::button(view.ui, "tour/back", back_place, back)) chosen = step - 1;
  cut_right(rect, view.px(8));
  const int dot = draw_dots(view, rect);
  return dot != 0 ? dot : chosen;
}

/// Said when the scenario is no longer that of the step. Returns whether to go back to it.
bool draw_changed(View& view, Rect rect) {
  const std::string_view label = view.say("Restore");
  const Rect place = cut_right(rect, ui::button_width(view.canvas(), label));
  view.canvas().text(rect, Style::caption, view.theme().muted,
                     view.say("You changed it: these are the step's numbers."));
  return ui::button(view.ui, "tour/restore", place, label);
}

int draw_card_of_tour(View& view, const TourPage& words, Rect card) {
  const ui::Theme& theme = view.theme();
  const ui::Color ground = front_color(theme);
  view.canvas().card(card, ground, ui::mix(theme.border, theme.text, 0.3f), view.px(ui::card_radius));
  Rect rest = card.inset(view.px(padding), view.px(padding - 4));
  draw_head(view, words.page, cut_top(rest, head_height(view)));
  cut_top(rest, view.px(between));
  const int chosen = draw_foot(view, cut_bottom(rest, view.control_height()));
  cut_bottom(rest, view.px(between));
  bool restore = false;
  if (words.options != view.model.options()) {
    restore = draw_changed(view, cut_bottom(rest, view.control_height(ui::Control::small)));
    cut_bottom(rest, view.px(between));
  }
  draw_blocks(view, words.page, rest);
  return restore ? view.model.look.tour_step : chosen;
}

/// All but the target steps back a little.
void draw_shade(View& view, const Rect& target, Rect window) {
  const ui::Color shade = ui::with_alpha(view.theme().window, view.theme().dark ? 0.4f : 0.5f);
  if (target.empty()) return;
  Rect rest = window;
  view.canvas().fill(cut_top(rest, target.y - rest.y), shade);
  view.canvas().fill(cut_bottom(rest, rest.bottom() - target.bottom()), shade);
  view.canvas().fill(cut_left(rest, target.x - rest.x), shade);
  view.canvas().fill(cut_right(rest, rest.right() - target.right()), shade);
  view.canvas().stroke(target, view.theme().strong, view.px(2), view.px(ui::card_radius));
}

/// Widgets below a card must not feel the pointer: the card is a window of its own.
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
  ui::Ui front{canvas, view.ui.state};
  View inside{front, view.model, view.index};
  draw(inside);
  ImGui::End();
}

}  // namespace

Rect tour_target(const ui::Layout& layout, std::string_view panel) {
  const std::array<std::pair<std::string_view, Rect>, 8> places = {{{"controls", layout.controls},
                                                                    {"counters", layout.counters[0]},
                                                                    {"roofline", layout.roofline},
                                                                    {"memory", layout.memory},
                                                                    {"matrix", layout.matrix},
                                                                    {"code", layout.code},
                                                                    {"softmax", layout.softmax},
                                                                    {"timeline", layout.timeline}}};
  for (const auto& [name, place] : places) {
    if (name == panel) return place;
  }
  throw sim::Error(sim::text("tour: no panel is called \"", panel, "\""));
}

Rect place_of_tour(Rect target, Rect window, float width, float space, const std::function<float(float)>& height_of) {
  const float height = std::ceil(height_of(width));
  if (target.empty()) {  // in the corner, a little of the window stays visible
    const float w = std::min(width, window.width), h = std::min(std::ceil(height_of(w)), window.height);
    return {window.right() - w, window.bottom() - h, w, h};
  }
  const float x =
      std::clamp(std::round(target.center().x - width / 2), window.x, std::max(window.x, window.right() - width));
  const float y =
      std::clamp(std::round(target.center().y - height / 2), window.y, std::max(window.y, window.bottom() - height));
  const Rect right{target.right() + space, y, width, height}, left{target.x - space - width, y, width, height};
  const Rect below{x, target.bottom() + space, width, height}, above{x, target.y - space - height, width, height};
  const bool low = target.height < height;  // then below looks better than beside, and above hides what leads there
  for (const Rect& place : low ? std::array{below, right, left, above} : std::array{right, left, below, above}) {
    const Rect seen = common(place, window);
    if (seen.width >= place.width - 0.5f && seen.height >= place.height - 0.5f) return place;
  }
  const float room_below = window.bottom() - target.bottom() - space, room_above = target.y - space - window.y;
  const float sheet = std::min(std::ceil(height_of(window.width)), std::max(room_below, room_above));
  if (room_below >= room_above) return {window.x, window.bottom() - sheet, window.width, sheet};
  return {window.x, target.y - space - sheet, window.width, sheet};
}

void go_to_tour_step(ViewModel& model, int step) {
  const Look before = model.look;
  model.play(false);
  model.follow(lessons::link_of(lessons::options_of(tour().lesson, step_of(step)), step_of(step)));
  model.look.theme = before.theme;
  model.look.language = before.language;
  model.look.still = before.still;
  model.look.overlay = "tour";
  model.look.tour_step = step;
  model.scroll["tour/text"] = 0;
}

void draw_tour(View& view, const ui::Layout& layout) {
  Look& look = view.model.look;
  if (look.tour_step == 0) return;
  const TourPage& words = view.model.tasks.get<TourPage>(
      "tour", sim::text(look.tour_step, " ", lessons::name_of(lesson_language(look.language))), look.tour_step,
      look.language);
  // Compared runs stand in other places.
  const Rect target = view.model.subjects() == 1 ? tour_target(layout, step_of(look.tour_step).point) : Rect{};
  draw_shade(view, target, layout.window);
  const float margins = 2 * view.px(padding), between_rows = view.px(between);
  const bool changes = words.options != view.model.options();
  const float changed = changes ? view.control_height(ui::Control::small) + between_rows : 0;
  const auto height_of = [&](float width) {
    return blocks_height(view, words.page, width - margins) + head_height(view) + view.control_height() +
           2 * between_rows + changed + 2 * view.px(padding - 4) + 1;
  };
  const Rect card =
      place_of_tour(target, layout.window.inset(view.px(margin)), view.px(card_width), view.px(gap), height_of);
  int chosen = 0;
  in_window_of_its_own(view, card, [&](View& inside) { chosen = draw_card_of_tour(inside, words, card); });
  if (chosen != 0) go_to_tour_step(view.model, chosen);
}

}  // namespace explorer
