// A window of the desktop with OpenGL 3.3, by GLFW. What the user does goes to an InputQueue.
#pragma once
#include <string>

#include "sim/base/check.h"
#include "viz/platform/input_queue.h"

struct GLFWwindow;

namespace explorer {

/// This machine has no display, or no OpenGL 3.3.
struct NoDisplay : sim::Error {
  using sim::Error::Error;
};

class Window {
 public:
  /// `width` x `height` CSS pixels. Throws NoDisplay.
  Window(int width, int height, platform::InputQueue& input);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Device pixels; zero while the window is minimised.
  int width() const;
  int height() const;
  bool hidden() const { return width() == 0 || height() == 0; }
  /// Device pixels per CSS pixel, as the desktop is set.
  float scale() const;

  bool closed() const;
  void close();
  void set_title(const std::string& title);
  void copy(const std::string& text);  ///< to the clipboard
  void show_frame();                   ///< what was painted; waits for the display
  /// Takes what the user did; waits for something to be done for at most `seconds`, which may be
  /// 0 or infinite.
  void take_events(double seconds);
  /// Whether anything happened since it was asked last: input, another size, a part that came to light.
  bool stirred();

 private:
  void listen();
  GLFWwindow* handle_ = nullptr;
  platform::InputQueue& input_;
  bool stirred_ = true;
};

/// Seconds since some moment, for the time between frames.
double seconds_now();

}  // namespace explorer
