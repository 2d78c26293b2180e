// Layout of compared runs: a pure function of the window's size. One column per run, one timeline for all; if the
// columns would be too narrow, the runs share tabs.
#pragma once
#include <vector>

#include "viz/ui/layout.h"

namespace ui {

/// Rectangles of one run; empty if not shown.
struct ComparePane {
  Rect header, matrix, memory, code;
};

struct CompareLayout {
  float scale = 1;
  bool tabbed = false;  ///< one run at a time, chosen by `tab_bar`; its panel by `panel_list`
  Rect window;
  Rect title, controls, actions;  ///< as in Layout
  Rect bar;                       ///< synchronisation of the playheads, and the choice of runs
  Rect tab_bar, panel_list;       ///< choice of the run, and of its panel
  std::vector<ComparePane> panes;
  Rect timeline;
};

/// Makes the layout for `runs` runs. If they share tabs, `shown` is in front with one panel: `tab`, or the matrix if
/// compared runs lack that tab. Throws sim::Error below the smallest sizes of ui/layout.h.
CompareLayout make_compare_layout(float width, float height, float dpr, std::size_t runs, std::size_t shown = 0,
                                  Tab tab = Tab::matrix);

}  // namespace ui
