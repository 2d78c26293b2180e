// The SMs of the padded and the packed runs on one clock: colour shows the class of entries, a hatch shows
// padding.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/batch/batch.h"
#include "viz/panels/parts.h"
#include "viz/panels/race/race.h"
#include "viz/panels/roofline/chart.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float words_beside = 190, words_above = 44, axis_height = 20, legend_height = 22, bracket_height = 16,
                least_wide = 620;  // CSS pixels

/// The run and the clock that a lane is drawn from.
struct Lane {
  Packing packing;
  const RaceRun& clock;
  double end;  ///< end of the axis, in microseconds
  float x(Rect axis, double time) const {
    return axis.x + static_cast<float>(std::clamp(time / end, 0., 1.)) * axis.width;
  }
};

std::int64_t sms_of(const View& view) { return view.subject().scenario().gpu->sm_count; }

const BatchLanes& lanes_of(View& view, const BatchRuns& runs, Packing packing, Rect place, double end) {
  const auto rows = static_cast<std::size_t>(std::max(1.f, place.height));
  LaneGrid grid;
  grid.columns = static_cast<std::size_t>(std::max(1.f, place.width));
  grid.bands = static_cast<std::size_t>(sim::ceil_div(sms_of(view), sms_per_band(sms_of(view), rows)));
  grid.end = end;
  const auto& run = view.subject().run;
  const std::string name = view.id(sim::text("batch lanes ", static_cast<int>(packing)));
  const std::string key = sim::text(static_cast<const void*>(run.get()), " ", grid.columns, " ", grid.bands, " ", end);
  return view.model.tasks.get<BatchLanes>(name, key, runs.shared(packing), run, grid);
}

void draw_rects(View& view, const BatchLanes& lanes, Rect place, std::size_t bands) {
  const float pitch = place.height / static_cast<float>(bands);
  for (const LaneRect& r : lanes.rects()) {
    const float top = place.y + std::round(pitch * static_cast<float>(r.top));
    const float bottom = place.y + std::round(pitch * static_cast<float>(r.bottom));
    const Rect rect{place.x + static_cast<float>(r.left), top, static_cast<float>(r.right - r.left), bottom - top};
    if (r.step == padding_step)
      draw_padding(view, rect);
    else
      view.canvas().fill(rect, class_color(view.theme(), static_cast<float>(r.step) / (order_steps - 1)));
  }
}

/// Draws a bracket from the first SM without work to the end, if that costs time.
void draw_bracket(View& view, Rect row, Rect lanes, const Lane& lane) {
  const sim::Simulation& s = lane.clock.run().simulation;
  if (!(s.budget[sim::Cause::tail] > 1e-3 * s.microseconds)) return;
  const CtaTimes tail = tail_of(lane.clock);
  const float left = std::round(lane.x(lanes, tail.begin)), right = std::round(lane.x(lanes, tail.end));
  if (right - left < view.px(3)) return;
  const float middle = std::round(row.center().y), half = view.px(4);
  const ui::Color color = view.theme().text;
  view.canvas().fill({left, middle, right - left, 1}, color);
  view.canvas().fill({left, middle - half, 1, 2 * half}, color);
  view.canvas().fill({right - 1, middle - half, 1, 2 * half}, color);
  const std::string_view words = view.say("tail");
  const float wide = view.canvas().text_width(Style::caption, words) + 1;
  const float x = left - wide - view.px(6) >= lanes.x ? left - wide - view.px(6) : right + view.px(6);
  if (x + wide <= row.right())
    view.canvas().text({x, row.y, wide, row.height}, Style::caption, view.theme().muted, words);
}

/// Draws the ratio to the padded run, right of its end if there is space.
void draw_ratio(View& view, Rect lanes, const Lane& lane, const BatchRuns& runs) {
  if (lane.packing == Packing::padded) return;
  const double ratio = lane.clock.end() / runs.clock(Packing::padded).end();
  const std::string words = view.say("{} than padded", ratio_words(view, ratio, true));
  const std::string even = view.say("{} as padded", ratio_words(view, ratio, true));
  const float left = lane.x(lanes, lane.clock.end()) + view.px(14);
  const Rect place{left, lanes.center().y - view.px(12), lanes.right() - left, view.px(24)};
  const std::string& text = is_even(ratio) ? even : words;
  view.ui.state.shown.emplace(
      view.id(sim::text("batch/ratio/", link_words("packing")[static_cast<std::size_t>(lane.packing)])), text);
  for (const Style style : {Style::title, Style::caption}) {
    if (view.canvas().text_width(style, text) > place.width) continue;
    return void(view.canvas().text(place, style, view.theme().text, text));
  }
}

