#include "viz/ui/compare_layout.h"

#include <cmath>
#include <utility>

namespace ui {
namespace {

// CSS pixels of the design.
constexpr float gap = 12, margin = 16, bar_row = 44, tab_row = 36, finger_bar_row = 46, finger_tab_row = 40,
                finger_header_row = 128, list_width = 104, list_gap = 8, header_row = 94, three_lines = 112,
                narrowest_column = 340;
constexpr float wide_column = 640;  // holds the memory next to the matrix
// Sizes in a low window: a header with only the name, a readable panel, and less height for the timeline.
constexpr float name_row = 40, finger_name_row = 56, least_panel = 190, least_timeline = 150;

ComparePane make_pane(Rect column, float header, float scale, bool tabbed) {
  const auto px = [&](float css) { return std::round(css * scale); };
  ComparePane pane;
  pane.header = cut_top(column, header);
  cut_top(column, px(gap));
  if (!tabbed && column.width >= px(wide_column)) {
    pane.memory = cut_left(column, std::round(0.4f * column.width));
    cut_left(column, px(gap));
  }
  if (!tabbed) {
    pane.code = cut_bottom(column, std::round(0.34f * column.height));
    cut_bottom(column, px(gap));
  }
  pane.matrix = column;
  return pane;
}

}  // namespace

namespace {

/// Places the panel of the run in front, and the header above it, which is low in a low window.
ComparePane make_shown_pane(Rect rest, bool fingers, CompareLayout& layout) {
  const auto px = [&](float css) { return std::round(css * layout.scale); };
  float header = px(fingers ? finger_header_row : header_row);
  const float least = px(gap) + px(least_panel);
  if (rest.height - header < least) header = px(fingers ? finger_name_row : name_row);
  const float missing = std::min(header + least - rest.height, layout.timeline.height - px(least_timeline));
  if (missing > 0 && layout.timeline.y >= rest.bottom()) {
    cut_top(layout.timeline, missing);
    rest.height += missing;
  }
  return make_pane(rest, header, layout.scale, true);
}

/// Places tabs of the runs, and the run in front; `beside`: left of the timeline.
void place_in_turns(Rect rest, bool beside, bool fingers, Tab tab, ComparePane& pane, CompareLayout& layout) {
  const auto px = [&](float css) { return std::round(css * layout.scale); };
  layout.tab_bar = cut_top(rest, px(fingers ? finger_tab_row : tab_row));
  layout.panel_list = cut_right(layout.tab_bar, px(list_width));
  cut_right(layout.tab_bar, px(list_gap));
  cut_top(rest, px(gap));
  if (beside) {
    rest.width = layout.timeline.x - px(gap) - rest.x;
    cut_top(layout.timeline, rest.y - layout.timeline.y);
  }
  pane = make_shown_pane(rest, fingers, layout);
  if (tab == Tab::memory || tab == Tab::code) std::swap(pane.matrix, tab == Tab::memory ? pane.memory : pane.code);
}

}  // namespace

CompareLayout make_compare_layout(float width, float height, float dpr, std::size_t runs, std::size_t shown, Tab tab) {
  const Layout whole = make_layout(width, height, dpr, Tab::matrix);
  const auto px = [&](float css) { return std::round(css * whole.scale); };
  CompareLayout layout;
  layout.scale = whole.scale;
  layout.window = whole.window;
  layout.title = whole.title;
  layout.controls = whole.controls;
  layout.actions = whole.actions;
  layout.timeline = whole.timeline;
  Rect rest = whole.window.inset(px(margin), 0);
  cut_top(rest, std::max({whole.title.bottom(), whole.controls.bottom(), whole.actions.bottom()}));
  const bool beside = whole.timeline.x > rest.x;  // true on a phone on its side
  rest.height = (beside ? whole.timeline.bottom() : whole.timeline.y - px(gap)) - rest.y;
  const bool fingers = is_for_fingers(width, whole.scale);
  layout.bar = cut_top(rest, px(fingers ? finger_bar_row : bar_row));
  const float column = (rest.width - static_cast<float>(runs - 1) * px(gap)) / static_cast<float>(runs);
  layout.tabbed = whole.tabbed || column < px(narrowest_column);
  if (layout.tabbed) {
    layout.panes.resize(runs);
    place_in_turns(rest, beside, fingers, tab, layout.panes[std::min(shown, runs - 1)], layout);
    return layout;
  }
  const float header = fingers ? finger_header_row : runs > 2 ? three_lines : header_row;
  for (std::size_t n = 0; n < runs; ++n) {
    const float left = static_cast<float>(runs - n);
    Rect place = cut_left(rest, std::round((rest.width - (left - 1) * px(gap)) / left));
    cut_left(rest, px(gap));
    layout.panes.push_back(make_pane(place, px(header), whole.scale, false));
  }
  return layout;
}

}  // namespace ui
