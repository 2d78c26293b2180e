#include "viz/panels/engineer/engineer.h"

#include "viz/panels/panels.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/scenario/star.h"
#include "viz/panels/timeline/timeline.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float gap = 12, scroll_bar = 12, beside_from = 900, least_middle = 176;  // CSS pixels
constexpr float least_timeline = 236, most_timeline = 330;                         // side by side
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
void choose_kernel(View& view, ui::Space& line) {
  const auto& kernels = view.subject().simulation().kernels;
  if (kernels.size() < 2 || view.index != 0) return;
  std::vector<std::string_view> kernel_names;
  for (const sim::KernelMeters& kernel : kernels) kernel_names.emplace_back(kernel.name);
  const std::string_view label = view.say("Kernel");
  const Rect place = line.left(ui::drop_down_width(view.canvas(), label, kernel_names), view.px(gap));
  const int now = static_cast<int>(view.subject().replay->kernel);
  const int next = ui::drop_down(view.ui, view.id("engineer/kernel"), place, label, kernel_names, now);
  if (next == now) return;
  view.edit(LookAt{static_cast<std::size_t>(next), {}});
  view.edit(Seek{});
}

void draw_beside(View& view, Rect body) {
  const auto [budget, measured, middle, timeline] =
      ui::rows(body, view.px(gap),
               {budget_height(view, body.width),
                measured_height(view, body.width),
                ui::share(0.53f),
                {view.px(least_timeline), 0.47f, view.px(most_timeline)}});
  const auto [stalls, occupancy, banks] =  // as wide as their content needs
      ui::columns(middle, view.px(gap), {ui::share(0.305f), ui::share(0.27f), ui::share(0.425f)});
  draw_budget(view, budget);
  draw_measured(view, measured);
  draw_stalls(view, stalls);
  draw_occupancy(view, occupancy);
  draw_banks(view, banks);
  draw_timeline(view, timeline);
}

void draw_stacked(View& view, Rect body) {
  const float width = body.width - view.px(scroll_bar);
  const auto slot = [&](void (*draw)(View&, Rect), float height) {
    return ui::Slot{height, [&view, draw](Rect place) { draw(view, place); }};
  };
  const ui::Slot slots[] = {slot(draw_budget, budget_height(view, width)),
                            slot(draw_measured, measured_height(view, width)),
                            slot(draw_timeline, view.px(timeline_alone + (shows_sums(view) ? sums_alone : 0))),
                            slot(draw_stalls, view.px(stalls_alone)),
                            slot(draw_occupancy, view.px(occupancy_alone)),
                            slot(draw_banks, view.px(banks_alone))};
  ui::scrolling_column(view.ui, view.id("engineer/scroll"), body, view.px(gap), view.px(scroll_bar), slots);
}

}  // namespace

std::string path_of_kernel(const View& view, std::string_view part, std::string_view leaf) {
  const std::size_t k = view.subject().replay->kernel;
  if (part == "kernels") return sim::text("kernels.", k, ".", leaf);
  return sim::text(part, ".kernels.", k, ".", leaf);
}

std::string_view cause_words(const View& view, sim::Cause cause) { return view.say(sim::name_of(cause)); }

void draw_cause(View& view, Rect place, sim::Cause cause, std::string_view bound_by) {
  const ui::Theme& theme = view.theme();
  const bool work = sim::is_work(cause);
  if (bound_by.empty()) bound_by = view.subject().kernel().time.bound_by;
  const bool bound = work && sim::name_of(cause) == bound_by;
  const ui::Color ground = bound                         ? theme.strong
                           : work                        ? theme.muted
                           : cause == sim::Cause::launch ? ui::mix(theme.muted, theme.card, 0.5f)
                                                         : theme.track;
  view.canvas().fill(place, ground, 0);
  draw_hatch(view.canvas(), place, hatch_of(cause), theme.muted);
}

float draw_swatch(View& view, Rect place, sim::Cause cause, std::string_view words) {
  const float side = view.px(11);
  const auto [square, text] = ui::columns(place, view.px(8), {side, ui::rest()});
  const Rect box = ui::middle(square, side);
  draw_cause(view, box, cause);
  view.canvas().stroke(box, view.theme().border, 1);
  return text.x - place.x + view.canvas().text(text, Style::caption, view.theme().text, words);
}

void draw_engineer(View& view, Rect line, Rect body) {
  if (can_compare(view)) return draw_compared(view, line, body);
  ui::Space left(line);
  choose_kernel(view, left);
  if (measured_in_line(view, body.width - view.px(scroll_bar))) draw_measured_field(view, left);
  draw_sentence(view, left.rest());
  const float least = ui::length_of(view.px(gap), {budget_height(view, body.width), measured_height(view, body.width),
                                                   view.px(least_middle), view.px(least_timeline)});
  if (body.width >= view.px(beside_from) && body.height >= least) return draw_beside(view, body);
  draw_stacked(view, body);
}

}  // namespace explorer
