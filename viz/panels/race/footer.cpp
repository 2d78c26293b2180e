// Footer of a race: transport, legend of colours, HBM bytes of all runs over the same time, totals at the finish.
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/draw/chart.h"
#include "viz/panels/action_button.h"
#include "viz/panels/parts.h"
#include "viz/panels/playback.h"
#include "viz/panels/race/race.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/timeline/timeline.h"
#include "viz/ui/canvas_paper.h"

namespace explorer {
namespace {

using ui::Style;

constexpr float race_button = 36, race_play = 52, race_between = 4, tick_apart = 140;  // CSS pixels
constexpr int curve_points = 160;

}  // namespace

void draw_race_transport(View& view, ui::Rect place) {
  ui::Space row(place, view.px(race_between));
  const auto next = [&](float width) { return row.left(view.px(width)); };
  draw_action_button(view, next(race_button), "to-start", ui::Icon::to_start);
  draw_action_button(view, next(race_button), "step-back", ui::Icon::step_back);
  draw_action_button(view, next(race_play), "play", view.model.playing() ? ui::Icon::pause : ui::Icon::play,
                     ui::Weight::primary);
  draw_action_button(view, next(race_button), "step", ui::Icon::step);
  draw_action_button(view, next(race_button), "to-end", ui::Icon::to_end);
  row.left(view.px(race_between), 0);
  const double end = view.world.run_end();
  std::string text =
      number_in_unit_of("time.microseconds", view.state.look.run_time, end) + " / " + race_time_text(end);
  if (view.canvas().text_width(Style::body, text) > row.width()) text = race_time_text(view.state.look.run_time);
  ui::right_text(view.canvas(), row, Style::body, view.theme().muted, text, view.px(12));
  const PlaybackPart& speed = playback_parts()[1];
  if (row.width() > speed.width(view) + view.px(60)) speed.draw(view, row.left(speed.width(view), view.px(12)));
  if (row.width() <= view.px(60)) return;
  for (const bool short_names : {false, true}) {  // the cards show the same
    const std::string sentence = race_sentence(view.model, short_names);
    if (ui::fitting_text(view.canvas(), row.rest(), Style::body, view.theme().text, sentence)) return;
  }
}

namespace {

/// Draws the colour scale with labels at its ends.
void draw_scale(View& view, ui::Rect place) {
  const auto [bar, line] = ui::rows(place, 0, {view.px(10), view.px(17)});
  const sim::Shape& shape = view.subject().problem().shape;
  const bool rows = view.state.look.by_row_block;
  for (int n = 0; n < order_steps; ++n) {
    const float step = bar.width / order_steps, left = std::round(static_cast<float>(n) * step);
    const float right = std::round(static_cast<float>(n + 1) * step);
    view.canvas().fill({bar.x + left, bar.y, right - left, bar.height},
                       view.theme().in_order(static_cast<float>(n) / (order_steps - 1)));
  }
  const std::string last = rows ? std::string(view.say("last")) : sim::text(shape.batch * shape.heads - 1);
  view.canvas().text(line, Style::caption, view.theme().muted, rows ? view.say("first") : "0");
  view.canvas().text(line, Style::caption, view.theme().muted, rows ? view.say("row block") : view.say("batch × head"),
                     ui::Align::center);
  view.canvas().text(line, Style::caption, view.theme().muted, last, ui::Align::right);
}

/// "one row for each of 132 SMs", or the number of SMs per band.
std::string row_words(const View& view, ui::Rect lanes) {
  const std::int64_t sms = view.subject().scenario().gpu->sm_count, each = sms_in_row(view, lanes);
  if (each == 1) return view.say("one row for each of {} SMs", sms);
  return view.say("{} bands of {} SMs", sim::ceil_div(sms, each), each);
}

void draw_legend(View& view, ui::Rect place, ui::Rect lanes) {
  ui::Space rest(place);
  const std::array<std::string_view, 2> labels = {view.say("by head"), view.say("by row block")};
  view.canvas().text(rest.top(view.px(20)), Style::control, view.theme().text, view.say("HBM bytes so far"));
  view.canvas().text(rest.top(view.px(17)), Style::caption, view.theme().muted, view.say("all runs on one scale"));
  rest.top(std::min(view.px(8), rest.height() / 12));
  view.canvas().text(rest.top(view.px(17)), Style::caption, view.theme().muted, row_words(view, lanes));
  const float height = view.control_height(ui::Control::small);
  if (rest.height() > height + view.px(30)) choose(view, "lanes", rest.top(height, view.px(6)), "lanes", labels);
  if (rest.height() >= view.px(27)) draw_scale(view, rest.rest());
}

/// Adds a run's curve: the past solid, the future dotted, a disc at the playhead or the finish, a name at its end.
void add_curve(const View& view, draw::Chart& chart) {
  const Subject& s = view.subject();
  if (!s.error.empty() || !s.has_time()) return;
  const double end = s.clock->end(), now = std::min(view.state.look.run_time, end);
  const auto at = [&](double time) { return draw::Knot{time, s.clock->amount(time, hbm_bytes_of)}; };
  const draw::Tone tone = view.index == 0 ? draw::Tone::strong : view.index == 1 ? draw::Tone::text : draw::Tone::muted;
  draw::Series past{{}, {tone, 2}}, ahead{{at(now)}, {draw::Tone::muted, 1.5f, draw::Dash::dotted}};
  for (int n = 0; n <= curve_points; ++n) {  // the same points at all times, so that no name moves with the playhead
    const draw::Knot knot = at(end * n / curve_points);
    (knot.x < now ? past : ahead).knots.push_back(knot);
  }
  past.knots.push_back(at(now));
  chart.series.push_back({{at(now)}, {tone}, draw::Shape::disc, 3.5f});
  chart.series.push_back(std::move(past));
  chart.series.push_back(std::move(ahead));
  const double total = total_of_run(s, hbm_bytes_of);
  std::string name = run_name(view.model, view.index);
  if (now >= end) name += ", " + number_text("hbm_traffic.bytes", total);
  chart.marks.push_back({end, total, draw::Shape::none, 0, draw::Tone::text, {std::move(name)}});
}

}  // namespace

void draw_race_plot(View& view, ui::Rect axis, ui::Rect plot) {
  const ui::Tracks tracks = race_tracks(view, plot);
  draw::Chart chart;
  chart.place = plot;
  chart.x = {tracks.from, tracks.to, false, plot.x, plot.right()};
  chart.y = draw::make_axis(0, largest_of_runs(view.model, hbm_bytes_of), false, plot.bottom(), plot.y);
  for (std::size_t n = 0; n < view.world.subjects(); ++n) add_curve(View{view.ui, view, n}, chart);
  for (const double tick : draw::ticks(chart.y, 2)) {
    chart.series.push_back({{{tracks.from, tick}, {tracks.to, tick}}, {draw::Tone::grid, 1}});
    if (tick > 0) chart.series.back().name = report::bytes(std::llround(tick));
    chart.series.back().named_at = 0.04f;
  }
  const auto text = [](double time, double) { return time == 0 ? "0" : race_time_text(time); };
  tracks.ticks(axis, plot, tick_apart, text, tracks.pill(axis, race_time_text(tracks.now)));
  ui::CanvasPaper paper(view.canvas(), plot);
  draw_chart(paper, chart);
  tracks.playhead({axis.x, axis.y, axis.width, view.px(22)}, plot, race_time_text(tracks.now));
  touch_race(view, "race/plot", plot);
}

void draw_race_footer(View& view, const ui::RaceLayout& layout) {
  ui::panel(view.canvas(), layout.footer);
  if (view.world.run_end() <= 0 && draw_no_time(view, layout.transport)) return;
  draw_race_transport(view, layout.transport);
  if (!layout.legend.empty()) draw_legend(view, layout.legend, layout.cards.front().lanes);
  if (!layout.plot.empty()) draw_race_plot(view, layout.ticks, layout.plot);
  if (!layout.totals.empty()) draw_race_totals(view, layout.totals);
}

}  // namespace explorer
