// State that the row keeps between two tiles: m, l and O, before the current tile, rescaled by alpha, and after it.
#include <algorithm>
#include <array>
#include <cmath>

#include "viz/panels/microscope/microscope.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr std::size_t components = 8;  // of O, the number that simulate --row reports
constexpr float name_width = 46, narrow_name = 20, kept_number = 50, component_bar = 16,
                arrow_width = 22;  // CSS pixels

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

/// Largest m, l and O of the row: full scale of the tracks and bars at all of its steps.
struct KeptScales {
  double m = 1e-9, l = 1e-9, O = 1e-9;
};

KeptScales scales_of(const ShownRow& row) {
  KeptScales scales;
  for (std::size_t t = row.moment.begin; t < row.moment.end; ++t) {
    const sim::SoftmaxTile& tile = row.tiles()[t];
    if (std::isfinite(tile.m)) scales.m = std::max(scales.m, std::abs(static_cast<double>(tile.m)));
    scales.l = std::max(scales.l, static_cast<double>(tile.l));
    for (const std::vector<float>* O : {&tile.O_before, &tile.O_scaled, &tile.O}) {
      for (std::size_t c = 0; c < std::min(components, O->size()); ++c)
        scales.O = std::max(scales.O, std::abs(static_cast<double>((*O)[c])));
    }
  }
  return scales;
}

/// Draws bars of the components around zero; their previous values are dashed.
void draw_components(View& view, Rect place, const Kept& kept, const std::vector<float>* before, double most,
                     std::size_t t) {
  const ui::Theme& theme = view.theme();
  place.width -= view.px(arrow_width);
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

/// Draws alpha with its numbers, and after it what the tile adds.
void draw_kept_footer(View& view, const ShownRow& row, Rect of_alpha, Rect added) {
  const std::size_t t = row.moment.tile;
  const sim::SoftmaxTile& tile = row.tiles()[t];
  const ui::Ink ink{view.theme().text, true, view.theme().card};
  if (tile.rescales && row.knows(t, RowStage::alpha)) {
    const std::string m = row_number("{:.2f}", tile.m_before), next = row_number("{:.2f}", tile.m),
                      alpha = row_number("{:.3f}", tile.alpha);
    const std::string whole = sim::text("α = exp(m − m′) = exp(", m, " − ", next, ") = ", alpha);
    const std::string brief = sim::text("α = exp(m − m′) = ", alpha), least = sim::text("α = ", alpha);
    draw_row_text(view, of_alpha, Style::table, view.theme().text, tile_path(t, "alpha"),
                  ui::first_that_fits(view.canvas(), Style::table, of_alpha.width, {whole, brief, least}));
  }
  if (!row.knows(t, RowStage::sum) || added.width < view.px(120)) return;
  const std::string sum = sim::text("+ Σ p_j = ", row_number("{:.2f}", tile.sum)), both = sum + "   + Σ p_j v_j";
  view.ui.state.shown[view.id("row/" + tile_path(t, "sum"))] = row_number("{:.2f}", tile.sum);
  const bool fits = !tile.O.empty() && ui::rich_width(view.canvas(), Style::table, both) <= added.width;
  ui::rich_text(view.canvas(), added, Style::table, ink, fits ? both : sum);
}

void draw_O_name(View& view, const sim::SoftmaxTile& tile, Rect name) {
  const ui::Theme& theme = view.theme();
  const Rect above{name.x, name.center().y - view.px(18), name.width, view.px(18)};
  ui::rich_text(view.canvas(), above, Style::control, {theme.text, true, theme.card}, "O");
  if (tile.O.size() > components && name.width >= view.px(name_width))
    view.canvas().text(above.moved(0, view.px(18)), Style::caption, theme.muted, view.say("8 of d"));
}

/// Title of the column after the rescaling: with the factor if no line below shows it.
std::string rescaled_title(View& view, const ShownRow& row, bool with_factor) {
  const std::size_t t = row.moment.tile;
  const sim::SoftmaxTile& tile = row.tiles()[t];
  const bool known = tile.rescales && tile.m_before != sim::unseen_max && row.knows(t, RowStage::alpha);
  if (!with_factor || !known) return std::string(view.say("rescaled by α"));
  std::string text = sim::text("× α = ", row_number("{:.2f}", tile.alpha));
  view.ui.state.shown[view.id("row/" + tile_path(t, "alpha"))] = text;
  return text;
}

}  // namespace

