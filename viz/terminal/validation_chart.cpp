// Chart of predicted over published and recorded times, a mark for each.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "sim/report/common_unit.h"
#include "sim/report/numbers.h"
#include "viz/draw/chart.h"
#include "viz/draw/svg_paper.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

/// True for a time; a speed-up is a ratio.
bool is_time(const sim::Prediction& p) { return p.made() && !is_factor(p.point->quantity); }

/// Times with one look of marks, from the back to the front.
struct TimeKind {
  std::string_view name;
  draw::Shape shape;
  float radius;
  draw::Tone tone;
  std::vector<const sim::Prediction*> times = {};
};

draw::Mark mark_of(const sim::Prediction& p, const TimeKind& kind, double unit) {
  draw::Mark mark{p.published / unit, p.predicted / unit, kind.shape, kind.radius, kind.tone};
  mark.tip = sim::text(p.point->group, ": ", sim::description_of(*p.point), ": ", report::microseconds(p.published),
                       ", predicted ", report::microseconds(p.predicted), ", ", signed_percent(p.error()));
  return mark;
}

/// "held out, published by others: 105 times, mean |error| 11.7 %".
draw::KeyEntry key_of(const TimeKind& kind) {
  const sim::ErrorSummary errors = sim::summary_of(kind.times);
  return {sim::text(kind.name, ": ", errors.points, " times, mean |error| ", report::percent(errors.mean_error)),
          kind.shape, kind.tone, kind.radius};
}

constexpr draw::Stroke equal{draw::Tone::muted, 1.4f, draw::Dash::none}, near{draw::Tone::muted, 1, draw::Dash::dashed};

/// A line on which y is `factor` times x, cut at the border of the chart.
draw::Series multiple_line(const draw::Axis& axis, const draw::Stroke& look, double factor) {
  const double from = std::max(axis.low, axis.low / factor), to = std::min(axis.high, axis.high / factor);
  return {{{from, from * factor}, {to, to * factor}}, look};
}

/// Two equal logarithmic axes, with the diagonal and lines 10 % above and below it.
draw::Chart chart_of(const std::array<TimeKind, 4>& shown) {
  std::vector<double> values;
  for (const TimeKind& kind : shown) {
    for (const sim::Prediction* p : kind.times) values.insert(values.end(), {p->published, p->predicted});
  }
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const report::CommonUnit unit = report::common_unit("microseconds", {std::sqrt(*least * *most)});  // of the middle
  draw::Chart chart;
  chart.place = {84, 96, 692, 464};
  chart.x = draw::make_axis(*least / unit.size, *most / unit.size, true, chart.place.x, chart.place.right());
  chart.y = chart.x;
  chart.y.begin = chart.place.bottom();
  chart.y.end = chart.place.y;
  for (const double value : draw::ticks(chart.x, 8)) chart.x_ticks.push_back({value, draw::tick_text(value)});
  chart.y_ticks = chart.x_ticks;
  chart.x_title = "published or recorded time, " + unit.name;
  chart.y_title = "Predicted time, " + unit.name;
  chart.series = {multiple_line(chart.x, equal, 1), multiple_line(chart.x, near, 0.9),
                  multiple_line(chart.x, near, 1.1)};
  for (const TimeKind& kind : shown) {
    for (const sim::Prediction* p : kind.times) chart.marks.push_back(mark_of(*p, kind, unit.size));
  }
  return chart;
}

std::string subtitle_of(const sim::Validation& validation) {
  std::set<std::string> gpus;
  std::int64_t ratios = 0;
  for (const sim::Prediction& p : validation.predictions) {
    if (is_time(p)) gpus.insert(p.point->scenario.gpu->name);
    ratios += p.made() && !is_time(p) ? 1 : 0;
  }
  std::string list;
  for (const std::string& gpu : gpus) list += (list.empty() ? "" : ", ") + gpu;
  return sim::text("Attention kernels on ", list,
                   ratios == 0 ? "" : sim::text(", without ", ratios, " published speed-ups"), ".");
}

}  // namespace

std::string validation_svg(const sim::Validation& validation) {
  using draw::Shape;
  std::array<TimeKind, 4> time_kinds = {{{"not scored", Shape::ring, 3, draw::Tone::faint},
                                         {"fitted", Shape::cross, 3.5f, draw::Tone::text},
                                         {"held out, recorded with FlashScope", Shape::square, 2.7f, {"K", false}},
                                         {"held out, published by others", Shape::diamond, 4.2f, {"Q", false}}}};
  bool any = false;
  for (const sim::Prediction& p : validation.predictions) {
    if (!is_time(p)) continue;
    const bool scored = p.point->standing == sim::Standing::score;
    time_kinds[!scored ? 0 : validation.fitted(*p.point) ? 1 : p.point->recorded() ? 2 : 3].times.push_back(&p);
    any = true;
  }
  sim::require(any, "group: ", validation.choice.group.value_or("all"),
               " has no time that can be predicted: nothing to draw");
  draw::SvgPaper paper("Predicted against measured times", subtitle_of(validation), 700);
  const draw::Chart chart = chart_of(time_kinds);
  draw_chart(paper, chart);
  std::vector<draw::KeyEntry> key;
  for (std::size_t n = time_kinds.size(); n-- > 0;) {
    if (!time_kinds[n].times.empty()) key.push_back(key_of(time_kinds[n]));
  }
  key.push_back({"equal", Shape::none, {}, 0, equal});
  key.push_back({"10 % more or less", Shape::none, {}, 0, near});
  draw_key(paper, {paper.left, 612}, paper.right, key);
  return paper.page();
}

}  // namespace terminal
