// Draws a screen with OpenGL: 3.3 in the native window, ES 3.0 (WebGL 2) in the browser. Dear ImGui's own backend does
// the work. There must be a current OpenGL context as long as a painter lives.
#pragma once
#include "viz/platform/screen.h"

namespace platform {

class GlPainter {
 public:
  /// Throws sim::Error when the functions of OpenGL are not found.
  explicit GlPainter(const Screen& screen);
  ~GlPainter();
  GlPainter(const GlPainter&) = delete;
  GlPainter& operator=(const GlPainter&) = delete;

  /// Before each frame of the screen: hands new fonts to the graphics card, where resize() made some.
  void prepare();
  /// The last frame of the screen, on the whole framebuffer.
  void paint() const;
  /// What was painted, before the buffers are swapped: for tests.
  Picture read_back() const;

 private:
  const Screen& screen_;
};

}  // namespace platform
