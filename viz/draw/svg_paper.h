// A paper that is a stand-alone SVG page, 800 wide, which follows the reader's light or dark theme.
#pragma once
#include <string>

#include "viz/draw/paper.h"

namespace draw {

/// Escapes text for an element or an attribute in double quotes: a device's title may contain any character.
std::string xml(std::string_view text);

class SvgPaper final : public Paper {
 public:
  static constexpr float left = 24, right = 776;  ///< what the page keeps free at its sides

  /// A page with title and subtitle (plain text, on two lines if it is too long) up to y = 70.
  SvgPaper(const std::string& title, const std::string& subtitle, float height);
  float scale() const override { return 1; }
  void fill(Rect rect, Tone tone, std::string_view tip) override;
  void line(std::span<const Point> points, const Stroke& stroke) override;
  void mark(Point center, Shape shape, float radius, Tone tone, std::string_view tip) override;
  float text_width(Letters letters, std::string_view text) const override;
  void text(Point at, Letters letters, Tone tone, std::string_view text, float align) override;
  /// The page, whole.
  std::string page() const { return out_ + "</svg>\n"; }

 private:
  std::string out_;
};

}  // namespace draw
