// Entries of a batch side by side, each to scale within the outline that padding gives it, and their rows in memory.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

#include "sim/report/numbers.h"
#include "viz/model/numbers.h"
#include "viz/panels/batch/batch.h"
#include "viz/panels/race/race.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr std::int64_t most_alone = 6;  // more entries are drawn class by class
constexpr std::size_t most_squares = 12;
constexpr float least_column = 92, row_height = 18, words_height = 36;  // CSS pixels

/// An entry, or a class of them.
struct Square {
  sim::SequenceClass sequences;
  float rank = 1;
  std::string title;
  std::optional<std::int64_t> entry = {};  ///< its position in the batch, if it is drawn alone
};

std::string entries_text(const View& view, std::int64_t count) {
  return count == 1 ? std::string(view.say("one entry")) : view.say("{} entries", report::thousands(count));
}

std::vector<Square> squares_of(const View& view) {
  const sim::SequenceClasses classes = sequences_of(view.subject().simulation());
  const std::vector<float> ranks = ranks_of(classes);
  const bool alone = sim::sizes_of(classes).entries <= most_alone;
  std::vector<Square> squares;
  std::int64_t entry = 0;
  for (std::size_t n = 0; n < classes.size(); ++n) {
    if (!alone) squares.push_back({classes[n], ranks[n], entries_text(view, classes[n].count)});
    for (std::int64_t e = 0; alone && e < classes[n].count; ++e, ++entry)
      squares.push_back({classes[n], ranks[n], view.say("entry {}", entry), entry});
  }
  if (!alone)
    std::stable_sort(squares.begin(), squares.end(), [](const Square& a, const Square& b) { return a.rank > b.rank; });
  return squares;
}

void draw_padding(View& view, Rect place) { ui::Tracks{view.ui, 0, 1, place}.fill(place, padding_paint(view.theme())); }

/// Draws lines between the tiles, if they are far enough apart.
void draw_tile_lines(View& view, Rect entry, Rect outline, const sim::SequenceSizes& most) {
  const sim::Tiling& tiling = view.subject().problem().tiling;
  const float across = outline.width * static_cast<float>(tiling.bc) / static_cast<float>(most.most_keys);
  const float down = outline.height * static_cast<float>(tiling.br) / static_cast<float>(most.most_queries);
  const ui::Color color = ui::with_alpha(view.theme().card, 0.7f);
  if (across >= view.px(4)) {
    for (float x = entry.x + across; x < entry.right() - 1; x += across)
      view.canvas().fill({std::round(x), entry.y, 1, entry.height}, color);
  }
  if (down >= view.px(4)) {
    for (float y = entry.y + down; y < entry.bottom() - 1; y += down)
      view.canvas().fill({entry.x, std::round(y), entry.width, 1}, color);
  }
}

/// The length of a side after its end is dragged by `pixels`. It goes in steps of a power of two, at least two pixels
/// long.
std::int64_t dragged(std::int64_t length, float pixels, float unit) {
  const auto step = static_cast<float>(std::bit_ceil(static_cast<std::uint64_t>(std::max(1.f, 2 / unit))));
  const auto steps = std::round((static_cast<float>(length) + pixels / unit) / step);
  if (std::abs(pixels) * 2 < step * unit) return length;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(steps * step));
}

/// The lower right corner of an entry: dragged, it changes the entry's lengths, both alike where they are equal.
/// `unit`: pixels of a token.
void use_corner(View& view, Rect entry, const Square& square, float unit) {
  const float size = view.px(12);
  const Rect corner{entry.right() - size / 2, entry.bottom() - size / 2, size, size};
  const std::string id = view.id(sim::text("batch/corner/", *square.entry));
  const ui::Hit hit = ui::hit(view.ui, id, corner);
  if (hit.held && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) view.edit(EndDrag{});  // a step of undo begins
  const float side = std::round(view.px(hit.hovered || hit.held ? 8.f : 5.f));
  view.canvas().fill({entry.right() - side / 2, entry.bottom() - side / 2, side, side}, view.theme().text);
  const std::vector<std::string> tip = {std::string(view.say("Drag to change the lengths of this entry"))};
  if (hit.hovered && !hit.held) draw_tooltip(view, tip);
  if (!hit.held) return;
  const ImVec2 by = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0);
  const sim::SequenceClass& now = square.sequences;
  const bool alike = now.seqlen_q == now.seqlen_k;
  const float down = alike && std::abs(by.x) > std::abs(by.y) ? by.x : by.y, across = alike ? down : by.x;
  const std::int64_t queries = dragged(now.seqlen_q, down, unit), keys = dragged(now.seqlen_k, across, unit);
  if (queries == now.seqlen_q && keys == now.seqlen_k) return;
  ImGui::ResetMouseDragDelta(ImGuiMouseButton_Left);
  const sim::SequenceClasses classes = sequences_of(view.subject().simulation());
  view.edit(SetNumber{"seqlens", sim::text_of(with_lengths(classes, *square.entry, queries, keys)), true});
}

