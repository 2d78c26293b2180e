// The sequences as their tokens lie in logical pages, and the block table of one of them.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/pages/pages.h"
#include "viz/panels/parts.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float name_width = 112, row_high = 30, small_row = 7, chosen_row = 24, entry_high = 22,
                entry_gap = 4;  // CSS pixels
constexpr std::size_t few_rows = 8, all_entries = 64, most_columns = 4, most_arrows = 8;

/// The rows that fit around the chosen one.
std::pair<std::size_t, std::size_t> visible_rows(const PagesShown& shown, float height, float pitch, float chosen) {
  const std::size_t all = shown.moment.sequences().size(),
                    fit = 1 + static_cast<std::size_t>(std::max(0.f, height - chosen) / pitch);
  if (fit >= all) return {0, all};
  const auto at = static_cast<std::size_t>(shown.chosen.sequence);
  const std::size_t first = std::min(at > fit / 2 ? at - fit / 2 : 0, all - fit);
  return {first, first + fit};
}

/// Draws the pages of a sequence: each one if they are wide enough, else what is shared, what is its own, what is to
/// come.
void draw_pages_of(PagesShown& shown, Rect place, std::size_t n) {
  View& view = shown.view;
  const sim::PagedSequence& sequence = shown.moment.sequences()[n];
  const std::int64_t left = shown.moment.steps() - shown.moment.token();
  const std::int64_t now = std::ssize(sequence.pages), end = sim::ceil_div(sequence.tokens + left, shown.moment.rows());
  const float pitch = place.width / static_cast<float>(shown.moment.most_pages());
  const auto x = [&](std::int64_t block) { return std::round(place.x + static_cast<float>(block) * pitch); };
  const auto box = [&](std::int64_t from, std::int64_t to, float between) {
    return Rect{x(from), place.y, std::max(1.f, x(to) - x(from) - between), place.height};
  };
  if (pitch < view.px(4)) {
    const std::int64_t shared = shown.moment.shared_of(sequence);
    if (shared > 0) view.canvas().fill(box(0, shared, 0), shared_color(view));
    if (now > shared) view.canvas().fill(box(shared, now, 0), sequence_color(shown, n));
    if (end > now) view.canvas().fill(box(now, end, 0), view.theme().track);
    return;
  }
  const float between = std::max(1.f, view.px(pitch < view.px(8) ? 1 : 2));
  for (std::int64_t block = 0; block < end; ++block) {
    const Rect cell = box(block, block + 1, between);
    if (block >= now)
      view.canvas().stroke(cell, view.theme().border, 1);
    else
      draw_page(shown, cell, sequence.pages[static_cast<std::size_t>(block)],
                block == shown.chosen.block && shown.holds_chosen(n) && place.height > view.px(10));
  }
}

/// The pointer on a row: a click selects the sequence, and its page under the pointer.
void react_to_row(PagesShown& shown, Rect row, Rect boxes, std::size_t n) {
  View& view = shown.view;
  const ui::Hit hit = ui::hit(view.ui, view.id(sim::text("pages/sequence/", n)), row);
  if (!hit.clicked && !hit.hovered) return;
  const sim::PagedSequence& sequence = shown.moment.sequences()[n];
  const float share = (ImGui::GetIO().MousePos.x - boxes.x) / std::max(1.f, boxes.width);
  const auto block = static_cast<std::int64_t>(std::floor(share * static_cast<float>(shown.moment.most_pages())));
  const bool on_page = share >= 0 && block < std::ssize(sequence.pages);
  if (hit.clicked) choose_page(view, static_cast<std::int64_t>(n), on_page ? block : shown.chosen.block);
  if (!hit.hovered) return;
  std::vector<std::string> lines = {
      sequence_name(view.state.look.language, shown.moment, static_cast<std::int64_t>(n)),
      view.say("{} tokens in {} pages, {} of them shared", report::thousands(sequence.tokens),
               report::thousands(std::ssize(sequence.pages)), report::thousands(shown.moment.shared_of(sequence)))};
  if (on_page)
    lines.push_back(
        view.say("page {} of it is at place {} of the pool", block, sequence.pages[static_cast<std::size_t>(block)]));
  draw_tooltip(view, lines);
}

