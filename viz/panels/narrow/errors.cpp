// Errors of O against double by scales and rotation, next to the published ones, and what rotation changes in a tile.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/narrow/narrow.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float scales_wide = 132, rotation_wide = 60, number_wide = 72, bar_high = 22;  // CSS pixels
constexpr float slim_scales = 118, slim_rotation = 46, slim_number = 56, slim_words = 138;

/// Columns of an error; a slim card has none for the published one, whose line is in the bar.
struct ErrorColumns {
  Rect name, rotation, bar, here, paper;
};

bool is_slim(const View& view, Rect line) { return line.width < view.px(460); }
float number_width_in(const View& view, Rect line) { return view.px(is_slim(view, line) ? slim_number : number_wide); }

ErrorColumns error_columns(const View& view, Rect line, bool published) {
  const bool slim = is_slim(view, line);
  const float number = number_width_in(view, line);
  const auto [name, rotation, bar, here, paper] =
      ui::columns(line, view.px(8),
                  {view.px(slim ? slim_scales : scales_wide), view.px(slim ? slim_rotation : rotation_wide), ui::rest(),
                   number, published && !slim ? number : 0});
  return {name, rotation, bar, here, paper};
}

/// Draws an error: its bar, and the published one as a line on the same axis.
void draw_error(View& view, Rect line, const OutputError& error, double most, bool published) {
  const sim::Problem& problem = view.subject().problem();
  const bool block = error.published.scales == sim::Fp8Scales::block;
  const bool of_head = sim::fp8_scales(problem) == sim::Fp8Scales::head;
  const bool chosen = block == (sim::fp8_scales(problem) == sim::Fp8Scales::block) &&
                      error.published.rotated == sim::rotates(view.subject().scenario());
  const ErrorColumns at = error_columns(view, line, published);
  const Style style = chosen ? Style::control : is_slim(view, line) ? Style::caption : Style::body;
  view.canvas().text(at.name, style, view.theme().text,
                     block     ? view.say("a scale a block")
                     : of_head ? view.say("one scale a head")
                               : view.say("one scale a tensor"));
  view.canvas().text(at.rotation, style, view.theme().text, error.published.rotated ? view.say("on") : view.say("off"));
  const Rect track = ui::middle(at.bar, std::min(view.px(bar_high), line.height - view.px(4)));
  view.canvas().fill(track, view.theme().inset, view.px(3));
  const auto wide = [&](double value) { return std::round(track.width * static_cast<float>(value / most)); };
  if (error.value)
    view.canvas().fill({track.x, track.y, wide(*error.value), track.height},
                       chosen ? view.theme().strong : view.theme().muted, view.px(3));
  const std::string name = sim::text("error/", block ? "block/" : "tensor/", error.published.rotated ? 1 : 0);
  draw_named(view, at.here, Style::table, view.theme().text, name, error.value ? short_error(*error.value) : "…",
             ui::Align::right);
  if (!published) return;
  view.canvas().fill(
      {track.x + wide(error.published.value) - view.px(1), track.y - view.px(2), view.px(2), track.height + view.px(4)},
      view.theme().warning);
  view.canvas().text(at.paper, Style::table, view.theme().muted, short_error(error.published.value, 1),
                     ui::Align::right);
}

void draw_error_heads(View& view, Rect line, bool published) {
  const ErrorColumns at = error_columns(view, line, published);
  const auto head = [&](Rect place, std::string_view words, ui::Align align) {
    view.canvas().text(place, Style::caption, view.theme().muted, words, align);
  };
  head(at.name, view.say("scales"), ui::Align::left);
  head(at.rotation, view.say("rotation"), ui::Align::left);
  head(at.here, view.say("here"), ui::Align::right);
  if (published) head(at.paper, view.say("paper"), ui::Align::right);
}

/// Draws what the amber line is, and the error in fp16, which is a pixel of this axis.
void draw_error_notes(View& view, ui::Space line, const NarrowErrors& errors, bool published) {
  if (published) {
    const std::string words(view.say("line: published, of inputs with outliers"));
    view.canvas().fill(ui::middle(line.left(view.px(2), view.px(6)), view.px(12)), view.theme().warning);
    ui::left_text(view.canvas(), line, Style::caption, view.theme().muted, words, view.px(16));
  }
  if (!errors.in_fp16()) return;
  const std::string words = view.say("fp16 of the same inputs: {}", short_error(*errors.in_fp16()));
  view.ui.state.shown.emplace(view.id("numbers/error/fp16"), words);
  ui::fitting_text(view.canvas(), line.rest(), Style::caption, view.theme().muted, words, ui::Align::right);
}

struct Change {
  std::string_view name, words;
  double before, rotated;
};