/// The entry, head and row block of the CTA under the pointer; a click chooses the order.
void use_lanes(View& view, Rect place, const Lane& lane) {
  const std::string_view name = link_words("packing")[static_cast<std::size_t>(lane.packing)];
  const ui::Hit hit = ui::hit(view.ui, view.id(sim::text("batch/lanes/", name)), place);
  if (hit.clicked) choose_packing(view, lane.packing);
  if (!hit.hovered || !lane.clock.ready()) return;
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const double time = static_cast<double>((pointer.x - place.x) / place.width) * lane.end;
  const auto y = static_cast<double>((pointer.y - place.y) / place.height);
  const std::int64_t sm =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(y * static_cast<double>(sms_of(view))), 0, sms_of(view) - 1);
  std::vector<std::string> lines = {sim::text("SM ", sm), race_time_text(time)};
  if (const auto cta = racing_cta(lane.clock, time, sm)) {
    const sim::Simulation& s = lane.clock.run().simulation;
    const sim::CtaPlace at = place_of_cta(s, cta->kernel, cta->cta);
    const sim::SequenceClasses classes = sequences_of(view.subject().simulation());
    const sim::SequenceClass& c = class_of_entry(classes, at.batch);
    lines.push_back(view.say("entry {} of {}, head {}, row block {}", at.batch, lengths_text(c), at.head, at.row));
  }
  draw_tooltip(view, lines);
}

void draw_words(View& view, Rect place, const Lane& lane, bool beside) {
  ui::Canvas& canvas = view.canvas();
  const sim::Simulation& s = lane.clock.run().simulation;
  const bool chosen = lane.packing == view.model.look.packing;
  const std::string time = race_time_text(s.microseconds);
  const std::string tail = view.say("tail {}", number_text("time.budget.tail", s.budget[sim::Cause::tail]));
  const std::string_view name = link_words("packing")[static_cast<std::size_t>(lane.packing)];
  view.ui.state.shown.emplace(view.id(sim::text("batch/time/", name)), time);
  view.ui.state.shown.emplace(view.id(sim::text("batch/tail/", name)), tail);
  Rect line = cut_top(place, view.px(22));
  if (!beside)
    canvas.text(cut_right(line, canvas.text_width(Style::number, time) + 1), Style::number, view.theme().text, time);
  const std::string title = view.subject().is_ragged() ? std::string(packing_name(view, lane.packing))
                                                       : run_name(view.model, view.index, true);
  canvas.text(line, Style::title, chosen || !view.subject().is_ragged() ? view.theme().text : view.theme().muted,
              title);
  if (beside) canvas.text(cut_top(place, view.px(28)), Style::number, view.theme().text, time);
  canvas.text(cut_top(place, view.px(18)), Style::caption, view.theme().muted, tail);
}

/// A grid that is known as a whole only: every SM works until the tail.
void draw_as_whole(View& view, Rect place, const Lane& lane) {
  const ui::Color color = ui::mix(view.theme().muted, view.theme().track, 0.6f);
  const float left = lane.x(place, lane.clock.kernels().front().begin);
  const Rect busy{std::round(left), place.y, std::round(lane.x(place, tail_of(lane.clock).begin) - left), place.height};
  view.canvas().fill(busy, color);
  const std::string words = std::string(view.say("too many CTAs to be shown one by one"));
  if (view.canvas().text_width(Style::caption, words) < busy.width - view.px(16))
    view.canvas().text(busy.inset(view.px(8), 0), Style::caption, ui::text_on(color), words);
}

void draw_lane(View& view, Rect place, const Lane& lane, const BatchRuns& runs, bool beside) {
  const Rect words = beside ? cut_left(place, view.px(words_beside)) : cut_top(place, view.px(words_above));
  draw_words(view, words, lane, beside);
  const Rect bracket = cut_top(place, view.px(bracket_height));
  const BatchLanes& lanes = lanes_of(view, runs, lane.packing, place, lane.end);
  const std::size_t bands = static_cast<std::size_t>(
      sim::ceil_div(sms_of(view), sms_per_band(sms_of(view), static_cast<std::size_t>(std::max(1.f, place.height)))));
  const float end = lane.x(place, lane.clock.end());
  view.canvas().fill(place, view.theme().inset);
  view.canvas().fill({place.x, place.y, std::round(end - place.x), place.height}, view.theme().track);
  if (lanes.ready() && !lanes.one_by_one()) draw_as_whole(view, place, lane);
  draw_rects(view, lanes, place, bands);
  constexpr std::array<float, 2> dashes = {3, 3};
  const std::array line = {ui::Point{end, bracket.y}, ui::Point{end, place.bottom()}};
  dashed_line(view.canvas(), line, view.theme().muted, 1, dashes);
  if (lane.clock.ready()) draw_bracket(view, bracket, place, lane);
  if (runs.is_ragged()) draw_ratio(view, place, lane, runs);
  use_lanes(view, place, lane);
}

