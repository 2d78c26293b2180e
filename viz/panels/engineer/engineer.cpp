#include "viz/panels/engineer/engineer.h"

#include <algorithm>
#include <cmath>

#include "viz/panels/panels.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/scenario/star.h"
#include "viz/panels/timeline/timeline.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float gap = 12, beside_from = 900, least_beside = 480;                // CSS pixels
constexpr float least_middle = 268, least_timeline = 236, most_timeline = 330;  // side by side
constexpr float stalls_alone = 300, occupancy_alone = 290, banks_alone = 330, timeline_alone = 300,
                sums_alone = 200;  // stacked

void draw_sentence(View& view, Rect line) {
  const sim::KernelMeters& kernel = view.subject().kernel();
  const std::string path = path_of_kernel(view, "time", "microseconds");
  const bool reads_keys =
      view.subject().launch().reads(sim::Tensor::K);  // kernels that combine parts are not estimated
  const std::string_view star = reads_keys ? star_of(view.subject().simulation().plan) : "";
  std::string words = view.say("{}: {} CTAs of {} threads, {} waves, predicted {}", kernel.name, kernel.ctas,
                               kernel.needs.threads, number_text(path_of_kernel(view, "time", "waves"), kernel.waves),
                               sim::text(number_text(path, kernel.time.microseconds), star));
  if (!star.empty()) {
    const std::string all = sim::text(words, "   ", star_words(view));
    words = view.canvas().text_width(Style::body, all) <= line.width ? all : words;
  }
  if (view.canvas().text_width(Style::body, words) > line.width) return;
  draw_number_text(view, line, Style::body, view.theme().text, path, words, ui::Align::right);
}

/// Draws the choice of the kernel in view, if there are several.
void choose_kernel(View& view, Rect& line) {
  const auto& kernels = view.subject().simulation().kernels;
  if (kernels.size() < 2 || view.index != 0) return;
  std::vector<std::string_view> kernel_names;
  for (const sim::KernelMeters& kernel : kernels) kernel_names.emplace_back(kernel.name);
  const std::string_view label = view.say("Kernel");
  const Rect place = cut_left(line, ui::drop_down_width(view.canvas(), label, kernel_names));
  cut_left(line, view.px(gap));
  const int now = static_cast<int>(view.subject().replay->kernel);
  const int next = ui::drop_down(view.ui, view.id("engineer/kernel"), place, label, kernel_names, now);
  if (next == now) return;
  view.edit(LookAt{static_cast<std::size_t>(next), {}});
  view.edit(Seek{});
}

/// Space below the card of a measured time; 0 if there is no card.
float measured_space(const View& view, float width) { return measured_height(view, width) > 0 ? view.px(gap) : 0; }

/// Draws three cards side by side, as wide as their content needs.
void draw_middle(View& view, Rect row) {
  const float free = row.width - 2 * view.px(gap);
  const Rect stalls = cut_left(row, std::floor(0.305f * free));
  cut_left(row, view.px(gap));
  const Rect occupancy = cut_left(row, std::floor(0.27f * free));
  cut_left(row, view.px(gap));
  draw_stalls(view, stalls);
  draw_occupancy(view, occupancy);
  draw_banks(view, row);
}

void draw_beside(View& view, Rect rest) {
  draw_budget(view, cut_top(rest, budget_height(view, rest.width)));
  cut_top(rest, view.px(gap));
  draw_measured(view, cut_top(rest, measured_height(view, rest.width)));
  cut_top(rest, measured_space(view, rest.width));
  const float most = std::max(view.px(least_timeline), rest.height - view.px(gap + least_middle));
  const float timeline =
      std::clamp(0.46f * rest.height, view.px(least_timeline), std::min(most, view.px(most_timeline)));
  const Rect below = cut_bottom(rest, timeline);
  cut_bottom(rest, view.px(gap));
  draw_middle(view, rest);
  draw_timeline(view, below);
}

void draw_stacked(View& view, Rect body) {
  cut_right(body, view.px(12));
  const float budget = budget_height(view, body.width),
              heights[] = {budget,
                           measured_height(view, body.width),
                           view.px(timeline_alone + (shows_sums(view) ? sums_alone : 0)),
                           view.px(stalls_alone),
                           view.px(occupancy_alone),
                           view.px(banks_alone)};
  void (*const draws[])(View&, Rect) = {draw_budget, draw_measured,  draw_timeline,
                                        draw_stalls, draw_occupancy, draw_banks};
  float all = 0;
  for (const float height : heights) all += height > 0 ? height + view.px(gap) : 0;
  Rect whole = body;
  cut_right(body, 0);
  whole.width += view.px(12);
  float& offset = view.ui.state.scrolled[view.id("engineer")];
  offset = ui::begin_scroll(view.ui, view.id("engineer/scroll"), whole, all, offset);
  Rect rest{body.x, body.y - std::round(offset), body.width, all};
  for (std::size_t n = 0; n < std::size(draws); ++n) {
    draws[n](view, cut_top(rest, heights[n]));
    cut_top(rest, heights[n] > 0 ? view.px(gap) : 0);
  }
  ui::end_scroll();
}

}  // namespace

std::string path_of_kernel(const View& view, std::string_view part, std::string_view leaf) {
  const std::size_t k = view.subject().replay->kernel;
  if (part == "kernels") return sim::text("kernels.", k, ".", leaf);
  return sim::text(part, ".kernels.", k, ".", leaf);
}

std::string_view cause_words(const View& view, sim::Cause cause) { return view.say(sim::name_of(cause)); }

void draw_cause(View& view, Rect place, sim::Cause cause) {
  const ui::Theme& theme = view.theme();
  const bool work = sim::is_work(cause);
  const bool bound = work && sim::name_of(cause) == view.subject().kernel().time.bound_by;
  const ui::Color ground = bound                         ? theme.strong
                           : work                        ? theme.muted
                           : cause == sim::Cause::launch ? ui::mix(theme.muted, theme.card, 0.5f)
                                                         : theme.track;
  view.canvas().fill(place, ground, 0);
  draw_hatch(view.canvas(), place, hatch_of(cause), theme.muted);
}

float draw_swatch(View& view, Rect place, sim::Cause cause, std::string_view words) {
  const float side = view.px(11);
  const Rect box{place.x, std::round(place.center().y - side / 2), side, side};
  draw_cause(view, box, cause);
  view.canvas().stroke(box, view.theme().border, 1);
  cut_left(place, side + view.px(8));
  return side + view.px(8) + view.canvas().text(place, Style::caption, view.theme().text, words);
}

void draw_engineer(View& view, Rect line, Rect body) {
  choose_kernel(view, line);
  if (measured_in_line(view, body.width - view.px(12))) cut_measured_field(view, line);
  draw_sentence(view, line);
  const float measured = measured_height(view, body.width) + measured_space(view, body.width);
  if (body.width >= view.px(beside_from) && body.height - measured >= view.px(least_beside))
    return draw_beside(view, body);
  draw_stacked(view, body);
}

}  // namespace explorer
