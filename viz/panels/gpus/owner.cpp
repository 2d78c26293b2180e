// One owner of the view "GPUs".
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/gpus/gpus.h"
#include "viz/panels/hatch.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/tracks.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float lane_names = 26, strip_wide = 6, bar_high = 14, words_high = 18, steps_high = 16, travel_high = 76,
                beside_triangle = 420,
                dimmed = 0.55f;  // CSS pixels; a share
constexpr std::int64_t drawn_tokens = 128;

/// The GPU of each drawn token, and the rectangles of a triangle.
struct Triangle {
  std::vector<std::int64_t> of;
  Rect names, strip, square;

  std::int64_t side() const { return std::ssize(of); }
  std::int64_t owner(std::int64_t token) const { return of[static_cast<std::size_t>(token)]; }
  float at(std::int64_t token) const {
    return std::round(square.height * static_cast<float>(token) / static_cast<float>(side()));
  }
};

Triangle triangle_in(const View& view, const OwnerRun& owner, Rect place) {
  const std::int64_t unit = 2 * owner.meters.run.gpus, side = unit * std::max<std::int64_t>(1, drawn_tokens / unit);
  const auto [names, strip, square] =
      ui::columns(place, view.px(3), {{view.px(lane_names)}, {view.px(strip_wide)}, ui::rest()});
  const float edge = std::min(square.width, square.height);
  return {owners_of(owner.meters.run, side), names, strip, {square.x, square.y, edge, edge}};
}

/// Draws each pair of token blocks in the colour of the step that computes it, row by row, equal ones at once. With all
/// heads to each GPU a row is that of its tokens; by Ulysses each GPU has all rows of its heads.
void draw_triangle(GpusShown& shown, const OwnerRun& owner, const Triangle& t) {
  View& view = shown.view;
  const std::int64_t gpus = owner.meters.run.gpus;
  const bool causal = shown.moment.scenario().shape.mask.causal, by_heads = owner.parallel == sim::Parallel::ulysses;
  const auto step_at = [&](std::int64_t q, std::int64_t k) {
    return owner.passes() ? (t.owner(q) - t.owner(k) + gpus) % gpus : 0;
  };
  view.canvas().fill(t.square, view.theme().inset);
  for (std::int64_t q = 0; q < t.side(); ++q) {
    const std::int64_t end = causal ? q + 1 : t.side();
    for (std::int64_t first = 0, k = 1; first < end; ++k) {
      const std::int64_t step = step_at(q, first);
      if (k < end && step_at(q, k) == step) continue;
      view.canvas().fill({t.square.x + t.at(first), t.square.y + t.at(q), t.at(k) - t.at(first), t.at(q + 1) - t.at(q)},
                         step_color(shown, owner, step, by_heads ? shown.chosen : t.owner(q)));
      first = k;
    }
  }
}

/// Draws whose rows these are: the chosen GPU's bright, with the numbers that have space.
void draw_strip(GpusShown& shown, const Triangle& t) {
  View& view = shown.view;
  const float line = view.canvas().line_height(Style::table), last = t.square.bottom() - line;
  view.canvas().fill({t.strip.x, t.square.y, t.strip.width, t.square.height}, view.theme().track);
  float free = t.square.y;  // below the last number
  for (std::int64_t first = 0, end = 1; first < t.side(); first = end++) {
    while (end < t.side() && t.owner(end) == t.owner(first)) ++end;
    const bool chosen = t.owner(first) == shown.chosen;
    const Rect rows{t.strip.x, t.square.y + t.at(first), t.strip.width, t.at(end) - t.at(first)};
    if (chosen) view.canvas().fill(rows, view.theme().strong);
    const float high = t.square.height * static_cast<float>(end - first) / static_cast<float>(t.side());
    const Rect name{t.names.x, std::clamp(rows.center().y - line / 2, t.square.y, std::max(t.square.y, last)),
                    t.names.width, line};
    if (name.y < free || (!chosen && high < line)) continue;
    view.canvas().text(name, Style::table, chosen ? view.theme().text : view.theme().muted, sim::text(t.owner(first)),
                       ui::Align::right);
    free = name.bottom();
  }
}

