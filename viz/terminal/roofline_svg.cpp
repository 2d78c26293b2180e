// Roofline chart of a comparison: the device's roofs, and a point per run at each level of memory.
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/draw/roofline.h"
#include "viz/draw/svg_paper.h"
#include "viz/terminal/comparison.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

/// A run as a whole.
draw::RooflineMark mark_of(const sim::Simulation& s, const sim::Roofs& roofs) {
  draw::RooflineMark mark{sim::roofline(s).back()};
  const std::string name = s.plan.scenario.algorithm;
  const std::string rate = sim::text(", ", report::flop_rate(mark.point.level(roofs)),
                                     std::isnan(mark.point.achieved()) ? " attainable: no time is predicted" : "");
  mark.names = {name};
  mark.hbm_tip = sim::text(name, ", HBM traffic: ", report::intensity(mark.point.hbm_intensity()), rate);
  mark.tile_tip =
      sim::text(name, ", tile traffic through the L2: ", report::intensity(mark.point.tile_intensity()), rate);
  return mark;
}

draw::RoofNames names_of(const sim::Roofs& roofs) {
  const auto ridge = [](const char* level, double at) { return sim::text(level, " ridge ", report::intensity(at)); };
  return {sim::text("L2 ", report::byte_rate(roofs.l2)), sim::text("HBM ", report::byte_rate(roofs.hbm)),
          (roofs.one_pipe ? "FP32 pipe " : "tensor cores ") + report::flop_rate(roofs.matrix_peak),
          ridge("L2", roofs.l2_ridge()), ridge("HBM", roofs.hbm_ridge())};
}

}  // namespace

std::string roofline_svg(const std::vector<sim::Simulation>& runs) {
  const sim::Scenario& scenario = runs.front().plan.scenario;
  const sim::Roofs roofs = sim::roofs_of(runs.front().plan);
  std::vector<draw::RooflineMark> marks;
  for (const sim::Simulation& s : runs) {
    if (sim::roofline(s).back().rated().count() > 0) marks.push_back(mark_of(s, roofs));
  }
  draw::SvgPaper paper("Roofline: FLOP/s that each byte's work allows, and that the predicted time reaches",
                       sim::text(sim::name_of(scenario.pass), ": ", shape_text(scenario), ", on ", scenario.gpu->name,
                                 ". All kernels of a run together."),
                       560);
  draw::Chart chart = draw::roofline_chart(roofs, marks, names_of(roofs), {84, 96, 692, 394}, true);
  chart.x_title = "arithmetic intensity, FLOP/B";
  chart.names = draw::Letters::label;
  draw_chart(paper, chart);
  const draw::KeyEntry key[] = {
      {"in HBM traffic", draw::Shape::disc, draw::Tone::strong, 5},
      {"in tile traffic, all of which passes the L2", draw::Shape::ring, draw::Tone::strong, 6.5f}};
  draw_key(paper, {chart.place.x, 534}, paper.right, key);
  return paper.page();
}

}  // namespace terminal
