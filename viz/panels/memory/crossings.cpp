// Crossings between the levels: bandwidth, the bytes of this CTA so far, the cause of its wait, and the copies under
// way.
//
// Inaccuracies: a copy's position on its path is the share of its time that has passed; for one from HBM, the first
// half is the path to L2. Which copies come from HBM is the rule of viz/model/copy_sources.h.
#include <array>

#include "sim/report/numbers.h"
#include "viz/panels/memory/levels.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

/// Rate of a link as text; "-" if the device does not specify it.
std::string rate_text(std::int64_t bytes_per_second) {
  return bytes_per_second > 0 ? report::byte_rate(static_cast<double>(bytes_per_second)) : "-";
}

using sim::Cause;

constexpr std::size_t most_transfers = 12;
constexpr int curve_pieces = 20;
constexpr float moved_width = 140;  // CSS pixels for "this CTA read 114.7 MB"

void draw_arrow(View& view, ui::Rect row) {
  const float x = row.x + view.px(20), top = row.y + view.px(4), bottom = row.bottom() - view.px(4);
  const ui::Color color = view.theme().faint;
  view.canvas().line({x, top}, {x, bottom - view.px(5)}, color, view.px(1.5f));
  view.canvas().triangle({x - view.px(4), bottom - view.px(6)}, {x + view.px(4), bottom - view.px(6)}, {x, bottom},
                         color);
}

/// Draws text that stays legible when a copy moves behind it.
void draw_over(View& view, ui::Rect box, ui::Color color, std::string_view markup, ui::Align align) {
  ui::Canvas& canvas = view.canvas();
  const float width = std::min(box.width, std::ceil(ui::rich_width(canvas, ui::Style::caption, markup)));
  const float x = align == ui::Align::right ? box.right() - width : box.x;
  canvas.fill({x - view.px(2), box.y, width + view.px(4), box.height}, ui::with_alpha(view.theme().card, 0.75f));
  ui::rich_text(canvas, {x, box.y, width + 1, box.height}, ui::Style::caption, {color}, markup);
}

std::string_view words_of(const View& view, Cause cause) {
  return view.say(cause == Cause::data ? /*say*/ "latency" : sim::name_of(cause));
}

/// Whose bandwidth it is: the crossings from HBM and L2 serve all SMs, that of the shared memory one.
std::string_view owner_of_rate(const View& view, bool of_sm) {
  return of_sm ? view.say("of one SM") : view.say("of the card");
}

/// Rectangle of the bandwidth and its owner, at the left of a crossing, next to the arrow.
ui::Rect place_of_rate(const View& view, ui::Rect row, std::int64_t bytes_per_second, bool of_sm = false) {
  const auto width_of = [&](std::string_view words) { return view.canvas().text_width(ui::Style::caption, words); };
  const float width = std::ceil(std::max(width_of(rate_text(bytes_per_second)), width_of(owner_of_rate(view, of_sm))));
  return ui::Rect{row.x + view.px(32), row.y, width + 1, row.height}.inset(0, view.px(2));
}

/// Draws the cause of the CTA's wait: a copy at the crossing from L2, a wait inside the SM at the crossing to the
/// registers.
void draw_wait(View& view, ui::Rect box, bool for_copies) {
  const Subject& s = view.subject();
  const std::int32_t n = s.replay->index.wait_at(s.time);
  if (n < 0) return;
  const sim::WaitSpan& wait = s.replay->trace.waits[static_cast<std::size_t>(n)];
  if ((wait.cause == Cause::data || wait.cause == Cause::bandwidth) != for_copies) return;
  const std::int32_t awaited = wait.awaited >= 0 ? wait.awaited : wait.event;
  std::string what;
  if (for_copies && awaited >= 0) what = view.say("waits for {}", block_markup(event_of(view, awaited)));
  if (what.empty() || ui::rich_width(view.canvas(), ui::Style::caption, what) > box.width) what = view.say("waits");
  const auto [above, below] = ui::rows(box, 0, {ui::share(1), ui::share(1)});
  draw_over(view, above, view.theme().text, what, ui::Align::left);
  draw_over(view, below, view.theme().muted, words_of(view, wait.cause), ui::Align::left);
}

