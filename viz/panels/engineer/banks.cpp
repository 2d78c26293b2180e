// Banks that a warp's ldmatrix of a block of K accesses: a row per wavefront, a column per bank.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/machine/warp_access.h"
#include "sim/report/numbers.h"
#include "viz/panels/engineer/engineer.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using sim::SmemLayout;
using ui::Rect;
using ui::Style;

/// Layouts in the order of Banks.
constexpr std::array<SmemLayout, 3> layouts = {SmemLayout::plain, SmemLayout::padded, SmemLayout::swizzled};
constexpr float axis_row = 16, axis_gutter = 44, least_with_axes = 50;  // CSS pixels
constexpr auto order = sim::Quarters::columns_first;                    // K as a right factor

/// One 4-byte word of the access.
struct BankCell {
  sim::LaneAddress part;
  std::uintptr_t word;
  std::int64_t wavefront;
};

void draw_cell(View& view, Rect place, const BankCell& cell) {
  const int row = sim::block_row(order, cell.part.lane);
  const float shade = 0.08f * static_cast<float>(row % 8);
  view.canvas().fill(place, ui::mix(view.theme().tensor('K'), view.theme().inset, shade));
}

/// Draws a tooltip for the word under the pointer: its bank, wavefront, lane and bytes.
void draw_cell_tip(View& view, const BankCell& cell) {
  const std::vector<std::string> lines = {
      view.say("bank {}, wavefront {}", cell.word % sim::smem_banks, cell.wavefront),
      view.say("lane {}: row {}, bytes {} to {} of the tile", int{cell.part.lane},
               sim::block_row(order, cell.part.lane), cell.word * sim::bank_bytes,
               cell.word * sim::bank_bytes + sim::bank_bytes - 1)};
  draw_tooltip(view, lines);
}

/// Draws the numbers of banks below a grid, each eighth, and of wavefronts left of it, as many as there is room for;
/// `bank`, `row`: width and height of a cell.
void draw_bank_axes(View& view, Rect grid, Rect below, Rect gutter, float bank, float row, std::int64_t rows) {
  const auto number = [&](Rect place, std::int64_t n, ui::Align align) {
    view.canvas().text(place, Style::caption, view.theme().muted, sim::text(n), align);
  };
  for (std::int64_t n = 0; n < sim::smem_banks; n += 8)
    number({grid.x + static_cast<float>(n) * bank, below.y, 8 * bank, below.height}, n, ui::Align::left);
  std::int64_t step = 1;
  while (static_cast<float>(step) * row < view.px(14)) step *= 2;
  const float high = std::max(row, view.px(12));
  for (std::int64_t n = 0; n < rows; n += step) {
    const Rect place{gutter.x, grid.y + static_cast<float>(n) * row, gutter.width - view.px(6), high};
    if (place.bottom() <= below.y) number(place, n, ui::Align::right);
  }
  view.canvas().text({gutter.x, below.y, gutter.width - view.px(4), below.height}, Style::caption, view.theme().muted,
                     view.say("bank"), ui::Align::right);
}

/// Draws the words of an access by wavefront and bank. `rows`: number of wavefronts that fill the height, equal on both
/// sides.
void draw_grid(View& view, Rect body, std::string_view name, SmemLayout layout, int columns, std::int64_t rows) {
  const bool axes = body.height >= view.px(least_with_axes);
  const auto [upper, below] = ui::rows(body, 0, {ui::rest(), axes ? view.px(axis_row) : 0});
  const auto [gutter, grid] = ui::columns(upper, 0, {axes ? view.px(axis_gutter) : 0, ui::rest()});
  const Rect place = grid;  // a lambda below needs it
  const sim::WarpAccess access = sim::matrix_load(layout, columns, order);
  const float cell = std::max(1.f, std::floor(std::min(place.width / static_cast<float>(sim::smem_banks),
                                                       place.height / static_cast<float>(rows))));
  const float wide = std::max(cell, std::floor(place.width / static_cast<float>(sim::smem_banks)));
  if (axes) draw_bank_axes(view, place, below, gutter, wide, cell, rows);
  view.canvas().fill({place.x, place.y, wide * static_cast<float>(sim::smem_banks), cell * static_cast<float>(rows)},
                     view.theme().inset);
  const ui::Hit hit = ui::hit(view.ui, view.id(sim::text("banks/grid/", name)), place);
  ui::mark_place(view.ui, "tensor:K", place);
  ui::mark_place(view.ui, "column", place);
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  sim::each_word(std::span<const sim::LaneAddress>(access),
                 [&](const sim::LaneAddress& part, std::uintptr_t word, std::int64_t wavefront) {
                   const float gap = cell > 4 ? 1.f : 0.f;
                   const Rect at{place.x + static_cast<float>(word % sim::smem_banks) * wide,
                                 place.y + static_cast<float>(wavefront) * cell, wide - gap, cell - gap};
                   const BankCell here{part, word, wavefront};
                   draw_cell(view, at, here);
                   if (hit.hovered && at.contains({pointer.x, pointer.y})) draw_cell_tip(view, here);
                 });
}

