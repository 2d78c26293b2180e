// L2: the space that the kernel's tensors take in it, and the hit rate.
//
// Inaccuracies: the model of L2 knows bytes per tensor, not addresses. The picture gives each tensor space for all its
// bytes, filled as far as this CTA has traversed it, as if all CTAs were at the same position; if the tensors exceed
// L2, all shrink by the same factor.
#include "sim/model/hbm_traffic.h"
#include "sim/report/numbers.h"
#include "viz/model/explained.h"
#include "viz/panels/memory/levels.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr int cells = 40;

/// Space of a tensor in L2, in bytes; `filled` of it is taken at the playhead.
struct Room {
  sim::Tensor tensor;
  double bytes, filled;
};

struct Rooms {
  std::vector<Room> of;
  double all = 0, filled = 0;
};

Rooms rooms_of(const View& view) {
  const Subject& s = view.subject();
  Rooms rooms;
  for (const HbmStrip& strip : s.replay->memory.strips) {
    const auto bytes = static_cast<double>(s.problem().hbm[strip.tensor].total_bytes(s.problem().shape).count());
    rooms.of.push_back({strip.tensor, bytes, bytes * strip.share_begun(s.time)});
    rooms.all += bytes;
  }
  const auto capacity = static_cast<double>(s.simulation().plan.l2);
  const double share = rooms.all > capacity ? capacity / rooms.all : 1;
  rooms.all *= share;
  for (Room& room : rooms.of) {
    room.bytes *= share;
    room.filled *= share;
    rooms.filled += room.filled;
  }
  return rooms;
}

ui::Rect bar_of(const View& view, ui::Rect l2) {
  return ui::rows(inside_of_level(view, l2), 0, {view.px(9), ui::rest()})[0];
}

void draw_rooms(View& view, const Rooms& rooms, ui::Rect bar) {
  double begin = 0;
  const float pitch = bar.width / static_cast<float>(cells), gap = view.px(2);
  std::size_t at = 0;
  for (int n = 0; n < cells; ++n) {
    const double middle = (n + 0.5) / cells * rooms.all;
    while (at + 1 < rooms.of.size() && begin + rooms.of[at].bytes <= middle) begin += rooms.of[at++].bytes;
    if (rooms.of.empty()) return;
    const bool filled = middle < begin + rooms.of[at].filled;
    const ui::Color color = tensor_color(view, rooms.of[at].tensor, filled ? ui::Phase::done : ui::Phase::future);
    view.canvas().fill({bar.x + static_cast<float>(n) * pitch, bar.y, pitch - gap, bar.height}, color);
  }
}

/// Hit rate of the whole run, as in the HBM traffic counter.
constexpr std::string_view hit_rate_path = "hbm_traffic.l2_hit_rate";

double hit_rate(const sim::KernelMeters& kernel) {
  sim::Traffic hbm;
  for (const auto& [tensor, traffic] : kernel.hbm) hbm += traffic;
  return sim::l2_hit_rate(kernel.totals.total, hbm);
}

std::vector<std::string> describe_l2(const View& view, const Rooms& rooms) {
  const Subject& s = view.subject();
  std::vector<std::string> lines = {"L2"};
  lines.push_back(view.say("{} of it hold what comes again", report::capacity(s.simulation().plan.l2)));
  if (s.simulation().kernels.size() > 1)
    lines.push_back(sim::text(s.kernel().name, "  ", view.say("hit rate {}", report::percent(hit_rate(s.kernel())))));
  for (const auto& [tensor, tile] : s.kernel().totals.by_tensor) {
    if (tile.read.count() == 0) continue;  // writes neither hit nor miss
    const auto hbm = s.kernel().hbm.find(tensor);
    const double rate = sim::l2_hit_rate(tile, hbm == s.kernel().hbm.end() ? sim::Traffic{} : hbm->second);
    lines.push_back(sim::text(sim::name_of(tensor), "  ",
                              view.say("{} of {} read hit", report::percent(rate), report::bytes(tile.read.count()))));
  }
  lines.push_back(view.say("cells: {} by tensor, as if all CTAs were where this one is",
                           report::capacity(static_cast<std::int64_t>(rooms.all))));
  return lines;
}

}  // namespace

ui::Rect place_in_l2(const View& view, ui::Rect l2, sim::Tensor tensor) {
  const Rooms rooms = rooms_of(view);
  const ui::Rect bar = bar_of(view, l2);
  double begin = 0;
  for (const Room& room : rooms.of) {
    const auto left = static_cast<float>(begin / rooms.all), width = static_cast<float>(room.bytes / rooms.all);
    if (room.tensor == tensor) return {bar.x + left * bar.width, bar.y, width * bar.width, bar.height};
    begin += room.bytes;
  }
  return bar;
}

void draw_l2(View& view, ui::Rect rect) {
  const Subject& s = view.subject();
  const std::int64_t capacity = s.simulation().plan.l2;
  if (capacity == 0) {
    const bool known = sim::counts_hbm_traffic(*s.scenario().gpu);
    draw_level(view, rect, "L2", known ? view.say("none, as in the papers") : view.say("not modelled"), {});
    return;
  }
  const Rooms rooms = rooms_of(view);
  const std::int64_t whole = s.scenario().l2.value_or(s.scenario().gpu->l2_bytes);  // the scenario may override it
  const bool hidden = view.world.covered.hides(hit_rate_path);
  const std::string rate = hidden ? "?" : report::percent(derived_value(*s.run, hit_rate_path));
  const ui::Rect inside = draw_level(view, rect, "L2", report::capacity(whole), view.say("hit rate {}", rate));
  draw_rooms(view, rooms, bar_of(view, rect));
  const float share = static_cast<float>(rooms.filled / static_cast<double>(std::max(whole, capacity)));
  ui::progress_bar(view.canvas(), {inside.x, inside.y + view.px(14), inside.width, view.px(3)}, share,
                   view.theme().muted);
  const ui::Hit h = ui::hit(view.ui, view.id("l2"), rect);
  if (hidden) return;
  if (h.clicked) view.set([&](Look& look) { look.selection = view.id(hit_rate_path); });
  if (h.hovered) draw_tooltip(view, describe_l2(view, rooms));
}

}  // namespace explorer
