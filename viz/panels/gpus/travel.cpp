// What travels between the GPUs of an owner: K and V around a ring, from all to one, or heads for tokens.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sim/report/numbers.h"
#include "viz/draw/steady.h"
#include "viz/panels/gpus/gpus.h"

namespace explorer {
namespace {

using draw::steady::sine_of_turns;
using ui::Point;
using ui::Rect;
using ui::Style;

constexpr float travel_line = 18, largest_disc = 12, least_numbered_disc = 8, least_circle = 56;  // CSS pixels
constexpr std::int64_t most_joined = 16;

/// GPUs on a circle: the first at the top, the others clockwise.
struct Circles {
  Point center;
  float radius, disc;
  std::int64_t gpus;

  Point at(float turn, float share = 1) const {
    const float across = static_cast<float>(sine_of_turns(static_cast<double>(turn))),
                up = static_cast<float>(sine_of_turns(static_cast<double>(turn) + 0.25));
    return {center.x + share * radius * across, center.y - share * radius * up};
  }
  float turn(std::int64_t gpu) const { return static_cast<float>(gpu) / static_cast<float>(gpus); }
  Point of(std::int64_t gpu) const { return at(turn(gpu)); }
};

Circles circles_in(const View& view, Rect place, std::int64_t gpus) {
  const float outer = std::min(place.width, place.height) / 2;
  const float half = static_cast<float>(sine_of_turns(0.5 / static_cast<double>(gpus))) * outer;  // between neighbours
  const float disc = std::clamp(0.5f * half, view.px(1.5f), view.px(largest_disc));
  return {place.center(), outer - disc - 1, disc, gpus};
}

/// An arrow along the circle, if it is long enough for one.
void draw_arc(View& view, const Circles& circles, float from, float to, float share, ui::Color color) {
  const float length = 2 * std::numbers::pi_v<float> * share * circles.radius * (to - from);
  if (length < view.px(5)) return;
  const int pieces = std::clamp(static_cast<int>(length / view.px(6)), 1, 24);  // the head follows the last one
  std::vector<Point> line;
  for (int n = 0; n <= pieces; ++n)
    line.push_back(circles.at(from + (to - from) * static_cast<float>(n) / static_cast<float>(pieces), share));
  ui::arrow(view.canvas(), line, color, view.px(1.5f));
}

/// A straight arrow from one GPU to another, from edge to edge.
void draw_chord(View& view, const Circles& circles, std::int64_t from, std::int64_t to, ui::Color color) {
  const Point a = circles.of(from), b = circles.of(to);
  const float across = b.x - a.x, down = b.y - a.y, length = draw::steady::length(across, down);
  const float cut = (circles.disc + view.px(2)) / std::max(1.f, length);
  if (cut > 0.4f) return;
  ui::arrow(view.canvas(),
            std::array{Point{a.x + cut * across, a.y + cut * down}, Point{b.x - cut * across, b.y - cut * down}}, color,
            view.px(1.2f));
}

/// Draws one hop of every GPU; of more than 16 the direction alone.
void draw_hops(GpusShown& shown, const Circles& circles) {
  View& view = shown.view;
  if (circles.gpus > most_joined) return draw_arc(view, circles, 0.02f, 0.2f, 0.86f, view.theme().text);
  const float cut = (circles.disc + view.px(2.5f)) / (2 * std::numbers::pi_v<float> * circles.radius);
  for (std::int64_t gpu = 0; gpu < circles.gpus; ++gpu)
    draw_arc(view, circles, circles.turn(gpu) + cut, circles.turn(gpu + 1) - cut, 1,
             gpu == shown.chosen ? view.theme().strong : view.theme().muted);
}

/// Draws what arrives at the chosen GPU; with `both` also what leaves it, and among the others.
void draw_chords(GpusShown& shown, const Circles& circles, bool both) {
  View& view = shown.view;
  const ui::Color faint = ui::mix(view.theme().muted, view.theme().card, 0.7f);
  for (std::int64_t gpu = 0; both && circles.gpus <= most_joined && gpu < circles.gpus; ++gpu) {
    for (std::int64_t other = 0; other < gpu; ++other)
      if (gpu != shown.chosen && other != shown.chosen)
        view.canvas().line(circles.of(gpu), circles.of(other), faint, view.px(1));
  }
  for (std::int64_t gpu = 0; gpu < circles.gpus; ++gpu) {
    if (gpu == shown.chosen) continue;
    draw_chord(view, circles, gpu, shown.chosen, view.theme().text);
    if (both) draw_chord(view, circles, shown.chosen, gpu, view.theme().text);
  }
}

void draw_gpu_disc(GpusShown& shown, const OwnerRun& owner, const Circles& circles, std::int64_t gpu) {
  View& view = shown.view;
  const bool chosen = gpu == shown.chosen;
  const float radius = chosen ? std::max(circles.disc, view.px(4)) : circles.disc;
  const Point at = circles.of(gpu);
  const Rect box{at.x - radius, at.y - radius, 2 * radius, 2 * radius};
  view.canvas().disc(at, radius, chosen ? view.theme().strong : view.theme().track);
  if (!chosen && radius < view.px(least_numbered_disc)) view.canvas().disc(at, radius, view.theme().muted);
  if (radius >= view.px(least_numbered_disc))
    view.canvas().text(box.inset(-view.px(2)), Style::table, chosen ? view.theme().on_strong : view.theme().text,
                       sim::text(gpu), ui::Align::center);
  const float reach = std::min(radius, circles.disc);
  react_to_gpu(shown, owner, sim::text("gpus/circle/", name_of(owner.parallel), "/", gpu),
               {at.x - reach, at.y - reach, 2 * reach, 2 * reach}, gpu);
}

/// "K, V of 4,096 keys" and its bytes in the middle of a ring. Returns whether there is space.
bool draw_in_ring(GpusShown& shown, const Circles& circles, const std::string& keys, const std::string& bytes) {
  View& view = shown.view;
  const float inner = 2 * (circles.radius - circles.disc - view.px(6)), wide = std::max(0.f, 0.92f * inner);
  if (view.canvas().text_width(Style::caption, keys) > wide) return false;
  const Rect above{circles.center.x - wide / 2, circles.center.y - view.px(travel_line), wide, view.px(travel_line)};
  view.canvas().text(above, Style::caption, view.theme().text, keys, ui::Align::center);
  view.canvas().text(above.moved(0, above.height), Style::control, view.theme().text, bytes, ui::Align::center);
  return true;
}

/// What travels and is held. `keys`: how many bytes a hop has, unless the picture says it.
std::vector<std::string> lines_of_travel(const GpusShown& shown, const OwnerRun& owner, const std::string& keys) {
  const View& view = shown.view;
  const sim::GpuRun& run = owner.meters.run;
  const sim::DeviceSpec& gpu = *shown.moment.scenario().gpu;
  const std::string rate = report::byte_rate(static_cast<double>(gpu.link_bytes_per_second)),
                    sent = report::bytes(run.sent().count());
  const auto time = [&](sim::Bytes bytes) { return report::microseconds(transfer_microseconds(gpu, bytes)); };
  std::vector<std::string> lines;
  if (!keys.empty()) lines.push_back(keys);
  if (owner.passes()) {
    lines.push_back(view.say("{} a hop at {}", time(run.sent_beside), rate));
    lines.push_back(run.steps == 2 ? view.say("one hop: {} a GPU", sent)
                                   : view.say("{} hops: {} a GPU", run.steps - 1, sent));
  } else {
    lines.push_back(view.say("before: {}, {}", report::bytes(run.sent_before.count()), time(run.sent_before)));
    if (run.sent_after.count() > 0)
      lines.push_back(view.say("after: {}, {}", report::bytes(run.sent_after.count()), time(run.sent_after)));
    lines.push_back(view.say("rate of the link: {}", rate));
  }
  lines.push_back(view.say("K and V held: {}", report::bytes(run.held.count())));
  return lines;
}

/// Draws the picture. Returns whether it says what travels.
bool draw_circles(GpusShown& shown, const OwnerRun& owner, Rect place, const std::string& keys,
                  const std::string& bytes) {
  View& view = shown.view;
  const Circles circles = circles_in(view, place, owner.meters.run.gpus);
  const bool many = circles.gpus > GpusMoment::most_drawn;
  if (many) view.canvas().ring(circles.center, circles.radius, view.theme().muted, view.px(1.5f));
  if (owner.passes())
    draw_hops(shown, circles);
  else if (!many)
    draw_chords(shown, circles, owner.parallel == sim::Parallel::ulysses);
  for (std::int64_t gpu = 0; gpu < circles.gpus; ++gpu) {
    if (!many && gpu != shown.chosen) draw_gpu_disc(shown, owner, circles, gpu);
  }
  draw_gpu_disc(shown, owner, circles, shown.chosen);
  return owner.passes() && draw_in_ring(shown, circles, keys, bytes);
}

}  // namespace

void draw_travel(GpusShown& shown, const OwnerRun& owner, Rect place, Rect below) {
  View& view = shown.view;
  const sim::GpuRun& run = owner.meters.run;
  const bool by_heads = owner.parallel == sim::Parallel::ulysses;
  const std::string keys = view.say("K, V of {} keys",
                                    report::thousands(shown.moment.scenario().shape.seqlen_k / run.gpus)),
                    bytes = report::bytes(run.held.count() / (owner.parallel == sim::Parallel::gather ? run.gpus : 2));
  const bool drawn = std::min(place.width, place.height) >= view.px(least_circle);
  const bool said = drawn && draw_circles(shown, owner, place, keys, bytes);
  ui::Space column(below);
  for (const std::string& line : lines_of_travel(shown, owner, said || by_heads ? "" : keys + ": " + bytes))
    view.canvas().text(column.top(view.px(travel_line)), Style::caption, view.theme().muted, line, ui::Align::center);
}

}  // namespace explorer
