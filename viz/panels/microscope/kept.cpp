// State that the row keeps between two tiles: m, l and O, before the current tile, rescaled by alpha, and after it.
#include <algorithm>
#include <array>
#include <cmath>

#include "viz/panels/microscope/microscope.h"
#include "viz/panels/softmax/softmax.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr std::size_t components = 8;  // of O, the number that simulate --row reports
constexpr float name_width = 46, line_height = 26, number_width = 50, component_bar = 16;  // CSS pixels

/// A column: m, l and O at a time, and which of them are known yet.
struct Kept {
  std::string title;
  float m = 0, l = 0;
  double from_before = 0;  ///< part of l
  const std::vector<float>* O = nullptr;
  bool has_m = false, has_l = false, has_O = false;
  std::string_view m_leaf, l_leaf, O_leaf;  ///< paths; "" if not in the JSON
};

std::array<Kept, 3> columns_of_row(const View& view, const ShownRow& row) {
  const std::size_t t = row.moment.tile;
  const sim::SoftmaxTile& tile = row.tiles()[t];
  const std::string name = tile_name(view, row, t);
  const bool max = row.knows(t, RowStage::max), alpha = max && tile.rescales && row.knows(t, RowStage::alpha);
  const float rescaled = tile.alpha * tile.l_before;
  const bool sums = tile.sum_runs;
  return {{{view.say("before {}", name), tile.m_before, tile.l_before, 0, &tile.O_before, true, true, true, "m_before",
            "l_before", "O_before"},
           {std::string(view.say("rescaled by α")), tile.m, rescaled, 0, &tile.O_scaled, alpha, alpha && sums, alpha,
            "m", "", "O_rescaled"},
           {view.say("after {}", name), tile.m, tile.l, static_cast<double>(rescaled), &tile.O, max,
            row.knows(t, RowStage::sum), row.knows(t, RowStage::output), "m", "l", "O"}}};
}

/// Largest m, l and O of the row: full scale of the tracks.
struct KeptScales {
  double m = 1e-9, l = 1e-9, O = 1e-9;
};

KeptScales scales_of(const ShownRow& row, const std::array<Kept, 3>& columns) {
  KeptScales scales;
  for (std::size_t t = row.moment.begin; t < row.moment.end; ++t) {
    const sim::SoftmaxTile& tile = row.tiles()[t];
    if (std::isfinite(tile.m)) scales.m = std::max(scales.m, std::abs(static_cast<double>(tile.m)));
    scales.l = std::max(scales.l, static_cast<double>(tile.l));
  }
  for (const Kept& kept : columns) {
    for (std::size_t c = 0; c < std::min(components, kept.O->size()); ++c)
      scales.O = std::max(scales.O, std::abs(static_cast<double>((*kept.O)[c])));
  }
  return scales;
}

/// Draws a number and its track, filled in proportion; the part from before the tile is darker.
void draw_number_line(View& view, Rect line, float value, double most, double before, char tensor, bool known,
                      const std::string& path) {
  const ui::Theme& theme = view.theme();
  const Rect number = cut_left(line, view.px(number_width));
  if (known && !path.empty())
    draw_row_text(view, number, Style::table, theme.text, path, row_number("{:.2f}", value));
  else
    view.canvas().text(number, Style::table, known ? theme.text : theme.muted,
                       known ? row_number("{:.2f}", value) : std::string("–"));
  cut_right(line, view.px(22));
  const float height = view.px(10);
  const Rect track{line.x, std::round(line.center().y - height / 2), line.width, height};
  if (track.width < view.px(12)) return;
  view.canvas().fill(track, theme.track, view.px(2));
  if (!known || !std::isfinite(value)) return;
  const auto share = [&](double part) { return track.share(static_cast<float>(std::abs(part) / most)); };
  view.canvas().fill(share(static_cast<double>(value)), theme.tensor(tensor), view.px(2));
  if (before > 0) view.canvas().fill(share(before), ui::mix(theme.tensor(tensor), theme.card, 0.45f), view.px(2));
}

/// Draws bars of the components around zero; their previous values are dashed.
void draw_components(View& view, Rect place, const Kept& kept, const std::vector<float>* before, double most,
                     std::size_t t) {
  const ui::Theme& theme = view.theme();
  cut_right(place, view.px(22));
  const float middle = std::round(place.center().y), half = place.height / 2;
  view.canvas().fill({place.x, middle, place.width, 1}, theme.border);
  if (!kept.has_O) return;
  const float pitch = std::min(view.px(24), place.width / static_cast<float>(components));
  const float wide = std::max(1.f, std::min(view.px(component_bar), pitch - view.px(2)));
  const auto bar = [&](std::size_t c, float value) {
    const float height = half * static_cast<float>(std::abs(static_cast<double>(value)) / most);
    const float x = std::round(place.x + static_cast<float>(c) * pitch);
    return Rect{x, value < 0 ? middle : middle - height, wide, std::max(1.f, height)};
  };
  for (std::size_t c = 0; c < std::min(components, kept.O->size()); ++c) {
    const float value = (*kept.O)[c];
    view.canvas().fill(bar(c, value), theme.tensor('O'), view.px(2));
    view.ui.state.shown[view.id("row/" + tile_path(t, kept.O_leaf, c))] = row_number("{:.2f}", value);
    if (before != nullptr && std::abs(value) < std::abs((*before)[c]))
      draw_dashed_bar(view, bar(c, (*before)[c]), (*before)[c] < 0, theme.tensor('O'));
  }
}

