// Tile picker: every Br x Bc that fits on chip, by bytes moved or by predicted time. A click selects one.
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/model/deep_link.h"
#include "viz/model/tiles/tile_plane.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/matrix/tile_marks.h"
#include "viz/panels/panels.h"
#include "viz/panels/parts.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

// CSS pixels.
constexpr float left_gutter = 44, top_gutter = 20, largest_pitch = 56, gap = 1, hatch_step = 7, legend_height = 66,
                legend_of_times = 20;

/// Maps the plane to the screen. Both pitches are as large as possible: square cells would leave much of the panel
/// empty.
struct Grid {
  const TilePlane& plane;
  sim::Goal goal;
  ui::Rect rect;
  float across, down;  ///< from cell to cell

  ui::Rect cell(float row, float col) const {
    const float x = std::round(rect.x + col * across), y = std::round(rect.y + row * down);
    return {x, y, std::round(rect.x + (col + 1) * across) - x, std::round(rect.y + (row + 1) * down) - y};
  }
  ui::Rect cell(std::size_t row, std::size_t col) const {
    return cell(static_cast<float>(row), static_cast<float>(col));
  }
};

Grid make_grid(const View& view, const TilePlane& plane, sim::Goal goal, ui::Rect body) {
  const float left = view.px(left_gutter), top = view.px(top_gutter);
  const auto rows = static_cast<float>(plane.rows().size()), cols = static_cast<float>(plane.cols().size());
  const float across = std::min((body.width - left) / cols, view.px(largest_pitch));
  const float down = std::min((body.height - top) / rows, view.px(largest_pitch));
  return {plane, goal, {body.x + left, body.y + top, across * cols, down * rows}, across, down};
}

/// Draws diagonals over the whole plane; cells that fit are drawn over them.
void draw_hatch(View& view, ui::Rect rect) {
  view.canvas().push_clip(rect);
  const float step = view.px(hatch_step), length = std::min(rect.height, rect.width + rect.height);
  for (float x = rect.x - length; x < rect.right(); x += step) {
    view.canvas().line({x, rect.y + length}, {x + length, rect.y}, view.theme().track, view.px(1.5f));
  }
  view.canvas().pop_clip();
}

void draw_cells(View& view, const Grid& grid) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const ui::Color paper = theme.card, unknown = ui::mix(theme.card, theme.track, 0.5f);
  const float space = view.px(gap);
  for (std::size_t row = 0; row < grid.plane.rows().size(); ++row) {
    for (std::size_t col = 0; col < grid.plane.cols().size(); ++col) {
      const TilePlane::Cell& cell = grid.plane.cell(row, col);
      if (cell.state == TilePlane::State::too_large) break;
      const ui::Rect place = grid.cell(row, col);
      const bool fits = cell.state == TilePlane::State::fits;
      canvas.fill(place, paper);
      canvas.fill({place.x, place.y, place.width - space, place.height - space},
                  fits ? shade_of(theme, grid.plane, grid.goal, cost(cell.tiles, grid.goal)) : unknown);
      if (fits && grid.goal == sim::Goal::time && cell.tiles.compiled == true)
        draw_compiled(view, grid.plane, cell.tiles, place);
    }
  }
}

/// Draws the sizes that fit along an axis.
void draw_sizes(View& view, const Grid& grid, bool rows) {
  const std::vector<std::int64_t>& sizes = rows ? grid.plane.rows() : grid.plane.cols();
  const float pitch = rows ? grid.down : grid.across, need = view.px(rows ? 16.f : 36.f);
  std::size_t stride = 1;
  while (static_cast<float>(stride) * pitch < need) stride *= 2;
  ui::Canvas& canvas = view.canvas();
  const ui::Color color = view.theme().muted;
  for (std::size_t n = stride - 1; n < sizes.size(); n += stride) {
    const ui::Rect cell = rows ? grid.cell(n, std::size_t{0}) : grid.cell(std::size_t{0}, n);
    const std::string text = std::to_string(sizes[n]);
    const float wide = view.px(36), high = view.px(16);
    if (rows)
      canvas.text({grid.rect.x - wide - view.px(6), cell.center().y - high / 2, wide, high}, ui::Style::caption, color,
                  text, ui::Align::right);
    else
      canvas.text({cell.center().x - wide / 2, grid.rect.y - high - view.px(2), wide, high}, ui::Style::caption, color,
                  text, ui::Align::center);
  }
  const ui::Rect corner{grid.rect.x - view.px(left_gutter), grid.rect.y - view.px(top_gutter), view.px(24),
                        view.px(16)};
  if (rows)
    canvas.text(corner.moved(0, view.px(top_gutter)), ui::Style::control, view.theme().text, "Br");
  else
    canvas.text(corner.moved(view.px(left_gutter - 22), 0), ui::Style::control, view.theme().text, "Bc");
}

