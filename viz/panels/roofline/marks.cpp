#include "viz/panels/roofline/marks.h"

#include "sim/programs/programs.h"
#include "sim/report/numbers.h"
#include "viz/panels/scenario/comparison.h"

namespace explorer {
namespace {

constexpr double one_point = 1.05;  // factor between values that a chart shows at one point

bool near(double a, double b) { return a < one_point * b && b < one_point * a; }

}  // namespace

std::vector<RooflineMark> roofline_marks(const Subject& subject) {
  std::vector<RooflineMark> marks;
  const std::vector<sim::RooflinePoint> points = sim::roofline(subject.simulation());
  for (std::size_t n = 0; n + 1 < points.size(); ++n)
    marks.push_back({points[n], points[n].name, false, static_cast<int>(n)});
  marks.push_back({points.back(), subject.scenario().algorithm});
  if (subject.run->standard)
    marks.push_back({sim::roofline(*subject.run->standard).back(), std::string(sim::programs::standard.name), true});
  std::erase_if(marks, [](const RooflineMark& mark) { return !draw::is_plotted(mark); });
  return marks;
}

sim::Roofs roofs_of(const Subject& subject) { return sim::roofs_of(subject.run->simulation.plan); }

std::string mark_label(const View& view, const RooflineMark& mark) {
  const bool one = view.subject().simulation().kernels.size() == 1;
  return mark.kernel >= 0 || mark.standard || one ? std::string(algorithm_label(view, mark.label))
                                                  : view.say("all of {}", algorithm_label(view, mark.label));
}

void name_marks(const View& view, std::vector<RooflineMark>& marks) {
  const sim::Roofs roofs = roofs_of(view.subject());
  std::vector<bool> named(marks.size());
  for (std::size_t n = 0; n < marks.size(); ++n) {
    if (named[n]) continue;
    std::string name = mark_label(view, marks[n]);
    int others = 0;
    for (std::size_t other = n + 1; other < marks.size(); ++other) {
      const sim::RooflinePoint &a = marks[n].point, &b = marks[other].point;
      if (marks[other].kernel < 0 || !near(a.plotted_hbm(), b.plotted_hbm()) || !near(a.level(roofs), b.level(roofs)))
        continue;
      named[other] = true;
      if (++others == 1) name += ", " + mark_label(view, marks[other]);
    }
    if (others > 1) name = view.say("{} and {} more", name, others - 1);
    marks[n].names = {std::move(name)};
  }
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
