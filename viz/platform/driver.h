// Simulates the user in tests: finds widgets by name and clicks them through the queue that real input takes.
#pragma once
#include <filesystem>
#include <string_view>
#include <utility>

#include "viz/platform/screen.h"

namespace platform {

class Driver {
 public:
  /// Draws the first frame. `draw` is called in every frame.
  Driver(int width, int height, float first_scale, ui::Theme first_theme, Draw draw);

  /// Draws frames until all input is delivered, and one more that shows the result.
  void settle();
  void frame();

  /// A widget's rectangle in the last frame. Throws sim::Error, listing the existing names, if it was not drawn.
  ui::Rect rect(std::string_view name) const;
  bool shows(std::string_view name) const { return screen.state.probes.contains(name); }

  /// Presses and releases at `at` 0..1 of the widget's width, in the middle of its height; then settles.
  void click(std::string_view name, float at = 0.5f);
  /// Like click(), with a finger.
  void tap(std::string_view name, float at = 0.5f);
  /// Puts two fingers around the middle of a widget and moves them in a few steps: their distance grows `spread` times,
  /// and both shift by `across`, `down` device pixels.
  void pinch(std::string_view name, float spread, float across = 0, float down = 0);
  /// Presses a finger at `at` of a widget's width, moves it vertically by `down` device pixels and lifts it.
  void swipe(std::string_view name, float down, float at = 0.5f);
  /// Presses at `from`, moves to `to` and releases.
  void drag(std::string_view name, float from, float to);
  void hover(std::string_view name, float at = 0.5f);
  void wheel(std::string_view name, float lines);
  void key(ImGuiKey key, bool ctrl = false, bool shift = false);
  void type(std::string_view text);

  Picture picture() const { return screen.picture(); }
  /// Writes the last frame as PNG.
  void screenshot(const std::filesystem::path& path) const;

  Screen screen;
  ui::Theme theme;
  float scale;  ///< scale of the next frame

 private:
  Draw draw_;
};

}  // namespace platform
