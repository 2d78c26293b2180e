// The paper of the window: charts on a canvas, in its theme.
#pragma once
#include "viz/draw/paper.h"
#include "viz/ui/canvas.h"

namespace ui {

/// A canvas shows no tips: panels draw the tip of the mark under the pointer.
class CanvasPaper final : public draw::Paper {
 public:
  /// Texts are cut at the right end of `bounds`.
  CanvasPaper(Canvas& canvas, Rect bounds) : canvas_(canvas), right_(bounds.right()) {}
  float scale() const override { return canvas_.fonts().scale; }
  void fill(Rect rect, draw::Tone tone, std::string_view tip) override;
  void line(std::span<const Point> points, const draw::Stroke& stroke) override;
  void mark(Point center, draw::Shape shape, float radius, draw::Tone tone, std::string_view tip) override;
  float text_width(draw::Letters letters, std::string_view text) const override;
  void text(Point at, draw::Letters letters, draw::Tone tone, std::string_view text, float align) override;

 private:
  Color color(const draw::Tone& tone) const;
  Canvas& canvas_;
  float right_;
};

}  // namespace ui
