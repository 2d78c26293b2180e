// HBM: the tensors that the kernel touches, as strips of their blocks. A score matrix, with an element per query and
// key, is a wall: never drawn larger than true to scale with the strips, and smaller only if space ends, which a note
// reports.
#include <cmath>

#include "sim/model/sampled_cta.h"
#include "sim/report/numbers.h"
#include "viz/panels/memory/levels.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr float least_pitch = 13.5f, most_pitch = 34, strip_gap = 4, wall_gap = 6, row_gap = 8;  // CSS pixels
constexpr float least_cell = 6;  // CSS pixels: a single query next to 8,192 keys can still be pointed at

/// Rectangles of one row: the name, the blocks, the bytes.
struct StripRow {
  ui::Rect name, blocks, bytes;
};

/// Layout of the strips.
struct StripPlaces {
  std::vector<StripRow> rows;  // in the order of MemoryIndex::strips
  double smaller = 1;          // factor by which the walls are drawn too small
};

const std::vector<HbmStrip>& strips_of(const View& view) { return view.subject().replay->memory.strips; }

StripRow row_in(ui::Rect rect, float name, float bytes, float gap) {
  const auto [first, blocks, space, last] = ui::columns(rect, 0, {name, ui::rest(), gap, bytes});
  return {first, blocks, last};
}

struct Widths {
  float name = 0, bytes = 0;
};
Widths widths_of(const View& view) {
  Widths widths;
  for (const HbmStrip& strip : strips_of(view)) {
    const float name = ui::rich_width(view.canvas(), ui::Style::control, tensor_markup(strip.tensor));
    widths.name = std::max(widths.name, name + view.px(8));
    widths.bytes = std::max(widths.bytes, view.canvas().text_width(ui::Style::table, report::bytes(strip.bytes)));
  }
  return {std::ceil(widths.name), std::ceil(widths.bytes) + 1};
}

/// Area per byte, in device pixels, of the largest strip: the upper limit for walls.
double area_per_byte(const std::vector<HbmStrip>& strips, float width, float height) {
  std::int64_t most = 0;
  for (const HbmStrip& strip : strips) {
    if (!strip.is_matrix()) most = std::max(most, strip.bytes);
  }
  return most == 0 ? 0 : static_cast<double>(width * height) / static_cast<double>(most);
}

/// Rows of the longest strip. Lengths are proportional to rows, so that the query of a decode is small next to K.
std::int64_t longest_rows(const std::vector<HbmStrip>& strips) {
  std::int64_t most = 1;
  for (const HbmStrip& strip : strips) {
    if (!strip.is_matrix()) most = std::max(most, strip.rows * strip.heads);
  }
  return most;
}

/// Length of a strip if the longest has `width`.
float length_of(const View& view, const HbmStrip& strip, std::int64_t most_rows, float width) {
  const float share = static_cast<float>(strip.rows * strip.heads) / static_cast<float>(most_rows);
  return std::min(width, std::max(width * share, static_cast<float>(strip.across) * view.px(least_cell)));
}

std::size_t count_walls(const std::vector<HbmStrip>& strips) {
  std::size_t walls = 0;
  for (const HbmStrip& strip : strips) walls += strip.is_matrix() ? 1 : 0;
  return walls;
}

/// Stacks the strips in one or two columns; walls share the remaining height.
StripPlaces place_strips(const View& view, ui::Rect inside) {
  const auto& strips = strips_of(view);
  StripPlaces places;
  const std::size_t walls = count_walls(strips), thin = strips.size() - walls;
  const std::size_t columns = walls == 0 && static_cast<float>(thin) * view.px(least_pitch) > inside.height ? 2 : 1;
  const std::size_t per_column = (thin + columns - 1) / columns;
  const auto lines = static_cast<float>(per_column);
  const float for_thin = walls == 0 ? inside.height : std::max(lines * view.px(least_pitch), inside.height * 0.45f);
  const float pitch = lines == 0 ? 0 : std::min(view.px(most_pitch), std::floor(for_thin / lines));
  const float wall_height = walls == 0 ? 0 : std::floor((inside.height - pitch * lines) / static_cast<float>(walls));
  const Widths widths = widths_of(view);
  const float gap = view.px(row_gap), height = pitch - view.px(strip_gap);
  const auto count = static_cast<float>(columns);
  const float column = std::floor((inside.width - (count - 1) * view.px(14)) / count);
  const double scale = area_per_byte(strips, column - widths.name - widths.bytes - gap, height);
  float y[2] = {inside.y, inside.y};
  const std::int64_t most_rows = longest_rows(strips);
  std::size_t next = 0;
  for (const HbmStrip& strip : strips) {
    const std::size_t at = strip.is_matrix() ? 0 : next++ * columns / std::max<std::size_t>(1, thin);
    ui::Rect rect{inside.x + static_cast<float>(at) * (column + view.px(14)), y[at], column, height};
    y[at] += strip.is_matrix() ? wall_height : pitch;
    if (strip.is_matrix()) {
      rect.height = wall_height - view.px(wall_gap);
      const double width = column - widths.name - widths.bytes - gap;
      const double true_height = scale * static_cast<double>(strip.bytes) / width;
      if (scale > 0) places.smaller = std::max(places.smaller, true_height / rect.height);
      if (scale > 0) rect.height = std::min(rect.height, std::max(height, static_cast<float>(true_height)));
    }
    places.rows.push_back(row_in(rect, widths.name, widths.bytes, gap));
    ui::Rect& blocks = places.rows.back().blocks;
    if (!strip.is_matrix()) blocks.width = length_of(view, strip, most_rows, blocks.width);
  }
  return places;
}

