// The explorer as a whole: the model and the window that shows it. The native window, the browser, `screenshot` and
// the tests put it on a platform::Screen; this class knows none of them.
#pragma once
#include "viz/model/view_model.h"
#include "viz/ui/hit.h"
#include "viz/ui/layout.h"

namespace explorer {

class Explorer {
 public:
  /// Opens on a card that is full, until a link says otherwise.
  explicit Explorer(sim::GpuLookup gpu) : model(std::move(gpu), sim::filled_card()) {}

  ViewModel model;

  /// Before each frame: `seconds` pass for what plays, and long computations go on by one slice. False when nothing
  /// moves: then the next frame looks like this one until there is input.
  bool update(double seconds);
  /// Draws one frame of a window of `width` x `height` device pixels with `dpr` of them per CSS pixel.
  void draw(ui::Ui& ui, float width, float height, float dpr);
  /// What is going on, in sentences on one line: for those who cannot see the picture.
  std::string description() const;
  /// Device pixels per CSS pixel of a window's text, for platform::Screen::resize() before the frame.
  float scale(float width, float height, float dpr) const;
  ui::Theme theme() const { return model.look.theme == Theme::dark ? ui::dark_theme() : ui::light_theme(); }
};

}  // namespace explorer