void draw_kept_number(View& view, Rect line, float value, double most, double before, char tensor, bool known,
                      const std::string& path) {
  const ui::Theme& theme = view.theme();
  const auto [number, place, arrow] =
      ui::columns(line, 0, {{view.px(kept_number)}, ui::rest(), {view.px(arrow_width)}});
  const std::string exact = row_number("{:.2f}", value), whole = row_number("{:.0f}", value);
  const std::string_view text = ui::first_that_fits(view.canvas(), Style::table, number.width, {exact, whole});
  if (known && !path.empty())
    draw_row_text(view, number, Style::table, theme.text, path, std::string(text));
  else
    view.canvas().text(number, Style::table, known ? theme.text : theme.muted, known ? text : "–");
  const float height = view.px(10);
  const Rect track{place.x, std::round(place.center().y - height / 2), place.width, height};
  if (track.width < view.px(12)) return;
  view.canvas().fill(track, theme.track, view.px(2));
  if (!known || !std::isfinite(value)) return;
  const auto share = [&](double part) { return track.share(static_cast<float>(std::abs(part) / most)); };
  view.canvas().fill(share(static_cast<double>(value)), theme.tensor(tensor), view.px(2));
  if (before > 0) view.canvas().fill(share(before), ui::mix(theme.tensor(tensor), theme.card, 0.45f), view.px(2));
}

void draw_kept_lines(View& view, const ShownRow& row, const KeptLines& at) {
  const ui::Theme& theme = view.theme();
  const std::size_t t = row.moment.tile;
  const sim::SoftmaxTile& tile = row.tiles()[t];
  const float name = view.px(at.footer.empty() ? narrow_name : name_width);
  const auto in = [&](Rect line) { return ui::columns(line, 0, {{name}, ui::share(1), ui::share(1), ui::share(1)}); };
  const auto heads = in(at.heads), m = in(at.m), l = in(at.l), O = in(at.O);
  for (const auto& [tensor, place] : {std::pair("m", at.m), {"l", at.l}, {"alpha", at.footer}, {"O", at.O}})
    if (!place.empty()) ui::mark_place(view.ui, sim::text("tensor:", tensor), place);
  view.canvas().text(m[0], Style::control, theme.text, tile.of_log_sum ? "L" : "m");
  view.canvas().text(l[0], Style::control, theme.text, "ℓ");
  if (!at.O.empty()) draw_O_name(view, tile, O[0]);
  if (tile.O.empty() && !at.O.empty())
    view.canvas().text(around(O[1], O[3]), Style::caption, theme.muted,
                       view.say("O comes of another product, which reads P."));
  std::array<Kept, 3> columns = columns_of_row(view, row);
  columns[1].title = rescaled_title(view, row, at.footer.empty());
  const KeptScales scales = scales_of(row);
  for (std::size_t n = 0; n < columns.size(); ++n) {
    const Kept& kept = columns[n];
    const auto path = [&](std::string_view leaf) { return leaf.empty() ? std::string() : tile_path(t, leaf); };
    view.canvas().text(heads[n + 1], Style::caption, n == 2 ? theme.text : theme.muted, kept.title);
    draw_kept_number(view, m[n + 1], kept.m, scales.m, 0, 'S', kept.has_m, path(kept.m_leaf));
    draw_kept_number(view, l[n + 1], kept.l, scales.l, kept.from_before, 'P', kept.has_l, path(kept.l_leaf));
    if (n > 0) draw_arrow_between(view, l[n + 1]);
    if (!tile.O.empty() && !at.O.empty())
      draw_components(view, O[n + 1], kept, n == 1 ? columns[0].O : nullptr, scales.O, t);
  }
  if (at.footer.empty()) return;
  const float left = O[3].x - at.footer.x;
  const auto [of_alpha, added] = ui::columns(at.footer, 0, {{left}, ui::rest()});
  draw_kept_footer(view, row, of_alpha, added);
}

void draw_row_kept(View& view, const ShownRow& row, Rect rect) {
  ui::mark_place(view.ui, "kept", rect);
  const std::string_view title = view.say("What the row keeps"), note = view.say("two numbers and a vector");
  const float needs = view.canvas().text_width(Style::title, title) + view.canvas().text_width(Style::caption, note);
  const Rect rest = draw_card(view, rect, title, needs + view.px(60) < rect.width ? note : std::string_view());
  const auto [heads, m, l, O, footer] =
      ui::rows(rest, 0, {{view.px(22)}, {view.px(26)}, {view.px(26)}, ui::rest(), {view.px(20)}});
  draw_kept_lines(view, row, {heads, m, l, O.inset(0, view.px(8)), footer});
}

}  // namespace explorer
