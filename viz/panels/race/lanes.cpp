// The SMs of one run over the time of the race: colour means head, row block or class of entries, a flag marks the
// run's end.
#include <algorithm>
#include <array>
#include <cmath>

#include "viz/panels/batch/batch.h"
#include "viz/panels/race/race.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

constexpr float still_to_come = 0.7f;  // of a colour, mixed into the inset

std::vector<ui::Paint> paints_in_order(const ui::Theme& theme) {
  std::vector<ui::Paint> paints;
  for (int n = 0; n < order_steps; ++n) {
    const ui::Color full = theme.in_order(static_cast<float>(n) / static_cast<float>(order_steps - 1));
    paints.push_back({full, ui::mix(full, theme.inset, still_to_come)});
  }
  paints.push_back(padding_paint(theme));
  return paints;
}

/// "6.29 x faster than Standard attention", as large as fits, and when the run ends.
std::vector<ui::Phrase> ratio_phrases(const View& view, double end, double now, std::string_view once_done) {
  const double ratio = end / view.world.subject(lane_order(view.model).front()).clock->end();
  std::string below = now < end ? view.say("when it ends, in {}", race_time_text(end - now))
                                : view.say("finished {} ago", race_time_text(now - end));
  if (now >= end && !once_done.empty()) below = once_done;
  std::vector<ui::Phrase> phrases;
  for (const ui::Style style :
       {now < end ? ui::Style::title : ui::Style::number, ui::Style::title, ui::Style::caption}) {
    for (std::string& text : ratios_to_first(view, ratio))
      phrases.push_back({style, now < end ? view.theme().muted : view.theme().text, std::move(text), below});
  }
  return phrases;
}

/// Draws the tooltip of the SM under the pointer; a click on a lane of the first run opens its CTA at that time.
void use_lanes(View& view, const ui::Touch& touch, std::int64_t per_row, std::int64_t rows) {
  if (!touch.hovered || !view.subject().clock->ready()) return;
  const std::int64_t sms = view.subject().scenario().gpu->sm_count, sm = std::min(sms - 1, touch.row(rows) * per_row);
  const auto cta = racing_cta(*view.subject().clock, touch.time, sm);
  std::vector<std::string> lines = {per_row == 1 ? sim::text("SM ", sm)
                                                 : view.say("SM {} to {}", sm, std::min(sms, sm + per_row) - 1)};
  lines.push_back(race_time_text(touch.time));
  if (cta) {
    const sim::CtaPlace p = place_of_cta(view.subject().simulation(), cta->kernel, cta->cta);
    const std::string& kernel = view.subject().simulation().kernels[cta->kernel].name;
    lines.push_back(shows_entries(view)
                        ? entry_words(view, p)
                        : view.say("{}: batch {}, head {}, row block {}", kernel, p.batch, p.head, p.row));
  }
  draw_tooltip(view, lines);
  if (!touch.clicked || !cta || view.index != 0 || shows_entries(view) || view.state.look.first) return;
  const CtaSpan* span = view.subject().clock->kernels()[cta->kernel].grid.find(cta->cta);
  view.set([&](Look& look) { look.play = Play::cta; });
  view.edit(LookAt{cta->kernel, place_of_cta(view.subject().simulation(), cta->kernel, cta->cta)});
  if (span == nullptr) return;
  const sim::Cycles in = view.subject().clock->in_grid(cta->kernel, touch.time) - span->begin;
  const double share = static_cast<double>(in.count()) / static_cast<double>((span->end - span->begin).count());
  view.edit(SeekShare{share});
}