/// Draws the rows of the sequences; returns the height that they take.
float draw_sequences(PagesShown& shown, Rect place) {
  View& view = shown.view;
  const bool few = shown.moment.sequences().size() <= few_rows;
  const float pitch = view.px(few ? row_high : small_row), high = few ? pitch : view.px(chosen_row);
  const auto [first, last] = visible_rows(shown, place.height, pitch, high);
  ui::Space rest(place);
  for (std::size_t n = first; n < last; ++n) {
    const bool chosen = static_cast<std::int64_t>(n) == shown.chosen.sequence;
    const Rect row = rest.top(chosen ? high : pitch);
    const auto [name, boxes] = ui::columns(row.inset(view.px(6), few || chosen ? view.px(3) : 0), view.px(6),
                                           {view.px(name_width), ui::rest()});
    if (chosen) view.canvas().card(row, view.theme().inset, view.theme().text, view.px(6));
    const Rect pages = few || chosen ? boxes : Rect{boxes.x, boxes.y, boxes.width, pitch - 1};
    if (few || chosen) {
      ui::Space words(name);
      const Rect swatch = ui::middle(words.left(view.px(11), view.px(8)), view.px(11));
      view.canvas().fill(swatch, sequence_color(shown, n), view.px(2));
      const bool lit = chosen || shown.holds_chosen(n);
      view.canvas().text(words.rest(), lit ? Style::control : Style::caption,
                         lit ? view.theme().text : view.theme().muted,
                         sequence_name(view.state.look.language, shown.moment, static_cast<std::int64_t>(n)));
    } else if (shown.holds_chosen(n)) {
      view.canvas().fill({pages.x - view.px(8), pages.y, view.px(4), pages.height}, view.theme().strong);
    }
    draw_pages_of(shown, pages, n);
    react_to_row(shown, row, boxes, n);
  }
  return place.height - rest.height();
}

/// "31 full pages: the prompt, the same for all", and how many more sequences there are.
void draw_below_sequences(PagesShown& shown, Rect line) {
  View& view = shown.view;
  const std::int64_t shared = shown.moment.shared_of(shown.sequence()), pages = std::ssize(shown.sequence().pages);
  ui::Space rest(line);
  const auto all = static_cast<std::int64_t>(shown.moment.sequences().size());
  const std::string own =
      view.say("sequences drawn: {} of {}", report::thousands(all), report::thousands(shown.moment.all_sequences()));
  if (all < shown.moment.all_sequences())
    ui::right_text(view.canvas(), rest, Style::caption, view.theme().muted, own, view.px(12));
  view.canvas().text(rest.rest(), Style::caption, view.theme().text,
                     view.say("shared with others: {} pages, its own: {}", report::thousands(shared),
                              report::thousands(pages - shared)));
}

void draw_table_entry(PagesShown& shown, Rect place, std::int64_t block) {
  View& view = shown.view;
  const std::int32_t page = shown.sequence().pages[static_cast<std::size_t>(block)];
  const bool chosen = block == shown.chosen.block;
  const std::int64_t holders = shown.pool().holders(page);
  view.canvas().card(place, view.theme().inset, chosen ? view.theme().strong : view.theme().border, view.px(4));
  ui::Space rest(place.inset(view.px(6), 0));
  if (holders > 1)
    ui::right_text(view.canvas(), rest, Style::caption, view.theme().muted, report::thousands(holders), view.px(4));
  const float side = view.px(10);
  if (rest.width() > view.px(80))
    view.canvas().fill(ui::middle(rest.right(side, view.px(4)), side), page_color(shown, page));
  const auto [from, arrow, to] = ui::columns(rest.rest(), 0, {ui::share(1), view.px(18), ui::share(1)});
  const ui::Color color = chosen ? view.theme().text : view.theme().muted;
  view.canvas().text(from, Style::table, color, sim::text(block), ui::Align::right);
  view.canvas().text(arrow, Style::table, view.theme().muted, "→", ui::Align::center);
  view.canvas().text(to, Style::table, view.theme().text, sim::text(page));
  react_to_page(shown, sim::text("pages/entry/", block), place, shown.chosen.sequence, block);
}