void draw_square(View& view, Rect column, const Square& square, const sim::SequenceSizes& most) {
  ui::Canvas& canvas = view.canvas();
  const auto [title, lengths, below, place] =
      ui::rows(column, 0, {view.px(16), view.px(16), view.px(words_height - 32), ui::rest()});
  canvas.text(title, Style::control, view.theme().text, square.title);
  canvas.text(lengths, Style::caption, view.theme().muted, lengths_text(square.sequences));
  const auto queries = static_cast<float>(most.most_queries), keys = static_cast<float>(most.most_keys);
  const float unit = std::min(place.width / keys, place.height / queries);
  const Rect outline{place.x, place.y, std::max(view.px(2), std::round(unit * keys)),
                     std::max(view.px(10), std::round(unit * queries))};
  const float wide = outline.width * static_cast<float>(square.sequences.seqlen_k) / keys;
  const float high = outline.height * static_cast<float>(square.sequences.seqlen_q) / queries;
  const Rect entry{outline.x, outline.y, std::max(1.f, std::round(wide)), std::max(1.f, std::round(high))};
  if (entry.width < outline.width || entry.height < outline.height) draw_padding(view, outline);
  canvas.fill(entry, class_color(view.theme(), square.rank));
  draw_tile_lines(view, entry, outline, most);
  canvas.stroke(outline, view.theme().muted, 1);
  ui::mark_place(view.ui, view.id(sim::text("batch/", square.title)), outline);
  if (square.entry && view.subject().is_ragged() && view.index == 0 && !is_locked(view.model, "seqlens"))
    use_corner(view, entry, square, unit);
}

/// Rows of K as they lie in memory, class after class; `padded`: each entry as long as the longest.
void draw_rows(View& view, Rect row, std::string_view title, float title_width, bool padded) {
  ui::Canvas& canvas = view.canvas();
  const sim::SequenceClasses classes = sequences_of(view.subject().simulation());
  const sim::SequenceSizes most = sim::sizes_of(classes);
  const std::vector<float> ranks = ranks_of(classes);
  std::int64_t rows = 0;
  for (const sim::SequenceClass& c : classes) rows += c.count * (padded ? most.most_keys : c.seqlen_k);
  const std::string total = report::thousands(rows);
  const float wide = std::max(view.px(84), canvas.text_width(Style::table, total) + view.px(8));
  const std::array<Rect, 3> places = ui::columns(row, 0, {title_width, ui::rest(), wide});
  canvas.text(places[0], Style::caption, view.theme().muted, title);
  canvas.text(places[2], Style::table, view.theme().muted, total, ui::Align::right);
  const Rect bar = places[1].inset(0, view.px(3));
  const double unit = static_cast<double>(bar.width) / static_cast<double>(most.entries * most.most_keys);
  double x = 0;
  for (std::size_t n = 0; n < classes.size(); ++n) {
    const auto each = [&](std::int64_t entries) {
      const double used = unit * static_cast<double>(entries * classes[n].seqlen_k);
      const double all = padded ? unit * static_cast<double>(entries * most.most_keys) : used;
      const float left = bar.x + static_cast<float>(std::round(x)),
                  right = bar.x + static_cast<float>(std::round(x + all));
      const float middle = bar.x + static_cast<float>(std::round(x + used));
      if (right > middle) draw_padding(view, {middle, bar.y, right - middle, bar.height});
      canvas.fill({left, bar.y, std::max(1.f, middle - left - (middle - left > 3 ? 1.f : 0.f)), bar.height},
                  class_color(view.theme(), ranks[n]));
      x += all;
    };
    if (most.entries > 64) each(classes[n].count);
    for (std::int64_t e = 0; most.entries <= 64 && e < classes[n].count; ++e) each(1);
  }
}

}  // namespace

void draw_batch_entries(View& view, Rect card) {
  const std::vector<Square> squares = squares_of(view);
  const sim::SequenceSizes most = sim::sizes_of(sequences_of(view.subject().simulation()));
  const std::string_view title = view.say("The batch, to scale");
  const std::string_view long_note = view.say("queries down, keys across; hatched: what padding adds");
  const float room = card.width - view.px(48) - view.canvas().text_width(Style::title, title);
  ui::Space rest(
      draw_card(view, card, title, view.canvas().text_width(Style::caption, long_note) <= room ? long_note : ""));
  ui::mark_place(view.ui, "batch", card);
  const auto [padded_rows, packed_rows] =
      ui::rows(rest.bottom(view.px(2 * row_height), view.px(10)), 0, {view.px(row_height), ui::rest()});
  const auto columns = static_cast<std::size_t>(std::max(1.f, rest.width() / view.px(least_column)));
  const std::size_t fitting = std::min({squares.size(), columns, most_squares});
  const std::size_t left_out = squares.size() - fitting;
  if (left_out > 0)
    view.canvas().text(rest.bottom(view.px(18)), Style::caption, view.theme().muted,
                       view.say("and {} more", report::thousands(static_cast<std::int64_t>(left_out))));
  const std::vector<Rect> places = ui::equal_columns(rest.rest(), 0, fitting);
  for (std::size_t n = 0; n < fitting; ++n) {
    const Rect& place = places[n];
    draw_square(view, {place.x, place.y, place.width - view.px(12), place.height}, squares[n], most);
  }
  const std::string_view padded = view.say("padded rows of K"), packed = view.say("packed rows of K");
  const float words =
      std::max(view.canvas().text_width(Style::caption, padded), view.canvas().text_width(Style::caption, packed)) +
      view.px(8);
  draw_rows(view, padded_rows, padded, words, true);
  draw_rows(view, packed_rows, packed, words, false);
}

}  // namespace explorer