enum class State { untouched, to_come, between, done };

State state_of(const HbmCell& cell, sim::Cycles time) {
  if (cell.event < 0) return State::untouched;
  if (time < cell.begin) return State::to_come;
  return time < cell.end ? State::between : State::done;
}

ui::Color color_of(const View& view, sim::Tensor tensor, State state) {
  if (state == State::untouched) return ui::mix(view.theme().track, tensor_color(view, tensor), 0.05f);
  if (state == State::to_come) return tensor_color(view, tensor, ui::Phase::future);
  const ui::Color done = tensor_color(view, tensor, ui::Phase::done);
  return state == State::done ? done : ui::mix(done, view.theme().inset, 0.3f);
}

/// Draws one row of cells; equal neighbours are merged if there is no space for gaps.
void draw_cells(View& view, const HbmStrip& strip, ui::Rect rect, std::int64_t y) {
  const float pitch = rect.width / static_cast<float>(strip.across);
  const float gap = pitch >= view.px(5) ? view.px(2) : 0;
  const auto state = [&](std::int64_t x) { return state_of(strip.cell(x, y), view.subject().time); };
  for (std::int64_t begin = 0, end = 0; begin < strip.across; begin = end) {
    const State now = state(begin);
    for (end = begin + 1; gap == 0 && end < strip.across && state(end) == now;) ++end;
    const float left = rect.x + pitch * static_cast<float>(begin), right = rect.x + pitch * static_cast<float>(end);
    view.canvas().fill({left, rect.y, right - left - gap, rect.height}, color_of(view, strip.tensor, now));
  }
}

void draw_wall(View& view, const HbmStrip& strip, ui::Rect rect) {
  ui::Canvas& canvas = view.canvas();
  canvas.fill(rect, color_of(view, strip.tensor, State::untouched));
  const float pitch = rect.height / static_cast<float>(strip.down);
  for (std::int64_t y = 0; y < strip.down; ++y) {
    bool touched = false;  // most rows belong to other CTAs
    for (std::int64_t x = 0; x < strip.across && !touched; ++x) touched = strip.cell(x, y).event >= 0;
    const float top = rect.y + pitch * static_cast<float>(y);
    // Uses at least two pixels: a thinner row would be invisible among the others.
    if (touched) draw_cells(view, strip, {rect.x, top, rect.width, std::max(pitch, view.px(2))}, y);
  }
  const ui::Color line = ui::with_alpha(view.theme().inset, 0.8f);
  const float across = rect.width / static_cast<float>(strip.across);
  for (std::int64_t x = 1; across >= view.px(5) && x < strip.across; ++x) {
    canvas.fill({rect.x + across * static_cast<float>(x) - view.px(1), rect.y, view.px(1), rect.height}, line);
  }
  for (std::int64_t y = 1; pitch >= view.px(5) && y < strip.down; ++y) {
    canvas.fill({rect.x, rect.y + pitch * static_cast<float>(y) - view.px(1), rect.width, view.px(1)}, line);
  }
}

ui::Rect part_of(const HbmStrip& strip, ui::Rect rect, const sim::Event& event) {
  const HbmStrip::Part part = strip.part_of(event);
  const float left = rect.x + rect.width * static_cast<float>(part.left);
  const float top = rect.y + rect.height * static_cast<float>(part.top);
  return {left, top, std::max(3.f, rect.width * static_cast<float>(part.right - part.left)),
          std::max(3.f, rect.height * static_cast<float>(part.bottom - part.top))};
}

/// Draws the tooltip of the block under the pointer; a click seeks its first touch.
void use_strip(View& view, const HbmStrip& strip, ui::Rect rect) {
  const ui::Hit h = ui::hit(view.ui, view.id(sim::text("hbm/", sim::name_of(strip.tensor))), rect);
  if (!h.hovered && !h.clicked) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto cell_at = [](float part, std::int64_t count) {
    return std::clamp(static_cast<std::int64_t>(part * static_cast<float>(count)), std::int64_t{0}, count - 1);
  };
  const std::int64_t x = cell_at((mouse.x - rect.x) / rect.width, strip.across);
  const std::int64_t y = cell_at((mouse.y - rect.y) / rect.height, strip.down);
  const HbmCell& cell = strip.cell(x, y);
  if (h.clicked && cell.event >= 0) go_to(view, cell.event);
  if (cell.event >= 0) return draw_tooltip(view, describe(view, cell.event));
  const std::string name(sim::name_of(strip.tensor));
  const std::vector<std::string> lines = {name, std::string(view.say("this CTA does not touch these blocks")),
                                          view.say("{} in HBM in all", report::bytes(strip.bytes))};
  draw_tooltip(view, lines);
}