void draw_arrow_between(View& view, Rect line) {
  const float y = std::round(line.center().y), size = view.px(4), x = line.x - view.px(13);
  view.canvas().line({x - size, y}, {x + size, y}, view.theme().muted, std::max(1.f, view.px(1)));
  view.canvas().triangle({x + size, y - size}, {x + 2 * size, y}, {x + size, y + size}, view.theme().muted);
}

/// Draws alpha with its numbers, and what the tile adds.
void draw_footer_line(View& view, const ShownRow& row, Rect line, float last) {
  const std::size_t t = row.moment.tile;
  const sim::SoftmaxTile& tile = row.tiles()[t];
  const ui::Ink ink{view.theme().text, true, view.theme().card};
  Rect added = line;
  cut_left(added, last - line.x);
  if (tile.rescales && row.knows(t, RowStage::alpha)) {
    const std::string m = row_number("{:.2f}", tile.m_before), next = row_number("{:.2f}", tile.m),
                      alpha = row_number("{:.3f}", tile.alpha),
                      whole = sim::text("α = exp(m − m′) = exp(", m, " − ", next, ") = ", alpha);
    const std::string text =
        view.canvas().text_width(Style::table, whole) <= last - line.x ? whole : sim::text("α = exp(m − m′) = ", alpha);
    draw_row_text(view, line, Style::table, view.theme().text, tile_path(t, "alpha"), text);
  }
  if (!row.knows(t, RowStage::sum) || added.width < view.px(120)) return;
  const std::string sum = sim::text("+ Σ p_j = ", row_number("{:.2f}", tile.sum));
  view.ui.state.shown[view.id("row/" + tile_path(t, "sum"))] = row_number("{:.2f}", tile.sum);
  ui::rich_text(view.canvas(), added, Style::table, ink, tile.O.empty() ? sum : sum + "   + Σ p_j v_j");
}

/// Draws the names of the lines, at the left.
void draw_line_names(View& view, const sim::SoftmaxTile& tile, Rect& m, Rect& l, Rect& O) {
  const ui::Theme& theme = view.theme();
  const float width = view.px(name_width);
  view.canvas().text(cut_left(m, width), Style::control, theme.text, tile.of_log_sum ? "L" : "m");
  view.canvas().text(cut_left(l, width), Style::control, theme.text, "ℓ");
  const Rect name = cut_left(O, width);
  const Rect above{name.x, name.center().y - view.px(18), name.width, view.px(18)};
  ui::rich_text(view.canvas(), above, Style::control, {theme.text, true, theme.card}, "O");
  if (tile.O.size() > components)
    view.canvas().text(above.moved(0, view.px(18)), Style::caption, theme.muted, view.say("8 of d"));
}

/// Draws the card with its title, and a note on what a row keeps if it fits.
Rect draw_kept_card(View& view, Rect rect) {
  const std::string_view title = view.say("What the row keeps"), note = view.say("two numbers and a vector");
  const float needs = view.canvas().text_width(Style::title, title) + view.canvas().text_width(Style::caption, note);
  return draw_card(view, rect, title, needs + view.px(60) < rect.width ? note : std::string_view());
}

}  // namespace

void draw_row_kept(View& view, const ShownRow& row, Rect rect) {
  ui::mark_place(view.ui, "kept", rect);
  Rect rest = draw_kept_card(view, rect);
  const std::array<Kept, 3> columns = columns_of_row(view, row);
  const KeptScales scales = scales_of(row, columns);
  const std::size_t t = row.moment.tile;
  const sim::SoftmaxTile& tile = row.tiles()[t];
  const ui::Theme& theme = view.theme();
  const Rect footer = cut_bottom(rest, view.px(20));
  Rect heads = cut_top(rest, view.px(22)), m = cut_top(rest, view.px(line_height)),
       l = cut_top(rest, view.px(line_height));
  rest = rest.inset(0, view.px(8));
  cut_left(heads, view.px(name_width));
  for (const auto& [name, place] : {std::pair("m", m), {"l", l}, {"alpha", footer}, {"O", rest}})
    ui::mark_place(view.ui, sim::text("tensor:", name), place);
  draw_line_names(view, tile, m, l, rest);
  const float width = std::floor(rest.width / 3);
  if (tile.O.empty())
    view.canvas().text(rest, Style::caption, theme.muted, view.say("O comes of another product, which reads P."));
  float last = rest.x;
  for (std::size_t n = 0; n < columns.size(); ++n) {
    const Kept& kept = columns[n];
    const auto path = [&](std::string_view leaf) { return leaf.empty() ? std::string() : tile_path(t, leaf); };
    view.canvas().text(cut_left(heads, width), Style::caption, n == 2 ? theme.text : theme.muted, kept.title);
    const Rect m_line = cut_left(m, width), l_line = cut_left(l, width), place = cut_left(rest, width);
    draw_number_line(view, m_line, kept.m, scales.m, 0, 'S', kept.has_m, path(kept.m_leaf));
    draw_number_line(view, l_line, kept.l, scales.l, kept.from_before, 'P', kept.has_l, path(kept.l_leaf));
    if (n > 0) draw_arrow_between(view, l_line);
    if (!tile.O.empty()) draw_components(view, place, kept, n == 1 ? columns[0].O : nullptr, scales.O, t);
    last = place.x;
  }
  draw_footer_line(view, row, footer, last);
}

}  // namespace explorer