/// Fills the lanes of a batch up to the end of the run; of a grid that is known as a whole only, all SMs work until
/// some are idle.
void draw_behind_entries(View& view, const ui::Tracks& tracks, ui::Rect lanes) {
  const RaceRun& clock = *view.subject().clock;
  const auto until = [&](double time) { return std::round(tracks.x(time)) - lanes.x; };
  view.canvas().fill({lanes.x, lanes.y, until(clock.end()), lanes.height}, view.theme().track);
  if (!clock.ready() || one_by_one(clock)) return;
  const ui::Color color = ui::mix(view.theme().muted, view.theme().track, 0.6f);
  const float left = until(clock.kernels().front().begin);
  const ui::Rect busy{lanes.x + left, lanes.y, until(idle_end_of(clock).begin) - left, lanes.height};
  view.canvas().fill(busy, color);
  const std::string_view words = view.say("too many CTAs to be shown one by one");
  if (view.canvas().text_width(ui::Style::caption, words) < busy.width - view.px(16))
    view.canvas().text(busy.inset(view.px(8), 0), ui::Style::caption, ui::text_on(color), words);
}

/// Draws the names of the kernels above the lanes; in a batch, the time in which SMs become idle.
void draw_above_lanes(View& view, const ui::Tracks& tracks, ui::Rect row, ui::Rect taken) {
  const RaceRun& clock = *view.subject().clock;
  const sim::Simulation& s = view.subject().simulation();
  if (shows_entries(view)) {
    if (clock.ready() && s.budget[sim::Cause::tail] > 1e-3 * s.microseconds)
      tracks.bracket(row, idle_end_of(clock).begin, idle_end_of(clock).end, view.say("SMs run out of CTAs"));
    return;
  }
  std::vector<ui::NamedTime> names;
  for (std::size_t k = 0; k < clock.kernels().size(); ++k)
    names.push_back({clock.kernels()[k].launch, clock.kernels()[k].end, s.kernels[k].name});
  tracks.names(row, names, taken, {view.theme().text, view.theme().muted});
}

}  // namespace

ui::Touch draw_race_lanes(View& view, const ui::RaceCard& place, std::string_view below) {
  const RaceRun& clock = *view.subject().clock;
  const RaceLanes& lanes = race_lanes_of(view, place.lanes);
  const ui::Theme& theme = view.theme();
  const ui::Tracks tracks = race_tracks(view, place.lanes);
  const std::int64_t per_row = sms_in_row(view, place.lanes), sms = view.subject().scenario().gpu->sm_count;
  const std::int64_t rows = sim::ceil_div(sms, per_row);
  view.canvas().fill(place.lanes, theme.inset);
  if (shows_entries(view)) draw_behind_entries(view, tracks, place.lanes);
  tracks.cells<LaneRect>(place.lanes, static_cast<std::size_t>(rows), lanes.rects(), paints_in_order(theme));
  for (std::size_t k = 1; k < clock.kernels().size(); ++k)  // nothing runs during the launch
    tracks.gap(place.lanes, clock.kernels()[k].launch, clock.kernels()[k].begin, theme.inset);
  view.canvas().fill(place.busy, theme.track);
  tracks.bars(place.busy, lanes.busy(), static_cast<float>(sms),
              {theme.muted, ui::mix(theme.muted, theme.track, 0.6f)});
  const bool over = tracks.now >= clock.end();
  const std::string end = shows_entries(view) ? std::string() : race_time_text(clock.end());  // a bracket is there
  const ui::Rect taken = tracks.finish(place.names, place.lanes, clock.end(), over, end);
  draw_above_lanes(view, tracks, place.names, taken);
  if (!place.words_above && !is_reference(view) &&
      place.lanes.height >= view.px(44))  // else the text above shows the ratio
    tracks.say_beside(place.lanes, clock.end(), ratio_phrases(view, clock.end(), tracks.now, below));
  tracks.playhead(
      {place.lanes.x, place.lanes.y - view.px(5), place.lanes.width, place.busy.bottom() - place.lanes.y + view.px(8)});
  const ui::Touch touch = touch_race(view, "race/lanes", place.lanes);
  use_lanes(view, touch, per_row, rows);
  return touch;
}

}  // namespace explorer
