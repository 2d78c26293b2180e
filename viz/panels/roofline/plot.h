// Roofline plot: FLOP/s over FLOP per byte, both axes logarithmic, the roofs of the device, the points of runs.
#pragma once
#include "sim/model/roofline.h"
#include "sim/report/label_places.h"
#include "viz/panels/view.h"

namespace explorer {

/// A logarithmic axis: `low` is at the pixel `begin`, `high` at `end`.
struct LogAxis {
  double low = 1, high = 2;
  float begin = 0, end = 1;
  float at(double value) const;
  bool holds(double value) const { return value >= low && value <= high; }
};

/// A kernel or a whole run. Those without FLOPs have no position on the axes and are left out.
struct RooflineMark {
  sim::RooflinePoint point;
  std::string label;
  bool standard = false;  ///< standard attention as a whole, to compare with
  int kernel = -1;        ///< index of the kernel, -1 for a whole run
};

/// Marks of the kernels of a run, of the whole run, and of standard attention as a whole.
std::vector<RooflineMark> roofline_marks(const Subject& subject);

sim::Roofs roofs_of(const Subject& subject);

struct RooflinePlot {
  sim::Roofs roofs;
  ui::Rect place;
  LogAxis x, y;
  ui::Point at(double intensity, double rate) const { return {x.at(intensity), y.at(rate)}; }
  /// Point at which a bandwidth's slope enters the plot: at the left edge or at the bottom.
  ui::Point slope_begin(double bandwidth) const;
  /// Point at which the slope meets the peak.
  ui::Point ridge(double bandwidth) const;
};

/// Makes axes that contain the roofs' ridges and every mark, with a margin; in the large plot, marks at both memory
/// levels.
RooflinePlot make_roofline_plot(const sim::Roofs& roofs, const std::vector<RooflineMark>& marks, ui::Rect place,
                                bool large);

/// Powers of `base` on an axis.
std::vector<double> ticks_of(const LogAxis& axis, int base);

/// Draws a slope up to the peak; the horizontal part belongs to HBM's roof.
void draw_roof(View& view, const RooflinePlot& plot, double bandwidth, ui::Color color, float width);

/// Draws labels of points in free space: clear of roofs, points and other labels.
class PlotLabels {
 public:
  /// Keeps labels off the roofs.
  PlotLabels(View& view, const RooflinePlot& plot);
  /// Keeps labels off a point, or off the line between two.
  void avoid(ui::Point point);
  void avoid(ui::Point from, ui::Point to);
  /// Draws a label near a point, if there is space.
  void draw(ui::Point at, const std::string& text, ui::Color color);
  /// Draws a label near a point, or farther away with a line to it. False if there is no space.
  bool draw_far(ui::Point at, const std::string& text, ui::Color color);

 private:
  void write(const report::LabelPlace& place, ui::Point at, const std::string& text, ui::Color color);
  double width_of(const std::string& text) const;
  double css(float device) const { return static_cast<double>(device / scale_); }  ///< the unit of LabelPlaces
  View& view_;
  float scale_;
  report::LabelPlaces places_;
};

/// Adds lines of a tooltip: "flash2: 64.0 FLOP/B of HBM traffic, ..." and the rate attained.
void describe_mark(const View& view, const RooflineMark& mark, const sim::Roofs& roofs,
                   std::vector<std::string>& lines);

}  // namespace explorer
