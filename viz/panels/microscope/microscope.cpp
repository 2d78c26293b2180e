#include "viz/panels/microscope/microscope.h"

#include <algorithm>
#include <cmath>

#include "sim/base/text_inputs.h"
#include "sim/report/numbers.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario/field.h"
#include "viz/ui/number_field.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float card_gap = 12, beside_from = 900, scores_from = 1300, least_beside = 480;  // CSS pixels
constexpr float least_keys = 270, most_middle = 290, least_middle = 214;                   // side by side
constexpr float keys_alone = 320, kept_alone = 250, shares_alone = 270, scores_alone = 300,
                thumbnail_alone = 300;  // stacked
constexpr float most_text = 250, least_text = 150;
constexpr std::size_t most_words = 5;  // of a text in the list

/// Names of sim::text_heads, which the list shows in the language of the window.
[[maybe_unused]] constexpr std::string_view head_names[] = {/*say*/ "previous word", /*say*/ "induction",
                                                            /*say*/ "sink", /*say*/ "mixed"};

/// First words of a text.
std::string text_label(const sim::TextInput& text) {
  std::string label;
  const bool spaces = text.words.front().front() > 0;  // Chinese has none
  for (std::size_t n = 0; n < std::min(text.words.size(), most_words); ++n)
    label += sim::text(n > 0 && spaces ? " " : "", text.words[n]);
  return label + " …";
}

/// Draws the choice of the inputs: drawn, or a text.
void draw_text_picker(View& view, Rect place) {
  const sim::Scenario& scenario = view.subject().scenario();
  const bool worked = scenario.inputs == sim::InputRule::worked;
  std::vector<std::string> labels = {std::string(view.say(worked ? /*say*/ "worked example" : /*say*/ "drawn inputs"))};
  std::vector<std::string_view> names = {"drawn"}, shown;
  int chosen = 0;
  for (const sim::TextInput& text : sim::text_inputs()) {
    if (scenario.inputs == sim::InputRule::text && scenario.text == text.name) chosen = static_cast<int>(names.size());
    labels.push_back(text_label(text));
    names.push_back(text.name);
  }
  shown.assign(labels.begin(), labels.end());
  const int next = ui::drop_down(view.ui, view.id("row/text"), place, view.say("Text"), shown, chosen, names);
  if (next == chosen || is_locked(view, "inputs")) return;
  view.edit(ChooseText{next == 0 ? "" : std::string(names[static_cast<std::size_t>(next)])});
}

/// Draws a field for a number from 0 to `most`: typed, dragged, or changed by the wheel.
std::optional<std::int64_t> draw_number_picker(View& view, std::string_view id, Rect place, std::string_view label,
                                               std::int64_t now, std::int64_t most) {
  const std::string value = sim::text(now);
  ui::NumberField field{label, value, {}, value};
  field.least = 0;
  field.most = static_cast<double>(most);
  const auto change = ui::number_field(view.ui, view.id(id), place, field);
  if (!change || change->text.empty()) return std::nullopt;
  return std::stoll(change->text);
}

void draw_head_picker(View& view, const ShownRow& row, Rect place) {
  const sim::Shape& shape = view.subject().problem().shape;
  if (words_of(view.subject()).empty()) {
    const auto head =
        draw_number_picker(view, "row/head", place, view.say("Head"), row.head, shape.batch * shape.heads - 1);
    if (head) view.edit(ShowHead{*head});
    return;
  }
  std::vector<std::string_view> labels;
  for (const std::string_view name : sim::text_heads) labels.push_back(view.say(name));
  const int now = static_cast<int>(row.head);
  const int next = ui::drop_down(view.ui, view.id("row/head"), place, view.say("Head"), labels, now, sim::text_heads);
  if (next != now) view.edit(ShowHead{next});
}

void draw_row_picker(View& view, const ShownRow& row, Rect place) {
  const auto words = words_of(view.subject());
  if (words.empty()) {
    const std::int64_t last = view.subject().problem().shape.seqlen_q - 1;
    const auto query = draw_number_picker(view, "row/query", place, view.say("Row"), row.query, last);
    if (query) view.edit(ShowQuery{*query});
    return;
  }
  std::vector<std::string> labels, names;
  for (std::size_t n = 0; n < words.size(); ++n) {
    labels.push_back(sim::text(n, ": ", words[n]));
    names.push_back(sim::text(n));
  }
  const std::vector<std::string_view> shown(labels.begin(), labels.end()), ids(names.begin(), names.end());
  const int now = static_cast<int>(row.query);
  const int next = ui::drop_down(view.ui, view.id("row/query"), place, view.say("Row"), shown, now, ids);
  if (next != now) view.edit(ShowQuery{next});
}

float text_width(const View& view, float room) {
  return std::clamp(room - view.px(2 * 150 + 3 * 8), view.px(least_text), view.px(most_text));
}

