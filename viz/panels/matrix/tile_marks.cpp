#include "viz/panels/matrix/tile_marks.h"

#include <algorithm>
#include <cmath>

#include "viz/draw/steady.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

std::string cost_text(sim::Goal goal, double cost) {
  return number_text(goal == sim::Goal::bytes ? "tile_traffic.bytes" : "time.microseconds", cost);
}

std::string tiles_text(std::int64_t br, std::int64_t bc) { return sim::text(br, " × ", bc); }

/// Cell of a tile size; null if the plane lacks it or it does not fit.
const sim::TriedTiles* find_tiles(const TilePlane& plane, std::int64_t br, std::int64_t bc) {
  const auto row = std::find(plane.rows().begin(), plane.rows().end(), br);
  const auto col = std::find(plane.cols().begin(), plane.cols().end(), bc);
  if (row == plane.rows().end() || col == plane.cols().end()) return nullptr;
  const TilePlane::Cell& cell = plane.cell(static_cast<std::size_t>(row - plane.rows().begin()),
                                           static_cast<std::size_t>(col - plane.cols().begin()));
  return cell.state == TilePlane::State::fits ? &cell.tiles : nullptr;
}

/// Draws a frame that is visible on cells of every shade: a gap in the card's colour surrounds it.
void draw_frame(View& view, ui::Rect cell) {
  const float out = view.px(2);
  view.canvas().stroke(cell.inset(-out - view.px(1)), view.theme().card, view.px(4));
  view.canvas().stroke(cell.inset(-out), view.theme().strong, view.px(2));
}

struct Sign {
  enum class Kind { current, best, rule, compiled } kind;
  ui::Color color;
};

void draw_sign(View& view, ui::Rect cell, Sign sign) {
  const float radius = std::clamp(std::min(cell.width, cell.height) * 0.22f, view.px(2), view.px(4.5f));
  if (sign.kind == Sign::Kind::best) view.canvas().disc(cell.center(), radius, sign.color);
  if (sign.kind == Sign::Kind::rule) view.canvas().ring(cell.center(), radius + view.px(2), sign.color, view.px(1.5f));
  if (sign.kind == Sign::Kind::compiled) view.canvas().disc(cell.center(), view.px(1.25f), sign.color);
  if (sign.kind == Sign::Kind::current) draw_frame(view, cell.inset(view.px(2)));
}

/// Draws an entry of the legend, a symbol and text, if it fits.
void draw_entry(View& view, ui::Space& rest, Sign::Kind kind, const std::string& words) {
  const float sign = view.px(16), width = view.canvas().text_width(ui::Style::caption, words) + 1;
  if (rest.width() < sign + view.px(5) + width) return;
  const ui::Rect place = rest.left(sign, view.px(5));
  draw_sign(view, {place.x, place.center().y - sign / 2, sign, sign}, {kind, view.theme().text});
  left_text(view.canvas(), rest, ui::Style::caption, view.theme().muted, words, view.px(17));
}

void draw_ramp(View& view, const TilePlane& plane, sim::Goal goal, ui::Rect place) {
  const sim::TriedTiles* best = plane.best(goal);
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  if (best == nullptr) return;
  ui::Space line(place);
  const auto words = [&](std::string_view text, ui::Color color) {
    left_text(canvas, line, ui::Style::caption, color, text, view.px(9));
  };
  words(goal == sim::Goal::bytes ? view.say("tile traffic") : view.say("predicted time"), theme.muted);
  words(cost_text(goal, cost(*best, goal)), theme.text);
  const float ramp_width = std::min(line.width() * 0.3f, view.px(160));
  const ui::Rect ramp = line.left(ramp_width, view.px(8)).inset(0, view.px(5));
  constexpr int pieces = 32;
  for (int n = 0; n < pieces; ++n) {
    const float x = std::round(ramp.x + ramp.width * static_cast<float>(n) / pieces);
    const float end = std::round(ramp.x + ramp.width * static_cast<float>(n + 1) / pieces);
    const double share = (n + 0.5) / pieces, low = cost(*best, goal);
    canvas.fill({x, ramp.y, end - x, ramp.height},
                shade_of(theme, plane, goal, low * draw::steady::power(plane.most(goal) / low, share)));
  }
  words(cost_text(goal, plane.most(goal)), theme.text);
}

bool has_estimated(const TilePlane& plane, sim::Goal goal) {
  for (std::size_t row = 0; row < plane.rows().size(); ++row) {
    for (std::size_t col = 0; col < plane.cols().size(); ++col) {
      const TilePlane::Cell& cell = plane.cell(row, col);
      if (cell.state == TilePlane::State::fits && is_estimated(cell.tiles, goal)) return true;
    }
  }
  return false;
}

}  // namespace

ui::Color shade_of(const ui::Theme& theme, const TilePlane& plane, sim::Goal goal, double cost_of_cell) {
  const double low = cost(*plane.best(goal), goal), high = plane.most(goal);
  const double share = high > low ? draw::steady::log(cost_of_cell / low) / draw::steady::log(high / low) : 0;
  const double bent = share > 0 ? draw::steady::power(share, 0.6) : 0;
  return ui::mix(ui::mix(theme.card, theme.text, 0.9f), theme.track, static_cast<float>(bent));
}

