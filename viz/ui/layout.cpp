#include "viz/ui/layout.h"

#include <cmath>

#include "sim/base/check.h"

namespace ui {
namespace {

// CSS pixels of the design.
constexpr float margin = 16, gap = 12, bar = 58, control_row = 44, tab_row = 36, counter_row = 96, roofline_width = 392;
constexpr float timeline_height = 236, title_width = 180, actions_width = 262;

/// Sizes of the rows of one column. Fingers need higher controls.
struct Rows {
  float bar, controls, tabs, timeline, actions;
};
constexpr Rows pointer_rows = {bar, control_row, tab_row, timeline_height, actions_width};
constexpr Rows finger_rows = {52, 48, 40, 240, 276};

constexpr float low = 600;

/// Converts lengths of the design to whole device pixels.
struct Px {
  float scale;
  float operator()(float css) const { return std::round(css * scale); }
};

/// Cuts `rest` into equal columns with gaps; the last one takes the rounding remainder.
template <std::size_t n>
void columns(Rect rest, float between, std::array<Rect, n>& result) {
  for (std::size_t i = 0; i < n; ++i) {
    const float left = static_cast<float>(n - i);
    result[i] = cut_left(rest, std::round((rest.width - (left - 1) * between) / left));
    cut_left(rest, between);
  }
}

void place_counters(Rect row, Px px, Layout& layout) {
  layout.roofline = cut_right(row, px(roofline_width));
  cut_right(row, px(gap));
  columns(row, px(gap), layout.counters);
}

/// Places memory on the left, the matrix, and on the right the code above the softmax.
void place_columns(Rect rest, Px px, Layout& layout) {
  const float width = rest.width;
  layout.memory = cut_left(rest, std::round(0.245f * width));
  cut_left(rest, px(gap));
  Rect right = cut_right(rest, std::round(0.325f * width));
  cut_right(rest, px(gap));
  layout.matrix = rest;
  layout.code = cut_top(right, std::round(0.6f * (right.height - px(gap))));
  cut_top(right, px(gap));
  layout.softmax = right;
}

void place_side_by_side(Rect rest, Px px, Layout& layout) {
  Rect top = cut_top(rest, px(bar));
  layout.title = cut_left(top, px(title_width));
  layout.actions = cut_right(top, px(actions_width));
  layout.controls = top;
  cut_bottom(rest, px(margin));
  layout.timeline = cut_bottom(rest, px(timeline_height));
  cut_bottom(rest, px(gap));
  place_counters(cut_top(rest, px(counter_row)), px, layout);
  cut_top(rest, px(gap));
  place_columns(rest, px, layout);
}

/// Places the counters in two columns, and the roofline in the sixth cell.
void place_counter_tab(Rect rest, Px px, Layout& layout) {
  const float row = std::min(px(150), std::floor((rest.height - 2 * px(gap)) / 3));
  for (std::size_t i = 0; i < layout.counters.size(); i += 2) {
    std::array<Rect, 2> pair;
    columns(cut_top(rest, row), px(gap), pair);
    layout.counters[i] = pair[0];
    if (i + 1 < layout.counters.size()) {
      layout.counters[i + 1] = pair[1];
      cut_top(rest, px(gap));
    } else {
      layout.roofline = pair[1];  // next to the fifth
    }
  }
}

void place_panel(Rect rest, Px px, Tab tab, Layout& layout) {
  switch (tab) {
    case Tab::matrix:
      layout.matrix = rest;
      break;
    case Tab::memory:
      layout.memory = rest;
      break;
    case Tab::code:
      layout.code = rest;
      break;
    case Tab::softmax:
      layout.softmax = rest;
      break;
    case Tab::counters:
      place_counter_tab(rest, px, layout);
      break;
  }
}

void place_in_one_column(Rect rest, Px px, Tab tab, Layout& layout) {
  const Rows rows = is_for_fingers(layout.window.width, layout.scale) ? finger_rows : pointer_rows;
  Rect top = cut_top(rest, px(rows.bar));
  // Keeps the controls next to the name if the bar is wide enough for both.
  const bool one_row = top.width >= px(title_width + rows.actions + 500);
  layout.actions = cut_right(top, px(rows.actions));
  layout.title = cut_left(top, one_row ? px(title_width) : top.width);
  layout.controls = one_row ? top : cut_top(rest, px(rows.controls));
  layout.tab_bar = cut_top(rest, px(rows.tabs));
  cut_top(rest, px(gap));
  cut_bottom(rest, px(margin));
  if (layout.lies && rest.width >= px(least_lying_width)) {
    layout.timeline = cut_right(rest, std::round((rest.width - px(gap)) / 2));
    cut_right(rest, px(gap));
  } else {
    layout.timeline = cut_bottom(rest, std::min(px(rows.timeline), std::floor(rest.height / 2)));
    cut_bottom(rest, px(gap));
  }
  place_panel(rest, px, tab, layout);
}

constexpr float lesson_width = 440, finger_margin = 8;       // of the lesson's panel
constexpr float least_docked = 960, least_docked_low = 640;  // wide enough for both; for a phone on its side

/// Places the matrix, and next to it the panel that a step describes.
void place_stage(Rect rest, Px px, Tab tab, Layout& layout) {
  Rect beside = cut_right(rest, std::round(0.42f * (rest.width - px(gap))));
  cut_right(rest, px(gap));
  layout.matrix = rest;
  Rect& panel = tab == Tab::memory     ? layout.memory
                : tab == Tab::softmax  ? layout.softmax
                : tab == Tab::counters ? layout.roofline
                                       : layout.code;
  panel = beside;
}

/// Places the top bar as without a lesson, and the panel from there to the lower edge.
void place_lesson_beside(Rect rest, Px px, Tab tab, LessonLayout& lesson) {
  Layout& layout = lesson.stage;
  Rect top = cut_top(rest, px(bar));
  layout.title = cut_left(top, px(title_width));
  layout.actions = cut_right(top, px(actions_width));
  layout.controls = top;
  cut_bottom(rest, px(margin));
  lesson.panel = cut_left(rest, px(lesson_width));
  cut_left(rest, px(gap));
  layout.window.x = rest.x;
  layout.window.width = rest.width;
  layout.timeline = cut_bottom(rest, px(timeline_height));
  cut_bottom(rest, px(gap));
  columns(cut_top(rest, px(counter_row)), px(gap), layout.counters);
  cut_top(rest, px(gap));
  place_stage(rest, px, tab, layout);
}

/// Places the lesson next to one column, whose panels share tabs.
void place_lesson_beside_column(Rect rest, Px px, Tab tab, LessonLayout& lesson) {
  Rect left = cut_left(rest, px(lesson_width));
  cut_left(rest, px(gap));
  cut_top(left, px(gap));
  cut_bottom(left, px(margin));
  lesson.panel = left;
  lesson.stage.window.x = rest.x;
  lesson.stage.window.width = rest.width;
  place_in_one_column(rest, px, tab, lesson.stage);
}

/// Places a sheet at the lower edge; above it the scenario's controls and one picture.
void place_lesson_below(Rect rest, Px px, Tab tab, bool drawn_up, LessonLayout& lesson) {
  lesson.sheet = true;
  cut_bottom(rest, px(finger_margin));
  Rect above = rest;
  lesson.panel = cut_bottom(above, std::round(0.58f * rest.height));
  cut_bottom(above, px(finger_margin));
  lesson.stage.window.height = above.bottom();
  lesson.stage.controls = cut_top(above, px(finger_rows.controls));
  cut_top(above, px(finger_margin));
  if (!drawn_up) return place_panel(above, px, tab, lesson.stage);
  lesson.panel = {rest.x, above.y, rest.width, rest.bottom() - above.y};
}

}  // namespace

bool is_narrow(float width, float height, float dpr) { return width < 1200 * dpr || height < low * dpr; }

float ui_scale(float width, float height, float dpr) {
  const bool narrow = is_narrow(width, height, dpr);
  const float of_width = width / dpr / (narrow ? 390 : 1600), of_height = height / dpr / (narrow ? 844 : 1000);
  return dpr * std::clamp(std::min(of_width, of_height), 0.75f, 1.25f);
}

WindowSize size_to_lay_out(WindowSize window) {
  const float stands = std::min(window.width / least_width, window.height / least_height);
  const float lies = std::min(window.width / least_lying_width, window.height / least_lying_height);
  const float fits = std::max(stands, lies);
  if (fits >= window.dpr / 2) return {window.width, window.height, std::min(fits, window.dpr)};
  const float dpr = window.dpr / 2;
  return {std::max(window.width, least_width * dpr), std::max(window.height, least_height * dpr), dpr};
}

namespace {

/// Empty layout of a window, with its scale.
Layout begin_layout(float width, float height, float dpr) {
  const bool stands = width >= least_width * dpr && height >= least_height * dpr;
  const bool lies = width >= least_lying_width * dpr && height >= least_lying_height * dpr;
  sim::require(dpr > 0 && (stands || lies), "layout: a window of ", width, " x ", height, " pixels, ", dpr,
               " per CSS pixel, is too small; 320 x 480 or 640 x 320 CSS pixels are needed");
  Layout layout{.scale = ui_scale(width, height, dpr), .tabbed = is_narrow(width, height, dpr), .lies = !stands};
  layout.window = {0, 0, std::floor(width), std::floor(height)};
  return layout;
}

}  // namespace

Rect Layout::panels() const {
  Rect all;
  const auto add = [&](const Rect& panel) {
    if (!panel.empty()) all = all.empty() ? panel : around(all, panel);
  };
  for (const Rect& counter : counters) add(counter);
  for (const Rect& panel : {roofline, memory, matrix, code, softmax, timeline}) add(panel);
  return all;
}

Layout make_layout(float width, float height, float dpr, Tab tab) {
  Layout layout = begin_layout(width, height, dpr);
  const Px px{layout.scale};
  const Rect inside = layout.window.inset(px(margin), 0);
  if (layout.tabbed) {
    place_in_one_column(inside, px, tab, layout);
  } else {
    place_side_by_side(inside, px, layout);
  }
  return layout;
}

LessonLayout make_lesson_layout(float width, float height, float dpr, Tab tab, bool drawn_up) {
  LessonLayout lesson{{}, begin_layout(width, height, dpr)};
  const Layout& stage = lesson.stage;
  const Px px{stage.scale};
  const Rect inside = stage.window.inset(px(margin), 0);
  if (!stage.tabbed) {
    place_lesson_beside(inside, px, tab, lesson);
  } else if (width >= (height < low * dpr ? least_docked_low : least_docked) * dpr) {
    place_lesson_beside_column(inside, px, tab, lesson);
  } else {
    place_lesson_below(stage.window.inset(px(finger_margin), 0), px, tab, drawn_up, lesson);
  }
  return lesson;
}

float presenter_scale(float width, float height, float dpr) {
  constexpr float large = 28.f / 12;  // factor of the smallest text: 28 CSS pixels instead of 12
  const float more = std::clamp(std::min(width / dpr / 1920, height / dpr / 1080), 1.f, 2.f);
  return dpr * large * more;
}

LessonLayout make_presenter_layout(float width, float height, float dpr, Tab tab, bool controls) {
  LessonLayout lesson{{}, begin_layout(width, height, dpr)};
  Layout& stage = lesson.stage;
  stage.scale = presenter_scale(width, height, dpr);
  stage.tabbed = lesson.presented = true;
  const Px px{stage.scale};
  Rect rest = stage.window;
  lesson.panel = cut_left(rest, std::round(0.47f * rest.width));
  stage.window.x = rest.x;
  stage.window.width = rest.width;
  rest = rest.inset(px(finger_margin));
  if (controls) {
    stage.controls = cut_top(rest, px(control_row));
    cut_top(rest, px(finger_margin));
  }
  place_panel(rest, px, tab, stage);
  return lesson;
}

}  // namespace ui
