// Marks of both rooflines: those of a run's kernels, of the whole run and of standard attention.
#pragma once
#include "viz/draw/roofline.h"
#include "viz/panels/view.h"

namespace explorer {

using draw::RooflineMark;

/// Marks of the kernels of a run, of the whole run, and of standard attention as a whole.
std::vector<RooflineMark> roofline_marks(const Subject& subject);

sim::Roofs roofs_of(const Subject& subject);

/// The kernel's or the program's name; "all of X" for a run of several kernels as a whole.
std::string mark_label(const View& view, const RooflineMark& mark);
/// Gives each mark its name in the chart. Kernels at one point share a name: "a, b", "a, b and 1 more".
void name_marks(const View& view, std::vector<RooflineMark>& marks);

/// Adds lines of a tooltip: "flash2: 64.0 FLOP/B of HBM traffic, ..." and the rate attained.
void describe_mark(const View& view, const RooflineMark& mark, const sim::Roofs& roofs,
                   std::vector<std::string>& lines);

}  // namespace explorer
