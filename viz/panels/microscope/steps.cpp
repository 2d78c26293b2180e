// The transport, the current step as a sentence, and the seven steps of each tile under its keys.
#include <algorithm>
#include <array>
#include <cmath>

#include "viz/panels/microscope/microscope.h"
#include "viz/panels/playback.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Align;
using ui::Rect;
using ui::Style;

constexpr float chip_height = 28, least_chip = 20, title_height = 18, row_gap = 10, least_words = 240;  // CSS pixels
constexpr float where_height = 24, sentence_height = 42;

/// Name of a step as tensors, and a sentence on what it does.
struct StageWords {
  std::string_view name, sentence, of_parts;
};
constexpr std::array<StageWords, row_stages> stage_words = {{
    {"K", /*say*/ "K_j: the keys of the tile come on chip.", /*say*/ "The answer of the part comes on chip."},
    {"S", /*say*/ "S = Q K_j^T / √d: a score for each key.", /*say*/ "L of the part is its score."},
    {"m′", /*say*/ "m′ = max(m, scores): is there a larger one?", /*say*/ "m′ = max(m, L): is there a larger one?"},
    {"α", /*say*/ "α = exp(m − m′): how much what was summed before shrinks.",
     /*say*/ "α = exp(m − m′): how much the parts before shrink."},
    {"P", /*say*/ "P = exp(S − m′): the weights of the tile's keys.", /*say*/ "The weight of the part."},
    {"ℓ", /*say*/ "ℓ ← α ℓ + Σ p_j: the sum of the weights.", /*say*/ "ℓ ← α ℓ + its sum of weights."},
    {"O", /*say*/ "O ← α O + P V_j: what was summed before shrinks by α, then the new part is added.",
     /*say*/ "The answer of the part is added to O."},
}};

constexpr std::array<std::string_view, row_stages> stage_keys = {"K", "S", "m", "alpha", "P", "l", "O"};

/// Last stage that is done; -1 before the first.
int last_stage(const ShownRow& row) {
  int last = -1;
  const auto& stops = row.clock->stops();
  const std::size_t passed = row.clock->passed(row.time);
  if (passed > 0) last = static_cast<int>(stops[passed - 1].stage);
  return last;
}

/// Draws a chip for each stage of a tile.
void draw_chips(View& view, const ShownRow& row, std::size_t t, Rect line) {
  const ui::Theme& theme = view.theme();
  const float space = view.px(4), width = (line.width - 6 * space) / static_cast<float>(row_stages);
  const bool now = t == row.moment.tile;
  const int last = now ? last_stage(row) : -1;
  for (std::size_t stage = 0; stage < row_stages; ++stage) {
    const Rect chip{std::round(line.x + static_cast<float>(stage) * (width + space)), line.y, std::floor(width),
                    line.height};
    const bool here = now && last == static_cast<int>(stage);
    const bool absent = now && row.moment.steps > 0 && !row.moment.has[stage];
    const bool done = row.knows(t, static_cast<RowStage>(stage)) && !absent;
    if (here)
      view.canvas().fill(chip, theme.strong, view.px(5));
    else
      view.canvas().card(chip, done ? theme.track : theme.inset, theme.border, view.px(5));
    const ui::Color color = here ? theme.on_strong : absent ? theme.faint : done ? theme.text : theme.muted;
    std::string markup = sim::text("", stage_words[stage].name);
    if (stage == 0 && !row.tiles()[t].of_parts) markup = sim::text("K_{", t - row.moment.begin, "}");
    if (absent) markup = "–";
    const bool fits = ui::rich_width(view.canvas(), Style::control, markup) <= chip.width;
    if (!fits && stage == 0) markup = "K";
    ui::rich_text(view.canvas(), chip, Style::control, {color, !here && !absent, done ? theme.track : theme.inset},
                  markup, Align::center);
    const std::string id = sim::text("row/step/", t, "/", stage_keys[stage]);
    if (ui::hit(view.ui, view.id(id), chip).clicked && !absent)
      return view.edit(SeekStage{t, static_cast<std::size_t>(stage)});
  }
}

void draw_tile_title(View& view, const ShownRow& row, std::size_t t, Rect line) {
  const bool now = t == row.moment.tile;
  view.canvas().text(line, now ? Style::control : Style::caption, now ? view.theme().text : view.theme().muted,
                     tile_name(view, row, t));
}

/// Draws the progress through all tiles as a track, if their chips do not fit.
void draw_track(View& view, const ShownRow& row, const KeyStrip& strip, Rect line) {
  const ui::Theme& theme = view.theme();
  const Rect track{line.x, std::round(line.center().y - view.px(3)), line.width, view.px(6)};
  view.canvas().fill(track, theme.track, 0);
  const auto count = static_cast<float>(strip.end - strip.begin);
  const auto done = static_cast<float>(row.moment.tile - strip.begin);
  view.canvas().fill(track.share(done / count), theme.muted, 0);
  const float x = track.x + track.width * done / count;
  view.canvas().fill({x, track.y - view.px(2), std::max(view.px(3), track.width / count), view.px(10)}, theme.strong,
                     0);
  const ui::Hit hit = ui::hit(view.ui, view.id("row/track"), line);
  if (!hit.clicked) return;
  const float at = (ImGui::GetIO().MousePos.x - line.x) / line.width * count;
  const auto n = static_cast<std::size_t>(std::clamp(at, 0.f, count - 1));
  view.edit(SeekStage{strip.begin + n, static_cast<std::size_t>(RowStage::output)});
}

