// Layout of the view "batch": the order of issue, entries and costs, and a race of the packings, coloured by class.
#include "viz/panels/batch/batch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/programs/ragged.h"
#include "sim/report/numbers.h"
#include "viz/model/center_view.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/panels.h"
#include "viz/panels/parts.h"
#include "viz/panels/race/race.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float gap = 12, beside_from = 900, least_beside = 600;                               // CSS pixels
constexpr float entries_alone = 300, costs_alone = 330, lane_alone = 136, around_lanes = 120;  // stacked
constexpr float ticks_apart = 110;

std::int64_t entries_of(const sim::Simulation& simulation) { return sim::sizes_of(sequences_of(simulation)).entries; }

void draw_sentence(View& view, Rect line) {
  const sim::Simulation& s = view.subject().simulation();
  const std::string entries = report::thousands(entries_of(s)), ctas = report::thousands(ctas_of(s));
  std::string words = view.say("{} entries of {} heads: {} CTAs", entries, s.plan.problem.shape.heads, ctas);
  if (const Subject* padded = padded_run(view)) {
    const std::string before = report::thousands(ctas_of(padded->simulation()));
    words =
        view.say("{} entries of {} heads: {} CTAs instead of {}", entries, s.plan.problem.shape.heads, ctas, before);
  }
  ui::fitting_text(view.canvas(), line, Style::body, view.theme().text, words, ui::Align::right);
}

/// Draws the choice of the order of issue.
void draw_choice(View& view, ui::Space& line, Rect& body) {
  constexpr std::array<std::string_view, 2> orders = {"file", "longest"};
  const Language language = view.state.look.language;
  const std::array<std::string_view, 2> labels = {packing_name(language, Packing::file),
                                                  packing_name(language, Packing::longest)};
  const float wide = ui::segmented_width(view.canvas(), labels);
  const bool own = line.width() < wide;
  ui::Space row(own ? controls_place(view, line.rest(), body, wide / view.canvas().fonts().scale + 1) : line.rest());
  const int now = view.subject().scenario().issue == sim::IssueOrder::longest ? 1 : 0;
  const Rect place = row.left(wide, view.px(16));
  const int next = ui::segmented(view.ui, view.id("batch/issue"), place, orders, labels, now);
  if (next != now) view.edit(SetOptions{{{"issue", std::string(orders[static_cast<std::size_t>(next)])}}});
  if (!own) line = row;
}

/// A round time in the unit of the axis: "50 µs", "1.5 ms".
std::string tick_text(double time, double end) {
  if (time == 0) return "0";
  return end < 1e4   ? fmt::format("{:g} µs", time)
         : end < 1e7 ? fmt::format("{:g} ms", time / 1e3)
                     : fmt::format("{:g} s", time / 1e6);
}

/// Draws swatches for padding and for nothing, then one for each length.
void draw_classes(View& view, Rect row) {
  const sim::SequenceClasses classes = sequences_of(view.subject().simulation());
  const std::vector<float> ranks = ranks_of(classes);
  std::vector<ui::Swatch> swatches;
  if (view.subject().is_ragged()) swatches.push_back({std::string(view.say("padding")), padding_paint(view.theme())});
  swatches.push_back({std::string(view.say("SM has nothing to do")), {view.theme().track, {}}});
  std::vector<std::pair<float, std::string>> lengths;
  for (std::size_t n = 0; n < classes.size(); ++n) lengths.emplace_back(ranks[n], lengths_text(classes[n]));
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  for (const auto& [rank, words] : lengths) swatches.push_back({words, {class_color(view.theme(), rank), {}}});
  ui::legend(view.canvas(), row, swatches, [&](std::size_t n) { return view.say("and {} more", n); });
}