std::vector<std::string> details(const View& view, const TilePlane& plane, const sim::TriedTiles& t) {
  const auto part = [](sim::Bytes some, sim::Bytes all) {
    return sim::text(report::kibibytes(some.count()), " / ", report::kibibytes(all.count()));
  };
  const auto bytes = [](sim::Bytes n) { return report::bytes(n.count()); };
  const auto against = [&](sim::Goal goal) { return report::ratio(cost(t, goal) / cost(*plane.best(goal), goal)); };
  std::vector<std::string> lines = {
      sim::text("Br ", t.br, " × Bc ", t.bc),
      view.say("tile traffic {}, {} of the least", bytes(t.tile_traffic), against(sim::Goal::bytes)),
      view.say("HBM traffic {}", t.hbm_counted ? bytes(t.hbm_traffic) : "-"),
      view.say("predicted time {}, {} of the best", number_text("time.microseconds", t.microseconds),
               against(sim::Goal::time)),
      view.say("shared memory of a CTA: {}", part(t.smem, plane.capacity().smem)),
      view.say("registers of a CTA: {} of an SM", part(t.registers, plane.capacity().registers)),
      view.say("CTAs per SM: {}, limited by {}; {:.2f} waves", t.ctas_per_sm, resource_name(view, t.occupancy_limit),
               t.waves),
      view.say("most of the time goes to: {}", t.bound_by.empty() ? "-" : resource_name(view, t.bound_by))};
  if (t.compiled == false) lines.emplace_back(view.say("no kernel is compiled for them: time estimated, ranked last"));
  return lines;
}

void describe(View& view, const Grid& grid, std::size_t row, std::size_t col) {
  const TilePlane::Cell& cell = grid.plane.cell(row, col);
  if (cell.state == TilePlane::State::unknown) return;
  if (cell.state == TilePlane::State::fits) return draw_tooltip(view, details(view, grid.plane, cell.tiles));
  std::vector<std::string> lines = {
      sim::text("Br ", grid.plane.rows()[row], " × Bc ", grid.plane.cols()[col], ": ", view.say("does not fit"))};
  for (std::string& line : tooltip_lines(view, view.translate(grid.plane.refusal(row, col))))
    lines.push_back(std::move(line));
  draw_tooltip(view, lines);
}

void take(View& view, const Grid& grid, std::size_t row, std::size_t col) {
  if (grid.plane.cell(row, col).state != TilePlane::State::fits) return;
  const std::string br = std::to_string(grid.plane.rows()[row]), bc = std::to_string(grid.plane.cols()[col]);
  view.edit(SetOptions{{{"br", br}, {"bc", bc}, {"tiling", ""}}, view.index});
}

/// Handles the pointer. A row of cells is one widget: the pointer's x selects the cell.
void react(View& view, const Grid& grid) {
  for (std::size_t row = 0; row < grid.plane.rows().size(); ++row) {
    const ui::Rect first = grid.cell(row, std::size_t{0});
    const ui::Rect strip{grid.rect.x, first.y, grid.rect.width, first.height};
    const ui::Hit h = ui::hit(view.ui, view.id(sim::text("tiles/br/", grid.plane.rows()[row])), strip);
    if (!h.hovered) continue;
    const float at = (ImGui::GetIO().MousePos.x - grid.rect.x) / grid.across;
    const auto col = std::min(grid.plane.cols().size() - 1, static_cast<std::size_t>(std::max(0.f, at)));
    view.canvas().stroke(grid.cell(row, col), view.theme().muted, view.px(1.5f));
    describe(view, grid, row, col);
    if (h.clicked) take(view, grid, row, col);
  }
}

void draw_goal(View& view, ui::Rect line, const TilePlane& plane) {
  const std::array<std::string_view, 2> goals = {view.say("Bytes"), view.say("Time")};
  const auto [words, segments] =
      ui::columns(line, view.px(12), {ui::rest(), ui::segmented_width(view.canvas(), goals)});
  choose(view, "tiles", segments, "tiles", goals);
  const std::string note = plane.done() ? view.say("tilings that fit: {}", plane.fitting())
                                        : view.say("{} of {} tilings", plane.tried(), plane.cells());
  view.canvas().text(words, ui::Style::caption, view.theme().muted, note, ui::Align::right);
}

}  // namespace

void draw_tiles(View& view, ui::Rect line, ui::Rect body) {
  const sim::Scenario& scenario = view.subject().scenario();
  sim::OptionValues options = view.subject().options;
  for (const char* tiles : {"br", "bc", "tiling"}) options.erase(tiles);
  const auto& plane = view.world.tasks.get_for<TilePlane>(view.index, options, scenario);
  draw_goal(view, controls_place(view, line, body, 150), plane);
  if (plane.cells() == 0) return;
  const sim::Goal goal = view.state.look.tiles_by_time ? sim::Goal::time : sim::Goal::bytes;
  if (goal == sim::Goal::time && draw_no_time(view, body)) return;
  const float legend_rows = view.px(legend_height + (goal == sim::Goal::time ? legend_of_times : 0));
  const auto [cells, legend] = ui::rows(body, 0, {ui::rest(), legend_rows});
  const Grid grid = make_grid(view, plane, goal, cells);
  if (grid.rect.empty()) return;
  draw_hatch(view, grid.rect);
  draw_cells(view, grid);
  draw_sizes(view, grid, true);
  draw_sizes(view, grid, false);
  draw_tile_marks(view, plane, goal, [&](float row, float col) { return grid.cell(row, col); });
  draw_tile_legend(view, plane, goal, legend);
  react(view, grid);
}

}  // namespace explorer
