#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "viz/terminal/comparison.h"
#include "viz/terminal/numbers.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

constexpr double left = 130, width = 560, bar_height = 34, gap = 22, top = 78;

/// Colour always means a tensor; statistics share one.
std::string class_of(sim::Tensor tensor) {
  if (tensor == sim::Tensor::S_masked) return "S";
  return sim::is_statistic(tensor) ? "stat" : std::string(sim::name_of(tensor));
}

std::string style() {
  return R"(<style>
text{font:14px Inter,'DejaVu Sans',sans-serif;fill:#151A21}.title{font-size:15px;font-weight:600}.muted{fill:#56616F;font-size:12px}
.in{font-size:12px;font-weight:600}.window{fill:#F3F5F8}.track{fill:#E6EAF0}
.Q{fill:#0952CC}.K{fill:#CE7200}.V{fill:#16B489}.S{fill:#FFCD00}.P{fill:#9F2508}.O{fill:#A987B5}.stat{fill:#56616F}
.on-Q,.on-P,.on-stat{fill:#FFFFFF}.on-K,.on-V,.on-S,.on-O{fill:#151A21}
@media(prefers-color-scheme:dark){text{fill:#E8ECF2}.muted{fill:#9AA6B5}.window{fill:#0D1015}.track{fill:#222934}
.Q{fill:#47C1F0}.K{fill:#E7A901}.V{fill:#10976E}.S{fill:#FFFF8D}.P{fill:#DB451F}.O{fill:#B36B99}.stat{fill:#9AA6B5}
.on-Q,.on-K,.on-S,.on-stat,.on-O{fill:#0D1015}.on-V,.on-P{fill:#FFFFFF}}
</style>
)";
}

constexpr std::array<const char*, 7> colours = {"Q", "K", "V", "S", "P", "O", "stat"};

/// Bytes by colour in a fixed order, so that bars compare segment by segment.
std::vector<std::pair<std::string, std::int64_t>> segments_of(const sim::Simulation& s) {
  std::vector<std::pair<std::string, std::int64_t>> segments;
  for (const char* name : colours) segments.emplace_back(name, 0);
  for (const auto& [tensor, traffic] : s.totals.by_tensor) {
    for (auto& [name, sum] : segments) {
      if (name == class_of(tensor)) sum += traffic.total().count();
    }
  }
  return segments;
}

std::string bar(const sim::Simulation& s, double y, double bytes_per_pixel) {
  std::string out = fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left - 12, y + 22,
                                s.plan.scenario.algorithm);
  out += fmt::format("<rect class=\"track\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\"/>\n", left, y, width,
                     bar_height);
  double x = left;
  for (const auto& [name, n] : segments_of(s)) {
    const double w = static_cast<double>(n) / bytes_per_pixel;
    if (n == 0) continue;
    out += fmt::format(
        "<rect class=\"{0}\" x=\"{1:.2f}\" y=\"{2}\" width=\"{3:.2f}\" height=\"{4}\"><title>{0}: {5} "
        "B</title></rect>\n",
        name, x, y, w, bar_height, thousands(n));
    if (w > 18 && name != "stat") {
      out += fmt::format("<text class=\"in on-{0}\" x=\"{1:.2f}\" y=\"{2}\" text-anchor=\"middle\">{0}</text>\n", name,
                         x + w / 2, y + 21);
    }
    x += w;
  }
  out += fmt::format("<text class=\"muted\" x=\"{}\" y=\"{}\">{}</text>\n", left + width + 12, y + 22,
                     bytes(s.totals.total.total().count()));
  return out;
}

/// Small segments carry no letter, so every colour is named once below the bars.
std::string legend(double y) {
  std::string out;
  double x = left;
  for (const std::string name : colours) {
    out += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" rx=\"3\"/>\n", name, x, y);
    out += fmt::format("<text class=\"muted\" x=\"{}\" y=\"{}\">{}</text>\n", x + 18, y + 11,
                       name == "stat" ? "statistics m, l, L" : name);
    x += 52;
  }
  return out;
}

}  // namespace

std::string comparison_svg(const std::vector<sim::Simulation>& runs) {
  std::int64_t most = 1;
  for (const sim::Simulation& s : runs) most = std::max(most, s.totals.total.total().count());
  const double height = top + static_cast<double>(runs.size()) * (bar_height + gap) + 40;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"{0}\" viewBox=\"0 0 800 {0}\">\n", height);
  out += style() + fmt::format("<rect class=\"window\" width=\"800\" height=\"{}\"/>\n", height);
  out += "<text class=\"title\" x=\"24\" y=\"32\">Where the bytes go: tile traffic by tensor</text>\n";
  out += fmt::format(
      "<text class=\"muted\" x=\"24\" y=\"54\">{}, on {}. Bytes that cross the SRAM "
      "boundary.</text>\n",
      shape_text(runs.front().plan.scenario), runs.front().plan.scenario.gpu->name);
  double y = top;
  for (const sim::Simulation& s : runs) {
    out += bar(s, y, static_cast<double>(most) / width);
    y += bar_height + gap;
  }
  return out + legend(y + 2) + "</svg>\n";
}

}  // namespace terminal
