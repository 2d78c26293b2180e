#include "viz/panels/roofline/plot.h"

#include <algorithm>
#include <cmath>

#include "sim/programs/programs.h"
#include "sim/report/numbers.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/ui/steady.h"

namespace explorer {
namespace {

/// Adds a mark, unless a logarithmic axis cannot show it.
void add_mark(RooflineMark mark, std::vector<RooflineMark>& marks) {
  if (mark.point.rated().count() > 0 && !(mark.point.achieved() <= 0)) marks.push_back(std::move(mark));
}

}  // namespace

float LogAxis::at(double value) const {
  return begin + static_cast<float>(ui::steady::log(value / low) / ui::steady::log(high / low)) * (end - begin);
}

std::vector<RooflineMark> roofline_marks(const Subject& subject) {
  std::vector<RooflineMark> marks;
  const std::vector<sim::RooflinePoint> points = sim::roofline(subject.simulation());
  for (std::size_t n = 0; n + 1 < points.size(); ++n)
    add_mark({points[n], points[n].name, false, static_cast<int>(n)}, marks);
  add_mark({points.back(), subject.scenario().algorithm, false, -1}, marks);
  if (subject.run->standard)
    add_mark({sim::roofline(*subject.run->standard).back(), std::string(sim::programs::standard.name), true, -1},
             marks);
  return marks;
}

sim::Roofs roofs_of(const Subject& subject) { return sim::roofs_of(*subject.scenario().gpu, subject.scenario().dtype); }

ui::Point RooflinePlot::slope_begin(double bandwidth) const {
  const double from = std::max(x.low, y.low / bandwidth);
  return at(from, from * bandwidth);
}

ui::Point RooflinePlot::ridge(double bandwidth) const { return at(roofs.matrix_peak / bandwidth, roofs.matrix_peak); }

RooflinePlot make_roofline_plot(const sim::Roofs& roofs, const std::vector<RooflineMark>& marks, ui::Rect place,
                                bool large) {
  double left = (roofs.has_l2() ? std::min(roofs.hbm_ridge(), roofs.l2_ridge()) : roofs.hbm_ridge()) / 8,
         right = 2 * roofs.hbm_ridge();
  double bottom = roofs.matrix_peak / 32;
  for (const RooflineMark& mark : marks) {
    const double hbm = mark.point.plotted_hbm(), tile = large ? mark.point.tile_intensity() : hbm;
    left = std::min({left, hbm, tile});
    right = std::max({right, hbm, tile});
    bottom = std::min(bottom, mark.point.level(roofs));
  }
  const double below = large ? 2 : 6;  // in the small plot a label takes a fifth of the height
  return {roofs,
          place,
          {left / 2, right * 2, place.x, place.right()},
          {bottom / below, roofs.matrix_peak * 2, place.bottom(), place.y}};
}

std::vector<double> ticks_of(const LogAxis& axis, int base) {
  std::vector<double> ticks;
  for (int n = ui::steady::exponent_in(base, axis.low); ui::steady::power_of(base, n) <= axis.high; ++n) {
    if (axis.holds(ui::steady::power_of(base, n))) ticks.push_back(ui::steady::power_of(base, n));
  }
  return ticks;
}

void draw_roof(View& view, const RooflinePlot& plot, double bandwidth, ui::Color color, float width) {
  const ui::Point begin = plot.slope_begin(bandwidth), ridge = plot.ridge(bandwidth);
  if (bandwidth == plot.roofs.hbm) {
    view.canvas().polyline(std::array{begin, ridge, ui::Point{plot.place.right(), ridge.y}}, color, width);
  } else {
    view.canvas().polyline(std::array{begin, ridge}, color, width);
  }
}

PlotLabels::PlotLabels(View& view, const RooflinePlot& plot)
    : view_(view),
      scale_(view.canvas().fonts().scale),
      places_({css(plot.place.x), css(plot.place.y), css(plot.place.right()), css(plot.place.bottom())}) {
  for (const double bandwidth : {plot.roofs.hbm, plot.roofs.l2}) {
    if (std::isnan(bandwidth)) continue;
    const ui::Point ridge = plot.ridge(bandwidth);
    avoid(plot.slope_begin(bandwidth), ridge);
    avoid(ridge, {plot.place.right(), ridge.y});
  }
}

void PlotLabels::avoid(ui::Point p) {
  places_.avoid(report::Box{css(p.x) - 5, css(p.y) - 5, css(p.x) + 5, css(p.y) + 5});
}

void PlotLabels::avoid(ui::Point from, ui::Point to) {
  places_.avoid(report::Segment{css(from.x), css(from.y), css(to.x), css(to.y)}, 1);
}

double PlotLabels::width_of(const std::string& text) const {
  return css(view_.canvas().text_width(ui::Style::caption, text)) + 2;
}

void PlotLabels::draw(ui::Point at, const std::string& text, ui::Color color) {
  report::LabelPlaces tried = places_;
  const report::LabelPlace place = tried.take(css(at.x), css(at.y), width_of(text));
  if (!place.free || place.leader) return;
  places_ = std::move(tried);
  write(place, at, text, color);
}

bool PlotLabels::draw_far(ui::Point at, const std::string& text, ui::Color color) {
  report::LabelPlaces tried = places_;
  const report::LabelPlace place = tried.take(css(at.x), css(at.y), width_of(text));
  if (!place.free) return false;
  places_ = std::move(tried);
  write(place, at, text, color);
  return true;
}

void PlotLabels::write(const report::LabelPlace& place, ui::Point at, const std::string& text, ui::Color color) {
  ui::Canvas& canvas = view_.canvas();
  const auto px = [this](double css) { return static_cast<float>(css) * scale_; };
  if (place.leader) canvas.line(at, {px(place.near_x), px(place.near_y)}, view_.theme().faint, view_.px(1));
  const ui::Rect box{px(place.x), px(place.y - 11), px(width_of(text)), px(15)};
  canvas.text(box, ui::Style::caption, color, text);
}

void describe_mark(const View& view, const RooflineMark& mark, const sim::Roofs& roofs,
                   std::vector<std::string>& lines) {
  const sim::RooflinePoint& p = mark.point;
  lines.push_back(view.say("{}: {} of HBM traffic, {} of tile traffic", algorithm_label(view, mark.label),
                           report::intensity(p.hbm_intensity()), report::intensity(p.tile_intensity())));
  lines.push_back(view.say("attainable {}, achieved {}: {} of the peak", report::flop_rate(p.attainable(roofs)),
                           report::flop_rate(p.achieved()), report::percent(p.achieved() / p.peak(roofs))));
}

}  // namespace explorer
