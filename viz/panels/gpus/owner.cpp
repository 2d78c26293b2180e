// One owner of the view "GPUs".
#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/gpus/gpus.h"
#include "viz/panels/hatch.h"
#include "viz/ui/tracks.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float lane_names = 26, bar_high = 14, words_high = 18;  // CSS pixels
constexpr std::int64_t drawn_tokens = 128;

/// Draws each pair of token blocks in the colour of the step that computes it, row by row, equal ones at once.
void draw_triangle(View& view, const OwnerRun& owner, Rect place, bool causal) {
  const sim::GpuRun& run = owner.meters.run;
  const std::int64_t unit = 2 * run.gpus, side = unit * std::max<std::int64_t>(1, drawn_tokens / unit);
  const std::vector<std::int64_t> of = owners_of(run, side);
  const float edge = std::min(place.width, place.height), cell = edge / static_cast<float>(side);
  const auto at = [&](std::int64_t n) { return std::round(cell * static_cast<float>(n)); };
  const auto step_at = [&](std::int64_t q, std::int64_t k) {
    return (of[static_cast<std::size_t>(q)] - of[static_cast<std::size_t>(k)] + run.gpus) % run.gpus;
  };
  view.canvas().fill({place.x, place.y, edge, edge}, view.theme().inset);
  for (std::int64_t q = 0; q < side; ++q) {
    const std::int64_t end = causal ? q + 1 : side;
    for (std::int64_t first = 0, k = 1; first < end; ++k) {
      const std::int64_t step = step_at(q, first);
      if (k < end && step_at(q, k) == step) continue;
      view.canvas().fill({place.x + at(first), place.y + at(q), at(k) - at(first), at(q + 1) - at(q)},
                         step_color(view, step, run.steps));
      first = k;
    }
  }
}

/// Draws what travels and what is held, line by line.
void draw_bytes(View& view, const GpusMoment& moment, const OwnerRun& owner, Rect place) {
  const sim::GpuRun& run = owner.meters.run;
  const double hop = transfer_microseconds(*moment.scenario().gpu, run.sent_beside);
  const std::string lines[] = {
      view.say("K, V of {} keys: {}", report::thousands(moment.scenario().shape.seqlen_k / run.gpus),
               report::bytes(run.sent_beside.count())),
      view.say("{} a hop, {} hops", report::microseconds(hop), run.steps - 1),
      view.say("sent by a GPU: {}", report::bytes(run.sent().count())),
      view.say("K and V held: {}", report::bytes(run.held.count())),
      view.say("merged O and L: {}", report::bytes(owner.meters.merged.count()))};
  ui::Space rest(place);
  for (const std::string& line : lines)
    ui::fitting_text(view.canvas(), rest.top(view.px(words_high)), Style::caption, view.theme().muted, line);
}

void draw_balance(View& view, const OwnerRun& owner, Rect place) {
  const auto [words, line] = ui::rows(place, view.px(2), {view.px(words_high), view.px(26)});
  ui::fitting_text(view.canvas(), words, Style::caption, view.theme().muted,
                   view.say("Balance: work of all / (GPUs x the slowest of each step)"));
  ui::Space row(line);
  const std::string share = report::percent(owner.meters.balance());
  view.ui.state.shown.emplace(view.id(sim::text("gpus/balance/", name_of(owner.parallel))), share);
  ui::right_text(view.canvas(), row, Style::number, view.theme().text, share, view.px(12));
  ui::progress_bar(view.canvas(), ui::middle(row.rest(), view.px(bar_high)), static_cast<float>(owner.meters.balance()),
                   owner.meters.balance() > 0.999 ? view.theme().strong : view.theme().muted);
}

