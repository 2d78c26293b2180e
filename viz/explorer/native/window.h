// Desktop window with OpenGL 3.3, by GLFW. User input goes to an InputQueue.
#pragma once
#include <string>

#include "sim/base/check.h"
#include "viz/platform/input_queue.h"

struct GLFWwindow;

namespace explorer {

/// Thrown if this machine has no display, or no OpenGL 3.3.
struct NoDisplay : sim::Error {
  using sim::Error::Error;
};

class Window {
 public:
  /// Opens a window of `width` x `height` CSS pixels. Throws NoDisplay.
  Window(int width, int height, platform::InputQueue& input);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Size in device pixels; zero while the window is minimised.
  int width() const;
  int height() const;
  bool hidden() const { return width() == 0 || height() == 0; }
  /// Device pixels per CSS pixel, as configured on the desktop.
  float scale() const;

  bool closed() const;
  void close();
  void set_title(const std::string& title);
  void copy(const std::string& text);  ///< to the clipboard
  void show_frame();                   ///< shows the painted frame; waits for the display
  /// Handles pending input; waits for input for at most `seconds`, which may be 0 or infinite.
  void take_events(double seconds);
  /// True if there was an event since the last call: input, another size, an uncovered part.
  bool stirred();

 private:
  void listen();
  GLFWwindow* handle_ = nullptr;
  platform::InputQueue& input_;
  bool stirred_ = true;
};

/// Seconds since an arbitrary start, for the time between frames.
double seconds_now();

}  // namespace explorer
