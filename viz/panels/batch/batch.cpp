// Layout of the view "batch": the choice of packing, and its three cards.
#include "viz/panels/batch/batch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/programs/ragged.h"
#include "sim/report/numbers.h"
#include "viz/model/center_view.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/hatch.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float gap = 12, beside_from = 900, least_beside = 600;            // CSS pixels
constexpr float entries_alone = 300, costs_alone = 330, lanes_alone = 300;  // stacked

std::int64_t entries_of(const sim::Simulation& simulation) { return sim::sizes_of(sequences_of(simulation)).entries; }

void draw_sentence(View& view, Rect line, const BatchRuns& runs) {
  const sim::Simulation& s = view.subject().simulation();
  const std::string entries = report::thousands(entries_of(s)), ctas = report::thousands(ctas_of(s));
  std::string words = view.say("{} entries of {} heads: {} CTAs", entries, s.plan.problem.shape.heads, ctas);
  if (runs.is_ragged() && runs.counted()) {
    const std::string padded = report::thousands(ctas_of(runs.simulation(Packing::padded)));
    words =
        view.say("{} entries of {} heads: {} CTAs instead of {}", entries, s.plan.problem.shape.heads, ctas, padded);
  }
  if (view.canvas().text_width(Style::body, words) > line.width) return;
  view.canvas().text(line, Style::body, view.theme().text, words, ui::Align::right);
}

void draw_choice(View& view, Rect& line, Rect& body) {
  const std::array<std::string_view, packings> labels = {
      packing_name(view, Packing::padded), packing_name(view, Packing::file), packing_name(view, Packing::longest)};
  const float wide = ui::segmented_width(view.canvas(), labels);
  const bool own = line.width < wide;
  Rect row = own ? controls_place(view, line, body, wide / view.canvas().fonts().scale + 1) : line;
  const int now = static_cast<int>(view.model.look.packing);
  const Rect place = cut_left(row, std::min(row.width, wide));
  const int next = ui::segmented(view.ui, view.id("packing"), place, link_words("packing"), labels, now);
  if (next != now) choose_packing(view, static_cast<Packing>(next));
  if (!own) line = row;
  if (!own) cut_left(line, view.px(16));
}

void draw_beside(View& view, Rect rest, const BatchRuns& runs) {
  Rect top = cut_top(rest, std::floor(0.43f * rest.height));
  cut_top(rest, view.px(gap));
  const Rect entries = cut_left(top, std::floor(0.62f * top.width));
  cut_left(top, view.px(gap));
  draw_batch_entries(view, entries);
  draw_batch_costs(view, top, runs);
  draw_batch_lanes(view, rest, runs);
}

void draw_stacked(View& view, Rect body, const BatchRuns& runs) {
  const float all = view.px(entries_alone + costs_alone + lanes_alone + 2 * gap);
  float& offset = view.ui.state.scrolled[view.id("batch")];
  offset = ui::begin_scroll(view.ui, view.id("batch/scroll"), body, all, offset);
  Rect rest{body.x, body.y - std::round(offset), body.width - view.px(12), all};
  draw_batch_lanes(view, cut_top(rest, view.px(lanes_alone)), runs);
  cut_top(rest, view.px(gap));
  draw_batch_costs(view, cut_top(rest, view.px(costs_alone)), runs);
  cut_top(rest, view.px(gap));
  draw_batch_entries(view, rest);
  ui::end_scroll();
}

std::string_view shown_title(const View& view) {
  constexpr std::array<std::string_view, 5> tabs = {/*say*/ "Matrix", /*say*/ "Memory", /*say*/ "Code",
                                                    /*say*/ "Softmax", /*say*/ "Counters"};
  const Look& look = view.model.look;
  return view.say(look.tab == Tab::matrix ? center_view(look.center).title : tabs[static_cast<std::size_t>(look.tab)]);
}

}  // namespace

BatchRuns& batch_runs_of(View& view) {
  const auto& run = view.subject().run;
  return view.model.tasks.get<BatchRuns>(view.index, run);
}

std::int64_t ctas_of(const sim::Simulation& simulation) {
  std::int64_t ctas = 0;
  for (const sim::KernelMeters& kernel : simulation.kernels) ctas += kernel.ctas;
  return ctas;
}

Packing packed_beside(const Look& look) { return look.packing == Packing::padded ? Packing::file : look.packing; }

std::string_view packing_name(const View& view, Packing packing) {
  constexpr std::array<std::string_view, packings> names = {/*say*/ "Padded", /*say*/ "Packed",
                                                            /*say*/ "Longest first"};
  return view.say(names[static_cast<std::size_t>(packing)]);
}

void choose_packing(View& view, Packing packing) {
  view.set([&](Look& look) { look.packing = packing; });
  if (packing == Packing::padded || packing == packing_of(view.subject().scenario())) return;
  view.edit(SetOptions{{{"issue", std::string(link_words("packing")[static_cast<std::size_t>(packing)])}}});
}

ui::Color class_color(const ui::Theme& theme, float rank) { return theme.in_order(rank); }

std::string lengths_text(const sim::SequenceClass& c) {
  return report::thousands(c.seqlen_q) + " × " + report::thousands(c.seqlen_k);
}

ui::Paint padding_paint(const ui::Theme& theme) {
  return {ui::mix(theme.muted, theme.inset, 0.5f), theme.inset, ui::Hatch::diagonal};
}

void draw_padding(View& view, Rect place) { ui::Tracks{view.ui, 0, 1, place}.fill(place, padding_paint(view.theme())); }

void draw_batch(View& view, Rect line, Rect body) {
  const BatchRuns& runs = batch_runs_of(view);
  if (runs.is_ragged()) draw_choice(view, line, body);
  draw_sentence(view, line, runs);
  if (body.width >= view.px(beside_from) && body.height >= view.px(least_beside)) return draw_beside(view, body, runs);
  draw_stacked(view, body, runs);
}

void draw_not_of_batch(View& view, Rect body) {
  ui::panel(view.canvas(), body);
  Rect rest = body.inset(view.px(16));
  const std::string words = view.say(
      "{}: a ragged batch has entries of several lengths, and this view shows one. The view Batch shows all of them.",
      shown_title(view));
  view.ui.state.shown.emplace(view.id("not of batch"), words);
  cut_top(rest, ui::paragraph(view.canvas(), rest, Style::body, {.color = view.theme().text}, ui::escaped(words)));
  cut_top(rest, view.px(gap));
  const std::string_view label = view.say("Show the batch");
  Rect row = cut_top(rest, view.control_height());
  if (ui::button(view.ui, view.id("batch/show"), cut_left(row, ui::button_width(view.canvas(), label)), label))
    view.set([&](Look& look) { show_center(look, Center::batch); });
}

std::string batch_sentence(Language language, const Subject& subject) {
  const sim::Simulation& s = subject.simulation();
  const std::string time = number_text("time.microseconds", s.microseconds),
                    tail = number_text("time.budget.tail", s.budget[sim::Cause::tail]);
  const sim::SequenceSizes sizes = sim::sizes_of(sequences_of(s));
  std::string first = words::say_with(language, /*say*/ "{}, a ragged batch of {} entries of up to {} keys: {} CTAs.",
                                      s.plan.scenario.algorithm, report::thousands(sizes.entries),
                                      report::thousands(sizes.most_keys), report::thousands(ctas_of(s)));
  if (!subject.has_time()) return first;
  return first + " " +
         words::say_with(language, /*say*/ "They take {}; SMs are idle at the end for {} on average.", time, tail);
}

}  // namespace explorer