/// Draws the steps of one GPU: its computation, its wait for the slowest, and the wait of all for the link.
void draw_lane(View& view, const OwnerRun& owner, std::int64_t gpu, Rect lane, const ui::Tracks& tracks) {
  double now = 0;
  const auto box = [&](double begin, double end) {
    const float left = std::round(tracks.x(begin)), right = std::round(tracks.x(end));
    return Rect{left, lane.y, right - left, lane.height};
  };
  for (std::size_t n = 0; n < owner.meters.timeline.size(); ++n) {
    const sim::GpuStep& step = owner.meters.timeline[n];
    const auto index = static_cast<std::int64_t>(n);
    const double mine = std::min(step.compute, owner.compute(index, gpu));
    view.canvas().fill(box(now, now + mine), step_color(view, index, owner.meters.run.steps));
    draw_wait(view.canvas(), box(now + mine, now + step.compute), Hatch::vertical, true);
    if (step.exposed() > 0)
      draw_wait(view.canvas(), box(now + step.compute, now + step.microseconds()), Hatch::arrows, true);
    now += step.microseconds();
  }
}

void draw_clock(View& view, const OwnerRun& owner, Rect place, double most) {
  const std::int64_t gpus = owner.meters.run.gpus, lanes = std::min(gpus, GpusMoment::most_lanes);
  const auto [head, lanes_place] = ui::rows(place, view.px(4), {view.px(words_high), ui::rest()});
  ui::Space line(head);
  ui::right_text(view.canvas(), line, Style::control, view.theme().text, report::microseconds(owner.all()), view.px(8));
  ui::fitting_text(view.canvas(), line.rest(), Style::control, view.theme().text,
                   lanes < gpus ? view.say("Clock of {} of {} GPUs, colour: step", lanes, gpus)
                                : std::string(view.say("Clock of each GPU, colour: step")));
  const std::vector<Rect> rows = ui::equal_rows(lanes_place, view.px(2), static_cast<std::size_t>(lanes), view.px(34));
  for (std::int64_t n = 0; n < lanes; ++n) {
    const std::int64_t gpu = lanes == 1 ? 0 : n * (gpus - 1) / (lanes - 1);
    const auto [name, lane] = ui::columns(rows[static_cast<std::size_t>(n)], 0, {view.px(lane_names), ui::rest()});
    if (lane.height >= view.px(11)) view.canvas().text(name, Style::table, view.theme().muted, sim::text(gpu));
    draw_lane(view, owner, gpu, lane, ui::Tracks{view.ui, 0, most, lane});
  }
}

}  // namespace

ui::Color step_color(const View& view, std::int64_t step, std::int64_t steps) {
  return view.theme().in_order(steps < 2 ? 0 : static_cast<float>(step) / static_cast<float>(steps - 1));
}

void draw_owner(View& view, const GpusMoment& moment, const OwnerRun& owner, Rect card, double most) {
  const OwnerWords& words = words_of(owner.parallel);
  const bool chosen = moment.scenario().parallel == owner.parallel;
  ui::Space rest(draw_card(view, card, view.say(words.title), view.say(words.note)), view.px(8));
  if (chosen) view.canvas().stroke(card, view.theme().strong, view.px(1.5f), view.px(ui::card_radius));
  const std::string id = sim::text("gpus/owner/", name_of(owner.parallel));
  if (ui::hit(view.ui, view.id(id), card).clicked && !chosen)
    view.edit(SetOptions{{{"parallel", std::string(name_of(owner.parallel))}}});
  const float upper = std::floor(rest.height() * 0.45f);
  const Rect picture = rest.top(upper);
  const auto [triangle, bytes] =
      ui::columns(picture, view.px(12), {std::min(upper, std::floor(picture.width * 0.6f)), ui::rest()});
  draw_triangle(view, owner, triangle, moment.scenario().shape.mask.causal);
  draw_bytes(view, moment, owner, bytes);
  const Rect balance = rest.top(view.px(46));
  draw_balance(view, owner, balance);
  draw_clock(view, owner, rest.rest(), most);
  if (!chosen) return;
  ui::mark_place(view.ui, "gpus:ring", bytes);
  ui::mark_place(view.ui, "gpus:balance", balance);
  ui::mark_place(view.ui, "gpus:clock", rest.rest());
}

}  // namespace explorer