/// The eight entries around the chosen one in its column.
void add_arrows(const PagesShown& shown, const std::vector<TableArrow>& column, std::vector<TableArrow>& arrows) {
  const auto at = std::find_if(column.begin(), column.end(),
                               [&](const TableArrow& arrow) { return arrow.block == shown.chosen.block; });
  if (at == column.end()) return;
  const auto n = static_cast<std::size_t>(at - column.begin()), count = std::min(most_arrows, column.size());
  const std::size_t first = std::min(n > count / 2 ? n - count / 2 : 0, column.size() - count);
  for (std::size_t e = first; e < first + count; ++e) arrows.push_back(column[e]);
}

std::vector<TableArrow> draw_table_of(PagesShown& shown, Rect place) {
  View& view = shown.view;
  const auto pages = shown.sequence().pages.size();
  const auto fit =
      static_cast<std::size_t>(std::max(1.f, (place.height + view.px(entry_gap)) / view.px(entry_high + entry_gap)));
  const std::size_t per_column = std::min(fit, std::max<std::size_t>(1, (pages + most_columns - 1) / most_columns));
  const std::size_t columns = (pages + per_column - 1) / per_column,
                    own = static_cast<std::size_t>(shown.chosen.block) / per_column;
  const bool all = pages <= all_entries && columns <= most_columns;
  const std::size_t shown_columns = all ? columns : std::min<std::size_t>(3, columns);
  const std::size_t first = all ? 0 : std::min(own > 0 ? own - 1 : 0, columns - shown_columns);
  const std::vector<Rect> places = ui::equal_columns(place, view.px(8), shown_columns);
  std::vector<TableArrow> arrows;
  for (std::size_t c = 0; c < places.size(); ++c) {
    std::vector<TableArrow> column;
    for (std::size_t r = 0; r < per_column && (first + c) * per_column + r < pages; ++r) {
      const auto block = static_cast<std::int64_t>((first + c) * per_column + r);
      const Rect entry{places[c].x, place.y + static_cast<float>(r) * view.px(entry_high + entry_gap), places[c].width,
                       view.px(entry_high)};
      draw_table_entry(shown, entry, block);
      const bool last = c + 1 == places.size();
      const float y = last ? entry.center().y : entry.bottom() + view.px(entry_gap / 2);
      column.push_back({{entry.right(), y}, {places.back().right(), y}, block});
    }
    if (first + c == own) add_arrows(shown, column, arrows);
  }
  return arrows;
}

}  // namespace

std::vector<TableArrow> draw_block_tables(PagesShown& shown, Rect card) {
  View& view = shown.view;
  const PageMoment& m = shown.moment;
  ui::Space rest(draw_card(view, card, view.say("What each sequence sees"),
                           view.say("a cell is a page of {} tokens", report::thousands(m.rows()))),
                 view.px(6));
  ui::mark_place(view.ui, "tensor:block_table", card);
  ui::Space tags(rest.top(view.px(20)));
  draw_scope(view, tags, view.say("one layer, all KV heads"));
  if (m.steps() > 0)
    draw_scope(view, tags, view.say("step {} of {}", report::thousands(m.token()), report::thousands(m.steps())));
  Rect rows = rest.rest();
  rows.height = std::floor(0.5f * rows.height);
  rest.top(draw_sequences(shown, rows));
  draw_below_sequences(shown, rest.top(view.px(18)));
  if (shown.sequence().pages.empty()) return {};
  ui::Space head(rest.top(view.px(20)));
  const std::string title =
      view.say("Block table of {}", sequence_name(view.state.look.language, m, shown.chosen.sequence));
  ui::left_text(view.canvas(), head, Style::control, view.theme().text, title, view.px(12));
  ui::fitting_text(view.canvas(), head.rest(), Style::caption, view.theme().muted,
                   view.say("logical → physical, 4 B each"), ui::Align::right);
  return draw_table_of(shown, rest.rest());
}

}  // namespace explorer
