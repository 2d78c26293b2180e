// Roofline chart: FLOP/s over FLOP per byte, both axes logarithmic, the roofs of a device, and kernels or runs below
// them.
#pragma once
#include "sim/model/roofline.h"
#include "viz/draw/chart.h"

namespace draw {

/// A kernel or a whole run. Those without FLOPs have no position on the axes and are left out.
struct RooflineMark {
  sim::RooflinePoint point;
  std::string label = {};
  bool standard = false;                    ///< standard attention as a whole, to compare with
  int kernel = -1;                          ///< index of the kernel, -1 for a whole run
  std::vector<std::string> names = {};      ///< in the chart, the first that fits
  std::string hbm_tip = {}, tile_tip = {};  ///< what pointers over its two marks tell
};

/// True if logarithmic axes can show it.
bool is_plotted(const RooflineMark& mark);

/// Names of the roofs and of their ridges; none if empty.
struct RoofNames {
  std::string l2, hbm, peak, l2_ridge, hbm_ridge;
};

/// A chart that contains the ridges and every mark, with a margin. A large one shows marks at both memory levels, a dot
/// in HBM traffic and a ring in tile traffic, with a line between them; a small one those in HBM traffic.
Chart roofline_chart(const sim::Roofs& roofs, const std::vector<RooflineMark>& marks, const RoofNames& names,
                     Rect place, bool large);

/// Where the mark's dot is.
Point place_in_hbm(const Chart& chart, const sim::Roofs& roofs, const RooflineMark& mark);

}  // namespace draw
