// One row of S, key by key: scores above, weights below, tiles as frames.
#include "viz/panels/microscope/keys.h"

#include <algorithm>
#include <cmath>

#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Align;
using ui::Rect;
using ui::Style;

constexpr float head_height = 26, words_height = 38, name_height = 20, texture_foot = 8, alpha_from = 250,
                letter_width = 18;  // CSS pixels

/// Sets scales from the whole row, so that they do not change while the playhead moves.
void set_scales(RowKeys& k) {
  for (const KeyBin& bin : k.row.task->bins(k.strip.begin, k.strip.end)) {
    if (bin.max == sim::unseen_max) continue;
    k.high = std::max(k.high, static_cast<double>(bin.max));
    k.low = std::min(k.low, bin.mean);
  }
  for (std::size_t t = k.strip.begin; t < k.strip.end; ++t) {
    const sim::SoftmaxTile& tile = k.row.tiles()[t];
    if (k.strip.detail != KeyDetail::texture) {
      for (const float s : tile.scores)
        if (s != sim::unseen_max) k.low = std::min(k.low, static_cast<double>(s));
    }
    if (std::isfinite(tile.m)) k.high = std::max(k.high, static_cast<double>(tile.m));
    if (tile.of_parts)
      for (const float p : tile.weights) k.top = std::max(k.top, static_cast<double>(p));
  }
}

/// Height between scores and weights, for alpha; 0 if the bars need it.
float alpha_band(const View& view, const KeyStrip& strip) {
  return strip.place.height >= view.px(alpha_from) ? view.px(row_alpha_height) : 0;
}

float names_height(const RowKeys& k) {
  if (k.strip.detail == KeyDetail::texture) return texture_foot;
  const bool two_lines = k.strip.detail == KeyDetail::words && !words_of(k.view.subject()).empty();
  return two_lines ? words_height : name_height;
}

/// Numbers stand above and below the scores, and above the weights.
void place_lines(RowKeys& k) {
  const bool low = is_low(k.view, k.strip), texture = k.strip.detail == KeyDetail::texture;
  const float number = k.view.px(row_number_height);
  const auto [head, over, scores, under, alpha, gap, weights, names] =
      ui::rows(k.strip.place, 0,
               {{low ? 0 : k.view.px(head_height)},
                {number},
                ui::share(0.55f),
                {low ? k.view.px(4) : number},
                {alpha_band(k.view, k.strip)},
                {low || texture ? k.view.px(4) : number + k.view.px(4)},
                ui::share(0.45f),
                {k.view.px(names_height(k))}});
  k.scores = scores;
  k.weights = weights;
  k.names = names;
}

void draw_frame(RowKeys& k, std::size_t t) {
  const ui::Theme& theme = k.view.theme();
  const std::size_t now = k.row.moment.tile;
  Rect frame = k.strip.tile(t);
  if (k.strip.framed()) k.view.canvas().card(frame, t == now ? theme.card : theme.inset, theme.border, k.view.px(6));
  if (t == now) ui::mark_place(k.view.ui, "tile", frame);
  if (t == now) k.view.canvas().stroke(frame, theme.strong, std::max(1.f, k.view.px(1.5f)), k.view.px(6));
  if (!k.strip.framed() || is_low(k.view, k.strip)) return;
  frame.height = k.view.px(head_height);
  const Rect head = frame.inset(k.view.px(10), 0);
  const std::string_view state = k.view.say(t < now ? /*say*/ "seen" : t == now ? /*say*/ "current" : /*say*/ "to do");
  const std::string name = tile_name(k.view, k.row, t);
  const float wide = k.view.canvas().text_width(Style::caption, state),
              named = k.view.canvas().text_width(Style::control, name);
  const auto [left, right] = ui::columns(head, k.view.px(6), {{named}, ui::rest()});
  if (right.width >= wide)
    k.view.canvas().text(right, Style::caption, t == now ? theme.text : theme.muted, state, Align::right);
  if (left.width >= named) k.view.canvas().text(left, Style::control, t > now ? theme.muted : theme.text, name);
}

void draw_lines(RowKeys& k) {
  const ui::Theme& theme = k.view.theme();
  const Rect place = k.strip.place;
  for (const float y : {k.score_y(0), k.weights.bottom()})
    k.view.canvas().fill({place.x, std::round(y), place.width, 1}, theme.border);
  draw_dashes(k.view, {place.x, std::round(k.weight_y(1)), place.width, 1}, ui::mix(theme.border, theme.card, 0.3f));
}

std::string_view part_score(const View& view, const sim::SoftmaxTile& part) {
  return part.max_runs ? view.say("m of the part") : view.say("L of the part");
}

