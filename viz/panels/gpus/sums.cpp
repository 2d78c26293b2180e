// What takes the time of each owner, and what others have measured.
#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/gpus/gpus.h"
#include "viz/panels/hatch.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/tracks.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float row_high = 40, sum_bar_high = 14, names_wide = 86, times_wide = 84, line_high = 18;  // CSS pixels

void draw_sum(View& view, const OwnerRun& owner, Rect place, double most) {
  const auto [line, below] = ui::rows(place, view.px(1), {view.px(20), view.px(line_high)});
  const auto [name, bar, time] = ui::columns(line, view.px(8), {view.px(names_wide), ui::rest(), view.px(times_wide)});
  ui::fitting_text(view.canvas(), name, Style::caption, view.theme().text, view.say(words_of(owner.parallel).title));
  view.canvas().text(time, Style::control, view.theme().text, report::microseconds(owner.all()), ui::Align::right);
  const Rect box = ui::middle(bar, view.px(sum_bar_high));
  const ui::Tracks tracks{view.ui, 0, most, box};
  const auto part = [&](double begin, double end) {
    const float left = std::round(tracks.x(begin)), right = std::round(tracks.x(end));
    return Rect{left, box.y, right - left, box.height};
  };
  const double computed = owner.computes, slowest = computed + owner.imbalance;
  view.canvas().fill(part(0, computed), view.theme().muted);
  draw_wait(view.canvas(), part(computed, slowest), Hatch::vertical, true);
  draw_wait(view.canvas(), part(slowest, owner.all()), Hatch::arrows, true);
  ui::fitting_text(view.canvas(), {bar.x, below.y, below.right() - bar.x, below.height}, Style::caption,
                   view.theme().muted,
                   view.say("computes {}, imbalance {}, link {}", report::microseconds(computed),
                            report::microseconds(owner.imbalance), report::microseconds(owner.link)));
}

}  // namespace

void draw_gpu_sums(GpusShown& shown, Rect card) {
  View& view = shown.view;
  const GpusMoment& moment = shown.moment;
  ui::mark_place(view.ui, "gpus:sums", card);
  ui::Space rest(draw_card(view, card, view.say("Time, by what takes it"), view.say("all GPUs, one clock")),
                 view.px(6));
  if (shown.hidden) return view.canvas().covered(rest.rest(), Style::number);
  const std::vector<ui::Swatch> swatches = {
      {std::string(view.say("computes, mean of the GPUs")), {view.theme().muted, {}}},
      {std::string(view.say("waits for the slowest GPU")), {view.theme().muted, view.theme().track, Hatch::vertical}},
      {std::string(view.say("waits for the link")), {view.theme().muted, view.theme().track, Hatch::arrows}}};
  ui::legend(view.canvas(), rest.top(view.px(20)), swatches, [&](std::size_t n) { return view.say("and {} more", n); });
  const double most = moment.slowest().all();
  for (const OwnerRun& owner : moment.owners()) draw_sum(view, owner, rest.top(view.px(row_high), 0), most);
  const std::string sentence = gpus_sentence(view.state.look.language, moment);
  view.ui.state.shown.emplace(view.id("gpus/sentence"), sentence);
  rest.top(ui::paragraph(view.canvas(), rest.rest(), Style::body, {.color = view.theme().text}, ui::escaped(sentence)),
           view.px(2));
  const std::string threshold = threshold_sentence(view.state.look.language, moment);
  view.ui.state.shown.emplace(view.id("gpus/threshold"), threshold);
  if (rest.height() >= view.px(line_high) && !threshold.empty())
    ui::paragraph(view.canvas(), rest.rest(), Style::caption, {.color = view.theme().muted}, ui::escaped(threshold));
}

void draw_gpu_shares(GpusShown& shown, Rect card) {
  View& view = shown.view;
  ui::Space rest(draw_card(view, card, view.say("Measured by others")), view.px(6));
  if (shown.hidden) return view.canvas().covered(rest.rest(), Style::number);
  ui::fitting_text(view.canvas(), rest.top(view.px(line_high)), Style::caption, view.theme().muted,
                   view.say("share of 8 x one GPU, forward, 8 x H800, 8k tokens each"));
  for (const sim::Parallel parallel : {sim::Parallel::ring, sim::Parallel::striped, sim::Parallel::zigzag}) {
    const OwnerWords& words = words_of(parallel);
    const auto [name, bar, number] =
        ui::columns(rest.top(view.px(22)), view.px(8), {view.px(names_wide), ui::rest(), view.px(times_wide)});
    ui::fitting_text(view.canvas(), name, Style::caption, view.theme().text, view.say(words.title));
    const Rect box = ui::middle(bar, view.px(sum_bar_high));
    ui::progress_bar(view.canvas(), box, static_cast<float>(words.published), view.theme().muted);
    view.canvas().text(number, Style::table, view.theme().text, report::percent(words.published), ui::Align::right);
  }
  ui::paragraph(
      view.canvas(), rest.rest(), Style::caption, {.color = view.theme().muted},
      ui::escaped(view.say("The imbalance alone gives contiguous tokens 53.3 %, and explains their share. The "
                           "others are balanced: what they lack, that code spends between its steps.")));
}

}  // namespace explorer
