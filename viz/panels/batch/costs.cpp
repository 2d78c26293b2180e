// Table of the costs of padding: counts, bytes and times of the padded run next to those of the window's.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/model/explained.h"
#include "viz/panels/batch/batch.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

double real(std::int64_t n) { return static_cast<double>(n); }

double cta_count(const sim::Simulation& s) { return real(ctas_of(s)); }
double tile_bytes_of(const sim::Simulation& s) { return real(s.totals.total.total().count()); }
double hbm_of(const sim::Simulation& s) { return hbm_bytes_of(s).all(); }
double flops_of(const sim::Simulation& s) { return real(s.totals.matmul_flops.count()); }
double memory_of(const sim::Simulation& s) { return real(s.memory.peak_hbm.count()); }
double time_of(const sim::Simulation& s) { return s.microseconds; }
double tail_of_run(const sim::Simulation& s) { return s.budget[sim::Cause::tail]; }

/// A row: a quantity and its path in the JSON of a run; the path of CTAs is empty, since each kernel has its own.
struct Cost {
  std::string_view title, path;
  double (*value)(const sim::Simulation&);
  bool has_ratio;
};
constexpr std::array<Cost, 7> costs = {{{/*say*/ "CTAs issued", "", cta_count, true},
                                        {/*say*/ "tile bytes", "tile_traffic.bytes", tile_bytes_of, true},
                                        {/*say*/ "HBM bytes", "hbm_traffic.bytes", hbm_of, true},
                                        {/*say*/ "matrix FLOPs", "work.matmul_flops", flops_of, true},
                                        {/*say*/ "memory", "memory.peak_hbm_bytes", memory_of, true},
                                        {/*say*/ "time", "time.microseconds", time_of, true},
                                        {/*say*/ "tail: SMs idle", "time.budget.tail", tail_of_run, false}}};

std::string text_of(const Cost& cost, double value) {
  if (std::isnan(value)) return "–";
  return cost.path.empty() ? report::thousands(std::llround(value)) : number_text(cost.path, value);
}

/// Columns of a row: words, the padded number, the packed one, a bar if it fits, a ratio.
std::array<Rect, 5> columns_of(const View& view, Rect line) {
  const float bar = line.width >= view.px(420) ? view.px(64) : 0;
  const float number = std::min(view.px(96), (line.width - view.px(58) - bar) / 3);
  return ui::columns(line, 0, {ui::rest(), number, number, bar, view.px(58)});
}

void draw_heads(View& view, Rect line) {
  const auto [words, padded, packed, bar, ratio] = columns_of(view, line);
  const auto head = [&](Rect place, std::string_view text) {
    view.canvas().text(place, Style::caption, view.theme().muted, text, ui::Align::right);
  };
  if (!bar.empty()) head(around(bar, ratio), view.say("padding costs"));
  head(packed, run_name(view.model, 0));
  head(padded, packing_name(view.state.look.language, Packing::padded));
}

/// Draws a value of the window's run; it can be clicked for its derivation if it has one.
void draw_value(View& view, Rect place, const Cost& cost, double value) {
  const ui::Color color = view.theme().text;
  if (!cost.path.empty() && !std::isnan(value))
    return void(draw_number(view, place, Style::table, color, cost.path, value, ui::Align::right));
  view.canvas().text(place, Style::table, color, text_of(cost, value), ui::Align::right);
}

void draw_cost(View& view, Rect line, const Cost& cost, const Subject* padded_run) {
  const auto [words, padded_place, packed_place, bar_place, ratio] = columns_of(view, line);
  const double packed = cost.value(view.subject().simulation());
  draw_value(view, packed_place, cost, packed);
  view.canvas().text(padded_run == nullptr ? around(words, padded_place) : words, Style::caption, view.theme().muted,
                     view.say(cost.title));
  if (padded_run == nullptr) return;
  const double padded = cost.value(padded_run->simulation());
  view.canvas().text(padded_place, Style::table, view.theme().muted, text_of(cost, padded), ui::Align::right);
  view.ui.state.shown.emplace(view.id(sim::text("batch/padded/", cost.title)), text_of(cost, padded));
  view.ui.state.shown.emplace(view.id(sim::text("batch/packed/", cost.title)), text_of(cost, packed));
  if (!cost.has_ratio || !(packed > 0) || std::isnan(padded)) return;
  view.canvas().text(ratio, Style::table, view.theme().text, times_text(padded / packed) + " x", ui::Align::right);
  const Rect bar = bar_place.inset(view.px(8), std::max(0.f, (line.height - view.px(6)) / 2));
  if (!bar.empty())
    ui::progress_bar(view.canvas(), bar, static_cast<float>(std::min(1., packed / std::max(padded, packed))),
                     view.theme().strong);
}

/// Text on the tail, which no order of issue saves for this batch.
std::string tail_words(const View& view) {
  if (!view.subject().is_ragged()) return std::string(view.say("All entries are alike: nothing is padded."));
  if (!view.subject().has_time()) return {};
  const sim::Simulation& s = view.subject().simulation();
  const double tail = tail_of_run(s), all = s.microseconds;
  return view.say(
      "Packing saves bytes and products, not the tail: SMs are idle for {} of this run on average, {} of {}. Where one "
      "long entry decides, only parts of its keys (flash-decoding) end sooner.",
      part_text(tail / all), number_text("time.budget.tail", tail), number_text("time.microseconds", all));
}

}  // namespace

void draw_batch_costs(View& view, Rect card) {
  const Subject* padded = padded_run(view);
  ui::Space rest(
      draw_card(view, card, padded != nullptr ? view.say("What padding costs") : view.say("What the batch costs")));
  const float row = std::min(view.px(24), std::floor(rest.height() / static_cast<float>(costs.size() + 3)));
  const Rect heads = rest.top(row);
  if (padded != nullptr) draw_heads(view, heads);
  for (const Cost& cost : costs) draw_cost(view, rest.top(row), cost, padded);
  rest.top(view.px(8));
  const std::string words = tail_words(view);
  view.ui.state.shown.emplace(view.id("batch/tail"), words);
  if (rest.height() >= ui::line_step(view.canvas(), Style::caption))
    ui::paragraph(view.canvas(), rest.rest(), Style::caption, {.color = view.theme().muted}, ui::escaped(words));
}

}  // namespace explorer
