#include "viz/panels/scenario/options.h"

#include <algorithm>
#include <cmath>

#include "viz/panels/scenario/field.h"
#include "viz/panels/scenario/option_words.h"
#include "viz/ui/front.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr float column = 340, column_gap = 28, padding = 16, heading = 30, row_height = 56, widget = 132;  // CSS pixels

/// Layout of the card: below the button, inside the window, in two columns if they fit.
struct CardPlace {
  ui::Rect card;
  int columns = 1;
};

/// Options that the program has; an order of issue only for a ragged batch, and those of pages only if there are any.
std::vector<const sim::ScenarioOption*> shown(const View& view, const OptionGroup& group) {
  std::vector<const sim::ScenarioOption*> options = group.options;
  const sim::Plan& plan = view.world.run().simulation.plan;
  std::erase_if(options, [&](const sim::ScenarioOption* option) {
    return !applies_to(*option, plan.scenario) || (option->name == "issue" && plan.scenario.sequences == nullptr) ||
           (option->is(sim::of_pages) && !plan.problem.paged());
  });
  return options;
}

std::size_t rows_of(const View& view, const OptionGroup& group, int columns) {
  const auto n = static_cast<std::size_t>(columns);
  return (shown(view, group).size() + n - 1) / n;
}

float group_height(const View& view, const OptionGroup& group, int columns) {
  return view.px(heading) + static_cast<float>(rows_of(view, group, columns)) * view.px(row_height);
}

float content_height(const View& view, int columns) {
  float height = 0;
  for (const OptionGroup& group : option_groups()) height += group_height(view, group, columns);
  return height;
}

CardPlace place_of(const View& view, ui::Rect button) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const float edge = view.px(8), two = view.px(2 * column + column_gap + 2 * padding);
  CardPlace place;
  place.columns = two + 2 * edge <= window.x ? 2 : 1;
  const float wanted = place.columns == 2 ? two : view.px(column + 2 * padding);
  const float width = std::min(wanted, window.x - 2 * edge), top = button.bottom() + edge;
  const float height = view.px(40 + 2 * padding) + content_height(view, place.columns);
  const float x = std::clamp(button.right() - width, edge, std::max(edge, window.x - edge - width));
  place.card = {x, top, width, std::min(height, window.y - edge - top)};
  return place;
}

/// Draws the button that opens the editor of patterns.
void draw_paint_button(View& view, ui::Rect place, std::string_view label) {
  if (!ui::button(view.ui, "option/pattern/paint", place, label)) return;
  view.set([](Look& look) {
    look.options = false;
    look.overlay = Overlay::pattern;
  });
}

/// Draws label and widget, and below them the option's meaning.
void draw_row(View& view, ui::Rect rect, const sim::ScenarioOption& option, const ScenarioValues& values) {
  const ui::Theme& theme = view.theme();
  const std::string_view paint = option.name == "pattern" ? view.say("Paint") : "";
  const auto [line, note, space] = ui::rows(rect, 0, {view.control_height(), ui::rest(), view.px(6)});
  const auto [name, button, place] =
      ui::columns(line, view.px(6),
                  {ui::rest(), paint.empty() ? 0 : ui::button_width(view.canvas(), paint),
                   std::min(view.px(widget), line.width / 2)});
  if (!paint.empty()) draw_paint_button(view, button, paint);
  draw_option(view, place, "option/" + std::string(option.name), option.name, {}, values);
  view.canvas().text(name, ui::Style::control, theme.text, view.say(option.label));
  view.canvas().text(note, ui::Style::caption, theme.muted, view.say(option.note));
}

void draw_group(View& view, ui::Rect rect, const OptionGroup& group, int columns, const ScenarioValues& values) {
  const auto [title, body] = ui::rows(rect, 0, {view.px(heading), ui::rest()});
  view.canvas().text(title, ui::Style::caption, view.theme().muted, view.say(group.title));
  const std::vector<ui::Part> parts(static_cast<std::size_t>(columns), ui::rest());
  const std::vector<ui::Rect> places = ui::columns(body, view.px(column_gap), parts);
  const std::vector<const sim::ScenarioOption*> options = shown(view, group);
  for (std::size_t i = 0; i < options.size(); ++i) {
    const ui::Rect& place = places[i % places.size()];
    const float above = static_cast<float>(i / places.size()) * view.px(row_height);
    draw_row(view, {place.x, place.y + above, place.width, view.px(row_height)}, *options[i], values);
  }
}

void reset_all(const View& view) {
  sim::OptionValues none;
  for (const sim::ScenarioOption& option : sim::scenario_options()) none[std::string(option.name)] = "";
  for (const auto& [name, value] : sim::filled_card()) none[name] = value;  // as the explorer opens
  view.edit(SetOptions{none});
}

void draw_heading(View& view, ui::Rect line) {
  const std::string_view reset = view.say("Defaults");
  const auto [title, defaults, close] =
      ui::columns(line, view.px(8), {ui::rest(), ui::button_width(view.canvas(), reset), view.control_height()});
  if (ui::icon_button(view.ui, "options/close", close, ui::Icon::close))
    view.set([&](Look& look) { look.options = false; });
  if (ui::button(view.ui, "options/defaults", defaults, reset)) reset_all(view);
  view.canvas().text(title, ui::Style::title, view.theme().text, view.say("Scenario"));
}

}  // namespace

void draw_options(View& view, ui::Rect button) {
  const CardPlace place = place_of(view, button);
  ui::in_front(view.ui, "options card", place.card, [&](ui::Ui& ui) {
    View front{ui, view, view.index};
    const auto [heading_line, content] =
        ui::rows(place.card.inset(view.px(padding)), view.px(8), {view.px(32), ui::rest()});
    draw_heading(front, heading_line);
    const ScenarioValues values = scenario_values(front);
    std::vector<ui::Slot> slots;
    for (const OptionGroup& group : option_groups())
      slots.push_back({group_height(front, group, place.columns),
                       [&](ui::Rect rect) { draw_group(front, rect, group, place.columns, values); }});
    const bool scrolls = content_height(front, place.columns) > content.height;
    ui::scrolling_column(ui, "options/scroll", content, 0, scrolls ? view.px(12) : 0, slots);
  });
}

}  // namespace explorer