float position_of(const std::vector<std::int64_t>& sizes, std::int64_t size) {
  if (size < sizes.front() || size > sizes.back()) return -1;
  const auto above = std::lower_bound(sizes.begin(), sizes.end(), size);
  const auto n = static_cast<float>(above - sizes.begin());
  if (*above == size) return n;
  const std::int64_t before = *std::prev(above);
  return n - static_cast<float>(*above - size) / static_cast<float>(*above - before);
}

namespace {

/// Size to show for a block longer than the axis: the first size that covers the axis.
std::int64_t shown_size(const std::vector<std::int64_t>& sizes, std::int64_t size, std::int64_t extent) {
  return size > sizes.back() && sizes.back() >= extent ? sizes.back() : size;
}

sim::Tiling shown_tiling(const View& view, const TilePlane& plane, const sim::Tiling& tiling) {
  const sim::Shape& shape = view.subject().problem().shape;
  return {shown_size(plane.rows(), tiling.br, shape.seqlen_q), shown_size(plane.cols(), tiling.bc, shape.seqlen_k)};
}

}  // namespace

void draw_tile_marks(View& view, const TilePlane& plane, sim::Goal goal,
                     const std::function<ui::Rect(float row, float col)>& cell) {
  const auto place = [&](std::int64_t br, std::int64_t bc) {
    const float row = position_of(plane.rows(), br), col = position_of(plane.cols(), bc);
    return row < 0 || col < 0 ? ui::Rect{} : cell(row, col);
  };
  const auto sign = [&](std::int64_t br, std::int64_t bc, Sign::Kind kind) {
    const ui::Rect where = place(br, bc);
    const sim::TriedTiles* tiles = find_tiles(plane, br, bc);
    if (where.empty() || tiles == nullptr) return;
    draw_sign(view, where, {kind, ui::text_on(shade_of(view.theme(), plane, goal, cost(*tiles, goal)))});
  };
  const sim::Tiling current = shown_tiling(view, plane, view.subject().problem().tiling);
  const ui::Rect here = place(current.br, current.bc);
  if (!here.empty()) {
    draw_frame(view, here);
    const sim::TriedTiles* tiles = find_tiles(plane, current.br, current.bc);
    if (tiles != nullptr) view.canvas().fill(here, shade_of(view.theme(), plane, goal, cost(*tiles, goal)));
  }
  for (const sim::Tiling& each : plane.by_rule()) {
    const sim::Tiling rule = shown_tiling(view, plane, each);
    sign(rule.br, rule.bc, Sign::Kind::rule);
  }
  if (const sim::TriedTiles* best = plane.best(goal)) sign(best->br, best->bc, Sign::Kind::best);
}

void draw_compiled(View& view, const TilePlane& plane, const sim::TriedTiles& tiles, ui::Rect cell) {
  draw_sign(view, cell,
            {Sign::Kind::compiled, ui::text_on(shade_of(view.theme(), plane, sim::Goal::time, tiles.microseconds))});
}

void draw_tile_legend(View& view, const TilePlane& plane, sim::Goal goal, ui::Rect rect) {
  const float line_height = view.px(20), if_estimated = has_estimated(plane, goal) ? line_height : 0;
  const auto [above, ramp, second, third, below] =
      ui::rows(rect, 0, {view.px(8), line_height, line_height, if_estimated, ui::rest()});
  draw_ramp(view, plane, goal, ramp);
  ui::Space marks(second), estimated(third);
  const sim::Tiling& current = view.subject().problem().tiling;
  const auto with_cost = [&](const std::string& words, std::int64_t br, std::int64_t bc) {
    const sim::TriedTiles* tiles = find_tiles(plane, br, bc);
    if (tiles == nullptr) return words;
    return sim::text(words, ", ", cost_text(goal, cost(*tiles, goal)), is_estimated(*tiles, goal) ? " *" : "");
  };
  draw_entry(view, marks, Sign::Kind::current,
             with_cost(view.say("current {}", tiles_text(current.br, current.bc)), current.br, current.bc));
  if (const sim::TriedTiles* best = plane.best(goal))
    draw_entry(view, marks, Sign::Kind::best, view.say("best {}", tiles_text(best->br, best->bc)));
  for (const sim::Tiling& rule : plane.by_rule()) {
    draw_entry(view, marks, Sign::Kind::rule,
               with_cost(view.say("the kernel's own {}", tiles_text(rule.br, rule.bc)), rule.br, rule.bc));
  }
  if (if_estimated > 0)
    draw_entry(view, estimated, Sign::Kind::compiled,
               std::string(view.say("a kernel is compiled; all other times are estimated (*) and ranked last")));
  const sim::TilingRule tiling = view.subject().scenario().tiling;
  const std::string note = tiling == sim::TilingRule::kernel
                               ? std::string(view.say("hatched: does not fit on chip; a click takes a tiling"))
                               : view.say("without --tiling {}, which a click takes back", sim::name_of(tiling));
  view.canvas().text(below, ui::Style::caption, view.theme().muted, note);
}

}  // namespace explorer