/// The pointer on a row of the triangle: on the GPU that owns it.
void react_to_rows(GpusShown& shown, const OwnerRun& owner, const Triangle& t) {
  // Without a pointer its position is the least of all numbers, which no integer holds.
  const float height = std::max(1.f, t.square.height);
  const float y = std::clamp(ImGui::GetIO().MousePos.y - t.square.y, 0.f, height);
  const auto token = static_cast<std::int64_t>(y / height * static_cast<float>(t.side()));
  react_to_gpu(shown, owner, sim::text("gpus/rows/", name_of(owner.parallel)),
               {t.names.x, t.square.y, t.square.right() - t.names.x, t.square.height},
               t.owner(std::clamp<std::int64_t>(token, 0, t.side() - 1)));
}

void draw_pairs(GpusShown& shown, const OwnerRun& owner, Rect place) {
  View& view = shown.view;
  const auto [words, picture] = ui::rows(place, view.px(2), {view.px(words_high), ui::rest()});
  const Triangle triangle = triangle_in(view, owner, picture);
  ui::Space line({words.x, words.y, triangle.square.right() - words.x, words.height});
  ui::right_text(view.canvas(), line, Style::caption, view.theme().muted, view.say("keys →"), view.px(8));
  ui::fitting_text(view.canvas(), line.rest(), Style::caption, view.theme().muted, view.say("queries of GPU"));
  draw_triangle(shown, owner, triangle);
  draw_strip(shown, triangle);
  react_to_rows(shown, owner, triangle);
}

void draw_balance(GpusShown& shown, const OwnerRun& owner, Rect place) {
  View& view = shown.view;
  const auto [words, line, below] =
      ui::rows(place, view.px(2), {view.px(words_high), view.px(26), view.px(words_high)});
  ui::fitting_text(view.canvas(), words, Style::caption, view.theme().muted,
                   view.say("Balance: work of all / (GPUs x the slowest of each step)"));
  if (shown.hidden) return view.canvas().covered(around(line, below), Style::number);
  ui::Space row(line);
  const std::string share = report::percent(owner.meters.balance());
  view.ui.state.shown.emplace(view.id(sim::text("gpus/balance/", name_of(owner.parallel))), share);
  ui::right_text(view.canvas(), row, Style::number, view.theme().text, share, view.px(12));
  ui::progress_bar(view.canvas(), ui::middle(row.rest(), view.px(bar_high)), static_cast<float>(owner.meters.balance()),
                   owner.meters.balance() > 0.999 ? view.theme().strong : view.theme().muted);
  const std::string reason = balance_sentence(view.state.look.language, shown.moment, owner);
  view.ui.state.shown.emplace(view.id(sim::text("gpus/reason/", name_of(owner.parallel))), reason);
  view.canvas().text(below, Style::caption, view.theme().text, reason);
}

/// Draws the steps of one GPU: its computation, its wait for the slowest, and the wait of all for the link.
void draw_lane(GpusShown& shown, const OwnerRun& owner, std::int64_t gpu, const ui::Tracks& tracks) {
  View& view = shown.view;
  const Rect lane = tracks.axis;
  double now = 0;
  const auto box = [&](double begin, double end) {
    const float left = std::round(tracks.x(begin)), right = std::round(tracks.x(end));
    return Rect{left, lane.y, right - left, lane.height};
  };
  std::int64_t number = 0;
  for (const sim::GpuStep& step : owner.meters.timeline) {
    const double mine = step.kind < 0 ? 0 : std::min(step.compute, owner.compute(number, gpu));
    view.canvas().fill(box(now, now + mine), step_color(shown, owner, number, gpu));
    draw_wait(view.canvas(), box(now + mine, now + step.compute), Hatch::vertical, true);
    if (step.exposed() > 0)
      draw_wait(view.canvas(), box(now + step.compute, now + step.microseconds()), Hatch::arrows, true);
    now += step.microseconds();
    number += step.kind < 0 ? 0 : 1;
  }
}

