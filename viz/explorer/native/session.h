// The explorer in a native window, from its opening to its end.
#pragma once
#include <cstdint>

#include "viz/explorer/explorer.h"
#include "viz/explorer/native/window.h"
#include "viz/platform/gl_painter.h"

namespace explorer {

class WindowSession {
 public:
  /// Shows `shown`, which must outlive it, in a window of `width` x `height` CSS pixels. Throws NoDisplay.
  WindowSession(Explorer& shown, int width, int height);

  /// Runs until the window is closed, or for `rounds` iterations. Sleeps while nothing moves and there is no input.
  void run();
  void run(std::int64_t rounds);
  /// Number of frames drawn.
  std::int64_t drawn() const { return drawn_; }

  /// Redraws the last frame and returns it as drawn by OpenGL and by the software rasteriser: for tests.
  std::pair<platform::Picture, platform::Picture> both_pictures();

 private:
  void round(double longest_sleep);
  void draw();
  void fulfil(Request request);
  Explorer& explorer_;
  platform::Screen screen_;
  Window window_;
  platform::GlPainter painter_;
  std::string title_;
  double last_ = 0;  ///< time of the last update, in seconds
  int due_ = 0;      ///< frames to draw before it sleeps
  std::int64_t drawn_ = 0;
};

}  // namespace explorer
