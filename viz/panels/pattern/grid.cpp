// Grid of a pattern's blocks: rows of queries, columns of keys. A press inverts a block, a drag gives the blocks it
// crosses the first one's new state; arrows and Space do the same.
#include <imgui.h>

#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/pattern/pattern.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr float separate_from = 5, marked_from = 8, largest_block = 48, axis = 20;  // CSS pixels

/// Maps blocks to the screen.
struct PatternLens {
  ui::Rect rect;
  std::int64_t rows, cols;

  float across() const { return rect.width / static_cast<float>(cols); }
  float down() const { return rect.height / static_cast<float>(rows); }
  ui::Rect block(std::int64_t row, sim::Interval range) const {
    const float x = std::round(rect.x + static_cast<float>(range.begin) * across());
    const float y = std::round(rect.y + static_cast<float>(row) * down());
    return {x, y, std::round(rect.x + static_cast<float>(range.end) * across()) - x,
            std::round(rect.y + static_cast<float>(row + 1) * down()) - y};
  }
  BlockPlace at(ImVec2 point) const {
    const auto index = [](float distance, float size, std::int64_t count) {  // without a pointer, the distance is huge
      return static_cast<std::int64_t>(std::clamp(std::floor(distance / size), -1.f, static_cast<float>(count)));
    };
    return {index(point.y - rect.y, down(), rows), index(point.x - rect.x, across(), cols)};
  }
};

PatternLens make_lens(const View& view, const sim::BlockedMatrix& m, ui::Rect rect) {
  rect = ui::rows(ui::columns(rect, 0, {view.px(axis), ui::rest()})[1], 0, {view.px(axis), ui::rest()})[1];
  const auto rows = static_cast<float>(m.rows()), cols = static_cast<float>(m.cols());
  const float aspect = std::clamp(cols / rows, 0.4f, 2.5f);
  float width = std::min({rect.width, rect.height * aspect, cols * view.px(largest_block)});
  const float height = std::min(width / aspect, rows * view.px(largest_block));
  width = std::min(width, height * aspect);
  return {{rect.x, rect.y, std::floor(width), std::floor(height)}, m.rows(), m.cols()};
}

/// Draws a row; equal neighbours are merged if blocks are too small to be distinguished.
void draw_row(View& view, const PatternLens& lens, const PatternBlocks& blocks, std::int64_t row) {
  const bool separate = std::min(lens.across(), lens.down()) >= view.px(separate_from);
  std::int64_t begin = 0;
  for (std::int64_t j = 1; j <= lens.cols; ++j) {
    const BlockPlace first{row, begin};
    const bool same = !separate && j < lens.cols && blocks.state({row, j}) == blocks.state(first);
    if (same) continue;
    ui::Rect place = lens.block(row, {begin, j});
    if (separate) place = {place.x, place.y, place.width - view.px(1), place.height - view.px(1)};
    draw_block(view, place, blocks.state(first), blocks.shown(first));
    begin = j;
  }
}

void draw_axes(View& view, const PatternLens& lens) {
  const ui::Color color = view.theme().muted;
  const float high = view.px(axis);
  const ui::Rect top{lens.rect.x, lens.rect.y - high, lens.rect.width, high};
  view.canvas().text(top, ui::Style::caption, color, view.say("keys, blocks j"), ui::Align::center);
  view.canvas().text({lens.rect.x - high, lens.rect.y, high, high}, ui::Style::caption, color, "i");
}

std::string_view state_words(const View& view, BlockState state) {
  if (state == BlockState::full) return view.say("every pair is visible");
  if (state == BlockState::partial) return view.say("some pairs are masked inside");
  const bool as_mask = view.subject().simulation().plan.code->pattern == sim::PatternUse::as_mask;
  return as_mask ? view.say("computed, and then masked") : view.say("skipped: nothing of it is computed");
}