/// Draws where steps end and their numbers below, or every second, fourth ... number, and the end of the run.
void draw_steps(GpusShown& shown, const OwnerRun& owner, Rect axis, const ui::Tracks& lanes) {
  View& view = shown.view;
  const auto line = [&](double time, ui::Color color, float width) {
    view.canvas().fill({std::round(lanes.x(time) - width / 2), lanes.axis.y, width, lanes.axis.height}, color);
  };
  const std::int64_t steps = owner.meters.run.steps;
  const float mean = (lanes.x(owner.all()) - lanes.axis.x) / static_cast<float>(steps),
              wide = view.canvas().text_width(Style::table, sim::text(steps - 1)) + view.px(6);
  std::int64_t number = 0, every = 1;
  while (mean * static_cast<float>(every) < wide) every *= 2;
  double now = 0;
  for (const sim::GpuStep& step : owner.meters.timeline) {
    const float begin = lanes.x(now), middle = (begin + lanes.x(now + step.microseconds())) / 2;
    if (step.kind >= 0 && every == 1) line(now, view.theme().muted, 1);
    if (step.kind >= 0 && number++ % every == 0)
      view.canvas().text({middle - wide / 2, axis.y, wide, axis.height}, Style::table, view.theme().muted,
                         sim::text(number - 1), ui::Align::center);
    now += step.microseconds();
  }
  line(now, view.theme().strong, view.px(2));
}

/// GPUs with a lane, the chosen one among them.
std::vector<std::int64_t> gpus_with_lane(const GpusShown& shown) {
  const std::int64_t gpus = shown.moment.gpus(), lanes = std::min(gpus, GpusMoment::most_lanes);
  std::vector<std::int64_t> all;
  for (std::int64_t n = 0; n < lanes; ++n) all.push_back(lanes == 1 ? 0 : n * (gpus - 1) / (lanes - 1));
  const auto next = std::lower_bound(all.begin(), all.end(), shown.chosen);
  if (next != all.end()) *next = shown.chosen;
  return all;
}

void draw_clock_head(GpusShown& shown, const OwnerRun& owner, Rect head, std::int64_t lanes) {
  View& view = shown.view;
  ui::Space line(head);
  ui::right_text(view.canvas(), line, Style::control, view.theme().text, report::microseconds(owner.all()), view.px(8));
  const OwnerRun& first = shown.moment.owners().front();
  const std::string gain =
      view.say("{:.2f} x as fast as {}", first.all() / owner.all(), view.say(words_of(first.parallel).title));
  const float wide = view.canvas().text_width(Style::caption, gain);
  const std::string title = lanes < shown.moment.gpus()
                                ? view.say("Clock of {} of {} GPUs, colour: step", lanes, shown.moment.gpus())
                                : std::string(view.say("Clock of each GPU, colour: step"));
  const bool both = wide + view.canvas().text_width(Style::control, title) + view.px(16) <= line.width();
  if (std::abs(first.all() / owner.all() - 1) >= 0.005 && both)
    ui::right_text(view.canvas(), line, Style::caption, view.theme().muted, gain, view.px(8));
  ui::fitting_text(view.canvas(), line.rest(), Style::control, view.theme().text, title);
}

void draw_clock(GpusShown& shown, const OwnerRun& owner, Rect place, double most) {
  View& view = shown.view;
  const auto [head, lanes_place, axis] =
      ui::rows(place, view.px(4), {{view.px(words_high)}, ui::rest(), {view.px(steps_high)}});
  if (shown.hidden) return view.canvas().covered(place, Style::number);
  const std::vector<std::int64_t> gpus = gpus_with_lane(shown);
  draw_clock_head(shown, owner, head, std::ssize(gpus));
  const std::vector<Rect> rows = ui::equal_rows(lanes_place, view.px(2), gpus.size(), view.px(80));
  Rect lanes;
  for (std::size_t n = 0; n < gpus.size(); ++n) {
    const auto [name, lane] = ui::columns(rows[n], 0, {view.px(lane_names), ui::rest()});
    lanes = n == 0 ? lane : around(lanes, lane);
    const bool chosen = gpus[n] == shown.chosen;
    if (lane.height >= view.px(11))
      view.canvas().text(name, Style::table, chosen ? view.theme().text : view.theme().muted, sim::text(gpus[n]));
    draw_lane(shown, owner, gpus[n], ui::Tracks{view.ui, 0, most, lane});
    react_to_gpu(shown, owner, sim::text("gpus/lane/", name_of(owner.parallel), "/", gpus[n]), rows[n], gpus[n]);
  }
  const ui::Tracks tracks{view.ui, 0, most, lanes};
  const Rect below{lanes.x, lanes.bottom() + view.px(2), lanes.width, axis.height};
  view.canvas().text({rows.front().x, below.y, lanes.x - rows.front().x, below.height}, Style::caption,
                     view.theme().muted, view.say("step"));
  draw_steps(shown, owner, below, tracks);
}

}  // namespace

