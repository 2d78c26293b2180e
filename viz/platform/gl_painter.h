// Draws a screen with OpenGL: 3.3 in the native window, ES 3.0 (WebGL 2) in the browser, through Dear ImGui's own
// backend. An OpenGL context must be current during a painter's lifetime.
#pragma once
#include "viz/platform/screen.h"

namespace platform {

class GlPainter {
 public:
  /// Throws sim::Error if the functions of OpenGL are not found.
  explicit GlPainter(const Screen& screen);
  ~GlPainter();
  GlPainter(const GlPainter&) = delete;
  GlPainter& operator=(const GlPainter&) = delete;

  /// Uploads new fonts to the graphics card if resize() created some. Call before each frame of the screen.
  void prepare();
  /// Paints the last frame of the screen on the whole framebuffer.
  void paint() const;
  /// Reads back the painted pixels, before the buffers are swapped: for tests.
  Picture read_back() const;

 private:
  const Screen& screen_;
};

}  // namespace platform
