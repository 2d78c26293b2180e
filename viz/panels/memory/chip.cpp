// Shared memory and registers: the tiles that a CTA holds at the playhead, each at its address and as wide as its
// bytes. The row of boxes shows the CTA's own part, the line below it the whole memory of the SM.
#include <set>

#include "sim/model/busy_sms.h"
#include "sim/report/numbers.h"
#include "viz/panels/memory/levels.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr float boxes = 46, line = 4, gap = 5, vectors_width = 62;  // CSS pixels

const TilesOnChip& tiles_of(const View& view) { return view.subject().replay->memory.tiles; }
const ChipTile& tile_at(const View& view, std::int32_t n) {
  return tiles_of(view).tiles()[static_cast<std::size_t>(n)];
}

/// Layout of a level: boxes, below them the line of the whole memory, and in shared memory the lifetimes.
struct ChipPlaces {
  ui::Rect boxes, line, below;
};

ChipPlaces place_on_chip(const View& view, ui::Rect level, bool with_below) {
  const ui::Rect rest = inside_of_level(view, level);
  const float lines = view.px(gap) + view.px(line);
  const bool roomy = with_below && rest.height >= view.px(2 * boxes) - view.px(8);
  const float share = roomy ? std::max(view.px(boxes), rest.height * 0.4f) : rest.height - lines;
  const auto [above, space, of_memory, wider_space, below] = ui::rows(
      rest, 0, {std::min(share, view.px(2 * boxes)), view.px(gap), view.px(line), view.px(gap + 1), ui::rest()});
  return {above, of_memory, roomy ? below : ui::Rect{}};
}

ui::Rect boxes_of_registers(const View& view, ui::Rect level, ui::Rect* vectors = nullptr) {
  const auto [tiles, right] =
      ui::columns(place_on_chip(view, level, false).boxes, view.px(6), {ui::rest(), view.px(vectors_width)});
  if (vectors != nullptr) *vectors = right;
  return tiles;
}

ui::Rect box_of(const View& view, const ChipTile& tile, ui::Rect row) {
  const std::int64_t extent = tile.in_registers ? tiles_of(view).register_extent() : tiles_of(view).smem_extent();
  const float per_byte = row.width / static_cast<float>(std::max<std::int64_t>(1, extent));
  const float left = row.x + per_byte * static_cast<float>(tile.address);
  const float width = per_byte * static_cast<float>(tile.bytes);
  return {left, row.y, std::max(view.px(1), width - view.px(width > view.px(12) ? 4.f : 1.f)), row.height};
}

/// Tiles of one memory at the playhead.
std::vector<std::int32_t> held(const View& view, bool in_registers) {
  std::vector<std::int32_t> found = tiles_of(view).at(view.subject().time);
  std::erase_if(found, [&](std::int32_t n) {
    const ChipTile& tile = tile_at(view, n);
    return tile.is_vector || tile.in_registers != in_registers || tile.bytes == 0;
  });
  return found;
}

std::int64_t bytes_of(const View& view, const std::vector<std::int32_t>& tiles) {
  std::int64_t sum = 0;
  for (const std::int32_t n : tiles) sum += tile_at(view, n).bytes;
  return sum;
}

void draw_tiles(View& view, const std::vector<std::int32_t>& tiles, ui::Rect row, std::string_view level) {
  ui::Canvas& canvas = view.canvas();
  canvas.fill(row, view.theme().track, view.px(4));
  if (tiles.empty())
    canvas.text(row, ui::Style::caption, view.theme().muted, view.say("nothing here now"), ui::Align::center);
  for (const std::int32_t n : tiles) {
    const ui::Rect rect = box_of(view, tile_at(view, n), row);
    draw_tile_box(view, look_of_tile(view, n, rect));
    use_tile(view, level, n, rect);
  }
}

std::string held_text(const View& view, std::int64_t bytes, std::int64_t capacity) {
  return view.say("{} of {}", report::kibibytes(bytes), report::kibibytes(capacity));
}

/// Number of other CTAs on this CTA's SM, as far as the grid has them.
std::int64_t neighbours_of(const View& view) {
  return sim::ctas_side_by_side(view.subject().simulation(), view.subject().kernel()) - 1;
}

