// Pages over the steps with the transport, slots that allocators keep, and how one CTA reads through the table.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/programs/programs.h"
#include "sim/report/numbers.h"
#include "viz/draw/chart.h"
#include "viz/panels/hatch.h"
#include "viz/panels/pages/pages.h"
#include "viz/panels/parts.h"
#include "viz/panels/playback.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/tracks.h"

namespace explorer {
namespace {

using ui::Point;
using ui::Rect;
using ui::Style;

constexpr float axis_width = 140, numbers_below = 18, slot_high = 56, bar_high = 13, box_gap = 34;  // CSS pixels
constexpr float ticks_apart = 120;
constexpr std::size_t most_dots = 64;

constexpr std::string_view table_path = "tile_traffic.by_tensor.block_table";

std::string byte_text(std::int64_t bytes) { return report::bytes(bytes); }

/// Pages in use at each column of pixels.
std::vector<float> stairs_of(const PageMoment& m, const ui::Tracks& tracks) {
  std::vector<float> values(static_cast<std::size_t>(std::max(1.f, tracks.axis.width)));
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double at = tracks.at(tracks.axis.x + static_cast<float>(n) + 0.5f);
    values[n] = static_cast<float>(m.used(static_cast<std::int64_t>(at)));
  }
  return values;
}

/// Draws the upper edge of the stairs, and dots where pages are taken if there is space for them.
void draw_edge(View& view, Rect plot, const std::vector<float>& values, float full) {
  const auto y = [&](float value) { return plot.bottom() - std::round(plot.height * value / full); };
  std::vector<Point> line;
  std::vector<Point> taken;
  for (std::size_t n = 0; n < values.size(); ++n) {
    const float x = plot.x + static_cast<float>(n);
    if (n > 0 && values[n] == values[n - 1]) continue;
    if (n > 0) line.push_back({x, y(values[n - 1])});
    line.push_back({x, y(values[n])});
    if (n > 0) taken.push_back({x, y(values[n])});
  }
  line.push_back({plot.right(), y(values.back())});
  view.canvas().polyline(line, view.theme().text, view.px(1.5f));
  if (taken.size() > most_dots) return;
  for (const Point dot : taken) view.canvas().disc(dot, view.px(3), view.theme().text);
}

/// Draws the numbers of the axis of pages at its left.
void draw_page_axis(View& view, Rect gutter, Rect plot, float full) {
  const double step = std::max(1., draw::round_step(static_cast<double>(full) / 3));
  for (double at = step; at < static_cast<double>(full); at += step) {
    const float y = plot.bottom() - std::round(plot.height * static_cast<float>(at) / full);
    view.canvas().fill({plot.x, y, plot.width, 1}, view.theme().track);
    view.canvas().text({gutter.x, y - view.px(8), gutter.width - view.px(8), view.px(16)}, Style::table,
                       view.theme().muted, draw::tick_text(at), ui::Align::right);
  }
}

void draw_stairs(PagesShown& shown, Rect place) {
  View& view = shown.view;
  const PageMoment& m = shown.moment;
  const std::string end = view.say("{} pages", report::thousands(m.blocks()));
  const float right = view.canvas().text_width(Style::control, end) + view.px(12);
  const auto [gutter, middle, names] = ui::columns(place, 0, {view.px(axis_width), ui::rest(), right});
  const auto [plot, numbers] = ui::rows(middle, 0, {ui::rest(), view.px(numbers_below)});
  if (plot.height < view.px(24)) return;
  const float full = std::max(1.f, 1.15f * static_cast<float>(m.used(m.steps())));
  const ui::Tracks tracks{view.ui, 0, static_cast<double>(m.steps()), middle, static_cast<double>(m.token())};
  const std::vector<float> values = stairs_of(m, tracks);
  const ui::Theme& theme = view.theme();
  tracks.bars(plot, values, full, {ui::mix(theme.muted, theme.inset, 0.55f), theme.track});
  draw_page_axis(view, gutter, plot, full);
  draw_edge(view, plot, values, full);
  tracks.ticks(
      numbers, {}, ticks_apart, [&](double at, double) { return report::thousands(std::llround(at)); },
      tracks.pill(numbers, sim::text(m.token())));
  tracks.playhead(numbers, plot, sim::text(m.token()));
  view.canvas().text({gutter.x, gutter.y, gutter.width - view.px(56), view.px(20)}, Style::caption, theme.text,
                     view.say("Pages in use"));
  const float y = plot.bottom() - std::round(plot.height * values.back() / full);
  view.canvas().text({names.x, y - view.px(9), names.width, view.px(18)}, Style::control, theme.text, end,
                     ui::Align::right);
  const ui::Touch touch = tracks.touch(view.id("pages/stairs"), middle);
  if (!touch.held) return;
  view.edit(PlayOn{false});
  view.set([&](Look& look) { look.token = static_cast<int>(std::llround(touch.time)); });
}

/// Draws a way to keep slots: filled, empty ones of last pages, reserved ones.
void draw_way(View& view, Rect place, const PageSlots& way, std::int64_t most, bool last) {
  const auto [words, bar, below] = ui::rows(place, view.px(1), {view.px(18), view.px(bar_high), view.px(16)});
  ui::Space line(words);
  ui::right_text(view.canvas(), line, Style::table, view.theme().text,
                 view.say("{} slots", report::thousands(way.slots)), view.px(8));
  view.canvas().text(line.rest(), last ? Style::control : Style::caption, view.theme().text,
                     view.say(way.name, report::thousands(way.longest)));
  const float unit = bar.width / static_cast<float>(most);
  const float filled = std::round(unit * static_cast<float>(way.filled)),
              end = std::round(unit * static_cast<float>(way.slots)),
              pages = std::round(unit * static_cast<float>(way.filled + way.last_page));
  const ui::Theme& theme = view.theme();
  view.canvas().fill({bar.x, bar.y, filled, bar.height}, last ? theme.strong : theme.muted);
  if (way.last_page > 0)
    view.canvas().fill({bar.x + filled, bar.y, std::max(view.px(2), pages - filled), bar.height}, theme.warning);
  if (end > pages)
    draw_hatch(view.canvas(), {bar.x + pages, bar.y, end - pages, bar.height}, Hatch::diagonal, theme.muted);
  const double share = static_cast<double>(way.filled) / static_cast<double>(way.slots);
  view.canvas().text(below, Style::caption, theme.muted, view.say("{} filled", report::percent(share)));
}

/// A box of the card of one CTA, its title and a note.
Rect draw_box(View& view, Rect place, std::string_view title, std::string_view note) {
  ui::inset_panel(view.canvas(), place);
  ui::Space rest(place.inset(view.px(12), view.px(8))), line(rest.top(view.px(20), view.px(4)));
  ui::left_text(view.canvas(), line, Style::control, view.theme().text, title, view.px(10));
  ui::fitting_text(view.canvas(), line.rest(), Style::caption, view.theme().muted, note, ui::Align::right);
  return rest.rest();
}

/// Draws the entries of the table around the chosen one.
void draw_entries(PagesShown& shown, Rect place) {
  View& view = shown.view;
  const PageBytes& bytes = shown.moment.bytes();
  const bool twice = view.subject().scenario().algorithm == sim::programs::paged_attention.name;
  ui::Space rest(
      draw_box(view, place, view.say("1  Table entry"), twice ? view.say("4 B, again for V") : view.say("4 B")));
  const bool covered = view.world.covered.hides(table_path);
  const bool alike = !covered && !shown.moment.ragged() && bytes.ctas > 0 && bytes.table % bytes.ctas == 0;
  const std::string all = alike ? view.say("{} a CTA", byte_text(bytes.table / bytes.ctas)) : std::string();
  ui::Space words(rest.bottom(view.px(18)));
  ui::right_text(view.canvas(), words, Style::caption, view.theme().muted, all, view.px(8));
  view.canvas().text(words.rest(), Style::table, view.theme().text,
                     sim::text("block_table[", shown.chosen.block, "] = ", shown.chosen.page));
  const std::int64_t pages = std::ssize(shown.sequence().pages), count = std::min<std::int64_t>(8, pages);
  const std::int64_t first = std::clamp<std::int64_t>(shown.chosen.block - count + 1, 0, pages - count);
  const std::vector<Rect> cells =
      ui::equal_columns(rest.rest(), view.px(4), static_cast<std::size_t>(count), view.px(46));
  for (std::int64_t n = 0; n < count; ++n) {
    const std::int64_t block = first + n;
    const auto [cell, number] = ui::rows(cells[static_cast<std::size_t>(n)], 0, {view.px(30), view.px(16)});
    const bool chosen = block == shown.chosen.block;
    view.canvas().card(cell, chosen ? view.theme().strong : view.theme().card, view.theme().border, view.px(4));
    view.canvas().text(cell, Style::table, chosen ? view.theme().on_strong : view.theme().text,
                       sim::text(shown.sequence().pages[static_cast<std::size_t>(block)]), ui::Align::center);
    view.canvas().text(number, Style::caption, view.theme().muted, sim::text(block), ui::Align::center);
  }
}

/// Draws the rows of K and V of the chosen page: those with a token in the tensor's colour.
void draw_rows_of_page(PagesShown& shown, Rect place) {
  View& view = shown.view;
  const sim::Shape& shape = view.subject().problem().shape;
  const auto [d, dv] = shape.head_dims();
  const std::int64_t rows = shown.moment.rows(), filled = shown.pool().tokens_in(shown.chosen.page),
                     bytes = rows * d * sim::size_of(view.subject().problem().dtype);
  const std::string note = shape.kv_shared ? view.say("{} rows of {}: {}", rows, d, byte_text(bytes))
                           : d == dv       ? view.say("{} rows of {}, K and V: {} each", rows, d, byte_text(bytes))
                                           : view.say("{} rows", rows);
  ui::Space rest(draw_box(view, place, view.say("2  Page {} of a head", shown.chosen.page), note));
  const std::string words = filled == rows ? std::string(view.say("all rows hold a token"))
                                           : view.say("{} rows hold a token, {} are not read", filled, rows - filled);
  view.ui.state.shown.emplace(view.id("pages/rows"), words);
  view.canvas().text(rest.bottom(view.px(18)), Style::caption, view.theme().muted, words);
  const std::vector<Rect> tensors = ui::equal_columns(rest.rest(), view.px(8), shape.kv_shared ? 1 : 2);
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const float pitch = tensors[t].height / static_cast<float>(rows);
    const char letter = t == 0 ? 'K' : 'V';
    ui::mark_place(view.ui, sim::text("tensor:", letter), tensors[t]);
    if (pitch < 3) {
      view.canvas().fill(tensors[t], view.theme().track);
      view.canvas().fill({tensors[t].x, tensors[t].y, tensors[t].width, std::round(pitch * static_cast<float>(filled))},
                         view.theme().tensor(letter));
      continue;
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      const float top = std::round(tensors[t].y + static_cast<float>(row) * pitch),
                  bottom = std::round(tensors[t].y + static_cast<float>(row + 1) * pitch);
      view.canvas().fill({tensors[t].x, top, tensors[t].width, bottom - top - 1},
                         row < filled ? view.theme().tensor(letter) : view.theme().track);
    }
  }
}

