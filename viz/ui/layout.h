// Layout of the window: a pure function of its size. Two forms: all panels side by side, designed at 1600 x 1000 CSS
// pixels, and for narrower windows one column, designed at 390 x 844, whose panels share tabs.
#pragma once
#include <array>
#include <vector>

#include "viz/ui/rect.h"

namespace ui {

enum class Tab { matrix, memory, code, softmax, counters };
inline constexpr int tabs = 5;

/// Rectangles in device pixels, disjoint and aligned to whole pixels; empty if not shown.
struct Layout {
  float scale = 1;      ///< device pixels per CSS pixel of the design
  bool tabbed = false;  ///< one column; `tab_bar` chooses the panel
  bool lies = false;    ///< as on a phone on its side: the panel is next to the timeline
  Rect window;
  Rect title, controls, actions;  ///< the top bar: name, scenario, share and theme; narrow: controls below
  Rect tab_bar;
  std::array<Rect, 5> counters;
  Rect roofline, memory, matrix, code, softmax;
  Rect timeline;

  /// Area that the panels share, from below the bars to the margins.
  Rect panels() const;
};

/// Scale of the drawing: dpr * clamp(min(width / design, height / design), 0.75, 1.25), with `width` and `height` of
/// the window in device pixels divided by `dpr`, the device pixels per CSS pixel.
float ui_scale(float width, float height, float dpr);

/// True if a window of a width in device pixels is as narrow as a phone's, at a scale of ui_scale(): its controls are
/// then higher, for fingers.
constexpr bool is_for_fingers(float width, float scale) { return width < 640 * scale; }

/// True if the panels of a window share tabs.
bool is_narrow(float width, float height, float dpr);

/// Smallest windows, in CSS pixels: a phone in portrait, and in landscape orientation.
inline constexpr float least_width = 320, least_height = 480, least_lying_width = 640, least_lying_height = 320;

/// A window in device pixels, and the device pixels per CSS pixel.
struct WindowSize {
  float width, height, dpr;
};
/// Size to lay out. A window below the smallest size shows everything smaller, at most by half, and beyond that only a
/// part.
WindowSize size_to_lay_out(WindowSize window);

/// Makes the layout of a window of `width` x `height` device pixels. `tab` is the panel in front if panels share tabs.
/// Throws sim::Error below the smallest sizes.
Layout make_layout(float width, float height, float dpr, Tab tab = Tab::matrix);

/// Layout with a lesson: its panel is docked at the left, and the stage next to it has everything else. In windows too
/// narrow for both, the panel is below one picture.
struct LessonLayout {
  Rect panel;                      ///< empty without a lesson
  Layout stage;                    ///< `window` excludes the panel
  std::vector<Rect> covered = {};  ///< parts of the stage that would reveal an answer
  bool presented = false;          ///< true if make_presenter_layout() made it
  bool races = false;              ///< true if the stage shows whole runs on one clock
  Rect full = {};                  ///< rectangle of one view that replaces all panels of the stage; empty if none
  bool sheet = false;              ///< true if the panel is below the picture, and can be drawn up over it
};

/// Minimum size of a window to present in, in CSS pixels.
inline constexpr float least_presenter_width = 1280, least_presenter_height = 720;
/// Scale for presenting: the smallest text except scripts has 28 CSS pixels, more from 1920 x 1080 on.
float presenter_scale(float width, float height, float dpr);
/// Makes the layout for presenting: the text at the left, one picture at the right, `controls` above it if the learners
/// change options, and nothing else.
LessonLayout make_presenter_layout(float width, float height, float dpr, Tab tab, bool controls);

/// Makes the layout of a window with a lesson. `tab` is the panel next to the matrix, or the one in front if panels
/// share tabs; a sheet that is drawn up leaves no space for it.
LessonLayout make_lesson_layout(float width, float height, float dpr, Tab tab, bool drawn_up = false);

}  // namespace ui