void draw_strip(View& view, const ShownRow& row, Rect rest) {
  const auto [column, place] = ui::columns(rest, 0, {{label_width(view, rest.width)}, ui::rest()});
  const KeyStrip strip = key_strip(view, row, place);
  const auto [titles, chips] = ui::rows(place, 0, {{view.px(title_height)}, {view.px(chip_height)}});
  if (!column.empty())
    view.canvas().text({column.x, chips.y, column.width, chips.height}, Style::caption, view.theme().muted,
                       view.say("steps of each tile"));
  const bool each = strip.framed() && strip.width >= view.px(7 * least_chip);
  for (std::size_t t = strip.begin; t < strip.end && each; ++t) {
    const Rect tile = strip.tile(t);
    draw_tile_title(view, row, t, {tile.x, titles.y, tile.width, titles.height});
    draw_chips(view, row, t, {tile.x, chips.y, tile.width, chips.height});
  }
  if (each) return;
  const auto [name, track] = ui::columns(titles, 0, {{std::min(view.px(110), titles.width / 3)}, ui::rest()});
  draw_tile_title(view, row, row.moment.tile, name);
  draw_track(view, row, strip, track);
  draw_chips(view, row, row.moment.tile, {chips.x, chips.y, std::min(chips.width, view.px(420)), chips.height});
}

std::string sentence_of_step(const View& view, const ShownRow& row) {
  const int last = last_stage(row);
  if (last < 0 || row.tiles().empty()) return std::string(view.say("Nothing of this row is done yet."));
  const StageWords& words = stage_words[static_cast<std::size_t>(last)];
  const sim::SoftmaxTile& tile = row.tiles()[row.moment.tile];
  return std::string(view.say(tile.of_parts ? words.of_parts : words.sentence));
}

/// "tile 2 of 4, step 7 of 7".
std::string position_words(const View& view, const ShownRow& row) {
  const RowMoment& moment = row.moment;
  const std::size_t t = moment.tile - moment.begin, count = moment.end - moment.begin;
  if (moment.first == moment.last) return std::string(view.say("not in this CTA"));
  if (row.tiles()[moment.tile].of_parts)
    return view.say("part {} of {}, step {} of {}", t, count, moment.steps_done, moment.steps);
  return view.say("tile {} of {}, step {} of {}", t, count, moment.steps_done, moment.steps);
}

void draw_speed_part(View& view, ui::Space& line) {
  for (const PlaybackPart& part : playback_parts()) {
    if (part.title == "Speed" && part.width(view) + view.px(least_words) <= line.width())
      part.draw(view, line.left(part.width(view)));
  }
}

bool takes_two_lines(const View& view, float width) { return view.for_fingers() || width < view.px(700); }

/// Controls, position and sentence on lines of their own if there are two lines, a gap, and the strip.
std::array<ui::Part, 5> step_lines(const View& view, float width) {
  const bool two = takes_two_lines(view, width);
  return {ui::Part{view.control_height()},
          {two ? view.px(where_height) : 0},
          {two ? view.px(sentence_height) : 0},
          {view.px(row_gap)},
          {view.px(title_height + chip_height)}};
}

}  // namespace

float row_steps_height(const View& view, float width) {
  return ui::length_of(0, step_lines(view, width)) + 2 * view.px(14);
}

void draw_row_steps(View& view, const ShownRow& row, Rect rect) {
  ui::panel(view.canvas(), rect);
  const Rect inner = rect.inset(view.px(16), view.px(14));
  const auto lines = ui::rows(inner, 0, step_lines(view, inner.width));
  Rect controls = lines[0];
  if (!view.bare) draw_transport_buttons(view, controls);
  const auto [gap, free] = ui::columns(controls, 0, {{view.bare ? 0 : view.px(8)}, ui::rest()});
  ui::Space line(free, view.px(12));
  if (!view.bare) draw_speed_part(view, line);
  const std::string where = position_words(view, row), words = sentence_of_step(view, row);
  const float wide = view.canvas().text_width(Style::body, where) + 2;
  const bool two = !lines[1].empty();
  const ui::Ink ink{view.theme().text, true, view.theme().card};
  view.canvas().text(two ? lines[1] : line.right(wide), Style::body, view.theme().muted, where);
  if (two)
    ui::paragraph(view.canvas(), lines[2], Style::body, ink, words);
  else
    ui::rich_text(view.canvas(), line.rest(), Style::body, ink, words);
  draw_strip(view, row, lines[4]);
}

}  // namespace explorer