/// One row: the arrow, the bandwidth, the cause of a wait, and the bytes that have crossed.
struct Crossing {
  std::string_view name;
  std::int64_t bytes_per_second;
  std::vector<std::string> moved;  ///< one or two lines
  std::vector<std::string> tooltip;
  bool of_sm = false;  ///< bytes_per_second is of one SM
};

void draw_crossing(View& view, ui::Rect row, const Crossing& crossing, int waits) {
  if (row.empty()) return;
  draw_arrow(view, row);
  const ui::Rect rate = place_of_rate(view, row, crossing.bytes_per_second, crossing.of_sm);
  const auto [bandwidth, owner] = ui::rows(rate, 0, {ui::share(1), ui::share(1)});
  draw_over(view, bandwidth, view.theme().muted, rate_text(crossing.bytes_per_second), ui::Align::left);
  draw_over(view, owner, view.theme().muted, owner_of_rate(view, crossing.of_sm), ui::Align::left);
  float widest = 0;
  const std::vector<ui::Part> parts(crossing.moved.size(), ui::rest());
  const std::vector<ui::Rect> lines = ui::rows(row.inset(0, view.px(2)), 0, parts);
  for (std::size_t n = 0; n < lines.size(); ++n) {
    draw_over(view, lines[n], view.theme().muted, crossing.moved[n], ui::Align::right);
    widest = std::max(widest, view.canvas().text_width(ui::Style::caption, crossing.moved[n]));
  }
  const auto [left, wait, right] =
      ui::columns(row, 0, {rate.right() - row.x + view.px(16), ui::rest(), widest + view.px(12)});
  if (waits >= 0 && wait.width > view.px(40)) draw_wait(view, wait.inset(0, view.px(2)), waits == 0);
  if (ui::hit(view.ui, view.id(crossing.name), row).hovered) draw_tooltip(view, crossing.tooltip);
}

std::vector<std::string> moved_lines(View& view, std::string_view name, const sim::Traffic& moved) {
  std::vector<std::string> lines = {view.say("this CTA read {}", report::bytes(moved.read.count())),
                                    view.say("written {}", report::bytes(moved.written.count()))};
  view.ui.state.shown.emplace(view.id(sim::text("memory/", name, "/read")), lines[0]);
  view.ui.state.shown.emplace(view.id(sim::text("memory/", name, "/written")), lines[1]);
  return lines;
}

struct Transfer {
  std::int32_t event, tile;
  bool up;
};

/// Copies under way. Copies in: tiles that are on chip but not complete; copies out: at most one per lane.
std::vector<Transfer> transfers_at(const View& view) {
  const Subject& s = view.subject();
  const TilesOnChip& tiles = s.replay->memory.tiles;
  std::vector<Transfer> found;
  for (const std::int32_t tile : tiles.at(s.time)) {
    const std::int32_t made = tiles.tiles()[static_cast<std::size_t>(tile)].event;
    const sim::Event& event = event_of(view, made);
    if (event.engine == sim::Engine::copy_in && s.time < event.end) found.push_back({made, tile, false});
  }
  for (const Lane& lane : s.replay->index.lanes()) {
    const std::int32_t event = lane.engine == sim::Engine::copy_out ? s.replay->index.at(lane, s.time) : -1;
    if (event < 0) continue;
    const std::int32_t from = event_of(view, event).operands[0];
    found.push_back({event, from == sim::no_event ? -1 : tiles.holder(from), true});
  }
  if (found.size() > most_transfers) found.resize(most_transfers);
  return found;
}

constexpr float steepness = 0.55f;  // of the curves: control-point distance as a share of their height

