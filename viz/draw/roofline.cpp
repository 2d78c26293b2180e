#include "viz/draw/roofline.h"

#include <algorithm>
#include <cmath>

namespace draw {
namespace {

void make_axes(Chart& chart, const sim::Roofs& roofs, const std::vector<RooflineMark>& marks, bool large) {
  double left = (roofs.has_l2() ? std::min(roofs.hbm_ridge(), roofs.l2_ridge()) : roofs.hbm_ridge()) / 8,
         right = 2 * roofs.hbm_ridge();
  double bottom = roofs.matrix_peak / 32;
  for (const RooflineMark& mark : marks) {
    const double hbm = mark.point.plotted_hbm(), tile = large ? mark.point.tile_intensity() : hbm;
    left = std::min({left, hbm, tile});
    right = std::max({right, hbm, tile});
    bottom = std::min(bottom, mark.point.level(roofs));
  }
  const double below = large ? 2 : 6;  // in a small chart a label takes a fifth of the height
  chart.x = {left / 2, right * 2, true, chart.place.x, chart.place.right()};
  chart.y = {bottom / below, roofs.matrix_peak * 2, true, chart.place.bottom(), chart.place.y};
  for (const double tick : powers(chart.x, 4)) chart.x_ticks.push_back({tick, tick_text(tick)});
  chart.gutter = large ? 60 : 4;
  chart.numbers_below = large ? 14 : 8;
  if (!large) return;
  for (const double tick : powers(chart.y, 10)) chart.y_ticks.push_back({tick, tick_text(tick * 1e-12)});
  chart.y_title = "TFLOP/s";
  chart.names_above = 18;  // the peak is close to the top
}

/// Adds the slope of a bandwidth up to the peak; the horizontal part belongs to HBM's roof.
void add_roof(Chart& chart, const sim::Roofs& roofs, double bandwidth, const Stroke& stroke, const std::string& name) {
  const double from = std::max(chart.x.low, chart.y.low / bandwidth), ridge = roofs.matrix_peak / bandwidth;
  const bool lower = !(bandwidth > roofs.hbm);
  Series roof{{{from, from * bandwidth}, {ridge, roofs.matrix_peak}}, stroke};
  if (lower) roof.knots.push_back({chart.x.high, roofs.matrix_peak});
  roof.name = name;
  roof.named_at = lower ? 0.3f : 0.45f;
  chart.series.push_back(std::move(roof));
}

void add_ridge(Chart& chart, const sim::Roofs& roofs, double at, const std::string& name) {
  Series ridge{{{at, chart.y.low}, {at, roofs.matrix_peak}}, {Tone::faint, 1, Dash::dotted}};
  ridge.name = name;
  ridge.named_at = 0.06f;
  chart.series.push_back(std::move(ridge));
}

void add_roofs(Chart& chart, const sim::Roofs& roofs, const RoofNames& names, bool large) {
  const Stroke hbm{large ? Tone::text : Tone::muted, 1.5f}, l2{large ? Tone::muted : Tone::faint, 1};
  add_roof(chart, roofs, roofs.hbm, hbm, names.hbm);
  if (roofs.has_l2()) add_roof(chart, roofs, roofs.l2, l2, names.l2);
  if (!large) return;
  add_ridge(chart, roofs, roofs.hbm_ridge(), names.hbm_ridge);
  if (roofs.has_l2()) add_ridge(chart, roofs, roofs.l2_ridge(), names.l2_ridge);
  Series peak{{{chart.x.high, roofs.matrix_peak}, {roofs.hbm_ridge(), roofs.matrix_peak}}, hbm};
  peak.name = names.peak;
  peak.named_at = 0.02f;
  chart.series.push_back(std::move(peak));
}

void add_mark(Chart& chart, const sim::Roofs& roofs, const RooflineMark& mark, bool large) {
  const double y = mark.point.level(roofs), hbm = mark.point.plotted_hbm(), tile = mark.point.tile_intensity();
  const Tone tone = mark.standard ? Tone::muted : mark.kernel >= 0 && !large ? Tone::faint : Tone::strong;
  const float radius = mark.kernel < 0 ? large ? 5.f : 4.f : large ? 3.5f : 2.f;
  if (large) {
    chart.series.push_back({{{tile, y}, {hbm, y}}, {Tone::faint, 1}});
    chart.marks.push_back({tile, y, Shape::ring, radius + 1.5f, tone, {}, true, mark.tile_tip});
  }
  const Shape shape = large           ? mark.point.hbm_counted ? Shape::disc : Shape::none
                      : mark.standard ? Shape::ring
                                      : Shape::disc;
  chart.marks.push_back({hbm, y, shape, radius, tone, mark.names, large || !mark.standard, mark.hbm_tip});
}

}  // namespace

bool is_plotted(const RooflineMark& mark) { return mark.point.rated().count() > 0 && !(mark.point.achieved() <= 0); }

Chart roofline_chart(const sim::Roofs& roofs, const std::vector<RooflineMark>& marks, const RoofNames& names,
                     Rect place, bool large) {
  Chart chart;
  chart.place = place;
  make_axes(chart, roofs, marks, large);
  add_roofs(chart, roofs, names, large);
  for (const RooflineMark& mark : marks) add_mark(chart, roofs, mark, large);
  return chart;
}

Point place_in_hbm(const Chart& chart, const sim::Roofs& roofs, const RooflineMark& mark) {
  return chart.at(mark.point.plotted_hbm(), mark.point.level(roofs));
}

}  // namespace draw