void draw_labels(RowKeys& k, Rect column) {
  if (column.width < 1) return;
  const ui::Theme& theme = k.view.theme();
  const ui::Ink ink{theme.muted, true, theme.card};
  const float line = k.view.px(18);
  // The rule stands under its title, if it ends above what follows it.
  const auto draw = [&](float y, float end, std::string_view title, std::string_view rule) {
    k.view.canvas().text({column.x, y, column.width, line}, Style::control, theme.text, title);
    if (y + 2 * line <= end)
      ui::rich_text(k.view.canvas(), {column.x, y + line, column.width, line}, Style::body, ink, rule);
  };
  const sim::SoftmaxTile& tile = k.row.tiles()[k.row.moment.tile];
  const float weights = k.weights.y - k.view.px(6);
  draw(k.scores.y, weights, k.view.say("scores"),
       tile.of_parts ? part_score(k.view, tile) : std::string_view("s_j = q · k_j / √d"));
  draw(weights, k.names.y, k.view.say("weights"), tile.of_log_sum ? "p_j = exp(s_j − L)" : "p_j = exp(s_j − m)");
  ui::Space rest(Rect{column.x, k.weights.y + 2 * line, column.width, k.weights.bottom() - k.weights.y - 2 * line});
  const bool texture = k.strip.detail == KeyDetail::texture;
  const std::string_view lines[] = {
      k.view.say(texture ? /*say*/ "pale: maximum" : /*say*/ "outline: with m"),
      k.view.say(texture ? /*say*/ "full: mean" : /*say*/ "filled: with m′"),
      k.view.say(texture ? /*say*/ "of keys in a pixel" : /*say*/ "arrow: falls by a quarter")};
  for (const std::string_view words : lines) {
    if (rest.height() < k.view.px(15)) break;
    k.view.canvas().text(rest.top(k.view.px(15)), Style::caption, theme.muted, words);
  }
  if (k.names.height >= k.view.px(18))
    k.view.canvas().text({column.x, k.names.y, column.width, k.view.px(20)}, Style::control, theme.text,
                         k.view.say("keys"));
  const float zero = k.view.px(10), right = column.right() - k.view.px(6);
  for (const auto& [y, text] : {std::pair(k.score_y(0), "0"), {k.weight_y(0), "0"}, {k.weight_y(1), "1"}})
    k.view.canvas().text({right - zero, y - line / 2, zero, line}, Style::caption, theme.muted, text, Align::right);
}

/// Draws the tooltip of the key under the pointer: s, exp and share.
void draw_key_tip(RowKeys& k, std::size_t t, float x) {
  const sim::SoftmaxTile& tile = k.row.tiles()[t];
  if (!k.row.knows(t, RowStage::scores) || tile.scores.empty()) return;
  const float at = std::floor((x - k.strip.middle(t, 0)) / k.strip.pitch + 0.5f);
  const auto key = static_cast<std::size_t>(std::clamp(at, 0.f, static_cast<float>(tile.scores.size() - 1)));
  const auto index = static_cast<std::size_t>(tile.keys.begin) + key;
  const std::string name = key_name(k.view, k.row, t, key);
  std::vector<std::string> lines = {words_of(k.view.subject()).empty() || tile.of_parts
                                        ? k.view.say("key {}", name)
                                        : k.view.say("key {}, “{}”", index, name)};
  if (tile.scores[key] == sim::unseen_max) {
    lines.emplace_back(k.view.say("hidden by the mask"));
    return draw_tooltip(k.view, lines);
  }
  lines.push_back("s = " + row_number("{:.4f}", tile.scores[key]));
  if (k.row.knows(t, RowStage::weights))
    lines.push_back("exp(s − m) = " + row_number("{:.4f}", static_cast<float>(weight_now(k.row, t, key))));
  const RowShares& shares = k.row.task->shares(k.row.moment.complete());
  if (t < shares.count && !tile.of_parts)
    lines.push_back(k.view.say("share of the answer {}", part_text(shares.kept.share(tile, t, key))));
  draw_tooltip(k.view, lines);
}

/// Seeks the clicked tile. Framed tiles are widgets of their own; else the strip is one widget.
void take_clicks(RowKeys& k) {
  const float x = ImGui::GetIO().MousePos.x;
  const auto take = [&](const std::string& id, Rect place, std::size_t t) {
    const ui::Hit hit = ui::hit(k.view.ui, k.view.id(id), place);
    if (hit.hovered) draw_key_tip(k, t, x);
    if (hit.clicked) k.view.edit(SeekStage{t, static_cast<std::size_t>(RowStage::output)});
    return hit.clicked;
  };
  if (!k.strip.framed()) return void(take("row/keys", k.strip.place, k.strip.tile_at(x)));
  for (std::size_t t = k.strip.begin; t < k.strip.end; ++t)
    if (take(sim::text("row/tile/", t), k.strip.tile(t), t)) return;
}

