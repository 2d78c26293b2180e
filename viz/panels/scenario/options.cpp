#include "viz/panels/scenario/options.h"

#include <algorithm>
#include <cmath>

#include "viz/panels/scenario/field.h"
#include "viz/panels/scenario/option_words.h"
#include "viz/ui/front.h"

namespace explorer {
namespace {

constexpr float column = 340, column_gap = 28, padding = 16, heading = 30, row_height = 56, widget = 132;  // CSS pixels

/// Layout of the card: below the button, inside the window, in two columns if they fit.
struct CardPlace {
  ui::Rect card;
  int columns = 1;
};

/// Options that the program has; an order of issue only for a ragged batch.
std::vector<const sim::ScenarioOption*> shown(const View& view, const OptionGroup& group) {
  std::vector<const sim::ScenarioOption*> options = group.options;
  const sim::Scenario& scenario = view.world.run().simulation.plan.scenario;
  std::erase_if(options, [&](const sim::ScenarioOption* option) {
    return !applies_to(*option, scenario) || (option->name == "issue" && scenario.sequences == nullptr);
  });
  return options;
}

std::size_t rows_of(const View& view, const OptionGroup& group, int columns) {
  const auto n = static_cast<std::size_t>(columns);
  return (shown(view, group).size() + n - 1) / n;
}

float content_height(const View& view, int columns) {
  float height = 0;
  for (const OptionGroup& group : option_groups()) {
    height += view.px(heading) + static_cast<float>(rows_of(view, group, columns)) * view.px(row_height);
  }
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
void draw_paint_button(View& view, ui::Rect& line) {
  cut_right(line, view.px(6));
  const std::string_view label = view.say("Paint");
  if (!ui::button(view.ui, "option/pattern/paint", cut_right(line, ui::button_width(view.canvas(), label)), label))
    return;
  view.set([](Look& look) {
    look.options = false;
    look.overlay = Overlay::pattern;
  });
}

/// Draws label and widget, and below them the option's meaning.
void draw_row(View& view, ui::Rect rect, const sim::ScenarioOption& option, const ScenarioValues& values) {
  const ui::Theme& theme = view.theme();
  rect.height -= view.px(6);
  ui::Rect line = cut_top(rect, view.control_height());
  const ui::Rect place = cut_right(line, std::min(view.px(widget), line.width / 2));
  if (option.name == "pattern") draw_paint_button(view, line);
  draw_option(view, place, "option/" + std::string(option.name), option.name, {}, values);
  view.canvas().text(line, ui::Style::control, theme.text, view.say(option.label));
  view.canvas().text(rect, ui::Style::caption, theme.muted, view.say(option.note));
}

void draw_group(View& view, ui::Rect& rest, const OptionGroup& group, int columns, const ScenarioValues& values) {
  const ui::Rect title = cut_top(rest, view.px(heading));
  view.canvas().text(title, ui::Style::caption, view.theme().muted, view.say(group.title));
  const float between = columns == 2 ? view.px(column_gap) : 0;
  const float width = (rest.width - between) / static_cast<float>(columns);
  ui::Rect line;
  const std::vector<const sim::ScenarioOption*> options = shown(view, group);
  for (std::size_t i = 0; i < options.size(); ++i) {
    const auto place = static_cast<float>(i % static_cast<std::size_t>(columns));
    if (place == 0) line = cut_top(rest, view.px(row_height));
    draw_row(view, {line.x + place * (width + between), line.y, width, line.height}, *options[i], values);
  }
}

void reset_all(const View& view) {
  sim::OptionValues none;
  for (const sim::ScenarioOption& option : sim::scenario_options()) none[std::string(option.name)] = "";
  for (const auto& [name, value] : sim::filled_card()) none[name] = value;  // as the explorer opens
  view.edit(SetOptions{none});
}

void draw_heading(View& view, ui::Rect line) {
  const float side = view.control_height();
  const ui::Rect close = cut_right(line, side);
  if (ui::icon_button(view.ui, "options/close", close, ui::Icon::close))
    view.set([&](Look& look) { look.options = false; });
  cut_right(line, view.px(8));
  const std::string_view reset = view.say("Defaults");
  const ui::Rect defaults = cut_right(line, ui::button_width(view.canvas(), reset));
  if (ui::button(view.ui, "options/defaults", defaults, reset)) reset_all(view);
  view.canvas().text(line, ui::Style::title, view.theme().text, view.say("Scenario"));
}

}  // namespace

void draw_options(View& view, ui::Rect button) {
  const CardPlace place = place_of(view, button);
  ui::in_front(view.ui, "options card", place.card, [&](ui::Ui& ui) {
    View front{ui, view, view.index};
    ui::Rect rest = place.card.inset(view.px(padding));
    draw_heading(front, cut_top(rest, view.px(32)));
    cut_top(rest, view.px(8));
    const ScenarioValues values = scenario_values(front);
    const float height = content_height(front, place.columns);
    float& offset = view.ui.state.scrolled["options"];
    offset = ui::begin_scroll(ui, "options/scroll", rest, height, offset);
    ui::Rect content{rest.x, rest.y - std::round(offset), rest.width - (height > rest.height ? view.px(12) : 0),
                     height};
    for (const OptionGroup& group : option_groups()) draw_group(front, content, group, place.columns, values);
    ui::end_scroll();
  });
}

}  // namespace explorer
