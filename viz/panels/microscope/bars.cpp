// Bars of the keys of a row: scores above, weights below, and the effect of alpha on them.
#include <algorithm>
#include <cmath>

#include "viz/panels/microscope/keys.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Align;
using ui::Rect;
using ui::Style;

constexpr float widest_bar = 38, narrow_bar = 6, both_from = 76;  // CSS pixels
constexpr double falls_by = 0.25;  // of the scale of weights: larger falls have an arrow and both numbers
constexpr std::size_t named_keys = 3;

void draw_bar(RowKeys& k, Rect column, float from, float to, ui::Color color) {
  const float y = std::min(from, to), height = std::max(1.f, std::abs(to - from));
  k.view.canvas().fill({column.x, y, column.width, height}, color, k.view.px(2));
}

Rect number_box(const RowKeys& k, float x, float y, bool above) {
  const float width = std::max(k.strip.pitch + 8, k.view.px(30)), height = k.view.px(row_number_height);
  return {x - width / 2, above ? y - height : y, width, height};
}

void draw_score(RowKeys& k, std::size_t t, std::size_t key) {
  const float s = k.row.tiles()[t].scores[key];
  const ui::Theme& theme = k.view.theme();
  const Rect column = k.column(t, key);
  if (s == sim::unseen_max) {
    k.view.canvas().fill({column.x, k.score_y(0) - 1, column.width, 2}, theme.skipped);
    return;
  }
  const bool now = t == k.row.moment.tile;
  const float zero = k.score_y(0), y = k.score_y(static_cast<double>(s));
  draw_bar(k, column, zero, y, theme.tensor('S', now ? ui::Phase::active : ui::Phase::done));
  const Rect box = number_box(k, column.center().x, y, s >= 0);
  if (now) k.taken.push_back({column.x, std::min(zero, y), column.width, std::abs(zero - y)});
  if (k.strip.detail != KeyDetail::words) return;
  if (now) k.taken.push_back(box);
  draw_row_text(k.view, box, Style::table, theme.text, tile_path(t, "scores", key), row_number("{:.2f}", s),
                Align::center);
}

void draw_arrow(RowKeys& k, float x, float from, float to) {
  const float head = k.view.px(5);
  if (to - from < 3 * head) return;
  ui::Canvas& canvas = k.view.canvas();
  canvas.line({x, from + head}, {x, to - head}, k.view.theme().text, std::max(1.f, k.view.px(1)));
  canvas.triangle({x - head * 0.7f, to - head - 1}, {x + head * 0.7f, to - head - 1}, {x, to - 1}, k.view.theme().text);
}

/// Weight of a key before the current tile's alpha; the current weight if alpha leaves it unchanged.
double weight_before(const ShownRow& row, std::size_t t, std::size_t key) {
  const sim::SoftmaxTile& tile = row.tiles()[t];
  const auto own = static_cast<double>(tile.weights[key]);
  if (!tile.max_runs || own == 0 || t == row.moment.tile) return own;
  return own * exp_of(static_cast<double>(tile.m) - max_before(row, t));
}

void draw_weight(RowKeys& k, std::size_t t, std::size_t key) {
  const double now = weight_now(k.row, t, key), before = weight_before(k.row, t, key);
  const ui::Theme& theme = k.view.theme();
  const Rect column = k.column(t, key);
  const float zero = k.weights.bottom();
  draw_bar(k, column, zero, k.weight_y(now), theme.tensor('P'));
  const bool shrinks = now<before, falls = before - now> falls_by * k.top;
  if (shrinks) {
    const float y = k.weight_y(before);
    draw_dashed_bar(k.view, {column.x, y, column.width, zero - y}, false, theme.tensor('P'));
    if (falls && k.strip.detail == KeyDetail::words) draw_arrow(k, column.center().x, y, k.weight_y(now));
  }
  if (k.strip.detail != KeyDetail::words) return;
  const bool both = falls && k.strip.pitch >= k.view.px(both_from);
  const std::string text = row_number("{:.2f}", static_cast<float>(now));
  const std::string words = both ? row_number("{:.2f}", static_cast<float>(before)) + " → " + text : text;
  draw_row_text(k.view, number_box(k, column.center().x, k.weight_y(shrinks ? before : now), true), Style::table,
                theme.text, tile_path(t, "weights", key), words, Align::center);
}

/// Draws a key that online softmax has not seen: dashes, no numbers.
void draw_unseen(RowKeys& k, std::size_t t, std::size_t key) {
  const float height = k.view.px(14);
  const Rect column = k.column(t, key);
  for (const float zero : {k.score_y(0), k.weights.bottom()})
    draw_dashed_bar(k.view, {column.x, zero - height, column.width, height}, false, k.view.theme().border);
}

/// Seen keys with the largest weights.
std::vector<std::pair<std::size_t, std::size_t>> largest_keys(const RowKeys& k) {
  std::vector<std::pair<std::size_t, std::size_t>> keys;
  const auto heavier = [&](const auto& a, const auto& b) {
    return weight_now(k.row, a.first, a.second) > weight_now(k.row, b.first, b.second);
  };
  for (std::size_t t = k.strip.begin; t < k.strip.end && k.row.knows(t, RowStage::weights); ++t) {
    for (std::size_t key = 0; key < k.row.tiles()[t].weights.size(); ++key) {
      keys.insert(std::upper_bound(keys.begin(), keys.end(), std::pair(t, key), heavier), {t, key});
      if (keys.size() > named_keys) keys.pop_back();
    }
  }
  return keys;
}

