// The pool of physical pages, and the arrows that lead into it.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/pages/pages.h"
#include "viz/panels/parts.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/tracks.h"

namespace explorer {
namespace {

using ui::Point;
using ui::Rect;
using ui::Style;

constexpr float largest_cell = 60, least_cell = 18, least_numbered = 26, least_counted = 36,
                tiny_cell = 8;  // CSS pixels
constexpr std::int64_t most_numbered = 400;
constexpr std::array<float, 2> dots = {2, 4}, dashes = {4, 3};

/// The largest cells with which all pages fit; tiny ones, if need be for several pages each, if there are many.
PoolGrid pool_grid(const View& view, Rect place, std::int64_t pages) {
  const auto grid = [&](float pitch, float between) {
    const float columns = std::max(1.f, std::floor(place.width / pitch));
    return PoolGrid{place, static_cast<std::size_t>(columns), pitch, between};
  };
  const auto rows = [&](const PoolGrid& g) { return sim::ceil_div(pages, static_cast<std::int64_t>(g.columns)); };
  for (float cell = largest_cell; pages <= most_numbered && cell >= least_cell; --cell) {
    const PoolGrid numbered = grid(view.px(cell), view.px(4));
    if (static_cast<float>(rows(numbered)) * numbered.pitch <= place.height) return numbered;
  }
  PoolGrid tiny = grid(view.px(tiny_cell), 1);
  const auto fit = static_cast<std::int64_t>(std::max(1.f, std::floor(place.height / tiny.pitch)));
  tiny.per_cell = sim::ceil_div(pages, fit * static_cast<std::int64_t>(tiny.columns));
  return tiny;
}

/// "93" and "× 4" on a page; whose it is, on one that was copied.
void draw_page_number(PagesShown& shown, Rect cell, std::int64_t page, ui::Color color) {
  View& view = shown.view;
  if (cell.width < view.px(least_numbered - 4)) return;
  const Rect inside = cell.inset(view.px(4), view.px(1));
  view.canvas().text({inside.x, inside.y, inside.width, view.px(16)}, Style::table, color, sim::text(page));
  if (cell.width < view.px(least_counted - 4) || shown.moment.home(page).block < 0) return;
  const std::int64_t holders = shown.pool().holders(static_cast<std::int32_t>(page));
  const bool fell = std::any_of(shown.moment.writes().begin(), shown.moment.writes().end(),
                                [&](const sim::PageWrite& write) { return write.copied_from == page; });
  if (holders < 2 && !fell) return;
  view.canvas().text({inside.x, inside.bottom() - view.px(16), inside.width, view.px(16)}, Style::caption, color,
                     sim::text("× ", holders), ui::Align::right);
}

void draw_numbered(PagesShown& shown, const PoolGrid& grid, std::int64_t page) {
  View& view = shown.view;
  const Rect cell = grid.cell(page);
  const PageHome& home = shown.moment.home(page);
  const bool chosen = page == shown.chosen.page;
  if (home.block < 0) {
    view.canvas().stroke(cell, view.theme().border, 1, view.px(3));
    return draw_page_number(shown, cell, page, view.theme().muted);
  }
  draw_page(shown, cell, page, chosen || shown.moment.copied_to(page) != sim::no_page);
  const bool full = shown.pool().tokens_in(static_cast<std::int32_t>(page)) == shown.moment.rows();
  draw_page_number(shown, cell, page, full ? ui::text_on(page_color(shown, page)) : view.theme().text);
  const bool holds = shown.holds_chosen(static_cast<std::size_t>(shown.chosen.sequence)) && chosen;
  react_to_page(shown, sim::text("pages/pool/", page), cell, holds ? shown.chosen.sequence : home.sequence, home.block);
}

/// Draws a tiny cell: one page, or how many of several are in use.
void draw_tiny(PagesShown& shown, const PoolGrid& grid, std::int64_t first) {
  View& view = shown.view;
  const std::int64_t last = std::min(first + grid.per_cell, shown.pool().pages());
  const std::int64_t used = shown.moment.used_before(last) - shown.moment.used_before(first);
  const Rect cell = grid.cell(first);
  view.canvas().fill(cell, view.theme().track);
  if (used > 0 && grid.per_cell == 1) {
    view.canvas().fill(cell, page_color(shown, first));
  } else if (used > 0) {
    const float high =
        std::max(1.f, std::round(cell.height * static_cast<float>(used) / static_cast<float>(last - first)));
    view.canvas().fill({cell.x, cell.bottom() - high, cell.width, high}, view.theme().muted);
  }
  if (shown.chosen.page >= first && shown.chosen.page < last)
    view.canvas().stroke(cell.inset(-view.px(1)), view.theme().strong, view.px(2));
}

/// The pointer on tiny cells.
void react_to_tiny(PagesShown& shown, const PoolGrid& grid) {
  View& view = shown.view;
  const ui::Hit hit = ui::hit(view.ui, view.id("pages/pool"), grid.place);
  if (!hit.hovered && !hit.clicked) return;
  const ImVec2 at = ImGui::GetIO().MousePos;
  const auto column = static_cast<std::int64_t>((at.x - grid.place.x) / grid.pitch),
             row = static_cast<std::int64_t>((at.y - grid.place.y) / grid.pitch);
  const auto columns = static_cast<std::int64_t>(grid.columns);
  const std::int64_t page = (row * columns + column) * grid.per_cell;
  if (column < 0 || column >= columns || page < 0 || page >= shown.pool().pages()) return;
  const PageHome& home = shown.moment.home(page);
  if (hit.clicked && home.block >= 0) choose_page(view, home.sequence, home.block);
  if (!hit.hovered) return;
  const std::int64_t last = std::min(page + grid.per_cell, shown.pool().pages());
  const std::int64_t used = shown.moment.used_before(last) - shown.moment.used_before(page);
  const std::string line =
      grid.per_cell > 1 ? view.say("{} of {} pages from {} on are in use", used, last - page, page)
      : home.block < 0  ? view.say("place {}: free", page)
                        : view.say("place {}: held by {}", page, shown.pool().holders(static_cast<std::int32_t>(page)));
  draw_tooltip(view, std::array{line});
}

/// A curve from a point to another, which leaves and arrives level.
std::array<Point, 17> curve(Point from, Point to) {
  std::array<Point, 17> points;
  for (std::size_t n = 0; n < points.size(); ++n) {
    const float t = static_cast<float>(n) / static_cast<float>(points.size() - 1);
    points[n] = {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t * t * (3 - 2 * t)};
  }
  return points;
}

/// Draws from which page the copies of this step were made.
void draw_copies(PagesShown& shown, const PoolGrid& grid) {
  View& view = shown.view;
  for (const sim::PageWrite& write : shown.moment.writes()) {
    if (write.copied_from == sim::no_page) continue;
    const Rect from = grid.cell(write.copied_from), to = grid.cell(write.page);
    const std::array<Point, 5> frame = {{{from.x, from.y},
                                         {from.right(), from.y},
                                         {from.right(), from.bottom()},
                                         {from.x, from.bottom()},
                                         {from.x, from.y}}};
    ui::dashed_line(view.canvas(), frame, view.theme().strong, view.px(2), dashes);
    ui::arrow(view.canvas(), curve(from.center(), to.center()), view.theme().strong, view.px(1.5f), dots);
  }
}

void draw_pool_legend(PagesShown& shown, Rect row) {
  View& view = shown.view;
  const ui::Theme& theme = view.theme();
  std::vector<ui::Swatch> swatches;
  if (shown.moment.shared_of(shown.sequence()) > 0)
    swatches.push_back({std::string(view.say("shared, with its count")), {shared_color(view), {}}});
  swatches.push_back({std::string(view.say("one owner")),
                      {sequence_color(shown, static_cast<std::size_t>(shown.chosen.sequence)), {}}});
  swatches.push_back({std::string(view.say("free")), {theme.track, {}}});
  const bool copies = std::any_of(shown.moment.writes().begin(), shown.moment.writes().end(),
                                  [](const auto& write) { return write.copied_from != sim::no_page; });
  if (copies) swatches.push_back({std::string(view.say("just copied, from the dashed page")), {theme.strong, {}}});
  ui::legend(view.canvas(), row, swatches, [&](std::size_t n) { return view.say("and {} more", n); });
}

}  // namespace

Rect PoolGrid::cell(std::int64_t page) const {
  const auto n = static_cast<std::size_t>(page / per_cell);
  return {place.x + static_cast<float>(n % columns) * pitch, place.y + static_cast<float>(n / columns) * pitch,
          pitch - gap, pitch - gap};
}

PoolGrid draw_page_pool(PagesShown& shown, Rect card) {
  View& view = shown.view;
  const sim::PagePool& pool = shown.pool();
  ui::Space rest(
      draw_card(view, card, view.say("The pool of physical pages"),
                view.say("{} of {} in use", report::thousands(pool.used()), report::thousands(pool.pages()))),
      view.px(8));
  view.ui.state.shown.emplace(view.id("pages/used"), report::thousands(pool.used()));
  ui::Space tags(rest.top(view.px(20)));
  draw_scope(view, tags, view.say("one layer, all KV heads"));
  draw_pool_legend(shown, rest.bottom(view.px(18)));
  const PoolGrid grid = pool_grid(view, rest.rest(), pool.pages());
  if (grid.per_cell > 1)
    ui::fitting_text(view.canvas(), tags.rest(), Style::caption, view.theme().muted,
                     view.say("a cell is {} pages", report::thousands(grid.per_cell)), ui::Align::right);
  if (grid.numbered()) {
    for (std::int64_t page = 0; page < pool.pages(); ++page) draw_numbered(shown, grid, page);
  } else {
    for (std::int64_t page = 0; page < pool.pages(); page += grid.per_cell) draw_tiny(shown, grid, page);
    react_to_tiny(shown, grid);
  }
  if (grid.numbered()) draw_copies(shown, grid);
  return grid;
}

void draw_page_arrows(PagesShown& shown, const std::vector<TableArrow>& arrows, const PoolGrid& grid) {
  View& view = shown.view;
  for (const bool chosen : {false, true}) {
    for (const TableArrow& arrow : arrows) {
      if ((arrow.block == shown.chosen.block) != chosen || (!chosen && !grid.numbered())) continue;
      const Rect cell = grid.cell(shown.sequence().pages[static_cast<std::size_t>(arrow.block)]);
      const ui::Color color = chosen ? view.theme().strong : ui::with_alpha(view.theme().muted, 0.6f);
      const float width = view.px(chosen ? 2.4f : 1.2f);
      view.canvas().line(arrow.entry, arrow.from, color, width);
      ui::arrow(view.canvas(), curve(arrow.from, {cell.x, cell.center().y}), color, width);
    }
  }
}

}  // namespace explorer