ui::Color step_color(const GpusShown& shown, const OwnerRun& owner, std::int64_t step, std::int64_t gpu) {
  const std::int64_t last = owner.meters.run.steps - 1;
  const ui::Theme& theme = shown.view.theme();
  const ui::Color full = theme.in_order(last < 1 ? 0 : static_cast<float>(step) / static_cast<float>(last));
  return gpu == shown.chosen ? full : ui::mix(full, theme.inset, dimmed);
}

void react_to_gpu(GpusShown& shown, const OwnerRun& owner, std::string_view id, Rect place, std::int64_t gpu) {
  View& view = shown.view;
  const ui::Hit hit = ui::hit(view.ui, view.id(id), place);
  if (hit.clicked) view.set([&](Look& look) { look.rank = static_cast<int>(gpu); });
  if (!hit.hovered || shown.hidden) return;
  const double computes = owner.computes_in_all(gpu), slowest = owner.computes + owner.imbalance;
  draw_tooltip(
      view, std::array{view.say("GPU {} computes {}, waits {} for the slowest and {} for the link", gpu,
                                report::microseconds(computes), report::microseconds(std::max(0.0, slowest - computes)),
                                report::microseconds(owner.link))});
}

void draw_owner(GpusShown& shown, const OwnerRun& owner, Rect card, double most) {
  View& view = shown.view;
  const OwnerWords& words = words_of(owner.parallel);
  const bool chosen = shown.moment.scenario().parallel == owner.parallel;
  const Rect body = draw_card(view, card, view.say(words.title), view.say(words.note));
  ui::Space rest(body, view.px(8));
  if (chosen) view.canvas().stroke(card, view.theme().strong, view.px(1.5f), view.px(ui::card_radius));
  ui::Space picture(rest.top(std::floor(rest.height() * 0.47f)));
  const bool narrow = picture.width() < view.px(beside_triangle);  // the lines are below both
  const Rect lines = picture.bottom(narrow ? view.px(travel_high) : 0);
  const Rect upper = picture.rest();
  const float wide = std::min(upper.height + view.px(lane_names), std::floor(upper.width * 0.6f));
  const auto [triangle, travel] = ui::columns(upper, view.px(12), {{wide}, ui::rest()});
  const auto [circles, beside] = ui::rows(travel, 0, {ui::rest(), {narrow ? 0 : view.px(travel_high)}});
  draw_pairs(shown, owner, triangle);
  draw_travel(shown, owner, circles, narrow ? lines : beside);
  const Rect balance = rest.top(view.px(2 * words_high + 30));
  draw_balance(shown, owner, balance);
  draw_clock(shown, owner, rest.rest(), most);
  const std::string id = sim::text("gpus/owner/", name_of(owner.parallel));
  const bool head = ui::hit(view.ui, view.id(id), {card.x, card.y, card.width, body.y - card.y}).clicked;
  if ((ui::hit(view.ui, view.id(id + "/balance"), balance).clicked || head) && !chosen)
    view.edit(SetOptions{{{"parallel", std::string(name_of(owner.parallel))}}});
  if (!chosen) return;
  ui::mark_place(view.ui, "gpus:ring", around(circles, narrow ? lines : beside));
  ui::mark_place(view.ui, "gpus:balance", balance);
  ui::mark_place(view.ui, "gpus:clock", rest.rest());
}

}  // namespace explorer