ui::Point below(ui::Rect r) { return {r.center().x, r.bottom()}; }
/// Point on the upper edge of a level, above a rectangle in it: keeps the level's heading free.
ui::Point above(ui::Rect place, ui::Rect level) { return {place.center().x, level.y}; }
/// x at which a copy passes a crossing: between the bandwidth and the bytes, as near to `wanted` as possible.
float beside_words(const View& view, ui::Rect row, std::int64_t bytes_per_second, float wanted) {
  const float first = place_of_rate(view, row, bytes_per_second).right() + view.px(8);
  return std::clamp(wanted, first, std::max(first, row.right() - view.px(moved_width)));
}

/// Appends a cubic Bézier curve, given by its end points and control points.
void add_curve(std::vector<ui::Point>& points, ui::Point from, ui::Point first, ui::Point second, ui::Point to) {
  for (int n = 0; n <= curve_pieces; ++n) {
    const float t = static_cast<float>(n) / curve_pieces, u = 1 - t;
    const float a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
    points.push_back(
        {a * from.x + b * first.x + c * second.x + d * to.x, a * from.y + b * first.y + c * second.y + d * to.y});
  }
}

using Way = std::vector<ui::Point>;

/// Appends a curve that runs downwards only.
void add_fall(Way& way, ui::Point from, ui::Point to) {
  const float down = (to.y - from.y) * steepness;
  add_curve(way, from, {from.x, from.y + down}, {to.x, to.y - down}, to);
}

/// Path down through the middle of a crossing, at x.
Way way_down(ui::Point from, ui::Point to, float x, ui::Rect crossing) {
  Way way;
  add_fall(way, from, {x, crossing.center().y});
  add_fall(way, {x, crossing.center().y}, to);
  return way;
}

/// Point on the way from `corner` to `other`, at most `most` away; corners are rounded from there.
ui::Point towards(ui::Point corner, ui::Point other, float most) {
  const float dx = other.x - corner.x, dy = other.y - corner.y, far = std::abs(dx) + std::abs(dy);
  const float share = far == 0 ? 0 : std::min(most / far, 0.5f);
  return {corner.x + share * dx, corner.y + share * dy};
}

/// Path to the neighbouring column along the edges of the levels: right, up between the columns, right, and down.
Way way_beside(const View& view, const MemoryPlaces& places, ui::Rect l2, ui::Point to, float x) {
  const float middle = (places.l2.right() + places.smem.x) / 2, top = places.from_l2.y + view.px(3);
  const std::array<ui::Point, 5> corners = {
      {{l2.right(), l2.center().y}, {middle, l2.center().y}, {middle, top}, {x, top}, {x, places.smem.y}}};
  Way way;
  ui::Point at = corners.front();
  for (std::size_t n = 1; n + 1 < corners.size(); ++n) {
    const ui::Point before = towards(corners[n], corners[n - 1], view.px(10));
    const ui::Point after = towards(corners[n], corners[n + 1], view.px(10));
    add_curve(way, at, at, before, before);
    add_curve(way, before, corners[n], corners[n], after);
    at = after;
  }
  add_fall(way, at, to);
  return way;
}

/// Paths from memory to the SM: to L2 if the copy touches HBM, then from L2 on.
std::vector<Way> ways_of(const View& view, const MemoryPlaces& places, const Transfer& transfer) {
  const CopySources& sources = view.subject().replay->memory.sources;
  const sim::DeviceSpec& gpu = *view.subject().scenario().gpu;
  const sim::Event& event = event_of(view, transfer.event);
  const bool hbm = transfer.up ? sources.written_to_hbm(transfer.event) : sources.read_from_hbm(transfer.event);
  const ui::Rect chip = transfer.tile >= 0 ? place_of_tile(view, places, transfer.tile) : places.smem;
  const ui::Rect l2 = place_in_l2(view, places.l2, event.tensor);
  std::vector<Way> ways;
  const auto pass = [&](ui::Point from, ui::Point to, ui::Rect row, std::int64_t bytes_per_second) {
    return way_down(from, to, beside_words(view, row, bytes_per_second, (from.x + to.x) / 2), row);
  };
  if (hbm) {
    const ui::Point from = below(place_of_block(view, places.hbm, event));
    ways.push_back(pass(from, above(l2, places.l2), places.from_hbm, gpu.hbm_bytes_per_second));
  }
  const ui::Point to = above(chip, places.smem);
  if (places.smem.x >= places.l2.right())
    ways.push_back(way_beside(view, places, l2, to, beside_words(view, places.from_l2, gpu.l2_bytes_per_second, to.x)));
  else
    ways.push_back(pass(below(l2), to, places.from_l2, gpu.l2_bytes_per_second));
  return ways;
}

