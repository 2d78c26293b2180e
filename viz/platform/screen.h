// A Dear ImGui context with one window that fills it: what the native window, the browser, the pictures and the tests
// share.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "viz/platform/input_queue.h"
#include "viz/platform/picture.h"
#include "viz/ui/fonts.h"
#include "viz/ui/hit.h"
#include "viz/ui/theme.h"

struct ImGuiContext;

namespace platform {

using Draw = std::function<void(ui::Ui&)>;

/// Draws frames. Nothing is shared between two screens but ImGui's notion of the current context, which frame() sets.
class Screen {
 public:
  /// `width` x `height` device pixels, text at `scale` device pixels per CSS pixel. Throws sim::Error as make_fonts().
  Screen(int width, int height, float scale);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Another size; a new scale draws new fonts. Between frames.
  void resize(int width, int height, float scale);
  /// The same size with another scale.
  void rescale(float scale);
  /// Takes the fonts anew, after ui::add_chinese(). Between frames.
  void renew_fonts();
  /// One frame, `seconds` after the last: hands over input, clears the probes and calls draw. What draw throws comes
  /// through, and the next frame is sound.
  void frame(const ui::Theme& theme, const Draw& draw, float seconds = 1.f / 60);
  /// Makes ImGui's functions work on this screen.
  void make_current() const;
  /// The triangles of the last frame, valid until the next.
  const ImDrawData& drawn() const;
  /// What its shapes stand on: the window's colour.
  ui::Color background() const { return background_; }
  /// The last frame as pixels, by the software rasteriser.
  Picture picture() const;

  InputQueue input;
  ui::UiState state;
  std::optional<std::vector<ui::DrawnText>> texts;  ///< those of the last frame, where a test asks for them

 private:
  void draw_window(const ui::Theme& theme, const Draw& draw);
  std::shared_ptr<const ui::Fonts> fonts_;
  ImGuiContext* context_;
  ui::Color background_;
};

}  // namespace platform
