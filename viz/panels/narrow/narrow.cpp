// Layout of the view "numbers": its bar with scales, rotation and inputs, and its cards.
#include "viz/panels/narrow/narrow.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/numbers.h"
#include "viz/panels/panels.h"
#include "viz/panels/parts.h"
#include "viz/panels/scenario/field.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float gap = 12, scroll_bar = 12, beside_from = 1120, least_beside = 760;            // CSS pixels
constexpr float tile_alone = 430, errors_alone = 440, turned_alone = 480, lanes_alone = 500;  // one below another
constexpr float slim_from = 520, slim_errors = 490, slim_turned = 620, slim_lanes = 660;

/// An option of the bar, with its words in the order of the bar.
struct NarrowChoice {
  std::string_view option, heading;
  std::vector<std::string_view> names, labels;
};

std::vector<NarrowChoice> choices_of_bar(const View& view) {
  std::vector<NarrowChoice> choices = {{"fp8-scales",
                                        view.say("Scales"),
                                        {"tensor", "head", "block"},
                                        {view.say("a tensor"), view.say("a head"), view.say("a block")}}};
  if (sim::is_power_of_two(view.subject().problem().shape.head_dim))
    choices.push_back({"rotate", view.say("Rotate Q, K"), {"0", "1"}, {view.say("off"), view.say("on")}});
  choices.push_back(
      {"inputs", view.say("Inputs"), {"drawn", "outliers"}, {view.say("normal"), view.say("with outliers")}});
  return choices;
}

float width_of_choice(const View& view, const NarrowChoice& choice) {
  return view.canvas().text_width(Style::caption, choice.heading) + view.px(8) +
         ui::segmented_width(view.canvas(), choice.labels);
}

void draw_choice_of_bar(View& view, Rect rect, const NarrowChoice& choice) {
  ui::Space place(rect);
  ui::left_text(view.canvas(), place, Style::caption, view.theme().muted, choice.heading, view.px(8));
  const std::string value = scenario_values(view).text(choice.option);
  const auto found = std::find(choice.names.begin(), choice.names.end(), value);
  const int now = static_cast<int>(found - choice.names.begin());
  const int next = ui::segmented(view.ui, view.id(sim::text("numbers/", choice.option)), place.rest(), choice.names,
                                 choice.labels, now);
  if (next != now && !is_locked(view, choice.option))
    view.edit(SetOptions{{{std::string(choice.option), std::string(choice.names[static_cast<std::size_t>(next)])}}});
}

/// Draws the options in the line of the views, or in lines of their own.
void draw_narrow_bar(View& view, ui::Space line, ui::Space& body) {
  const std::vector<NarrowChoice> choices = choices_of_bar(view);
  float all = 0;
  for (const NarrowChoice& choice : choices) all += width_of_choice(view, choice) + view.px(gap);
  const bool own = all > line.width();
  for (const NarrowChoice& choice : choices) {
    const float wide = width_of_choice(view, choice);
    if (own && (&choice == &choices.front() || wide > line.width()))
      line = ui::Space(body.top(view.control_height(), view.px(8)));
    draw_choice_of_bar(view, line.left(wide, view.px(gap)), choice);
  }
}

void draw_narrow_beside(View& view, Rect body, const NarrowNumbers& numbers, const NarrowLanes& lanes) {
  const auto [upper, lower] = ui::rows(body, view.px(gap), {ui::share(0.485f), ui::share(0.515f)});
  const auto [tile, errors] = ui::columns(upper, view.px(gap), {ui::share(0.57f), ui::share(0.43f)});
  const auto [turned, halves] = ui::columns(lower, view.px(gap), {ui::share(0.39f), ui::share(0.61f)});
  ui::mark_place(view.ui, "numbers", around(tile, errors));
  draw_narrow_tile(view, tile, numbers);
  draw_narrow_errors(view, errors, numbers);
  draw_turned_v(view, turned, lanes);
  draw_narrow_lanes(view, halves, lanes);
}

void draw_narrow_stacked(View& view, Rect body, const NarrowNumbers& numbers, const NarrowLanes& lanes) {
  const bool slim = body.width < view.px(slim_from);
  const ui::Slot slots[] = {
      {view.px(tile_alone),
       [&](Rect place) {
         ui::mark_place(view.ui, "numbers", place);
         draw_narrow_tile(view, place, numbers);
       }},
      {view.px(slim ? slim_errors : errors_alone), [&](Rect place) { draw_narrow_errors(view, place, numbers); }},
      {view.px(slim ? slim_turned : turned_alone), [&](Rect place) { draw_turned_v(view, place, lanes); }},
      {view.px(slim ? slim_lanes : lanes_alone), [&](Rect place) { draw_narrow_lanes(view, place, lanes); }}};
  ui::scrolling_column(view.ui, view.id("numbers/scroll"), body, view.px(gap), view.px(scroll_bar), slots);
}