/// Draws what the CTA computes with the tile of the page.
void draw_tile_of_page(PagesShown& shown, Rect place) {
  View& view = shown.view;
  const std::int64_t rows = shown.moment.rows(), keys = view.subject().problem().tiling.bc;
  const std::string note = keys == rows  ? view.say("{} keys: a page", keys)
                           : keys > rows ? view.say("{} keys: {} pages", keys, keys / rows)
                                         : view.say("{} keys: a page has {} tiles", keys, rows / keys);
  ui::Space rest(draw_box(view, place, view.say("3  Tile"), note));
  const std::int64_t tile = shown.chosen.block * rows / keys;
  const bool fma = view.subject().launch().products == sim::Products::fma;
  const ui::Ink ink{view.theme().text, true, view.theme().inset};
  const std::string words(fma ? view.say("FP32 pipe: a single query") : view.say("on tensor cores"));
  view.canvas().text(rest.bottom(view.px(18)), Style::caption, view.theme().muted, words);
  const std::vector<Rect> lines = ui::equal_rows(rest.rest(), 0, 2, view.px(30));
  ui::rich_text(view.canvas(), lines[0], Style::body, ink, fmt::format("S_{{{0}}} = Q K_{{{0}}}^T / √d", tile));
  ui::rich_text(view.canvas(), lines[1], Style::body, ink, fmt::format("O = O + P_{{{0}}} V_{{{0}}}", tile));
}