/// Draws the line of the whole memory; its tooltip distinguishes the CTA's part from its neighbours'.
void use_line(View& view, std::string_view name, ui::Rect rect, const Occupation& o) {
  draw_occupation(view, rect, o);
  const ui::Hit h = ui::hit(view.ui, view.id(name), rect.inset(0, -view.px(2)));
  if (!h.hovered) return;
  std::vector<std::string> lines = {view.say("{} held now", report::kibibytes(o.held)),
                                    view.say("{} at most by this CTA", report::kibibytes(o.most)),
                                    view.say("{} on the SM", report::kibibytes(o.capacity))};
  if (o.neighbours == 1) lines.emplace_back(view.say("one more CTA next to it"));
  if (o.neighbours > 1) lines.push_back(view.say("{} more CTAs next to it", o.neighbours));
  draw_tooltip(view, lines);
}

/// Draws the per-row numbers: m, ℓ and their intermediates. The ledger omits them: they are a few hundred bytes.
void draw_vectors(View& view, ui::Rect rect) {
  std::string names;
  std::set<sim::Tensor> known;
  std::int64_t rows = 0;
  std::vector<std::int32_t> all = tiles_of(view).at(view.subject().time);
  std::erase_if(all, [&](std::int32_t n) { return !tile_at(view, n).is_vector; });
  for (const std::int32_t n : all) {
    const sim::Event& event = event_of(view, tile_at(view, n).event);
    rows = std::max(rows, event.rows.size);
    if (known.insert(event.tensor).second) names += (names.empty() ? "" : ", ") + tensor_markup(event.tensor);
  }
  if (all.empty()) return;
  const std::string caption = fmt::format("{} × {}", known.size(), rows);
  TileBox box{
      .rect = rect, .fill = view.theme().card, .filling = {}, .markup = names, .short_markup = "", .caption = caption};
  draw_tile_box(view, box);
  view.canvas().stroke(rect, view.theme().border, view.px(1), view.px(4));
  const ui::Hit h = ui::hit(view.ui, view.id("registers/rows"), rect);
  if (!h.hovered) return;
  std::vector<std::string> lines = {std::string(view.say("one fp32 number per row, left out of the sum"))};
  for (const std::int32_t n : all) lines.push_back(describe_tile(view, n)[0] + "  " + describe_tile(view, n).back());
  draw_tooltip(view, lines);
}

}  // namespace

ui::Rect place_of_tile(const View& view, const MemoryPlaces& places, std::int32_t n) {
  const ChipTile& tile = tile_at(view, n);
  ui::Rect vectors;
  const bool has_registers = !places.registers.empty();
  const ui::Rect row = has_registers ? boxes_of_registers(view, places.registers, &vectors) : ui::Rect{};
  if (tile.is_vector) return has_registers ? vectors : places.smem;
  if (tile.in_registers && has_registers) return box_of(view, tile, row);
  return box_of(view, tile, place_on_chip(view, places.smem, true).boxes);
}

void draw_smem(View& view, ui::Rect rect) {
  const sim::Plan& plan = view.subject().simulation().plan;
  const std::vector<std::int32_t> tiles = held(view, false);
  const std::int64_t bytes = bytes_of(view, tiles), capacity = plan.capacity.smem.count();
  const bool paper = plan.capacity.paper;
  draw_level(view, rect, paper ? view.say("On-chip memory (SRAM)") : view.say("Shared memory"),
             held_text(view, bytes, capacity), {});
  view.ui.state.shown.emplace(view.id("memory/smem"), held_text(view, bytes, capacity));
  const ChipPlaces places = place_on_chip(view, rect, true);
  draw_tiles(view, tiles, places.boxes, "smem");
  const std::int64_t on_sm = paper ? capacity : std::max(capacity, plan.scenario.gpu->smem_bytes_per_sm);
  const std::int64_t most = std::max(view.subject().replay->trace.peak_smem.count(), bytes);
  use_line(view, "smem/line", places.line, {bytes, most, on_sm, paper ? 0 : neighbours_of(view)});
  draw_lifetimes(view, places.below);
}

void draw_registers(View& view, ui::Rect rect) {
  const sim::Plan& plan = view.subject().simulation().plan;
  const std::vector<std::int32_t> tiles = held(view, true);
  const std::int64_t bytes = bytes_of(view, tiles), capacity = plan.scenario.gpu->register_bytes_per_sm;
  draw_level(view, rect, view.say("Registers"), held_text(view, bytes, capacity), {});
  view.ui.state.shown.emplace(view.id("memory/registers"), held_text(view, bytes, capacity));
  ui::Rect vectors;
  draw_tiles(view, tiles, boxes_of_registers(view, rect, &vectors), "registers");
  draw_vectors(view, vectors);
  const std::int64_t most = std::max(view.subject().replay->trace.peak_registers.count(), bytes);
  use_line(view, "registers/line", place_on_chip(view, rect, false).line, {bytes, most, capacity, neighbours_of(view)});
}

}  // namespace explorer