void draw_name(RowKeys& k, std::size_t t, std::size_t key) {
  const ui::Theme& theme = k.view.theme();
  const bool now = t == k.row.moment.tile, seen = t <= k.row.moment.tile;
  const Rect box{k.strip.middle(t, key) - k.strip.pitch / 2, k.names.y, k.strip.pitch, k.names.height};
  const sim::SoftmaxTile& tile = k.row.tiles()[t];
  const auto index = static_cast<std::size_t>(tile.keys.begin) + key;
  if (words_of(k.view.subject()).empty() || tile.of_parts) {
    k.view.canvas().text(box, Style::table, seen ? theme.text : theme.muted, key_name(k.view, k.row, t, key),
                         Align::center);
    return;
  }
  const auto [word, number] = ui::rows(box, 0, {{k.view.px(22)}, ui::rest()});
  k.view.canvas().text(word, now ? Style::control : Style::body, seen ? theme.text : theme.muted,
                       key_name(k.view, k.row, t, key), Align::center);
  k.view.canvas().text(number, Style::small_script, theme.muted, sim::text(index), Align::center);
}

}  // namespace

float RowKeys::score_y(double s) const {
  return scores.y + scores.height * static_cast<float>((high - s) / std::max(1e-9, high - low));
}

float RowKeys::weight_y(double p) const {
  return weights.bottom() - weights.height * static_cast<float>(std::clamp(p / top, 0.0, 1.0));
}

float RowKeys::bar() const {
  if (strip.detail == KeyDetail::words) return std::min(view.px(widest_bar), std::round(0.5f * strip.pitch));
  return std::min(view.px(narrow_bar), std::max(1.f, strip.pitch - 1));
}

ui::Rect RowKeys::column(std::size_t t, std::size_t key) const {
  return {std::round(strip.middle(t, key) - bar() / 2), scores.y, bar(), scores.height};
}

void draw_largest_names(RowKeys& k) {
  std::vector<Rect> taken;
  for (const auto& [t, key] : largest_keys(k)) {
    const std::string name = key_name(k.view, k.row, t, key);
    const float width = k.view.canvas().text_width(Style::caption, name) + 4;
    const float left = std::clamp(k.strip.middle(t, key) - width / 2, k.names.x, k.names.right() - width);
    const Rect box{left, k.names.y, width, k.names.height};
    if (std::any_of(taken.begin(), taken.end(), [&](Rect other) { return !common(other, box).empty(); })) continue;
    taken.push_back(box);
    k.view.canvas().text(box, Style::caption, k.view.theme().text, name, Align::center);
  }
}

void draw_tile_keys(RowKeys& k, std::size_t t) {
  for (std::size_t key = 0; key < k.row.tiles()[t].scores.size(); ++key) {
    k.row.knows(t, RowStage::scores) ? draw_score(k, t, key) : draw_unseen(k, t, key);
    const bool hidden = k.row.tiles()[t].scores[key] == sim::unseen_max;
    if (k.row.knows(t, RowStage::weights) && !hidden) draw_weight(k, t, key);
    if (k.strip.detail == KeyDetail::words) draw_name(k, t, key);
  }
}

void draw_texture(RowKeys& k) {
  const auto& bins = k.row.task->bins(k.strip.begin, k.strip.end);
  const ui::Theme& theme = k.view.theme();
  const ui::Color S = theme.tensor('S'), P = theme.tensor('P');
  if (bins.empty()) return;
  const float each = k.strip.pitch * static_cast<float>(bins.front().keys);
  const auto together = static_cast<std::size_t>(std::max(1.f, std::ceil(1 / each)));
  for (std::size_t n = 0; n < bins.size(); n += together) {
    const std::size_t end = std::min(n + together, bins.size());
    double most = static_cast<double>(sim::unseen_max), mean = 0, top = 0, sum = 0, keys = 0;
    if (!k.row.knows(bins[n].tile, RowStage::scores)) break;
    const double m = max_now(k.row, bins[n].tile);
    for (std::size_t b = n; b < end; ++b) {
      if (bins[b].max == sim::unseen_max) continue;
      most = std::max(most, static_cast<double>(bins[b].max));
      mean += bins[b].mean / static_cast<double>(end - n);
      top = std::max(top, exp_of(bins[b].top - m));
      sum += bins[b].sum * exp_of(bins[b].top - m);
      keys += static_cast<double>(bins[b].keys);
    }
    if (keys == 0) continue;
    const float left = k.strip.middle(bins[n].tile, bins[n].key) - k.strip.pitch / 2;
    const float x = std::round(left), right = std::round(left + k.strip.pitch * static_cast<float>(keys));
    const Rect column{x, 0, std::max(1.f, right - x), 0};
    draw_bar(k, column, k.score_y(0), k.score_y(most), ui::mix(S, theme.card, 0.55f));
    draw_bar(k, column, k.score_y(0), k.score_y(mean), S);
    if (!k.row.knows(bins[n].tile, RowStage::weights)) continue;
    draw_bar(k, column, k.weights.bottom(), k.weight_y(top), ui::mix(P, theme.card, 0.45f));
    draw_bar(k, column, k.weights.bottom(), k.weight_y(sum / keys), P);
  }
}

}  // namespace explorer
