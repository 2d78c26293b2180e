// The way of a row's scores through the current tile, as the program makes them: product, scale, score steps, mask,
// exponential. A bar is a key; all strips have the same keys, and each its own scale.
#include <algorithm>
#include <cmath>

#include "viz/model/event_label.h"
#include "viz/model/row_scores.h"
#include "viz/panels/description.h"
#include "viz/panels/hatch.h"
#include "viz/panels/microscope/microscope.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Align;
using ui::Rect;
using ui::Style;

constexpr float highest_strip = 62, strip_gap = 4, strip_line = 16, names_from = 240, strip_names = 160,
                dashes_from = 5;  // CSS pixels

/// Work for each score: "128 FLOP", "2 FLOP, 1 tanh"; "" for none.
std::string cost_words(const ScoreStrip& strip) {
  std::string words;
  const std::pair<double, std::string_view> parts[] = {
      {strip.matmul_flops + strip.other_flops, "FLOP"}, {strip.exps, "exp"}, {strip.tanhs, "tanh"}};
  for (const auto& [count, unit] : parts) {
    if (count > 0) words += fmt::format("{}{:.3g} {}", words.empty() ? "" : ", ", count, unit);
  }
  return words;
}

/// True if the values before the step are drawn as dashes: on the same scale they can be compared.
bool keeps_scale(const ScoreStrip& strip, const ScoreStrip* before) {
  const bool same = before != nullptr && before->tensor == strip.tensor;
  return same && (strip.verb == sim::Verb::modify || strip.verb == sim::Verb::mask || strip.verb == sim::Verb::dropout);
}

void draw_strip_bars(View& view, Rect place, const ScoreStrip& strip, const ScoreStrip* before) {
  const ui::Theme& theme = view.theme();
  const bool dashes = keeps_scale(strip, before);
  double low = 0, high = 1e-9;
  const auto include = [&](const std::vector<float>& values) {
    for (const float value : values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, static_cast<double>(value));
      high = std::max(high, static_cast<double>(value));
    }
  };
  include(strip.values);
  if (dashes) include(before->values);
  const auto y = [&](float value) {
    return place.y + place.height * static_cast<float>((high - static_cast<double>(value)) / (high - low));
  };
  const auto count = static_cast<float>(strip.values.size());
  const float pitch = place.width / count, zero = y(0);
  const float wide = std::max(1.f, std::min(view.px(24), std::round(pitch * 0.7f)));
  const char letter = letter_of(strip.tensor) == 0 ? 'S' : letter_of(strip.tensor);
  view.canvas().fill({place.x, std::round(zero), place.width, 1}, theme.border);
  for (std::size_t key = 0; key < strip.values.size(); ++key) {
    const float value = strip.values[key];
    const float x = std::round(place.x + (static_cast<float>(key) + 0.5f) * pitch - wide / 2);
    const auto bar = [&](float of) {
      return Rect{x, std::min(y(of), zero), wide, std::max(1.f, std::abs(y(of) - zero))};
    };
    const bool hidden = !std::isfinite(value);
    if (hidden) {
      const Rect hatched{x, place.y, wide, place.height};
      view.canvas().fill(hatched, theme.skipped, 0);
      if (wide >= view.px(dashes_from)) draw_hatch(view.canvas(), hatched, Hatch::diagonal, theme.card);
      continue;
    }
    view.canvas().fill(bar(value), theme.tensor(letter), 0);
    const float old = dashes ? before->values[key] : value;
    if (std::isfinite(old) && std::abs(y(old) - y(value)) > view.px(2.5f) && wide >= view.px(dashes_from))
      draw_dashed_bar(view, bar(old), old < 0, theme.tensor(letter));
  }
}

/// Draws the names of a strip at the left: what the event does, and its equation or formula if there is a second line.
void draw_strip_names(View& view, Rect place, const ScoreStrip& strip, bool now) {
  const ui::Theme& theme = view.theme();
  const ui::Color color = now ? theme.text : theme.muted;
  const auto [name, below] = ui::rows(place, 0, {{view.px(strip_line)}, ui::optional(view.px(strip_line))});
  const bool step = !strip.formula.empty();
  view.canvas().text(name, now ? Style::control : Style::body, color,
                     step ? view.say("Score step") : verb_name(view.state.look.language, strip.verb));
  if (below.empty()) return;
  if (step)
    view.canvas().text(below, Style::caption, theme.muted, strip.formula);
  else
    ui::rich_text(view.canvas(), below, Style::caption, {theme.muted, true, theme.card}, strip.equation);
}

void draw_score_strip(View& view, Rect place, const ScoreStrip& strip, const ScoreStrip* before, bool now) {
  const ui::Theme& theme = view.theme();
  const bool named = place.width >= view.px(names_from), high = place.height >= view.px(2 * strip_line + 2);
  const auto [names, pictures] = ui::columns(place, view.px(8), {{named ? view.px(strip_names) : 0}, ui::rest()});
  if (named) draw_strip_names(view, names, strip, now);
  const auto [line, bars] = ui::rows(pictures, 0, {{high ? view.px(strip_line) : 0}, ui::rest()});
  if (strip.done) draw_strip_bars(view, bars, strip, before);
  if (!high) return;
  const std::string cost = cost_words(strip);
  const float most = strip.values.empty() ? 0 : *std::max_element(strip.values.begin(), strip.values.end());
  ui::Space texts(line, view.px(8));
  const float wide = view.canvas().text_width(Style::caption, cost) + 1;
  if (wide <= texts.width()) view.canvas().text(texts.right(wide), Style::caption, theme.muted, cost);
  const std::string largest = view.say("most {}", row_number("{:.2f}", most));
  if (strip.done && view.canvas().text_width(Style::caption, largest) <= texts.width())
    view.canvas().text(texts.rest(), Style::caption, theme.muted, largest);
}

void draw_strip_tip(View& view, const ScoreStrip& strip) {
  const std::string equation = strip.formula.empty() ? ui::plain(strip.equation) : "s ← " + strip.formula;
  std::vector<std::string> lines = {std::string(verb_name(view.state.look.language, strip.verb)), equation};
  const std::string cost = cost_words(strip);
  if (!cost.empty()) lines.push_back(view.say("{} for each score", cost));
  draw_tooltip(view, lines);
}

}  // namespace

void draw_row_scores(View& view, const ShownRow& row, Rect rect) {
  const Rect rest = draw_card(view, rect, view.say("From scores to weights"), tile_name(view, row, row.moment.tile));
  const ScoreStrips strips = score_strips(view.model, row);
  if (strips.all.empty()) {
    const std::string_view words = strips.computing ? view.say("computing the values of the tile")
                                                    : view.say("This kernel has no tile of scores.");
    ui::paragraph(view.canvas(), rest, Style::caption, {view.theme().muted}, ui::escaped(words));
    return;
  }
  const float gap = view.px(strip_gap), count = static_cast<float>(strips.all.size());
  const float height = std::min(view.px(highest_strip), std::floor((rest.height - (count - 1) * gap) / count));
  ui::Space list(rest, gap);
  for (std::size_t n = 0; n < strips.all.size(); ++n) {
    const ScoreStrip& strip = strips.all[n];
    const bool last = strip.done && (n + 1 == strips.all.size() || !strips.all[n + 1].done);
    const Rect place = list.top(height);
    draw_score_strip(view, place, strip, n == 0 ? nullptr : &strips.all[n - 1], last);
    if (ui::hit(view.ui, view.id(sim::text("row/score/", n)), place).hovered) draw_strip_tip(view, strip);
  }
}

}  // namespace explorer