/// Moves the brush by the arrows, within the matrix, painting while Shift is held; Space inverts the block.
void take_arrows(View& view, const PatternBlocks& blocks, BlockPlace cursor) {
  if (!view.ui.state.open.empty()) return;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key) ? 1 : 0; };
  const BlockPlace to{cursor.row + pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow),
                      cursor.col + pressed(ImGuiKey_RightArrow) - pressed(ImGuiKey_LeftArrow)};
  if (ImGui::IsKeyPressed(ImGuiKey_Space)) {
    view.edit(BeginStroke{cursor});
    view.edit(EndStroke{});
  } else if (!(to == cursor) && blocks.holds(to)) {
    const bool paints = ImGui::GetIO().KeyShift;
    view.edit(MoveBrush{to, paints ? std::optional(blocks.shown(cursor)) : std::nullopt});
  }
}

void draw_too_many(View& view, const sim::BlockedMatrix& m, ui::Rect rect) {
  ui::paragraph(
      view.canvas(), rect, ui::Style::body, {.color = view.theme().text},
      view.say("{} × {} blocks are too many to be painted. Larger ones, Br × Bc, are fewer.", m.rows(), m.cols()));
}

void take_pointer(View& view, const PatternLens& lens, const ui::Hit& hit) {
  const BlockPlace at = lens.at(ImGui::GetIO().MousePos);
  if (!hit.held || view.ui.state.fingers.two) {
    if (view.state.brush.stroke) view.edit(EndStroke{});
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    view.edit(BeginStroke{at});
  } else {
    view.edit(Stroke{at});
  }
}

}  // namespace

void draw_block(View& view, ui::Rect place, BlockState state, bool shown) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const bool marked = std::min(place.width, place.height) >= view.px(marked_from);
  if (state == BlockState::full) return canvas.fill(place, theme.tile_done);
  if (state == BlockState::partial) {
    canvas.fill(place, mix(theme.card, theme.tile_done, marked ? 0.25f : 0.5f));
    if (marked)
      canvas.triangle({place.x, place.y}, {place.right(), place.bottom()}, {place.x, place.bottom()}, theme.tile_done);
    return;
  }
  canvas.fill(place, theme.inset);
  if (!marked) return;
  if (shown) return canvas.stroke(place, theme.tile_to_do, view.px(1));  // painted, but hidden by another mask
  const float side = std::max(1.f, canvas.px(2));
  canvas.fill({place.center().x - side / 2, place.center().y - side / 2, side, side}, theme.skipped);
}

void draw_pattern_grid(View& view, ui::Rect rect) {
  const PatternBlocks blocks(view.subject());
  if (!is_paintable(blocks.matrix())) return draw_too_many(view, blocks.matrix(), rect);
  const PatternLens lens = make_lens(view, blocks.matrix(), rect);
  if (lens.rect.empty()) return;
  view.canvas().fill(lens.rect, view.theme().card);
  for (std::int64_t row = 0; row < lens.rows; ++row) draw_row(view, lens, blocks, row);
  draw_axes(view, lens);
  const ui::Hit hit = ui::hit(view.ui, "pattern/blocks", lens.rect);
  BlockPlace cursor = view.state.brush.block;
  cursor = {std::clamp<std::int64_t>(cursor.row, 0, lens.rows - 1),
            std::clamp<std::int64_t>(cursor.col, 0, lens.cols - 1)};
  if (!(cursor == view.state.brush.block)) view.edit(MoveBrush{cursor, {}});  // the blocks have become fewer
  view.canvas().stroke(lens.block(cursor.row, {cursor.col, cursor.col + 1}).inset(-view.px(1)), view.theme().strong,
                       view.px(1.5f));
  const BlockPlace under = lens.at(ImGui::GetIO().MousePos);
  if (hit.hovered && !hit.held && blocks.holds(under))
    draw_tooltip(view, std::vector<std::string>{view.say("row block {}, key block {}", under.row, under.col),
                                                std::string(state_words(view, blocks.state(under)))});
  take_arrows(view, blocks, cursor);
  take_pointer(view, lens, hit);
}

}  // namespace explorer
