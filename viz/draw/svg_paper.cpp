#include "viz/draw/svg_paper.h"

#include <fmt/format.h>

#include <array>

#include "sim/base/printable.h"

namespace draw {
namespace {

constexpr const char* style =
    R"(svg{color:#151A21}text{font:12px Inter,'DejaVu Sans',sans-serif;fill:currentColor}rect{fill:currentColor}
.title{font-size:15px;font-weight:600}.label{font-weight:600}.name{font-size:14px}.small{font-size:11px}
.line{fill:none;stroke:currentColor}.dot,.cross{fill:currentColor;stroke:#F3F5F8;stroke-width:.7}
.ring{fill:#F3F5F8;stroke:currentColor;stroke-width:1.6}.cross{stroke:currentColor;stroke-width:1.4;fill:none}
.dash1{stroke-dasharray:7 4}.dash2{stroke-dasharray:2 3}.dash3{stroke-dasharray:8 3 2 3}.dash4{stroke-dasharray:14 4}.dash5{stroke-dasharray:1 4}
.muted,.stat{color:#56616F}.faint,.mask{color:#8A94A3}.grid,.track{color:#E6EAF0}.window{color:#F3F5F8}.lighter{fill-opacity:.55}
.Q{color:#0952CC}.K{color:#CE7200}.V{color:#16B489}.S{color:#FFCD00}.P{color:#9F2508}.O{color:#A987B5}
.on-Q,.on-P,.on-stat{color:#FFFFFF}.on-K,.on-V,.on-S,.on-O,.on-mask,.on-lighter{color:#151A21}
@media(prefers-color-scheme:dark){svg{color:#E8ECF2}.dot{stroke:#0D1015}.ring{fill:#0D1015}
.muted,.stat{color:#9AA6B5}.faint,.mask{color:#6B7686}.grid,.track{color:#222934}.window{color:#0D1015}
.Q{color:#47C1F0}.K{color:#E7A901}.V{color:#10976E}.S{color:#FFFF8D}.P{color:#DB451F}.O{color:#B36B99}
.on-Q,.on-K,.on-S,.on-stat,.on-O{color:#0D1015}.on-V,.on-P,.on-mask,.on-lighter{color:#FFFFFF}}
)";

/// Classes of a tone after another class: "", " muted", " Q lighter", " on-Q".
std::string class_of(const Tone& tone) {
  constexpr std::array<const char*, 6> kinds = {"", " muted", " faint", "", " grid", " track"};
  if (tone.kind != Tone::part) return kinds.at(tone.kind);
  if (tone.under_text) return fmt::format(" on-{}", tone.lighter ? "lighter" : tone.of);
  return fmt::format(" {}{}", tone.of, tone.lighter ? " lighter" : "");
}

std::string class_of(Letters letters, const Tone& tone) {
  constexpr std::array<const char*, 4> kinds = {"", "label", "name", "small"};
  const std::string all = kinds.at(static_cast<std::size_t>(letters)) + class_of(tone);
  return all.empty() ? all : fmt::format(" class=\"{}\"", all[0] == ' ' ? all.substr(1) : all);
}

/// End of an element, with what a pointer over it tells.
std::string end_of(std::string_view element, std::string_view tip) {
  return tip.empty() ? "/>\n" : fmt::format("><title>{}</title></{}>\n", xml(tip), element);
}

/// Outline of a mark that is no circle, from its centre.
std::string outline_of(Shape shape, float r) {
  if (shape == Shape::cross) return fmt::format("m{0:.1f} 0h{1:.1f}m{0:.1f} {0:.1f}v{1:.1f}", -r, 2 * r);
  if (shape == Shape::square) return fmt::format("m{0:.1f} {0:.1f}h{1:.1f}v{1:.1f}h-{1:.1f}z", -r, 2 * r);
  if (shape == Shape::triangle) return fmt::format("m0 {0:.1f}l{1:.1f} {2:.1f}h{3:.1f}z", -r, r, 1.8f * r, -2 * r);
  return fmt::format("m0 {1:.1f}l{0:.1f} {0:.1f}l{1:.1f} {0:.1f}l{1:.1f} {1:.1f}z", r, -r);
}

/// The subtitle on at most two lines; scenarios are never longer.
std::string lines_of(const std::string& subtitle) {
  constexpr std::size_t most = 118;
  const std::size_t cut = subtitle.size() <= most ? std::string::npos : subtitle.rfind(", ", most);
  if (cut == std::string::npos) return fmt::format("<text class=\"muted\" x=\"24\" y=\"54\">{}</text>\n", subtitle);
  return fmt::format(
      "<text class=\"muted\" x=\"24\" y=\"50\">{},</text>\n<text class=\"muted\" x=\"24\" y=\"67\">{}</text>\n",
      subtitle.substr(0, cut), subtitle.substr(cut + 2));
}

}  // namespace

std::string xml(std::string_view text) {
  std::string result;
  for (const char c : sim::printable(std::string(text)))
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return result;
}

SvgPaper::SvgPaper(const std::string& title, const std::string& subtitle, float height)
    : out_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"800\" height=\"{0}\" viewBox=\"0 0 800 "
          "{0}\">\n"
          "<title>{1}</title><desc>{2}</desc>\n<style>\n{3}</style>\n"
          "<rect class=\"window\" width=\"800\" height=\"{0}\"/>\n<text class=\"title\" x=\"24\" y=\"32\">{1}</text>\n",
          height, xml(title), xml(subtitle), style)) {
  out_ += lines_of(xml(subtitle));
}

void SvgPaper::fill(Rect r, Tone tone, std::string_view tip) {
  out_ += fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\"{}",
                      class_of(tone).substr(1), r.x, r.y, r.width, r.height, end_of("rect", tip));
}

void SvgPaper::line(std::span<const Point> points, const Stroke& stroke) {
  std::string path;
  for (const Point p : points) path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", p.x, p.y);
  const std::string dash = stroke.dash == Dash::none ? "" : fmt::format(" dash{}", static_cast<int>(stroke.dash));
  const std::string width = stroke.width == 1 ? "" : fmt::format(" stroke-width=\"{}\"", stroke.width);
  out_ += fmt::format("<path class=\"line{}{}\"{} d=\"{}\"/>\n", class_of(stroke.tone), dash, width, path);
}

void SvgPaper::mark(Point c, Shape shape, float radius, Tone tone, std::string_view tip) {
  if (shape == Shape::none) return;
  const char* look = shape == Shape::ring ? "ring" : shape == Shape::cross ? "cross" : "dot";
  if (shape == Shape::disc || shape == Shape::ring)
    out_ += fmt::format("<circle class=\"{}{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"{}", look, class_of(tone), c.x, c.y,
                        radius, end_of("circle", tip));
  else
    out_ += fmt::format("<path class=\"{}{}\" d=\"M{:.1f} {:.1f}{}\"{}", look, class_of(tone), c.x, c.y,
                        outline_of(shape, radius), end_of("path", tip));
}

float SvgPaper::text_width(Letters letters, std::string_view text) const {
  constexpr std::array<float, 4> wide = {7.4f, 8.3f, 8.6f, 6.8f};  // pixels a letter, enough for every font of the page
  return wide.at(static_cast<std::size_t>(letters)) * static_cast<float>(text.size());
}

void SvgPaper::text(Point at, Letters letters, Tone tone, std::string_view text, float align) {
  out_ += fmt::format("<text{} text-anchor=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", class_of(letters, tone),
                      align == 0   ? "start"
                      : align == 1 ? "end"
                                   : "middle",
                      at.x, at.y + 4, xml(text));
}

}  // namespace draw
