// Where everything is when runs are compared: a pure function of the window's size. A column for each run, one timeline
// for all; where a column would be too narrow, the runs take turns.
#pragma once
#include <vector>

#include "viz/ui/layout.h"

namespace ui {

/// The places of one run. What is not shown is empty.
struct ComparePane {
  Rect header, matrix, memory, code;
};

struct CompareLayout {
  float scale = 1;
  bool tabbed = false;  ///< one run at a time; then `tab_bar` and `panel_list` choose what
  Rect window;
  Rect title, controls, actions;  ///< as in Layout
  Rect bar;                       ///< what the playheads have in common, and which runs there are
  Rect tab_bar, panel_list;       ///< which run, and which of its panels
  std::vector<ComparePane> panes;
  Rect timeline;
};

/// The layout for `runs` runs. Where they take turns, `shown` is in front with one panel: `tab`, or the matrix for a
/// tab that they do not have. Throws sim::Error below the smallest sizes of ui/layout.h.
CompareLayout make_compare_layout(float width, float height, float dpr, std::size_t runs, std::size_t shown = 0,
                                  Tab tab = Tab::matrix);

}  // namespace ui
