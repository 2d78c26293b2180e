// The SMs of the padded and the packed runs on one clock: colour shows the class of entries, a hatch shows
// padding.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/batch/batch.h"
#include "viz/panels/parts.h"
#include "viz/panels/race/race.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"
#include "viz/ui/tracks.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float words_beside = 190, words_above = 44, axis_height = 20, legend_height = 22, bracket_height = 16,
                least_wide = 620, tick_apart = 110;  // CSS pixels

/// The run and the clock that a lane is drawn from.
struct Lane {
  Packing packing;
  const RaceRun& clock;
  double end;  ///< end of the axis, in microseconds
  ui::Tracks tracks(const View& view, Rect place) const { return {view.ui, 0, end, place}; }
};

std::int64_t sms_of(const View& view) { return view.subject().scenario().gpu->sm_count; }

const BatchLanes& lanes_of(View& view, const BatchRuns& runs, Packing packing, Rect place, double end) {
  const auto rows = static_cast<std::size_t>(std::max(1.f, place.height));
  LaneGrid grid;
  grid.columns = static_cast<std::size_t>(std::max(1.f, place.width));
  grid.bands = static_cast<std::size_t>(sim::ceil_div(sms_of(view), sms_per_band(sms_of(view), rows)));
  grid.end = end;
  const auto& run = view.subject().run;
  return view.model.tasks.get<BatchLanes>(static_cast<std::size_t>(packing), runs.shared(packing), run, grid);
}

/// Paints of the classes of entries, and of padding.
std::vector<ui::Paint> paints_of_classes(const View& view) {
  std::vector<ui::Paint> paints;
  for (int n = 0; n < order_steps; ++n)
    paints.push_back({class_color(view.theme(), static_cast<float>(n) / (order_steps - 1)), {}});
  paints.push_back(padding_paint(view.theme()));
  return paints;
}

/// "1.31 x faster than padded", to be drawn right of the end of a lane.
std::vector<ui::Phrase> ratio_phrases(View& view, const Lane& lane, const BatchRuns& runs) {
  const double ratio = lane.clock.end() / runs.clock(Packing::padded).end();
  const std::string words = ratio_words(view, ratio, true);
  const std::string text = is_even(ratio) ? view.say("{} as padded", words) : view.say("{} than padded", words);
  view.ui.state.shown.emplace(
      view.id(sim::text("batch/ratio/", link_words("packing")[static_cast<std::size_t>(lane.packing)])), text);
  return {{Style::title, view.theme().text, text, ""}, {Style::caption, view.theme().text, text, ""}};
}

/// The entry, head and row block of the CTA under the pointer; a click chooses the order.
void use_lanes(View& view, Rect place, const Lane& lane) {
  const std::string_view name = link_words("packing")[static_cast<std::size_t>(lane.packing)];
  const ui::Touch touch = lane.tracks(view, place).touch(view.id(sim::text("batch/lanes/", name)), place);
  if (touch.clicked) choose_packing(view, lane.packing);
  if (!touch.hovered || !lane.clock.ready()) return;
  const std::int64_t sm = touch.row(sms_of(view));
  std::vector<std::string> lines = {sim::text("SM ", sm), race_time_text(touch.time)};
  if (const auto cta = racing_cta(lane.clock, touch.time, sm)) {
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
  const float left = lane.tracks(view, place).x(lane.clock.kernels().front().begin);
  const Rect busy{std::round(left), place.y, std::round(lane.tracks(view, place).x(tail_of(lane.clock).begin) - left),
                  place.height};
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
  const auto rows = static_cast<std::size_t>(std::max(1.f, place.height));
  const ui::Tracks tracks = lane.tracks(view, place);
  view.canvas().fill(place, view.theme().inset);
  view.canvas().fill({place.x, place.y, std::round(tracks.x(lane.clock.end()) - place.x), place.height},
                     view.theme().track);
  if (lanes.ready() && !lanes.one_by_one()) draw_as_whole(view, place, lane);
  tracks.cells<LaneRect>(place, static_cast<std::size_t>(sim::ceil_div(sms_of(view), sms_per_band(sms_of(view), rows))),
                         lanes.rects(), paints_of_classes(view));
  tracks.finish(bracket, place, lane.clock.end(), false);
  const sim::Simulation& s = lane.clock.run().simulation;
  if (lane.clock.ready() && s.budget[sim::Cause::tail] > 1e-3 * s.microseconds)
    tracks.bracket(bracket, tail_of(lane.clock).begin, tail_of(lane.clock).end, view.say("tail"));
  if (runs.is_ragged() && lane.packing != Packing::padded)
    tracks.say_beside(place, lane.clock.end(), ratio_phrases(view, lane, runs));
  use_lanes(view, place, lane);
}

/// A round time in the unit of the axis: "50 µs", "1.5 ms".
std::string tick_text(double time, double end) {
  if (time == 0) return "0";
  return end < 1e4   ? fmt::format("{:g} µs", time)
         : end < 1e7 ? fmt::format("{:g} ms", time / 1e3)
                     : fmt::format("{:g} s", time / 1e6);
}

/// Swatches for padding and for nothing, then one for each length.
void draw_legend(View& view, Rect row) {
  const sim::SequenceClasses classes = sequences_of(view.subject().simulation());
  const std::vector<float> ranks = ranks_of(classes);
  std::vector<ui::Swatch> swatches;
  if (view.subject().is_ragged()) swatches.push_back({std::string(view.say("padding")), padding_paint(view.theme())});
  swatches.push_back({std::string(view.say("SM has nothing to do")), {view.theme().track, {}}});
  std::vector<std::pair<float, std::string>> lengths;
  for (std::size_t n = 0; n < classes.size(); ++n) lengths.emplace_back(ranks[n], lengths_text(classes[n]));
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  for (const auto& [rank, words] : lengths) swatches.push_back({words, {class_color(view.theme(), rank), {}}});
  ui::legend(view.canvas(), row, swatches, [&](std::size_t n) { return view.say("and {} more", n); });
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
  const auto text = [&](double time, double) { return tick_text(time, runs.end()); };
  ui::Tracks{view.ui, 0, runs.end(), axis}.ticks(axis, {}, tick_apart, text);
  const std::vector<Packing> shown = shown_lanes(view, runs, all);
  const float between = view.px(8), high = std::floor((rest.height - between * static_cast<float>(shown.size() - 1)) /
                                                      static_cast<float>(shown.size()));
  for (const Packing packing : shown) {
    draw_lane(view, cut_top(rest, high), {packing, runs.clock(packing), std::max(runs.end(), 1e-9)}, runs, beside);
    cut_top(rest, between);
  }
}

}  // namespace explorer
