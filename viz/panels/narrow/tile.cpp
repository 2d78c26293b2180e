// A tile of Q on the grid of e4m3: histograms of x / scale, as it is and rotated, and the row with the largest value.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/draw/steady.h"
#include "viz/panels/narrow/narrow.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/tracks.h"

namespace explorer {
namespace {

using ui::Point;
using ui::Rect;
using ui::Style;

constexpr float names_wide = 66, axis_wide = 46, row_wide = 212, row_gap = 26, words_high = 20;  // CSS pixels
constexpr std::size_t bins = 128;
constexpr float quarter = sim::largest_e4m3 / 4;
constexpr double least_count = 0.5;  // the lower end of the logarithmic axis

std::string short_number(double value) { return fmt::format("{:.3g}", value); }

/// Share of the height that a count has.
float height_of_count(double count, double most) {
  return static_cast<float>(draw::steady::log(count / least_count) / draw::steady::log(most / least_count));
}

void draw_count_axis(View& view, Rect numbers, Rect plot, double most) {
  for (double at = 1; at < most; at *= 10) {
    const float y = std::round(plot.bottom() - plot.height * height_of_count(at, most));
    view.canvas().fill({plot.x, y, plot.width, 1}, view.theme().track);
    const Rect number{numbers.x, y - view.px(8), numbers.width - view.px(8), view.px(16)};
    if (number.y >= plot.y - view.px(8))
      view.canvas().text(number, Style::table, view.theme().muted, report::thousands(std::llround(at)),
                         ui::Align::right);
  }
}

/// Draws the counts of x / scale in bins, those beyond a quarter of the range bright.
void draw_counts(View& view, Rect plot, const std::vector<std::int64_t>& counts, double most) {
  const float pitch = plot.width / static_cast<float>(bins);
  for (std::size_t n = 0; n < counts.size(); ++n) {
    if (counts[n] == 0) continue;
    const float left = std::round(static_cast<float>(n) * pitch), right = std::round(static_cast<float>(n + 1) * pitch);
    const float high = std::round(plot.height * height_of_count(static_cast<double>(counts[n]), most));
    const bool beyond = n < bins * 3 / 8 || n >= bins * 5 / 8;
    view.canvas().fill({plot.x + left, plot.bottom() - high, std::max(1.f, right - left - 1), high},
                       view.theme().tensor('Q', beyond ? ui::Phase::active : ui::Phase::done));
  }
}

/// Draws a histogram with its scale at the left.
void draw_histogram(View& view, Rect place, const sim::QuantisedTile& tile, std::string_view name, double most) {
  const auto [names, numbers, middle] = ui::columns(place, 0, {view.px(names_wide), view.px(axis_wide), ui::rest()});
  ui::Space beside(names);
  const bool rotated = name == "rotated";
  view.canvas().text(beside.top(view.px(18)), Style::control, view.theme().text,
                     rotated ? view.say("rotated") : view.say("before"));
  view.canvas().text(beside.top(view.px(16)), Style::caption, view.theme().muted, view.say("scale s"));
  draw_named(view, beside.top(view.px(16)), Style::table, view.theme().muted, sim::text("scale/", name),
             fmt::format("{:.4f}", tile.scale()));
  view.canvas().fill(middle, view.theme().inset, view.px(3));
  const auto [words, plot] = ui::rows(middle, 0, {view.px(words_high), ui::rest()});
  const std::string all = report::thousands(std::ssize(tile.values()));
  ui::Space line(words.inset(view.px(6), 0));
  const std::string largest = view.say("largest: {} = {} s", short_number(static_cast<double>(tile.largest())),
                                       short_number(static_cast<double>(tile.largest() / tile.scale())));
  draw_named(view, line.right(view.canvas().text_width(Style::caption, largest) + 1, view.px(12)), Style::caption,
             view.theme().text, sim::text("largest/", name), largest);
  const std::string beyond =
      view.say("{} of {} reach beyond ±{}", report::thousands(tile.beyond(quarter)), all, quarter);
  view.ui.state.shown.emplace(view.id(sim::text("numbers/beyond/", name)), beyond);
  ui::fitting_text(view.canvas(), line.rest(), Style::caption, view.theme().text, beyond);
  draw_count_axis(view, numbers, plot, most);
  draw_counts(view, plot, tile.histogram(bins), most);
}

/// Draws the numbers of e4m3 as ticks on the axis of both histograms, and some of them in digits.
void draw_grid_of_e4m3(View& view, Rect place) {
  const auto [names, middle] = ui::columns(place, 0, {view.px(names_wide + axis_wide), ui::rest()});
  const auto lines = ui::rows(middle, view.px(2), {view.px(16), ui::rest()});
  const Rect ticks = lines[0], digits = lines[1];
  view.canvas().text({names.x, ticks.y, names.width, ticks.height}, Style::caption, view.theme().text,
                     view.say("the grid"));
  const auto x = [&](float value) {
    return ticks.x + std::round((value + sim::largest_e4m3) / (2 * sim::largest_e4m3) * (ticks.width - 1));
  };
  view.canvas().fill(ticks, view.theme().inset);
  for (const float number : sim::numbers_of_e4m3())
    view.canvas().fill({x(number), ticks.y, 1, ticks.height}, view.theme().muted);
  for (const float number : {-448.f, -256.f, -128.f, 0.f, 128.f, 256.f, 448.f}) {
    if (digits.width < view.px(320) && std::abs(number) > 0 && std::abs(number) < sim::largest_e4m3) continue;
    const std::string text = number < 0 ? fmt::format("−{}", -number) : fmt::format("{}", number);
    const float wide = view.canvas().text_width(Style::table, text) + 1;
    const float left = std::clamp(x(number) - wide / 2, digits.x, digits.right() - wide);
    view.canvas().text({left, digits.y, wide, digits.height}, Style::table, view.theme().muted, text);
  }
}

/// Draws the values of a row; `most`: the magnitude at the ends of the axis.
void draw_row(View& view, Rect place, std::span<const float> row, float most, const std::string& words,
              std::string_view name) {
  view.canvas().fill(place, view.theme().inset, view.px(3));
  const auto [plot, below] = ui::rows(place.inset(view.px(4), view.px(4)), 0, {ui::rest(), view.px(18)});
  std::vector<Point> line;
  for (std::size_t n = 0; n < row.size(); ++n)
    line.push_back({plot.x + plot.width * static_cast<float>(n) / static_cast<float>(row.size() - 1),
                    plot.y + plot.height / 2 * (1 - row[n] / most)});
  view.canvas().polyline(line, view.theme().tensor('Q'), view.px(1.25f));
  draw_named(view, below, Style::caption, view.theme().text, name, words);
}

std::span<const float> row_of_tile(const sim::QuantisedTile& tile, std::size_t row) {
  const std::size_t cols = tile.values().size() / static_cast<std::size_t>(tile.queries().size());
  return std::span(tile.values()).subspan(row * cols, cols);
}

float largest_of(std::span<const float> row) {
  float largest = 0;
  for (const float x : row) largest = std::max(largest, std::abs(x));
  return largest;
}

/// Draws the row that has the largest value of the tile, as it is and rotated, on one scale.
void draw_largest_row(View& view, ui::Space place, const NarrowTile& tile, float grid_high) {
  const std::size_t cols = tile.before().values().size() / static_cast<std::size_t>(tile.before().queries().size());
  const std::size_t row = tile.before().largest_at() / cols;
  const std::span<const float> before = row_of_tile(tile.before(), row);
  const float most = 1.06f * std::max(1.f, largest_of(before));
  view.canvas().text(place.top(view.px(words_high), 0), Style::control, view.theme().text,
                     view.say("row {} of the tile", row));
  view.canvas().text(place.bottom(view.px(18), view.px(2)), Style::caption, view.theme().muted,
                     view.say("both on one scale, ±{}", short_number(static_cast<double>(most))));
  const float high = std::floor((place.height() - grid_high) / 2);
  draw_row(view, place.top(tile.rotated() ? high : place.height(), 0), before, most,
           view.say("one spike of {}", short_number(static_cast<double>(largest_of(before)))), "row/before");
  if (tile.rotated() == nullptr) return;
  const Rect between = place.top(grid_high, 0);
  const float x = std::round(between.x + view.px(16));
  ui::arrow(view.canvas(), std::array{Point{x, between.y + view.px(4)}, Point{x, between.bottom() - view.px(4)}},
            view.theme().text, view.px(1.5f));
  ui::rich_text(view.canvas(), {x + view.px(12), between.y, between.width - view.px(28), between.height}, Style::body,
                {.color = view.theme().text}, "M = diag(±1) H / √d");
  const std::span<const float> after = row_of_tile(*tile.rotated(), row);
  draw_row(view, place.rest(), after, most,
           view.say("none above {}, same length", short_number(static_cast<double>(largest_of(after)))), "row/rotated");
}

void choose_tile(const View& view, std::int64_t tile) {
  view.set([&](Look& look) { look.q_tile = static_cast<int>(tile); });
}

/// Draws buttons for the tiles before and after the one in view, and which it is.
void draw_tile_buttons(View& view, Rect line, const NarrowNumbers& numbers) {
  ui::Space rest(line);
  const float side = view.control_height(ui::Control::small);
  const std::int64_t last = numbers.inputs.tiles() - 1;
  for (const auto& [name, icon, to] : {std::tuple{"numbers/tile before", ui::Icon::step_back, numbers.row - 1},
                                       std::tuple{"numbers/tile after", ui::Icon::step, numbers.row + 1}}) {
    const Rect place = ui::middle(rest.left(side, view.px(6)), side);
    if (ui::icon_button(view.ui, view.id(name), place, icon)) choose_tile(view, std::clamp<std::int64_t>(to, 0, last));
  }
  const bool rotates = numbers.tile->rotated() != nullptr, is_largest = numbers.row == numbers.inputs.largest_tile();
  const std::string words = !is_largest ? view.say("tile {} of {}; the largest value is in tile {}", numbers.row,
                                                   last + 1, numbers.inputs.largest_tile())
                            : !rotates
                                ? std::string(view.say("the tile with the largest value"))
                                : std::string(view.say("the tile with the largest value; M is orthogonal, so "
                                                       "(Q M)(K M)^T = Q K^T: no score changes before rounding"));
  const float high = ui::paragraph_height(view.canvas(), Style::body, words, rest.width());
  ui::paragraph(view.canvas(), ui::middle(rest.rest(), std::min(high, line.height)), Style::body,
                {.color = view.theme().text}, words);
}

}  // namespace

void draw_narrow_tile(View& view, Rect card, const NarrowNumbers& numbers) {
  const sim::Shape& shape = numbers.inputs.problem().shape;
  const std::string scope =
      numbers.tile == nullptr ? std::string(view.say("head 0")) : view.say("tile {} of head 0", numbers.row);
  ui::Space rest =
      draw_narrow_card(view, card, view.say("One tile of Q on the grid of e4m3"),
                       view.say("{} x {} values, each divided by the scale; the type has {}, 8 to each power of two",
                                numbers.inputs.problem().tiling.br, shape.head_dim, sim::numbers_of_e4m3().size()),
                       scope);
  if (numbers.tile == nullptr) {
    view.canvas().text(rest.top(view.px(24)), Style::body, view.theme().muted,
                       view.say("drawing the inputs of a head: {}", report::percent(numbers.inputs.share())));
    return;
  }
  const NarrowTile& tile = *numbers.tile;
  constexpr float grid_high = 36;
  const bool wide = rest.width() >= view.px(640);
  const float buttons = wide ? view.control_height(ui::Control::small) : view.px(86);
  if (!view.bare) draw_tile_buttons(view, rest.bottom(buttons, view.px(8)), numbers);
  if (wide)
    draw_largest_row(view, ui::Space(rest.right(view.px(row_wide), view.px(row_gap))), tile, view.px(grid_high));
  ui::Space plots(rest.rest());
  ui::fitting_text(view.canvas(), plots.bottom(view.px(18), view.px(2)).inset(view.px(names_wide + axis_wide), 0),
                   Style::caption, view.theme().muted,
                   view.say("x / s, linear; count: logarithmic, bins of {}; bright: beyond ±{}",
                            2 * sim::largest_e4m3 / static_cast<float>(bins), quarter));
  const double most = 1.4 * static_cast<double>(tile.before().values().size()) / 4;
  const auto [before, grid, after] = ui::rows(
      plots.rest(), view.px(4), {ui::share(0.5f), view.px(grid_high), tile.rotated() ? ui::share(0.5f) : ui::Part(0)});
  draw_histogram(view, before, tile.before(), "before", most);
  draw_grid_of_e4m3(view, grid);
  if (tile.rotated() != nullptr) draw_histogram(view, after, *tile.rotated(), "rotated", most);
}

}  // namespace explorer