std::string question(const View& view, const ShownRow& row) {
  const auto words = words_of(view.subject());
  const auto index = static_cast<std::size_t>(row.query);
  if (index < words.size()) return view.say("query {} “{}” asks each word: are you mine?", index, words[index]);
  return view.say("query {} of head {} asks each key", index, row.head);
}

void draw_title_line(View& view, const ShownRow& row, Rect line) {
  const ui::Theme& theme = view.theme();
  ui::Canvas& canvas = view.canvas();
  const std::string_view title = view.say("One row of S, key by key");
  const std::string asks = question(view, row), now = moment_sentence(view, row);
  const float wide = ui::rich_width(canvas, Style::title, title), needs = canvas.text_width(Style::body, now) + 2;
  ui::Space rest(line, view.px(14));
  ui::rich_text(canvas, rest.left(wide + view.px(6)), Style::title, {theme.text, true, theme.card}, title);
  if (rest.width() < needs) return;
  canvas.text(rest.right(needs), Style::body, theme.text, now);
  if (rest.width() > canvas.text_width(Style::caption, asks))
    canvas.text(rest.rest(), Style::caption, theme.muted, asks);
}

/// Draws the letters of scores and weights at the left of a strip that has no names of its lines.
void draw_letters(RowKeys& k, Rect column) {
  const ui::Ink ink{k.view.theme().text, true, k.view.theme().card};
  const float height = k.view.px(18);
  for (const auto& [name, place] : {std::pair("S", k.scores), {"P", k.weights}})
    ui::rich_text(k.view.canvas(), {column.x, place.center().y - height / 2, column.width, height}, Style::control, ink,
                  name);
}

}  // namespace

std::string moment_sentence(const View& view, const ShownRow& row) {
  const std::size_t t = row.moment.tile;
  const sim::SoftmaxTile& tile = row.tiles()[t];
  const std::string name = tile_name(view, row, t);
  if (!row.knows(t, RowStage::scores)) return view.say("{}: its scores are not there yet", name);
  if (tile.of_parts && !tile.max_runs) return view.say("{} is weighed with the maximum of all parts", name);
  if (tile.of_log_sum) return view.say("{}: L of the pass before is loaded, so nothing is rescaled", name);
  if (!tile.max_runs) return view.say("{}: the maximum of the pass before is known", name);
  if (!row.knows(t, RowStage::max)) return view.say("{}: is there a larger score than m?", name);
  if (tile.m_before == sim::unseen_max) return view.say("{}: the first maximum", name);
  if (tile.m > tile.m_before) return view.say("{}: a new maximum arrives, so all that was summed before shrinks", name);
  return view.say("{}: no larger score, the maximum stays", name);
}

void draw_key_pictures(View& view, const ShownRow& row, Rect place) {
  const float names = label_width(view, place.width), letters = names > 0 ? 0 : view.px(letter_width);
  const auto [labels, letter, strip] = ui::columns(place, 0, {{names}, {letters}, ui::rest()});
  RowKeys k{view, row, key_strip(view, row, strip), {}, {}, {}};
  place_lines(k);
  set_scales(k);
  for (std::size_t t = k.strip.begin; t < k.strip.end && k.strip.framed(); ++t) draw_frame(k, t);
  ui::mark_place(view.ui, "tensor:S", k.scores);
  ui::mark_place(view.ui, "tensor:P", k.weights);
  ui::mark_place(view.ui, "tensor:K", k.names);
  ui::mark_place(view.ui, "row", strip);
  draw_lines(k);
  names > 0 ? draw_labels(k, labels) : draw_letters(k, letter);
  if (k.strip.detail == KeyDetail::texture) draw_texture(k);
  for (std::size_t t = k.strip.begin; t < k.strip.end && k.strip.detail != KeyDetail::texture; ++t)
    draw_tile_keys(k, t);
  if (k.strip.detail == KeyDetail::bars) draw_largest_names(k);
  if (!k.strip.framed()) draw_frame(k, row.moment.tile);
  draw_maxima(k);
  if (alpha_band(view, k.strip) > 0) draw_alpha(k);
  take_clicks(k);
}

void draw_row_keys(View& view, const ShownRow& row, ui::Rect rect) {
  ui::panel(view.canvas(), rect);
  const auto [title, pictures] =
      ui::rows(rect.inset(view.px(16), view.px(12)), view.px(6), {{view.px(24)}, ui::rest()});
  draw_title_line(view, row, title);
  draw_key_pictures(view, row, pictures);
}

}  // namespace explorer