/// A round time in the unit of the axis: "50 µs", "1.5 ms".
std::string tick_text(double time, double end) {
  if (time == 0) return "0";
  return end < 1e4   ? fmt::format("{:g} µs", time)
         : end < 1e7 ? fmt::format("{:g} ms", time / 1e3)
                     : fmt::format("{:g} s", time / 1e6);
}

void draw_axis(View& view, Rect row, double end) {
  Scale scale{0, end, false, row.x, row.right()};
  for (const double time : ticks(scale, std::max(2, static_cast<int>(row.width / view.px(110))))) {
    const std::string text = tick_text(time, end);
    const float wide = view.canvas().text_width(Style::caption, text) + 1, x = scale.place(time);
    const float left = std::clamp(x - wide / 2, row.x, row.right() - wide);
    view.canvas().text({left, row.y, wide, row.height}, Style::caption, view.theme().muted, text);
  }
}

/// A swatch for padding and one for nothing, then one for each length; the number of lengths without space is shown.
void draw_legend(View& view, Rect row) {
  const sim::SequenceClasses classes = sequences_of(view.subject().simulation());
  const std::vector<float> ranks = ranks_of(classes);
  const float side = view.px(11);
  const auto swatch = [&](std::string_view words, auto draw, float room = 0) {
    const float wide = side + view.px(6) + view.canvas().text_width(Style::caption, words) + view.px(16);
    if (wide + room > row.width) return false;
    Rect place = cut_left(row, wide);
    draw(Rect{place.x, std::round(place.center().y - side / 2), side, side});
    cut_left(place, side + view.px(6));
    view.canvas().text(place, Style::caption, view.theme().muted, words);
    return true;
  };
  if (view.subject().is_ragged()) swatch(view.say("padding"), [&](Rect box) { draw_padding(view, box); });
  swatch(view.say("SM has nothing to do"), [&](Rect box) { view.canvas().fill(box, view.theme().track); });
  std::vector<std::pair<float, std::string>> lengths;
  for (std::size_t n = 0; n < classes.size(); ++n) lengths.emplace_back(ranks[n], lengths_text(classes[n]));
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  for (std::size_t n = 0; n < lengths.size(); ++n) {
    const std::string& words = lengths[n].second;
    const ui::Color color = class_color(view.theme(), lengths[n].first);
    const std::string rest = view.say("and {} more", lengths.size() - n);
    const float wide = view.canvas().text_width(Style::caption, rest) + 1, room = n + 1 < lengths.size() ? wide : 0;
    if (swatch(
            words, [&](Rect box) { view.canvas().fill(box, color); }, room))
      continue;
    if (wide <= row.width) view.canvas().text(row, Style::caption, view.theme().muted, rest);
    return;
  }
}

std::vector<Packing> shown_lanes(const View& view, const BatchRuns& runs, bool all) {
  if (!runs.is_ragged()) return {Packing::padded};
  if (all) return {Packing::padded, Packing::file, Packing::longest};
  return {view.model.look.packing};
}

}  // namespace

void draw_batch_lanes(View& view, Rect card, const BatchRuns& runs) {
  const std::int64_t sms = sms_of(view);
  Rect rest = draw_card(view, card, view.say("The CTAs on {} SMs", sms));
  if (draw_no_time(view, rest) || !runs.counted()) return;
  const bool beside = rest.width >= view.px(least_wide), all = beside && rest.height >= view.px(240);
  draw_legend(view, cut_bottom(rest, view.px(legend_height)));
  Rect axis = cut_top(rest, view.px(axis_height));
  if (beside) cut_left(axis, view.px(words_beside));
  draw_axis(view, axis, runs.end());
  const std::vector<Packing> shown = shown_lanes(view, runs, all);
  const float between = view.px(8), high = std::floor((rest.height - between * static_cast<float>(shown.size() - 1)) /
                                                      static_cast<float>(shown.size()));
  for (const Packing packing : shown) {
    draw_lane(view, cut_top(rest, high), {packing, runs.clock(packing), std::max(runs.end(), 1e-9)}, runs, beside);
    cut_top(rest, between);
  }
}

}  // namespace explorer