void draw_row(View& view, const HbmStrip& strip, const StripRow& row, std::int64_t query_bytes) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const ui::Ink ink{theme.muted, true, theme.inset};
  ui::rich_text(canvas, {row.name.x, row.name.y, row.name.width, std::min(row.name.height, view.px(22))},
                ui::Style::control, ink, tensor_markup(strip.tensor));
  const auto [bytes, ratio, rest] = ui::rows(row.bytes, 0, {view.px(20), view.px(16), ui::rest()});
  canvas.text(bytes, ui::Style::table, theme.muted, report::bytes(strip.bytes), ui::Align::right);
  if (!strip.is_matrix()) return draw_cells(view, strip, row.blocks, 0);
  draw_wall(view, strip, row.blocks);
  const std::int64_t times = query_bytes > 0 ? strip.bytes / query_bytes : 0;
  if (times > 1 && ratio.height >= view.px(16))
    canvas.text(ratio, ui::Style::caption, theme.muted, view.say("{} × Q", times), ui::Align::right);
}

/// Draws the blocks being copied at the playhead.
void draw_moving(View& view, const StripPlaces& places) {
  const Subject& s = view.subject();
  const auto draw = [&](const sim::Event& event) {
    for (std::size_t n = 0; n < places.rows.size(); ++n) {
      const HbmStrip& strip = strips_of(view)[n];
      if (strip.tensor != event.tensor) continue;
      const ui::Rect part = part_of(strip, places.rows[n].blocks, event);
      view.canvas().fill(part, tensor_color(view, event.tensor));
      if (part.width >= view.px(5) && part.height >= view.px(5))
        view.canvas().stroke(part, view.theme().strong, view.px(1.5f));
    }
  };
  for (const std::int32_t tile : s.replay->memory.tiles.at(s.time)) {
    const sim::Event& event = event_of(view, s.replay->memory.tiles.tiles()[static_cast<std::size_t>(tile)].event);
    if (event.direction != sim::Direction::none && s.time < event.end) draw(event);
  }
  for (const Lane& lane : s.replay->index.lanes()) {
    const std::int32_t event = lane.engine == sim::Engine::copy_out ? s.replay->index.at(lane, s.time) : -1;
    if (event >= 0) draw(event_of(view, event));
  }
}

}  // namespace

ui::Rect place_of_block(const View& view, ui::Rect hbm, const sim::Event& event) {
  const auto& strips = strips_of(view);
  const StripPlaces places = place_strips(view, inside_of_level(view, hbm));
  for (std::size_t n = 0; n < strips.size(); ++n) {
    if (strips[n].tensor == event.tensor) return part_of(strips[n], places.rows[n].blocks, event);
  }
  return hbm;
}

void draw_hbm(View& view, ui::Rect rect) {
  const Subject& s = view.subject();
  const StripPlaces places = place_strips(view, inside_of_level(view, rect));
  std::string note;
  if (places.smaller >= 1.1) note = view.say("N × N drawn {} × too small", fmt::format("{:.3g}", places.smaller));
  const std::int64_t cards = sim::ceil_div(s.simulation().memory.peak_hbm.count(), s.scenario().gpu->hbm_bytes);
  const std::int64_t capacity = s.scenario().gpu->hbm_bytes;
  const std::string beside = cards <= 1 ? report::capacity(capacity)
                                        : view.say("{}, does not fit: needs {} of these", report::bytes(capacity),
                                                   report::thousands(cards));  // tensors are in the same unit
  draw_level(view, rect, "HBM", beside, note, cards > 1 ? view.theme().warning : view.theme().muted);
  const std::int64_t query_bytes = sim::product(sim::heads_of_cta(s.problem().shape, s.launch().grid),
                                                s.problem().hbm.Q.elements(), sim::size_of(s.problem().dtype));
  for (std::size_t n = 0; n < places.rows.size(); ++n) draw_row(view, strips_of(view)[n], places.rows[n], query_bytes);
  draw_moving(view, places);
  const ui::Rect line{rect.x, rect.y, rect.width, inside_of_level(view, rect).y - rect.y};
  if (ui::hit(view.ui, view.id("hbm"), line).hovered) {
    const std::vector<std::string> lines = {
        "HBM", std::string(view.say("blocks of the kernel's tensors, as this CTA sees them")),
        std::string(view.say("bright: moved; dark: still to come; grey: other CTAs'"))};
    draw_tooltip(view, lines);
  }
  for (std::size_t n = 0; n < places.rows.size(); ++n) use_strip(view, strips_of(view)[n], places.rows[n].blocks);
}

}  // namespace explorer
