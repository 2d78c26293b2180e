// The explorer in a native window, from its opening to its end.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "sim/base/check.h"
#include "viz/explorer/explorer.h"
#include "viz/platform/gl_painter.h"
#include "viz/platform/input_queue.h"

struct GLFWwindow;

namespace explorer {

// Desktop window with OpenGL 3.3, by GLFW. User input goes to an InputQueue.

/// Thrown if this machine has no display, or no OpenGL 3.3.
struct NoDisplay : sim::Error {
  using sim::Error::Error;
};

class Window {
 public:
  /// Opens a window of `width` x `height` CSS pixels, with `dpr` device pixels each; 0: as configured on the desktop.
  /// Throws NoDisplay.
  Window(int width, int height, float dpr, platform::InputQueue& input);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Size in device pixels; zero while the window is minimised.
  int width() const;
  int height() const;
  bool hidden() const { return width() == 0 || height() == 0; }
  /// Device pixels per CSS pixel: as its user asked for, else as configured on the desktop.
  float scale() const;
  /// What its user asked for, by Ctrl with +, - and 0 too; 0: nothing.
  float asked_scale() const { return dpr_; }

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
  /// Takes the next larger or smaller scale; 0: that of the desktop.
  void change_scale(int direction);
  GLFWwindow* handle_ = nullptr;
  float dpr_ = 0;
  platform::InputQueue& input_;
  bool stirred_ = true;
};

/// Seconds since an arbitrary start, for the time between frames.
double seconds_now();

class WindowSession {
 public:
  /// Shows `shown`, which must outlive it, in a window of `width` x `height` CSS pixels. `dpr`: device pixels per CSS
  /// pixel; 0: as configured on the desktop. Throws NoDisplay.
  WindowSession(Explorer& shown, int width, int height, float dpr = 0);

  /// Runs until the window is closed, or for `rounds` iterations. Sleeps while nothing moves and there is no input.
  void run();
  void run(std::int64_t rounds);
  /// Number of frames drawn.
  std::int64_t drawn() const { return drawn_; }

  /// Device pixels per CSS pixel that the user asked for; 0: nothing.
  float asked_scale() const { return window_.asked_scale(); }

  /// Redraws the last frame and returns it as drawn by OpenGL and by the software rasteriser: for tests.
  std::pair<platform::Picture, platform::Picture> both_pictures();

 private:
  void round(double longest_sleep);
  ui::WindowSize size_to_draw() const;
  std::string picture_bytes();
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

/// Writes a new file in the working directory, never over another: "name.csv", or "name-2.csv" and so on. Returns its
/// name. Throws sim::Error with the name and the system's reason, leaving no partial file.
std::string save_new(const std::string& name, std::string_view bytes);

/// Keeps the scale that a user asked for in a folder for the next start; 0: none. Does nothing if the folder cannot be
/// written.
void keep_scale(float scale, const std::filesystem::path& folder);
/// The scale that was kept in a folder; 0 if there is none.
float kept_scale(const std::filesystem::path& folder);

/// Keeps the link of the explorer, or of what is behind its first view, in a folder for the next start. Does nothing if
/// the folder cannot be written.
void keep_last_link(const Model& model, const std::filesystem::path& folder);
/// The link that was kept in a folder; empty if there is none.
std::string last_link(const std::filesystem::path& folder);

}  // namespace explorer
