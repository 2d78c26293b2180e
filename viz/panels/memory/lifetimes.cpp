// Lifetimes of the tiles in shared memory: time from left to right, addresses from top to bottom. The pale part is the
// copy, the rest the life until the last use.
#include "viz/panels/memory/levels.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

constexpr double playhead_at = 0.42;  // of the width, as in the timeline
constexpr std::int64_t lives_shown = 16;
constexpr std::size_t most_drawn = 400;

/// Interval of time that the band shows: about 16 lifetimes, or the whole run if it has fewer.
struct TimeRange {
  std::int64_t begin = 0, ticks = 1;
  float x(ui::Rect rect, sim::Cycles time) const {
    const double share = static_cast<double>(time.count() - begin) / static_cast<double>(ticks);
    return rect.x + rect.width * static_cast<float>(std::clamp(share, 0.0, 1.0));
  }
};

TimeRange range_around(const Subject& subject) {
  const std::int64_t end = std::max<std::int64_t>(1, subject.replay->index.end().count());
  const std::int64_t lives = std::max<std::int64_t>(1, subject.replay->memory.tiles.count_in_smem());
  const double share = std::min(1.0, static_cast<double>(lives_shown) / static_cast<double>(lives));
  const auto ticks = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(end) * share));
  const auto before = static_cast<std::int64_t>(playhead_at * static_cast<double>(ticks));
  return {std::clamp<std::int64_t>(subject.time.count() - before, 0, end - ticks), ticks};
}

/// Colour of a tile's life: live tiles as in the boxes above, past and future ones paler.
ui::Color color_of(const View& view, std::int32_t n) {
  const TilesOnChip& tiles = view.subject().replay->memory.tiles;
  const ChipTile& tile = tiles.tiles()[static_cast<std::size_t>(n)];
  const sim::Cycles time = view.subject().time;
  const sim::Tensor tensor = event_of(view, tiles.writer(n, time)).tensor;
  if (time < tile.begin) return tensor_color(view, tensor, ui::Phase::future);
  const ui::Color now = tensor_color(view, tensor, ui::Phase::done);
  return time < tile.end ? now : ui::mix(now, view.theme().inset, 0.4f);
}

/// Draws a life. `arrived`: x at which the copy ends.
void draw_life(View& view, std::int32_t tile, ui::Rect rect, float arrived) {
  ui::Canvas& canvas = view.canvas();
  const ui::Color color = color_of(view, tile);
  canvas.fill({rect.x, rect.y, arrived - rect.x, rect.height}, ui::mix(color, view.theme().inset, 0.55f));
  canvas.fill({arrived, rect.y, rect.right() - arrived, rect.height}, color);
}

}  // namespace

void draw_lifetimes(View& view, ui::Rect rect) {
  const Subject& s = view.subject();
  const TilesOnChip& tiles = s.replay->memory.tiles;
  if (rect.height < view.px(10) || tiles.smem_extent() == 0) return;
  const TimeRange shown = range_around(s);
  const ui::Hit h = ui::hit(view.ui, view.id("memory/lifetimes"), rect);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float per_byte = rect.height / static_cast<float>(tiles.smem_extent());
  std::vector<std::int32_t> found = tiles.within(sim::Cycles(shown.begin), sim::Cycles(shown.begin + shown.ticks));
  if (found.size() > most_drawn) found.resize(most_drawn);
  std::int32_t under_pointer = -1;
  view.canvas().push_clip(rect);
  for (const std::int32_t n : found) {
    const ChipTile& tile = tiles.tiles()[static_cast<std::size_t>(n)];
    if (tile.in_registers || tile.is_vector) continue;
    const float left = shown.x(rect, tile.begin), right = shown.x(rect, tile.end);
    const float top = rect.y + per_byte * static_cast<float>(tile.address);
    const ui::Rect life{left, top, std::max(1.f, right - left - view.px(1)),
                        std::max(1.f, per_byte * static_cast<float>(tile.bytes) - view.px(1))};
    const sim::Event& made = event_of(view, tile.event);
    const bool copied = made.engine == sim::Engine::copy_in;
    const float arrived = copied ? shown.x(rect, std::min(made.end, tile.end)) : left;
    draw_life(view, n, life, std::min(arrived, life.right()));
    if (h.hovered && life.contains({mouse.x, mouse.y})) under_pointer = n;
  }
  const float x = shown.x(rect, s.time);
  view.canvas().line({x, rect.y}, {x, rect.bottom()}, view.theme().strong, view.px(1.5f));
  view.canvas().pop_clip();
  if (under_pointer < 0) return;
  if (h.clicked) go_to(view, tiles.tiles()[static_cast<std::size_t>(under_pointer)].event);
  draw_tooltip(view, describe_tile(view, under_pointer));
}

}  // namespace explorer
