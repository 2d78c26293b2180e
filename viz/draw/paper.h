// What charts draw on: shapes and texts in pixels, coloured by what they mean. The terminal writes SVG
// (draw::SvgPaper); nothing here needs Dear ImGui, so that the window can draw the same charts on a canvas.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "viz/draw/rect.h"

namespace draw {

/// Meaning of a colour: an SVG has CSS classes that follow the reader's theme.
struct Tone {
  enum Kind : std::uint8_t { text, muted, faint, strong, grid, track, part } kind = text;
  std::string_view of = {};  ///< of a part: a tensor, "stat" or "mask"
  bool lighter = false;      ///< a gradient, of a part
  bool under_text = false;   ///< the tone of text on the part
  constexpr Tone(Kind k = text) : kind(k) {}
  constexpr Tone(std::string_view tensor, bool pale, bool writes = false)
      : kind(part), of(tensor), lighter(pale), under_text(writes) {}
};

enum class Letters : std::uint8_t { caption, label, name, small };  ///< a label is bold, a name larger
enum class Dash : std::uint8_t { none, dashed, dotted, dash_dotted, long_dashed, formula };
enum class Shape : std::uint8_t { none, disc, ring, square, diamond, cross, triangle };

struct Stroke {
  Tone tone;
  float width = 1;  ///< CSS pixels
  Dash dash = Dash::none;
};

/// Positions are in pixels of the paper; widths and sizes of marks in CSS pixels.
class Paper {
 public:
  virtual ~Paper() = default;
  virtual float scale() const = 0;  ///< pixels per CSS pixel
  float px(float css) const { return css * scale(); }
  virtual void fill(Rect rect, Tone tone, std::string_view tip = {}) = 0;
  virtual void line(std::span<const Point> points, const Stroke& stroke) = 0;
  /// A mark of a radius; `tip` is what a pointer over it tells, where the paper can.
  virtual void mark(Point center, Shape shape, float radius, Tone tone, std::string_view tip = {}) = 0;
  virtual float text_width(Letters letters, std::string_view text) const = 0;
  /// One line from `at` to the right (align 0), around it (0.5) or to its left (1); `at` is in the middle of its
  /// height.
  virtual void text(Point at, Letters letters, Tone tone, std::string_view text, float align = 0) = 0;
};

}  // namespace draw