/// Options by which a program runs in e4m3, with inputs that show what it does.
Edit in_e4m3(const View& view, const sim::Program& program) {
  const sim::Scenario& scenario = view.subject().scenario();
  const std::int64_t d = scenario.shape.head_dim;
  const bool has_d = std::count(program.head_dims.begin(), program.head_dims.end(), d) > 0;
  sim::OptionValues options = {{"algorithm", std::string(program.name)},
                               {"dtype", "e4m3"},
                               {"inputs", "outliers"},
                               {"head-dim", sim::text(has_d ? d : 128)}};
  for (const char* reset : {"pass", "dropout", "pattern", "head-dim-v", "br", "bc", "tiling"})
    options.insert({reset, ""});
  const std::string& architecture = scenario.gpu->architecture;
  if (architecture != "sm_90" && architecture != "sm_100") options.insert({"gpu", ""});
  return SetOptions{options};
}

/// Says of a run in wider types which programs have narrow ones.
void draw_without_narrow(View& view, Rect body) {
  ui::panel(view.canvas(), body);
  ui::Space rest(body.inset(view.px(16)), view.px(8));
  const std::string words = view.say(
      "{} in {}: every number is rounded to its nearest, with no scale. Programs that take types of 8 bits, "
      "whose numbers are scaled first:",
      view.say(view.subject().simulation().plan.program->title), sim::name_of(view.subject().problem().dtype));
  view.ui.state.shown.emplace(view.id("no numbers"), words);
  rest.top(ui::paragraph(view.canvas(), rest.rest(), Style::body, {.color = view.theme().text}, ui::escaped(words)),
           view.px(gap));
  for (const sim::Program& program : sim::built_in_programs()) {
    if (!program.fp8) continue;
    const std::string label = view.say("{} in e4m3", view.say(program.title));
    const Rect place = ui::Space(rest.top(view.control_height())).left(ui::button_width(view.canvas(), label));
    if (ui::button(view.ui, view.id(sim::text("numbers/show/", program.name)), place, label))
      view.edit(in_e4m3(view, program));
  }
}

}  // namespace

ui::Space draw_narrow_card(View& view, Rect card, std::string_view title, std::string_view note,
                           std::string_view scope) {
  ui::panel(view.canvas(), card);
  ui::Space rest(card.inset(view.px(16), view.px(12)), view.px(4)), line(rest.top(view.px(24), view.px(6)));
  const float wide = view.canvas().text_width(Style::caption, scope) + view.px(14);
  const bool own = view.canvas().text_width(Style::title, title) + wide + view.px(12) > line.width();
  ui::Space tag(own ? rest.top(view.px(20), view.px(8)) : ui::middle(line.right(wide, view.px(10)), view.px(20)));
  draw_scope(view, tag, scope);
  ui::left_text(view.canvas(), line, Style::title, view.theme().text, title, view.px(12));
  ui::fitting_text(view.canvas(), line.rest(), Style::caption, view.theme().muted, note);
  return rest;
}

void draw_named(View& view, Rect place, Style style, ui::Color color, std::string_view name, const std::string& words,
                ui::Align align) {
  view.ui.state.shown.emplace(view.id(sim::text("numbers/", name)), words);
  view.canvas().text(place, style, color, words, align);
}

std::string short_error(double error, int decimals) {
  std::string text = fmt::format("{:.{}e}", error, decimals);
  if (const std::size_t zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

void draw_numbers(View& view, Rect line, Rect body) {
  if (!has_narrow(view.subject())) return draw_without_narrow(view, body);
  ui::Space cards(body);
  if (!view.bare) draw_narrow_bar(view, ui::Space(line), cards);
  const NarrowNumbers numbers = narrow_numbers(view.state, view.world, view.index);
  const NarrowLanes& lanes = narrow_lanes(view.world, view.index);
  const Rect rest = cards.rest();
  if (rest.width >= view.px(beside_from) && rest.height >= view.px(least_beside))
    return draw_narrow_beside(view, rest, numbers, lanes);
  draw_narrow_stacked(view, rest, numbers, lanes);
}

}  // namespace explorer
