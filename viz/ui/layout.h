// Where everything is in the window: a pure function of its size. Two shapes: the whole picture side by side, designed
// at 1600 x 1000 CSS pixels, and for narrower windows one column, designed at 390 x 844, whose panels take turns.
#pragma once
#include <array>
#include <vector>

#include "viz/ui/rect.h"

namespace ui {

enum class Tab { matrix, memory, code, softmax, counters };
inline constexpr int tabs = 5;

/// Places in device pixels, none over another, all on whole pixels. What is not shown is empty.
struct Layout {
  float scale = 1;      ///< device pixels per CSS pixel of the design
  bool tabbed = false;  ///< one column; then `tab_bar` chooses the panel
  bool lies = false;    ///< as a phone on its side: the panel stands beside the timeline
  Rect window;
  Rect title, controls, actions;  ///< the top bar: name, what is simulated, share and theme; narrow: controls below
  Rect tab_bar;
  std::array<Rect, 5> counters;
  Rect roofline, memory, matrix, code, softmax;
  Rect timeline;

  /// All of the place that the panels share, from under the bars to the margins.
  Rect panels() const;
};

/// The scale of the drawing: dpr * clamp(min(width / design, height / design), 0.75, 1.25), with `width` and `height`
/// of the window in device pixels divided by `dpr`, the device pixels per CSS pixel.
float ui_scale(float width, float height, float dpr);

/// Whether a window of a width in device pixels is as narrow as a phone's, at a scale of ui_scale(): then fingers press
/// its controls, and they are higher.
constexpr bool is_for_fingers(float width, float scale) { return width < 640 * scale; }

/// The smallest windows, in CSS pixels: as of a phone that stands, and of one that lies.
inline constexpr float least_width = 320, least_height = 480, least_lying_width = 640, least_lying_height = 320;

/// A window in device pixels, and the device pixels per CSS pixel.
struct WindowSize {
  float width, height, dpr;
};
/// The size to lay out: a smaller window than the smallest shows all of it smaller, by half at most, and then a part.
WindowSize size_to_lay_out(WindowSize window);

/// The layout of a window of `width` x `height` device pixels. `tab` is the panel shown where they take turns. Throws
/// sim::Error below the smallest sizes.
Layout make_layout(float width, float height, float dpr, Tab tab = Tab::matrix);

/// While a lesson is read: its panel is docked at the left, and the stage beside it has all else. Windows that are too
/// narrow for both have it below one picture.
struct LessonLayout {
  Rect panel;                      ///< empty without a lesson
  Layout stage;                    ///< `window` is what the panel leaves
  std::vector<Rect> covered = {};  ///< of the stage: they would say what a question asks for
  bool presented = false;          ///< of make_presenter_layout()
  bool races = false;              ///< the stage shows whole runs on one clock
  Rect full = {};                  ///< of one view in place of all panels of the stage; empty for none
  bool sheet = false;              ///< the panel lies below the picture, and can be drawn up over it
};

/// A window to present in is at least so large, in CSS pixels.
inline constexpr float least_presenter_width = 1280, least_presenter_height = 720;
/// Of a step that is presented: the smallest text but for scripts has 28 CSS pixels, more from 1920 x 1080 on.
float presenter_scale(float width, float height, float dpr);
/// The text at the left, one picture at the right, `controls` above it where the learners change something, and nothing
/// else.
LessonLayout make_presenter_layout(float width, float height, float dpr, Tab tab, bool controls);

/// The same for a window with a lesson. `tab` is the panel beside the matrix, or the one that is shown where they take
/// turns; a sheet that is drawn up leaves no room for it.
LessonLayout make_lesson_layout(float width, float height, float dpr, Tab tab, bool drawn_up = false);

}  // namespace ui
