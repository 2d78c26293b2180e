#include "viz/terminal/svg_page.h"

#include <fmt/format.h>

#include "sim/base/printable.h"

namespace terminal {
namespace {

std::string style() {
  return R"(text{font:14px Inter,'DejaVu Sans',sans-serif;fill:#151A21}.title{font-size:15px;font-weight:600}.muted{fill:#56616F;font-size:12px}
.small{font-size:11px}.in{font-size:12px;font-weight:600}.window{fill:#F3F5F8}.track{fill:#E6EAF0}.lighter{fill-opacity:.55}
.Q{fill:#0952CC}.K{fill:#CE7200}.V{fill:#16B489}.S{fill:#FFCD00}.P{fill:#9F2508}.O{fill:#A987B5}.stat{fill:#56616F}.mask{fill:#8A94A3}
.on-Q,.on-P,.on-stat{fill:#FFFFFF}.on-K,.on-V,.on-S,.on-O,.on-mask,.on-lighter{fill:#151A21}
@media(prefers-color-scheme:dark){text{fill:#E8ECF2}.muted{fill:#9AA6B5}.window{fill:#0D1015}.track{fill:#222934}
.Q{fill:#47C1F0}.K{fill:#E7A901}.V{fill:#10976E}.S{fill:#FFFF8D}.P{fill:#DB451F}.O{fill:#B36B99}.stat{fill:#9AA6B5}.mask{fill:#6B7686}
.on-Q,.on-K,.on-S,.on-stat,.on-O{fill:#0D1015}.on-V,.on-P,.on-mask,.on-lighter{fill:#FFFFFF}}
)";
}

/// Breaks the subtitle into at most two lines; scenarios are never longer.
std::string lines_of(const std::string& subtitle) {
  constexpr std::size_t most = 118;
  const std::size_t cut = subtitle.size() <= most ? std::string::npos : subtitle.rfind(", ", most);
  if (cut == std::string::npos) return fmt::format("<text class=\"muted\" x=\"24\" y=\"54\">{}</text>\n", subtitle);
  return fmt::format(
      "<text class=\"muted\" x=\"24\" y=\"50\">{},</text>\n<text class=\"muted\" x=\"24\" y=\"67\">{}</text>\n",
      subtitle.substr(0, cut), subtitle.substr(cut + 2));
}

}  // namespace

std::string xml(const std::string& text) {
  std::string result;
  for (const char c : sim::printable(text)) {
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  }
  return result;
}

std::string svg_page(const std::string& title, const std::string& subtitle, double height,
                     const std::string& more_style) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"800\" height=\"{0}\" viewBox=\"0 0 800 {0}\">\n"
      "<title>{1}</title><desc>{2}</desc>\n",
      height, xml(title), xml(subtitle));
  out += "<style>\n" + style() + more_style + "</style>\n";
  out += fmt::format("<rect class=\"window\" width=\"800\" height=\"{}\"/>\n", height);
  out += fmt::format("<text class=\"title\" x=\"24\" y=\"32\">{}</text>\n", xml(title));
  return out + lines_of(xml(subtitle));
}

}  // namespace terminal
