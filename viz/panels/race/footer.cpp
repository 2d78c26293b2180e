// Footer of a race: transport, legend of colours, HBM bytes of all runs over the same time, totals at the finish.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/action_button.h"
#include "viz/panels/parts.h"
#include "viz/panels/playback.h"
#include "viz/panels/race/race.h"
#include "viz/panels/roofline/chart.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/timeline/timeline.h"

namespace explorer {
namespace {

using ui::Style;

constexpr float race_button = 36, race_play = 52, race_between = 4, tick_apart = 140;  // CSS pixels
constexpr int curve_points = 160;

void draw_race_transport(View& view, ui::Rect row) {
  const auto next = [&](float width) {
    const ui::Rect place = cut_left(row, view.px(width));
    cut_left(row, view.px(race_between));
    return place;
  };
  draw_action_button(view, next(race_button), "to-start", ui::Icon::to_start);
  draw_action_button(view, next(race_button), "step-back", ui::Icon::step_back);
  draw_action_button(view, next(race_play), "play", view.model.playing() ? ui::Icon::pause : ui::Icon::play,
                     ui::Weight::primary);
  draw_action_button(view, next(race_button), "step", ui::Icon::step);
  draw_action_button(view, next(race_button), "to-end", ui::Icon::to_end);
  cut_left(row, view.px(race_between));
  const double end = view.model.run_end();
  std::string text = number_in_unit_of("time.microseconds", view.model.run_time(), end) + " / " + race_time_text(end);
  if (view.canvas().text_width(Style::body, text) > row.width) text = race_time_text(view.model.run_time());
  const ui::Rect time = cut_right(row, view.canvas().text_width(Style::body, text) + 1);
  view.canvas().text(time, Style::body, view.theme().muted, text);
  cut_right(row, view.px(12));
  const PlaybackPart& speed = playback_parts()[1];
  if (row.width > speed.width(view) + view.px(60)) {
    speed.draw(view, cut_left(row, speed.width(view)));
    cut_left(row, view.px(12));
  }
  if (row.width <= view.px(60)) return;
  for (const bool short_names : {false, true}) {  // the cards show the same
    const std::string sentence = race_sentence(view.model, short_names);
    if (view.canvas().text_width(Style::body, sentence) > row.width) continue;
    return void(view.canvas().text(row, Style::body, view.theme().text, sentence));
  }
}

/// Draws the colour scale with labels at its ends.
void draw_scale(View& view, ui::Rect rest) {
  const sim::Shape& shape = view.subject().problem().shape;
  const bool rows = view.model.look.by_row_block;
  const ui::Rect bar = cut_top(rest, view.px(10));
  for (int n = 0; n < order_steps; ++n) {
    const float step = bar.width / order_steps, left = std::round(static_cast<float>(n) * step);
    const float right = std::round(static_cast<float>(n + 1) * step);
    view.canvas().fill({bar.x + left, bar.y, right - left, bar.height},
                       view.theme().in_order(static_cast<float>(n) / (order_steps - 1)));
  }
  const ui::Rect line = cut_top(rest, view.px(17));
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

void draw_legend(View& view, ui::Rect rest, ui::Rect lanes) {
  const std::array<std::string_view, 2> labels = {view.say("by head"), view.say("by row block")};
  view.canvas().text(cut_top(rest, view.px(20)), Style::control, view.theme().text, view.say("HBM bytes so far"));
  view.canvas().text(cut_top(rest, view.px(17)), Style::caption, view.theme().muted, view.say("all runs on one scale"));
  cut_top(rest, std::min(view.px(8), rest.height / 12));
  view.canvas().text(cut_top(rest, view.px(17)), Style::caption, view.theme().muted, row_words(view, lanes));
  const float height = view.control_height(ui::Control::small);
  if (rest.height > height + view.px(30)) {
    choose(view, "lanes", cut_top(rest, height), "lanes", labels);
    cut_top(rest, view.px(6));
  }
  if (rest.height >= view.px(27)) draw_scale(view, rest);
}

/// Draws a curve: the past solid, the future dotted, a disc at the playhead or the finish.
void draw_curve(View& view, ui::Rect plot, const Scale& scale) {
  const Subject& s = view.subject();
  if (!s.has_time()) return;
  const double end = s.clock->end(), now = std::min(view.model.run_time(), end);
  const auto at = [&](double time) {
    return ui::Point{race_x(view, plot, time), scale.place(s.clock->amount(time, hbm_bytes_of))};
  };
  const auto points = [&](double from, double to) {
    std::vector<ui::Point> all;
    for (int n = 0; n <= curve_points; ++n) all.push_back(at(from + (to - from) * n / curve_points));
    return all;
  };
  const ui::Color color = ui::mix(view.theme().strong, view.theme().muted, 0.3f * static_cast<float>(view.index));
  constexpr std::array<float, 2> dots = {2, 3};
  if (now > 0) view.canvas().polyline(points(0, now), color, view.px(2));
  if (now < end) dashed_line(view.canvas(), points(now, end), view.theme().muted, view.px(1.5f), dots);
  view.canvas().disc(at(now), view.px(3.5f), color);
}

/// Places texts of the plot without overlap.
class PlotTexts {
 public:
  PlotTexts(View& view, ui::Rect plot) : view_(view), plot_(plot) {}
  /// Draws the text at the first free place; not at all if none is free.
  void put(std::initializer_list<ui::Point> places, ui::Color color, const std::string& text) {
    const float width = std::ceil(view_.canvas().text_width(Style::caption, text)) + 1, height = view_.px(16);
    for (const ui::Point at : places) {
      const ui::Rect box{at.x, at.y, width, height};
      const auto overlaps = [&](const ui::Rect& other) { return !ui::common(box, other).empty(); };
      if (ui::common(box, plot_).width < width || ui::common(box, plot_).height < height) continue;
      if (std::any_of(taken_.begin(), taken_.end(), overlaps)) continue;
      taken_.push_back(box);
      view_.canvas().text(box, Style::caption, color, text);
      return;
    }
  }
  float width_of(const std::string& text) const { return view_.canvas().text_width(Style::caption, text); }

 private:
  View& view_;
  ui::Rect plot_;
  std::vector<ui::Rect> taken_;
};

void draw_names_of_curves(View& view, ui::Rect plot, const Scale& scale, PlotTexts& texts) {
  for (std::size_t n = 0; n < view.model.subjects(); ++n) {
    const Subject& s = view.model.subject(n);
    if (!s.error.empty() || !s.has_time()) continue;
    std::string text = run_name(view.model, n);
    if (view.model.run_time() >= s.clock->end())
      text += ", " + number_text("hbm_traffic.bytes", total_of_run(s, hbm_bytes_of));
    const float y = scale.place(total_of_run(s, hbm_bytes_of)), x = race_x(view, plot, s.clock->end());
    const float right = x + view.px(8), left = x - texts.width_of(text) - view.px(14);
    const float above = y - view.px(17), below = y + view.px(2);
    const double along = 0.8 * s.clock->end();  // above the line, where it rises to the end of the plot
    const ui::Point on_line{race_x(view, plot, along) - texts.width_of(text) - view.px(4),
                            scale.place(s.clock->amount(along, hbm_bytes_of)) - view.px(19)};
    texts.put({{right, below}, {right, above}, on_line, {left, above}, {left, below}}, view.theme().text, text);
  }
}

void draw_axes(View& view, ui::Rect axis, ui::Rect plot, const Scale& scale, PlotTexts& texts) {
  const ui::Tracks tracks = race_tracks(view, plot);
  const auto text = [](double time, double) { return time == 0 ? "0" : race_time_text(time); };
  tracks.ticks(axis, plot, tick_apart, text, tracks.pill(axis, race_time_text(tracks.now)));
  for (const double tick : ticks(scale, 2)) {
    const float y = std::round(scale.place(tick));
    view.canvas().line({plot.x, y}, {plot.right(), y}, view.theme().border, 1);
    if (tick > 0) texts.put({{plot.x + view.px(4), y}}, view.theme().faint, report::bytes(std::llround(tick)));
  }
}

void draw_race_plot(View& view, ui::Rect axis, ui::Rect plot) {
  const Scale scale = make_scale(0, largest_of_runs(view.model, hbm_bytes_of), false, plot.bottom(), plot.y);
  PlotTexts texts(view, plot);
  draw_axes(view, axis, plot, scale, texts);
  for (std::size_t n = 0; n < view.model.subjects(); ++n) {
    View one{view.ui, view, n};
    if (one.subject().error.empty()) draw_curve(one, plot, scale);
  }
  draw_names_of_curves(view, plot, scale, texts);
  race_tracks(view, plot)
      .playhead({axis.x, axis.y, axis.width, view.px(22)}, plot, race_time_text(view.model.run_time()));
  touch_race(view, "race/plot", plot);
}

}  // namespace

void draw_race_footer(View& view, const ui::RaceLayout& layout) {
  ui::panel(view.canvas(), layout.footer);
  if (view.model.run_end() <= 0 && draw_no_time(view, layout.transport)) return;
  draw_race_transport(view, layout.transport);
  if (!layout.legend.empty()) draw_legend(view, layout.legend, layout.cards.front().lanes);
  if (!layout.plot.empty()) draw_race_plot(view, layout.ticks, layout.plot);
  if (!layout.totals.empty()) draw_race_totals(view, layout.totals);
}

}  // namespace explorer