/// Draws a copy's head and the tail behind it, on consecutive paths in the direction of the copy.
void draw_transfer(View& view, const std::vector<Way>& ways, sim::Tensor tensor, float share) {
  ui::Canvas& canvas = view.canvas();
  const ui::Color color = tensor_color(view, tensor);
  Way all;
  for (const Way& way : ways) {
    canvas.polyline(way, ui::with_alpha(color, 0.45f), view.px(1.5f));
    all.insert(all.end(), way.begin(), way.end());
  }
  const auto last = static_cast<float>(all.size() - 1);
  const auto at = [&](float part) { return all[static_cast<std::size_t>(std::clamp(part, 0.f, 1.f) * last)]; };
  for (int n = 3; n >= 0; --n) {
    const float part = share - 0.06f * static_cast<float>(n);
    if (part >= 0) canvas.disc(at(part), view.px(n == 0 ? 5.f : 3.5f - static_cast<float>(n) * 0.6f), color);
  }
}

}  // namespace

void draw_transfers(View& view, const MemoryPlaces& places) {
  for (const Transfer& transfer : transfers_at(view)) {
    const sim::Event& event = event_of(view, transfer.event);
    std::vector<Way> ways = ways_of(view, places, transfer);
    if (transfer.up) {
      std::reverse(ways.begin(), ways.end());
      for (Way& way : ways) std::reverse(way.begin(), way.end());
    }
    draw_transfer(view, ways, event.tensor, share_passed(view, event));
  }
}

void draw_crossings(View& view, const MemoryPlaces& places) {
  const Subject& s = view.subject();
  const sim::DeviceSpec& gpu = *s.scenario().gpu;
  const Crossed crossed = s.replay->memory.moved.at(s.time);
  const bool counted = sim::counts_hbm_traffic(gpu);
  const std::vector<std::string> hbm_lines =
      counted ? moved_lines(view, "hbm", crossed.hbm) : std::vector{std::string(view.say("not modelled"))};
  const auto known = [](std::int64_t rate) { return rate > 0 ? static_cast<double>(rate) : std::nan(""); };
  const auto each = [&](std::int64_t rate) {
    return view.say("{} for each SM", report::byte_rate(known(rate) / static_cast<double>(gpu.sm_count)));
  };
  const std::string rule(view.say("first touches in the grid cross; of the others the model's share"));
  draw_crossing(view, places.from_hbm,
                {"memory/from_hbm",
                 gpu.hbm_bytes_per_second,
                 hbm_lines,
                 {std::string(view.say("HBM to L2")), each(gpu.hbm_bytes_per_second), rule}},
                -1);
  draw_crossing(
      view, places.from_l2,
      {"memory/from_l2",
       gpu.l2_bytes_per_second,
       moved_lines(view, "tile", crossed.tile),
       {std::string(view.say("L2 to the SM: the tile traffic of this CTA so far")), each(gpu.l2_bytes_per_second)}},
      0);
  const std::int64_t port =
      sim::product(gpu.smem_bytes_per_clock, sim::clock_hz(view.subject().simulation().plan, view.subject().launch()));
  draw_crossing(
      view, places.from_smem,
      {"memory/from_smem",
       port,
       {view.say("operands {}", report::bytes(crossed.operands.count()))},
       {std::string(view.say("shared memory to registers")),
        view.say("{} on all {} SMs", report::byte_rate(known(sim::product(port, gpu.sm_count))), gpu.sm_count),
        std::string(view.say("what the warps read and write for matrix products"))},
       true},
      1);
}

}  // namespace explorer