void draw_side(View& view, Rect side, std::size_t n, int columns, std::int64_t rows) {
  const auto [title, grid, footer] = ui::rows(side, 0, {view.px(18), ui::rest(), view.px(34)});
  const std::array<std::string_view, 3> titles = {view.say("plain rows"), view.say("with padding"),
                                                  view.say("with swizzle")};
  ui::Space heading(title);
  right_text(view.canvas(), heading, Style::caption, view.theme().text, titles[n], view.px(8));
  ui::fitting_text(view.canvas(), heading.rest(), Style::caption, view.theme().muted, view.say("wavefront"));
  const sim::Wavefronts passes = sim::wavefronts(sim::matrix_load(layouts[n], columns, order));
  const std::string path = sim::text("banks.ldmatrix.", link_words("banks")[n]), count = sim::text(passes.taken);
  ui::Space line(footer);
  line.top(view.px(4));
  line.left(draw_number_text(view, line.rest(), Style::number, view.theme().text, path, count), view.px(6));
  const std::string padding = report::kibibytes(view.subject().problem().tiling.bc * sim::chunk_bytes);
  const bool least = passes.taken == passes.ideal;
  std::vector<std::string> words = {least ? std::string(view.say("wavefronts, the least"))
                                          : view.say("wavefronts, {} x the least", passes.taken / passes.ideal),
                                    std::string(view.say("wavefronts"))};
  if (least && layouts[n] == SmemLayout::padded)
    words.insert(words.begin(), view.say("wavefronts, the least, for {} a tile", padding));
  for (const std::string& text : words) {  // the longest that fits
    const Rect place = line.rest().moved(0, view.px(4));
    if (ui::fitting_text(view.canvas(), place, Style::caption, view.theme().muted, text)) break;
  }
  draw_grid(view, grid, n == 0 ? "left" : "right", layouts[n], columns, rows);
}

}  // namespace

void draw_banks(View& view, Rect rect) {
  const Rect inside = draw_card(view, rect, view.say("Shared memory, 32 banks"));
  const sim::Problem& problem = view.subject().problem();
  const auto columns = static_cast<int>(problem.shape.head_dim);
  if (!sim::has_bank_tiles(sim::size_of(problem.dtype), problem.shape.head_dim)) {
    const std::string_view words = view.say("Tensor-core kernels take 16-bit elements and d of 32, 64, 96 ...");
    ui::paragraph(view.canvas(), inside, Style::caption, {view.theme().muted}, ui::escaped(words));
    return;
  }
  const std::array<std::string_view, 3> labels = {view.say("plain"), view.say("padded"), view.say("swizzled")};
  const auto [line, both] = ui::rows(inside, view.px(6), {view.control_height(ui::Control::small), ui::rest()});
  const auto [words, segments] = ui::columns(line, 0, {ui::rest(), ui::segmented_width(view.canvas(), labels)});
  choose(view, "banks", segments, "banks", labels);
  ui::fitting_text(view.canvas(), words, Style::caption, view.theme().muted,
                   view.say("a warp loads 16 x 16 of K, {} bytes a row", 2 * columns));
  const std::int64_t rows = sim::wavefronts(sim::matrix_load(SmemLayout::plain, columns, order)).taken;
  const auto [left, right] = ui::columns(both, view.px(24), {ui::share(1), ui::share(1)});
  draw_side(view, left, 0, columns, rows);
  draw_side(view, right, static_cast<std::size_t>(view.state.look.banks), columns, rows);
}

}  // namespace explorer