/// Draws a number of the tile as it is, grey, and rotated, white, on one axis.
void draw_change(View& view, Rect line, const Change& change, bool last) {
  const float number = number_width_in(view, line);
  const bool slim = is_slim(view, line);
  const auto [words, bars, before, rotated] = ui::columns(
      line, view.px(8), {view.px(slim ? slim_words : scales_wide + rotation_wide), ui::rest(), number, number});
  view.canvas().text(words,
                     slim   ? Style::caption
                     : last ? Style::control
                            : Style::body,
                     view.theme().text, change.words);
  const double most = 1.25 * std::max(change.before, change.rotated);
  const auto [upper, lower] = ui::rows(ui::middle(bars, view.px(14)), view.px(2), {ui::share(1), ui::share(1)});
  const auto bar = [&](Rect place, double value, ui::Color color) {
    place.width = std::round(place.width * static_cast<float>(value / most));
    view.canvas().fill(place, color, view.px(2));
  };
  bar(upper, change.before, view.theme().muted);
  bar(lower, change.rotated, view.theme().strong);
  const auto write = [&](Rect place, double value, std::string_view which) {
    draw_named(view, place, Style::table, view.theme().text, sim::text(change.name, "/", which),
               fmt::format("{:#.3g}", value), ui::Align::right);
  };
  write(before, change.before, "before");
  write(rotated, change.rotated, "rotated");
}

void draw_changes(View& view, ui::Space& rest, const NarrowTile& tile) {
  if (tile.rotated() == nullptr || !tile.done()) return;
  const Rect line = rest.top(view.px(20), view.px(2));
  const float number = number_width_in(view, line);
  const auto [title, before, rotated] = ui::columns(line, view.px(8), {ui::rest(), number, number});
  view.canvas().text(title, Style::control, view.theme().text,
                     ui::first_that_fits(view.canvas(), Style::control, title.width,
                                         {view.say("What rotation changes, in this tile"), view.say("rotation")}));
  view.canvas().text(before, Style::caption, view.theme().muted, view.say("before"), ui::Align::right);
  view.canvas().text(rotated, Style::caption, view.theme().muted, view.say("rotated"), ui::Align::right);
  const sim::QuantisedTile &a = tile.before(), &b = *tile.rotated();
  const Change changes[] = {
      {"rounding", view.say("rounding of Q, RMS"), a.rounding_error(), b.rounding_error()},
      {"score", view.say("error of a score, RMS"), a.scores().squares.root_mean(), b.scores().squares.root_mean()},
      {"largest score", view.say("largest error of a score"), a.scores().largest, b.scores().largest}};
  for (const Change& change : changes) draw_change(view, rest.top(view.px(22), 0), change, &change == &changes[2]);
}

}  // namespace

void draw_narrow_errors(View& view, Rect card, const NarrowNumbers& numbers) {
  const sim::Shape& shape = numbers.inputs.problem().shape;
  const std::int64_t rows = numbers.errors == nullptr ? 0 : numbers.errors->queries().size();
  ui::Space rest =
      draw_narrow_card(view, card, view.say("Error of O against double"), {},
                       view.say("RMS, {} rows, N {}, d {}", rows, report::thousands(shape.seqlen_k), shape.head_dim));
  if (numbers.errors == nullptr) return;
  const Covered& covered = view.world.covered;  // an open question may be what rotation changes
  if (covered.order || !covered.quantities.empty()) return view.canvas().covered(rest.rest(), Style::number);
  const std::vector<OutputError>& all = numbers.errors->all();
  const bool published = numbers.inputs.head().inputs == sim::InputRule::outliers;
  double most = 0;
  for (const OutputError& error : all)
    most = std::max({most, error.value.value_or(0), published ? error.published.value : 0});
  draw_error_heads(view, rest.top(view.px(18), 0), published);
  const bool changes = numbers.tile->rotated() != nullptr;
  const float below = view.px(changes ? 168 : 70);
  const float high =
      std::clamp((rest.height() - below) / static_cast<float>(all.size()), view.px(20), view.px(changes ? 42 : 80));
  for (const OutputError& error : all)
    draw_error(view, rest.top(high, 0), error, 1.04 * std::max(most, 1e-9), published);
  draw_error_notes(view, ui::Space(rest.top(view.px(20))), *numbers.errors, published);
  view.canvas().fill(rest.top(1, view.px(8)), view.theme().border);
  draw_changes(view, rest, *numbers.tile);
  const std::string sentence = narrow_sentence(view.state.look.language, numbers);
  view.ui.state.shown.emplace(view.id("numbers/sentence"), sentence);
  rest.top(view.px(4), 0);
  ui::paragraph(view.canvas(), rest.rest(), Style::caption, {view.theme().muted, true, view.theme().card}, sentence);
}

}  // namespace explorer