/// Draws the runs as rows of one card on one clock.
void draw_rows_of_race(View& view, Rect card) {
  ui::panel(view.canvas(), card);
  const std::vector<std::size_t> order = lane_order(view.model);
  const ui::RaceLayout layout = ui::make_race_rows(card, view.canvas().fonts().scale, order.size());
  if (draw_no_time(view, layout.transport)) return;
  if (!view.bare) draw_race_transport(view, layout.transport);
  draw_classes(view, layout.legend);
  const ui::Tracks tracks = race_tracks(view, layout.ticks);
  const std::string now = race_time_text(tracks.now);
  tracks.ticks(
      layout.ticks, {}, ticks_apart, [&](double time, double) { return tick_text(time, tracks.to); },
      tracks.pill(layout.ticks, now));
  for (std::size_t n = 0; n < order.size(); ++n) {
    View one{view.ui, view, order[n]};
    draw_race_card(one, layout.cards[n]);
  }
  const Rect first = layout.cards.front().lanes;  // below, each run has its part of the playhead
  tracks.playhead({layout.ticks.x, layout.ticks.y, layout.ticks.width, view.px(22)},
                  {first.x, layout.ticks.bottom(), first.width, layout.cards.front().names.y - layout.ticks.bottom()},
                  now);
}

void draw_beside(View& view, Rect body) {
  const auto [top, race] = ui::rows(body, view.px(gap), {std::floor(0.43f * body.height), ui::rest()});
  const auto [entries, costs] = ui::columns(top, view.px(gap), {std::floor(0.62f * top.width), ui::rest()});
  draw_batch_entries(view, entries);
  draw_batch_costs(view, costs);
  draw_rows_of_race(view, race);
}

void draw_stacked(View& view, Rect body) {
  const float race = view.px(around_lanes + lane_alone * static_cast<float>(view.world.subjects()));
  const ui::Slot slots[] = {{race, [&](Rect place) { draw_rows_of_race(view, place); }},
                            {view.px(costs_alone), [&](Rect place) { draw_batch_costs(view, place); }},
                            {view.px(entries_alone), [&](Rect place) { draw_batch_entries(view, place); }}};
  ui::scrolling_column(view.ui, view.id("batch/scroll"), body, view.px(gap), view.px(12), slots);
}

std::string_view shown_title(const View& view) {
  constexpr std::array<std::string_view, 5> tabs = {/*say*/ "Matrix", /*say*/ "Memory", /*say*/ "Code",
                                                    /*say*/ "Softmax", /*say*/ "Counters"};
  const Look& look = view.state.look;
  return view.say(look.tab == Tab::matrix ? center_view(look.center).title : tabs[static_cast<std::size_t>(look.tab)]);
}

}  // namespace

const Subject* padded_run(const View& view) {
  for (std::size_t n = 1; n < view.world.subjects(); ++n) {
    const Subject& run = view.world.subject(n);
    if (run.error.empty() && packing_of(run, view.world.subject(0)) == Packing::padded) return &run;
  }
  return nullptr;
}

std::int64_t ctas_of(const sim::Simulation& simulation) {
  std::int64_t ctas = 0;
  for (const sim::KernelMeters& kernel : simulation.kernels) ctas += kernel.ctas;
  return ctas;
}

ui::Color class_color(const ui::Theme& theme, float rank) { return theme.in_order(rank); }

std::string lengths_text(const sim::SequenceClass& c) {
  return report::thousands(c.seqlen_q) + " × " + report::thousands(c.seqlen_k);
}

std::string entry_words(const View& view, const sim::CtaPlace& place) {
  const sim::SequenceClasses classes = sequences_of(view.world.subject(0).simulation());
  return view.say("entry {} of {}, head {}, row block {}", place.batch,
                  lengths_text(class_of_entry(classes, place.batch)), place.head, place.row);
}

void draw_batch(View& view, Rect line, Rect body) {
  ui::Space left(line);
  if (view.subject().is_ragged()) draw_choice(view, left, body);
  draw_sentence(view, left.rest());
  if (body.width >= view.px(beside_from) && body.height >= view.px(least_beside)) return draw_beside(view, body);
  draw_stacked(view, body);
}

void draw_not_of_batch(View& view, Rect body) {
  ui::panel(view.canvas(), body);
  ui::Space rest(body.inset(view.px(16)), view.px(gap));
  const std::string words = view.say(
      "{}: a ragged batch has entries of several lengths, and this view shows one. The view Batch shows all of them.",
      shown_title(view));
  view.ui.state.shown.emplace(view.id("not of batch"), words);
  rest.top(ui::paragraph(view.canvas(), rest.rest(), Style::body, {.color = view.theme().text}, ui::escaped(words)));
  const std::string_view label = view.say("Show the batch");
  const Rect place = ui::Space(rest.top(view.control_height())).left(ui::button_width(view.canvas(), label));
  if (ui::button(view.ui, view.id("batch/show"), place, label))
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