/// Draws the bytes of a step on one scale: the table is a sliver.
void draw_step_bytes(PagesShown& shown, Rect place) {
  View& view = shown.view;
  const PageBytes& bytes = shown.moment.bytes();
  ui::Space rest(draw_box(view, place,
                          shown.moment.steps() > 0 ? view.say("Bytes of the step") : view.say("Bytes of the run"),
                          view.say("{} CTAs", report::thousands(bytes.ctas))));
  if (view.world.covered.hides(table_path)) return view.canvas().covered(rest.rest(), Style::body);
  const double all = static_cast<double>(bytes.keys_and_values + bytes.table + bytes.others);
  const std::string words =
      view.say("the table is {} of them", report::percent(static_cast<double>(bytes.table) / all));
  view.ui.state.shown.emplace(view.id("pages/table share"), words);
  view.canvas().text(rest.bottom(view.px(18)), Style::caption, view.theme().text, words);
  const std::pair<std::string_view, std::int64_t> lines[] = {{view.say("K and V"), bytes.keys_and_values},
                                                             {view.say("block table"), bytes.table},
                                                             {view.say("all else"), bytes.others}};
  const std::vector<Rect> places = ui::equal_rows(rest.rest(), 0, 3, view.px(22));
  for (std::size_t n = 0; n < places.size(); ++n) {
    const auto [name, bar, number] = ui::columns(places[n], view.px(8), {view.px(78), ui::rest(), view.px(70)});
    view.canvas().text(name, Style::caption, view.theme().text, lines[n].first);
    const Rect track = ui::middle(bar, view.px(8));
    view.canvas().fill(track, view.theme().track);
    const float wide =
        std::max(1.f, std::round(track.width * static_cast<float>(static_cast<double>(lines[n].second) / all)));
    view.canvas().fill({track.x, track.y, wide, track.height}, view.theme().text);
    const std::string text = byte_text(lines[n].second);
    view.ui.state.shown.emplace(view.id(sim::text("pages/bytes/", n)), text);
    view.canvas().text(number, Style::table, view.theme().text, text, ui::Align::right);
  }
}

}  // namespace