/// Draws the pickers of text, head and row, and at the right a note on the scores.
void draw_pickers(View& view, const ShownRow& row, Rect line) {
  const bool narrow = line.width < view.px(500), text = !words_of(view.subject()).empty();
  const std::string_view words = text ? view.say("synthetic scores; tiles of 4 keys, so that each can be seen")
                                      : view.say("Up and Down: rows; Left and Right: steps");
  const auto part = [&](float width) { return narrow ? ui::share(1) : ui::Part{width}; };
  const float needs = view.canvas().text_width(Style::caption, words);
  const auto [input, head, query, note] = ui::columns(
      line, view.px(8),
      {part(text_width(view, line.width)), part(view.px(190)), part(view.px(130)), narrow ? ui::Part{} : ui::rest()});
  draw_text_picker(view, input);
  draw_head_picker(view, row, head);
  draw_row_picker(view, row, query);
  if (needs <= note.width) view.canvas().text(note, Style::caption, view.theme().muted, words, ui::Align::right);
}

void draw_beside(View& view, const ShownRow& row, Rect body) {
  const float space = view.px(card_gap), most = body.height - view.px(least_keys);
  const float steps_height = row_steps_height(view, body.width - 2 * view.px(16));
  const float middle_height = std::min({view.px(most_middle), std::max(view.px(least_middle), most - steps_height),
                                        std::floor(0.45f * (body.height - steps_height - space))});
  const auto [keys, middle, steps] = ui::rows(body, space, {ui::rest(), {middle_height}, {steps_height}});
  const bool wide = body.width >= view.px(scores_from), modified = view.subject().problem().modified();
  const auto [kept, shares, scores, all_rows] =
      ui::columns(middle, space,
                  {ui::share(wide ? 0.35f : 0.455f), ui::share(wide ? 0.23f : 0.285f),
                   wide       ? ui::share(0.23f)
                   : modified ? ui::share(0.26f)
                              : ui::Part{},
                   wide       ? ui::share(0.19f)
                   : modified ? ui::Part{}
                              : ui::share(0.26f)});
  draw_row_keys(view, row, keys);
  draw_row_kept(view, row, kept);
  draw_row_shares(view, row, shares);
  if (!scores.empty()) draw_row_scores(view, row, scores);
  if (!all_rows.empty()) draw_row_thumbnail(view, row, all_rows);
  draw_row_steps(view, row, steps);
}

void draw_stacked(View& view, const ShownRow& row, Rect body) {
  const float bar = view.px(12), steps = row_steps_height(view, body.width - bar - 2 * view.px(16));
  const auto card = [&](float height, void (*draw)(View&, const ShownRow&, Rect)) {
    return ui::Slot{height, [&view, &row, draw](Rect place) { draw(view, row, place); }};
  };
  const ui::Slot cards[] = {
      card(view.px(keys_alone), draw_row_keys),     card(steps, draw_row_steps),
      card(view.px(kept_alone), draw_row_kept),     card(view.px(shares_alone), draw_row_shares),
      card(view.px(scores_alone), draw_row_scores), card(view.px(thumbnail_alone), draw_row_thumbnail)};
  ui::scrolling_column(view.ui, view.id("microscope/scroll"), body, view.px(card_gap), bar, cards);
}

/// Draws a card that says why there is no row to show.
void draw_reason(View& view, std::string_view words, Rect body) {
  body.height = std::min(body.height, view.px(150));
  ui::panel(view.canvas(), body);
  const auto [title, rest] = ui::rows(body.inset(view.px(16), view.px(12)), 0, {{view.px(28)}, ui::rest()});
  ui::rich_text(view.canvas(), title, Style::title, {view.theme().text, true, view.theme().card},
                view.say("One row of S, key by key"));
  ui::paragraph(view.canvas(), rest, Style::body, {view.theme().muted}, ui::escaped(words));
}

}  // namespace

std::string reason_of_no_row(const View& view, const ShownRow& row) {
  if (!row.task->error().empty()) return view.translate(row.task->error());
  if (!row.task->done()) return view.say("computing: {} of the row's tiles", report::percent(row.task->share()));
  return row.tiles().empty() ? view.say("No key is visible to query {}: O = 0 is written.", row.query) : std::string();
}

void draw_microscope(View& view, Rect line, Rect body) {
  ShownRow row = shown_row(view.model);
  if (!view.bare) {
    constexpr float pickers = 520;
    const bool above = line.width < view.px(pickers);
    const auto [first, rest] = ui::rows(body, view.px(8), {{above ? view.control_height() : 0}, ui::rest()});
    draw_pickers(view, row, above ? first : line);
    body = rest;
    row = shown_row(view.model);  // a picker may have moved it
  }
  const std::string reason = reason_of_no_row(view, row);
  if (!reason.empty()) return draw_reason(view, reason, body);
  if (body.width >= view.px(beside_from) && body.height >= view.px(least_beside)) return draw_beside(view, row, body);
  draw_stacked(view, row, body);
}

}  // namespace explorer
