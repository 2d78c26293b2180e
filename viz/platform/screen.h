// A Dear ImGui context with one window that fills it, for the native window, the browser, pictures and tests.
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

/// Draws frames. Two screens share nothing except ImGui's current context, which frame() sets.
class Screen {
 public:
  /// `width` x `height` device pixels, `scale` device pixels per CSS pixel. Throws sim::Error like make_fonts().
  Screen(int width, int height, float scale);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Sets another size; a new scale rebuilds the fonts. Call between frames.
  void resize(int width, int height, float scale);
  /// Sets another scale, keeping the size.
  void rescale(float scale);
  /// Rebuilds the fonts, after ui::add_chinese(). Call between frames.
  void renew_fonts();
  /// Draws one frame, `seconds` after the last: delivers input, clears the probes and calls draw. Exceptions of draw
  /// propagate, and the next frame is sound.
  void frame(const ui::Theme& theme, const Draw& draw, float seconds = 1.f / 60);
  /// Directs ImGui's functions at this screen.
  void make_current() const;
  /// The triangles of the last frame, valid until the next.
  const ImDrawData& drawn() const;
  /// Background of its shapes: the window's colour.
  ui::Color background() const { return background_; }
  /// The last frame as pixels, by the software rasteriser.
  Picture picture() const;

  InputQueue input;
  ui::UiState state;
  std::optional<std::vector<ui::DrawnText>> texts;  ///< texts of the last frame, if a test requests them

 private:
  void draw_window(const ui::Theme& theme, const Draw& draw);
  std::shared_ptr<const ui::Fonts> fonts_;
  ImGuiContext* context_;
  ui::Color background_;
};

}  // namespace platform
