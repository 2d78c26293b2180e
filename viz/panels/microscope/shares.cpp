// Effect of skipping alpha: shares of the largest keys in the answer with and without it, and the error of O.
#include <algorithm>
#include <cmath>

#include "viz/panels/hatch.h"
#include "viz/panels/microscope/microscope.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Align;
using ui::Rect;
using ui::Style;

constexpr float name_column = 66, numbers_column = 112, one_number = 52, share_line = 26;  // CSS pixels
constexpr std::size_t most_lines = 5;

/// Name of a key, counted over the whole row.
std::string name_of_key(const View& view, std::int64_t key) {
  const auto words = words_of(view.subject());
  const auto index = static_cast<std::size_t>(key);
  return index < words.size() ? std::string(words[index]) : sim::text(key);
}

void draw_share(View& view, Rect line, const sim::KeyShare& key, std::size_t n, double most) {
  const ui::Theme& theme = view.theme();
  const bool both = view.state.look.without_alpha;
  const auto [name, bars, gap, numbers] = ui::columns(line, 0,
                                                      {{std::min(view.px(name_column), line.width / 4)},
                                                       ui::rest(),
                                                       {view.px(8)},
                                                       {view.px(both ? numbers_column : one_number)}});
  view.canvas().text(name, Style::control, theme.text, name_of_key(view, key.key));
  const std::string kept = part_text(key.kept), skipped = part_text(key.skipped);
  const std::string path = sim::text("shares.", n);
  if (both) view.ui.state.shown[view.id("row/" + path + ".without_alpha")] = skipped;
  view.ui.state.shown[view.id("row/" + path + ".with_alpha")] = kept;
  view.canvas().text(numbers, Style::table, theme.text, both ? kept + " → " + skipped : kept, Align::right);
  const float height = view.px(8), top = std::round(bars.center().y - (both ? height + 1 : height / 2));
  const auto bar = [&, place = bars](float y, double share) {
    const Rect track{place.x, y, place.width, height};
    view.canvas().fill(track, theme.track, 0);
    return track.share(static_cast<float>(share / most));
  };
  view.canvas().fill(bar(top, key.kept), theme.tensor('P'), 0);
  if (!both) return;
  const Rect wrong = bar(top + height + 2, key.skipped);
  view.canvas().fill(wrong, ui::mix(theme.warning, theme.card, 0.35f), 0);
  draw_hatch(view.canvas(), wrong, Hatch::diagonal, theme.card);
}

/// Factor by which the earliest keys are overweighted in the answer without alpha.
double too_heavy(const ShownRow& row, std::size_t count) {
  const auto& tiles = row.tiles();
  while (count > 0 && !tiles[count - 1].max_runs) --count;  // a second pass adds nothing
  double most = 1;
  for (std::size_t t = 0; t < count; ++t) {
    const sim::SoftmaxTile &tile = tiles[t], &last = tiles[count - 1];
    const bool same = tile.of_parts == last.of_parts && (tile.of_parts || tile.part == last.part);
    if (same && tile.m != sim::unseen_max) most = std::max(most, exp_of(static_cast<double>(last.m - tile.m)));
  }
  return most;
}

void draw_verdict(View& view, const ShownRow& row, const RowShares& shares, Rect rest) {
  const ui::Theme& theme = view.theme();
  const auto [legend, line] = ui::rows(rest, 0, {{view.px(24)}, {view.px(32)}});
  ui::Space names(legend, view.px(6));
  const float side = view.px(10);
  const auto swatch = [&](ui::Color color, bool hatched) {
    const Rect place = names.left(side), box{place.x, std::round(place.center().y - side / 2), side, side};
    view.canvas().fill(box, color, 0);
    if (hatched) draw_hatch(view.canvas(), box, Hatch::diagonal, theme.card);
  };
  const std::string_view with = view.say("with α");
  swatch(theme.tensor('P'), false);
  view.canvas().text(names.left(view.canvas().text_width(Style::caption, with) + 1, view.px(16)), Style::caption,
                     theme.text, with);
  swatch(ui::mix(theme.warning, theme.card, 0.35f), true);
  const std::string heavy = times_text(too_heavy(row, shares.count));
  const std::string words = view.say("without: old keys up to {} x too heavy", heavy);
  view.canvas().text(names.rest(), Style::caption, theme.warning,
                     ui::first_that_fits(view.canvas(), Style::caption, names.width(), {words, view.say("without")}));
  ui::Space error(line, view.px(10));
  const std::string part = part_text(shares.error);
  draw_row_text(view, error.left(view.canvas().text_width(Style::number, part) + 1), Style::number, theme.warning,
                "without_alpha.relative_error", part);
  view.canvas().text(
      error.rest(), Style::caption, theme.muted,
      ui::first_that_fits(view.canvas(), Style::caption, error.width(),
                          {view.say("error of O / ℓ of this row, relative to its length"),
                           view.say("relative error of O / ℓ of this row"), view.say("error of O / ℓ")}));
}

/// Reason that alpha changes nothing here; empty if it does.
std::string_view reason_without_alpha(const View& view, const ShownRow& row) {
  if (!row.task->rescales())
    return view.say(
        "Nothing of this row is rescaled: its keys are one tile, or the program has their maximum before it sums.");
  if (row.moment.complete() == 0) return view.say("No tile is summed yet.");
  return {};
}

}  // namespace

void draw_row_shares(View& view, const ShownRow& row, Rect rect) {
  const ui::Theme& theme = view.theme();
  const Rect rest = draw_card(view, rect, view.say("If α were skipped"));
  const bool possible = row.task->rescales();
  if (!view.bare && possible) {
    const std::string_view label = view.say("show");
    const float width = ui::toggle_width(view.canvas(), label), height = view.control_height(ui::Control::small);
    const Rect place{rect.right() - view.px(16) - width, rect.y + view.px(7), width, height};
    toggle(view, "without-alpha", place, label, "without-alpha");
  }
  const std::string_view reason = reason_without_alpha(view, row);
  if (!reason.empty()) {
    ui::paragraph(view.canvas(), rest.inset(0, view.px(4)), Style::body, {theme.muted}, ui::escaped(reason));
    return;
  }
  const RowShares& shares = row.task->shares(row.moment.complete());
  const auto [gap, head, places, below] = ui::rows(rest, 0, {{view.px(4)}, {view.px(20)}, ui::rest(), {view.px(60)}});
  view.canvas().text(head, Style::caption, theme.muted,
                     view.say("share of the answer after {}", tile_name(view, row, shares.count - 1)));
  double most = 1e-9;
  for (const sim::KeyShare& key : shares.largest) most = std::max({most, key.kept, key.skipped});
  const double scale = most > 0.2 ? 1 : most * 1.1;  // full scale of the tracks: 1, unless shares are small
  const auto room = static_cast<std::size_t>(std::max(0.f, places.height / view.px(share_line)));
  const std::size_t lines = std::min({room, most_lines, shares.largest.size()});
  ui::Space list(places);
  for (std::size_t n = 0; n < lines; ++n) draw_share(view, list.top(view.px(share_line)), shares.largest[n], n, scale);
  if (view.state.look.without_alpha) return draw_verdict(view, row, shares, below);
  ui::paragraph(view.canvas(), below, Style::caption, {theme.muted},
                ui::escaped(view.say("The keys with the largest shares. What if the sums of earlier tiles were not "
                                     "multiplied by α?")));
}

}  // namespace explorer
