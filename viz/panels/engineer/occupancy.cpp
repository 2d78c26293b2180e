// Occupancy: CTAs of the kernel in view that fit on an SM, by each resource.
#include "sim/machine/occupancy.h"

#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/engineer/engineer.h"
#include "viz/panels/scenario/number.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr std::int64_t most_blocks = 64;
constexpr float limit_row = 46;  // CSS pixels

std::string_view name_of_limit(const View& view, const sim::OccupancyLimit& limit) {
  return limit.key == "smem" ? view.say("shared memory") : resource_name(view, limit.what);
}

/// "96.0 KiB of 256.0 KiB a CTA"; shorter if that does not fit.
std::string amounts(const View& view, const sim::OccupancyLimit& limit, float width) {
  const bool bytes = limit.key == "smem" || limit.key == "registers";
  const auto text = [&](std::int64_t n) { return bytes ? report::kibibytes(n) : report::thousands(n); };
  const std::string all = view.say("{} of {} a CTA", text(limit.cta), text(limit.sm));
  const bool fits = view.canvas().text_width(Style::caption, all) <= width;
  return fits ? all : sim::text(text(limit.cta), " / ", text(limit.sm));
}

/// Draws the blocks of a limit: CTAs on the SM filled, further ones that would fit outlined, a remainder too small for
/// one hatched.
void draw_blocks(View& view, Rect bar, const sim::OccupancyLimit& limit, bool binds) {
  view.canvas().fill(bar, view.theme().track, view.px(2));
  const std::int64_t on_sm = view.subject().kernel().ctas_per_sm, fit = limit.ctas();
  if (limit.cta == 0) return;
  const float each = std::min(bar.width, bar.width * static_cast<float>(limit.cta) / static_cast<float>(limit.sm));
  const ui::Color full = binds ? view.theme().strong : view.theme().muted;
  const auto block = [&](std::int64_t from, std::int64_t to) {
    const float left = std::round(bar.x + static_cast<float>(from) * each);
    const float right = std::min(bar.right(), std::round(bar.x + static_cast<float>(to) * each));
    return Rect{left, bar.y, std::max(1.f, right - left - 1), bar.height};
  };
  if (std::max(on_sm, fit) > most_blocks) return view.canvas().fill(block(0, on_sm), full, view.px(2));
  for (std::int64_t n = 0; n < on_sm; ++n) view.canvas().fill(block(n, n + 1), full, view.px(2));
  for (std::int64_t n = on_sm; n < fit; ++n) view.canvas().stroke(block(n, n + 1), view.theme().border, 1, view.px(2));
  const float end = bar.x + static_cast<float>(fit) * each;
  if (fit > 0 && bar.right() - end > 2)
    draw_hatch(view.canvas(), {end, bar.y, bar.right() - end, bar.height}, Hatch::diagonal, view.theme().faint);
}

void draw_limit(View& view, Rect row, const sim::OccupancyLimit& limit, bool binds) {
  const ui::Color color = binds ? view.theme().text : view.theme().muted;
  const auto [words, bars] = ui::rows(row, 0, {std::min(view.px(18), row.height / 2), view.px(13)});
  const auto [bar, fits] = ui::columns(bars, 0, {ui::rest(), view.px(64)});
  ui::Space line({words.x, words.y, bar.width, words.height});
  ui::left_text(view.canvas(), line, Style::caption, color, name_of_limit(view, limit), view.px(8));
  view.canvas().text(line.rest(), Style::caption, view.theme().muted, amounts(view, limit, line.width()),
                     ui::Align::right);
  draw_blocks(view, bar, limit, binds);
  if (limit.cta == 0) return;
  const std::string path = path_of_kernel(view, "kernels", sim::text("occupancy.", limit.key));
  draw_number_text(view, fits, Style::caption, color, path, view.say("fits {}", report::thousands(limit.ctas())),
                   ui::Align::right);
}

}  // namespace

void draw_occupancy(View& view, Rect rect) {
  ui::mark_place(view.ui, "occupancy", rect);
  ui::mark_place(view.ui, "tile", rect);  // the tiles decide it
  const sim::KernelMeters& kernel = view.subject().kernel();
  const sim::DeviceSpec& gpu = *view.subject().scenario().gpu;
  const auto limits = sim::occupancy_limits(gpu, kernel.needs);
  const std::string_view smallest = sim::occupancy_limit(gpu, kernel.needs);
  const auto binds = std::find_if(limits.begin(), limits.end(), [&](const auto& l) { return l.what == smallest; });
  ui::Space rest(draw_card(view, rect, view.say("Occupancy"), view.say("limited by {}", name_of_limit(view, *binds))));
  ui::Space line(rest.top(view.px(34)));
  const std::string path = path_of_kernel(view, "kernels", "occupancy.ctas_per_sm");
  const std::string count = report::thousands(kernel.ctas_per_sm);
  line.left(draw_number_text(view, line.rest(), Style::number, view.theme().text, path, count), view.px(8));
  const std::int64_t warps = kernel.ctas_per_sm * kernel.needs.threads / 32, most = gpu.threads_per_sm / 32;
  view.canvas().text(line.rest(), Style::caption, view.theme().muted,
                     view.say("CTAs on each SM, {} of {} warps", warps, most));
  const std::vector<Rect> rows = ui::equal_rows(rest.rest(), 0, limits.size(), view.px(limit_row));
  for (std::size_t n = 0; n < rows.size(); ++n) draw_limit(view, rows[n], limits[n], limits[n].what == smallest);
}

}  // namespace explorer
