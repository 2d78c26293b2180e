// Sliders of the wall: each changes both halves.
#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/model/numbers.h"
#include "viz/panels/scenario/field.h"
#include "viz/panels/wall/wall.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr int least_power = 10, most_power = 20;  // of N

/// Draws label, track and value in a line. Returns the step that the user chooses on the track or by the wheel.
int draw_steps(View& view, Rect place, std::string_view option, std::string_view label, const std::string& value,
               int step, int steps) {
  ui::Canvas& canvas = view.canvas();
  ui::Space line(place);
  const Rect number = line.right(std::max(view.px(64), canvas.text_width(Style::control, value) + view.px(8)));
  canvas.text(number, Style::control, view.theme().text, value, ui::Align::right);
  const float wide = canvas.text_width(Style::caption, label) + view.px(12);
  if (wide < line.width() / 2) canvas.text(line.left(wide), Style::caption, view.theme().muted, label);
  const float now = static_cast<float>(step) / static_cast<float>(steps);
  const float next = ui::slider(view.ui, view.id(sim::text("wall/", option)), line.rest(), now);
  return static_cast<int>(std::round(next * static_cast<float>(steps)));
}

void set(View& view, std::string_view option, const std::string& value) {
  if (!is_locked(view, option)) view.edit(SetNumber{std::string(option), value, true});
}

}  // namespace

void draw_length_slider(View& view, ui::Rect line) {
  const std::int64_t keys = view.subject().problem().shape.seqlen_k;
  const int power =
      std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(keys))) - 1, least_power, most_power);
  const int next = draw_steps(view, line, plotted_first, view.say("keys, N"), report::thousands(keys),
                              power - least_power, most_power - least_power);
  if (next != power - least_power) set(view, plotted_first, sim::text(std::int64_t{1} << (next + least_power)));
}

void draw_sram_slider(View& view, ui::Rect line) {
  const std::int64_t now = view.subject().simulation().plan.capacity.smem.count();
  const std::int64_t most = std::max(view.subject().scenario().gpu->smem_bytes_per_cta, 2 * least_sram);
  const auto steps = static_cast<int>((most - least_sram) / sram_step);
  const auto step = static_cast<int>((std::clamp(now, least_sram, most) - least_sram) / sram_step);
  const int next = draw_steps(view, line, "sram", view.say("SRAM a CTA can use"), report::capacity(now), step, steps);
  if (next == step) return;
  set(view, "sram", next == steps ? "" : sim::text(least_sram + next * sram_step));
}

}  // namespace explorer