void draw_page_slots(PagesShown& shown, Rect card) {
  View& view = shown.view;
  ui::Space rest(draw_card(view, card, view.say("Slots at the end")), view.px(4));
  ui::Space tags(rest.top(view.px(20)));
  draw_scope(view, tags, view.say("all sequences, one layer"));
  const std::vector<PageSlots> ways = shown.moment.slots();
  std::int64_t most = 1;
  for (const PageSlots& way : ways) most = std::max(most, way.slots);
  for (std::size_t n = 0; n < ways.size(); ++n) {
    if (rest.height() < view.px(slot_high)) return;
    draw_way(view, rest.top(view.px(slot_high), 0), ways[n], most, n + 1 == ways.size());
  }
  const std::vector<ui::Swatch> swatches = {
      {std::string(view.say("filled")), {view.theme().muted, {}}},
      {std::string(view.say("last page, empty")), {view.theme().warning, {}}},
      {std::string(view.say("reserved")), {view.theme().muted, view.theme().inset, ui::Hatch::diagonal}}};
  ui::legend(view.canvas(), rest.top(view.px(20)), swatches, [&](std::size_t n) { return view.say("and {} more", n); });
  const auto [title, words] = pages_lesson(view.state.look.language, shown.moment);
  if (rest.height() < view.px(60)) return;
  view.canvas().text(rest.top(view.px(20), 0), Style::control, view.theme().text, title);
  ui::paragraph(view.canvas(), rest.rest(), Style::caption, {.color = view.theme().muted}, ui::escaped(words));
}

void draw_page_steps(PagesShown& shown, Rect card) {
  View& view = shown.view;
  const PageMoment& m = shown.moment;
  ui::panel(view.canvas(), card);
  ui::Space rest(card.inset(view.px(16), view.px(10)), view.px(8));
  const std::string sentence = pages_sentence(view.state.look.language, m);
  view.ui.state.shown.emplace(view.id("pages/sentence"), sentence);
  Rect row = rest.top(view.control_height());
  if (!view.bare) draw_transport_buttons(view, row);
  ui::Space line(row);
  line.left(view.px(12));
  const std::string now =
      view.say("token {} of {} of each sequence", report::thousands(m.token()), report::thousands(m.steps()));
  if (view.canvas().text_width(Style::body, sentence) + view.canvas().text_width(Style::body, now) + view.px(24) <=
      line.width())
    ui::right_text(view.canvas(), line, Style::body, view.theme().muted, now, view.px(12));
  if (!ui::fitting_text(view.canvas(), line.rest(), Style::body, view.theme().text, sentence))
    rest.top(
        ui::paragraph(view.canvas(), rest.rest(), Style::body, {.color = view.theme().text}, ui::escaped(sentence)));
  draw_stairs(shown, rest.rest());
}

void draw_page_cta(PagesShown& shown, Rect card) {
  View& view = shown.view;
  const std::string_view long_note =
      view.say("each CTA reads all its keys: sharing saves memory and HBM traffic, not reads");
  ui::Space rest(draw_card(view, card, view.say("One CTA reads through the table"), long_note), view.px(4));
  ui::mark_place(view.ui, "page-cta", card);
  using Draw = void (*)(PagesShown&, Rect);
  constexpr std::array<Draw, 4> boxes = {draw_entries, draw_rows_of_page, draw_tile_of_page, draw_step_bytes};
  const Rect all = rest.rest();
  if (shown.chosen.page == sim::no_page) return;
  const bool beside = all.width >= view.px(1000), two = all.width >= view.px(560);
  const std::size_t columns = beside ? 4 : two ? 2 : 1, lines = boxes.size() / columns;
  const std::vector<Rect> rows = ui::equal_rows(all, view.px(10), lines);
  for (std::size_t n = 0; n < boxes.size(); ++n) {
    const std::vector<Rect> places = ui::equal_columns(rows[n / columns], view.px(box_gap), columns);
    boxes[n](shown, places[n % columns]);
    if (n % columns + 1 == columns || n + 1 == boxes.size()) continue;
    const Rect& place = places[n % columns];
    const float y = std::round(place.center().y);
    ui::arrow(view.canvas(),
              std::array{Point{place.right() + view.px(7), y}, Point{place.right() + view.px(box_gap - 6), y}},
              view.theme().text, view.px(1.5f));
  }
}

}  // namespace explorer
