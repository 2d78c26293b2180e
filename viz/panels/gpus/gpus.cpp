// Layout of the view "GPUs": its bar with the options and the links, and its cards.
#include "viz/panels/gpus/gpus.h"

#include <algorithm>

#include "sim/programs/programs.h"
#include "sim/report/numbers.h"
#include "viz/model/numbers.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario/field.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float gap = 12, scroll_bar = 12, beside_from = 1000, least_beside = 640, lower_high = 256;  // CSS pixels
constexpr float owner_alone = 600, sums_alone = 250, slim_sums = 310, slim_from = 700, shares_alone = 210;

void draw_gpus_options(View& view, ui::Space& line) {
  const ScenarioValues values = scenario_values(view);
  for (const std::string_view option : {"gpus", "parallel"}) {
    const std::string_view label = view.say(sim::option_called(option).label);
    const float wide = option_width(view, option, label, values);
    if (line.width() < wide) return;
    draw_option(view, line.left(wide, view.px(8)), view.id(sim::text("gpus/", option)), option, label, values);
  }
}

/// Draws the links to choose from; none is selected if the device has another.
void draw_links(View& view, const GpusMoment& moment, ui::Space& line) {
  std::vector<std::string_view> names;
  int now = -1;
  for (const LinkPreset& preset : link_presets()) {
    const sim::DeviceSpec& gpu = *moment.scenario().gpu;
    if (preset.bytes_per_second == gpu.link_bytes_per_second && preset.nanoseconds == gpu.link_latency_nanoseconds)
      now = static_cast<int>(names.size());
    names.push_back(preset.name);
  }
  const float wide = ui::segmented_width(view.canvas(), names);
  if (line.width() < wide) return;
  const int next = ui::segmented(view.ui, view.id("gpus/link"), line.left(wide, view.px(16)), names, names, now);
  if (next == now || is_locked(view, "gpu")) return;
  const LinkPreset& link = link_presets()[static_cast<std::size_t>(next)];
  view.edit(SetOptions{{{"gpu", with_link(view.subject().options, link)}}});
}

void draw_message(View& view, Rect body, const std::string& words) {
  ui::panel(view.canvas(), body);
  view.ui.state.shown.emplace(view.id("no gpus"), words);
  ui::Space rest(body.inset(view.px(16)), view.px(gap));
  rest.top(ui::paragraph(view.canvas(), rest.rest(), Style::body, {.color = view.theme().text}, ui::escaped(words)));
  const std::string_view label = view.say("8 GPUs, flash2, causal");
  const Rect place = ui::Space(rest.top(view.control_height())).left(ui::button_width(view.canvas(), label));
  if (ui::button(view.ui, view.id("gpus/show"), place, label))
    view.edit(SetOptions{{{"algorithm", std::string(sim::programs::flash2.name)},
                          {"gpus", "8"},
                          {"causal", "1"},
                          {std::string(plotted_first), "32768"},
                          {"pass", ""},
                          {"seqlen-q", ""},
                          {"seqlen-k", ""}}});
}

void draw_beside(GpusShown& shown, Rect body) {
  View& view = shown.view;
  const std::vector<OwnerRun>& owners = shown.moment.owners();
  const auto [upper, lower] = ui::rows(body, view.px(gap), {ui::rest(), {view.px(lower_high)}});
  const std::vector<Rect> cards = ui::equal_columns(upper, view.px(gap), owners.size());
  const double most = shown.moment.slowest().all();
  ui::mark_place(view.ui, "gpus", upper);
  for (std::size_t n = 0; n < cards.size(); ++n) draw_owner(shown, owners[n], cards[n], most);
  const auto [sums, shares] = ui::columns(lower, view.px(gap), {ui::share(0.66f), ui::share(0.34f)});
  draw_gpu_sums(shown, sums);
  draw_gpu_shares(shown, shares);
}

void draw_stacked(GpusShown& shown, Rect body) {
  View& view = shown.view;
  const double most = shown.moment.slowest().all();
  std::vector<ui::Slot> slots = {{view.px(body.width < view.px(slim_from) ? slim_sums : sums_alone),
                                  [&](Rect place) { draw_gpu_sums(shown, place); }}};
  for (const OwnerRun& owner : shown.moment.owners())
    slots.push_back({view.px(owner_alone), [&](Rect place) {
                       ui::mark_place(view.ui, "gpus", place);
                       draw_owner(shown, owner, place, most);
                     }});
  slots.push_back({view.px(shares_alone), [&](Rect place) { draw_gpu_shares(shown, place); }});
  ui::scrolling_column(view.ui, view.id("gpus/scroll"), body, view.px(gap), view.px(scroll_bar), slots);
}

/// True if an open question asks for times or for what the slowest GPU does: its pairs stay, they can be counted.
bool hides_gpus(const View& view) {
  const Covered& covered = view.world.covered;
  return !view.bare && (covered.order ||
                        std::any_of(covered.quantities.begin(), covered.quantities.end(), [](const std::string& path) {
                          return path.starts_with("gpus") || path.starts_with("time");
                        }));
}

}  // namespace

void draw_gpus(View& view, Rect line, Rect body) {
  if (!has_gpus(view.subject()))
    return draw_message(view, body,
                        std::string(view.say("One GPU has the whole sequence here. Several can share it: flash2 and "
                                             "flash3, forward, causal or without a mask.")));
  const GpusMoment& moment = gpus_moment(view.world, view.index);
  ui::Space bar(line);
  if (!view.bare) draw_gpus_options(view, bar);
  if (moment.owners().empty()) return draw_message(view, body, moment.error());
  if (!view.bare) draw_links(view, moment, bar);
  GpusShown shown{view, moment, chosen_gpu(view.state.look, moment), hides_gpus(view)};
  const std::string headline = gpus_headline(view.state.look.language, moment);
  view.ui.state.shown.emplace(view.id("gpus/headline"), headline);
  if (!shown.hidden)
    ui::fitting_text(view.canvas(), bar.rest(), Style::body, view.theme().text, headline, ui::Align::right);
  if (body.width >= view.px(beside_from) && body.height >= view.px(least_beside)) return draw_beside(shown, body);
  draw_stacked(shown, body);
}

}  // namespace explorer
