// Five counters of the whole run, as `simulate` prints them: bytes, work, time and memory. During the run, "1.88 of
// 9.44 MB" and the bar are what all SMs have done at the playhead's time; the bar of memory is the share of the card.
// The title's row has the ratio to standard attention.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/model/busy_sms.h"
#include "sim/report/numbers.h"
#include "viz/model/explained.h"
#include "viz/model/measured_times.h"
#include "viz/model/run_progress.h"
#include "viz/panels/panels.h"
#include "viz/panels/parts.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/scenario/star.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

/// Phrases below a counter: side by side while they fit, on tall cards in several rows.
class Line {
 public:
  Line(View& view, ui::Rect rect) : view_(view), below_(rect) { next_row(); }

  /// Writes plain text: "bound by exp".
  void phrase(std::string_view text) { phrase({}, text); }
  /// Writes text in the colour of warnings: "needs 103 of these".
  void warning(std::string_view text) {
    if (begin(text)) end(view_.canvas().text(rest_.rest(), style, view_.theme().warning, text));
  }
  /// Writes a number with text: "16.8 MB written"; plain text if the path is empty.
  void phrase(std::string_view path, std::string_view text) {
    if (!begin(text)) return;
    end(path.empty() ? view_.canvas().text(rest_.rest(), style, view_.theme().muted, text)
                     : draw_number_text(view_, rest_.rest(), style, view_.theme().muted, path, text));
  }

 private:
  static constexpr ui::Style style = ui::Style::caption;
  static constexpr float row = 15;  // CSS pixels: four of them fit into a card of a phone

  void next_row() {
    rest_ = ui::Space(below_.top(view_.px(row)));
    first_ = true;
  }
  /// Starts a phrase. The first one of a row is cut if it does not fit; others move to the next row, or are left out.
  bool begin(std::string_view text) {
    if (first_) return true;
    const std::string_view dot = "·";
    const float space = view_.px(4), dot_width = view_.canvas().text_width(style, dot);
    if (2 * space + dot_width + view_.canvas().text_width(style, text) > rest_.width()) {
      if (below_.height() < view_.px(row)) return false;
      next_row();
      return true;
    }
    rest_.left(space);
    left_text(view_.canvas(), rest_, style, view_.theme().muted, dot, space + 1);
    return true;
  }
  void end(float width) {
    rest_.left(width);
    first_ = false;
  }

  View& view_;
  ui::Space rest_{{}}, below_;
  bool first_ = true;
};

/// Text with a number and the number's path; an empty path if there is nothing to explain.
struct Phrase {
  std::string_view path;
  std::string text;
};

/// Content of a counter: its large number, a second one at the end of that row, the line below, and its bar.
struct Counter {
  std::string_view title, ratio;  ///< the ratio to standard attention, at the end of the title's row
  std::string_view path, word;    ///< path of the large number, and the text after it
  double (*value)(const sim::Simulation&);
  double (*now)(const RunProgress&);  ///< part of `value` at the playhead's time; null: does not rise
  Phrase (*second)(const View&);      ///< null: none
  void (*line)(const View&, Line&);
};

double bytes(sim::Bytes n) { return static_cast<double>(n.count()); }

/// Number of cards that the tensors take.
double cards(const Subject& s) {
  return bytes(s.simulation().memory.peak_hbm) / static_cast<double>(s.scenario().gpu->hbm_bytes);
}

/// A number of this run as text.
std::string written(std::string_view path, double value) { return number_text(path, value); }
std::string written(const View& view, std::string_view path) {
  return number_text(path, derived_value(*view.subject().run, path));
}

/// Says that the run is the last step of several.
void steps_phrase(const View& view, Line& line) {
  const auto steps = view.subject().options.find("steps");
  if (steps != view.subject().options.end()) line.warning(view.say("last of {} steps", steps->second));
}

void tile_line(const View& view, Line& line) {
  steps_phrase(view, line);
  constexpr std::string_view read = "tile_traffic.total.read_bytes", write = "tile_traffic.total.write_bytes";
  const sim::Traffic& total = view.subject().simulation().totals.total;
  line.phrase(read, view.say("{} read", written(read, bytes(total.read))));
  line.phrase(write, view.say("{} written", written(write, bytes(total.written))));
  line.phrase(view.say("L2 ↔ all SMs"));
}

Phrase least_traffic(const View& view) {
  constexpr std::string_view path = "hbm_traffic.compulsory_bytes";
  return {path, view.say("least {}", written(path, bytes(view.subject().simulation().compulsory.total())))};
}

void hbm_line(const View& view, Line& line) {
  constexpr std::string_view read = "hbm_traffic.read_bytes", write = "hbm_traffic.write_bytes";
  const HbmBytes hbm = hbm_bytes_of(view.subject().simulation());
  if (std::isnan(hbm.read)) return line.phrase(view.say("its caches have no model"));
  line.phrase(read, view.say("{} read", written(read, hbm.read)));
  line.phrase("hbm_traffic.l2_hit_rate", view.say("L2 hits {}", written(view, "hbm_traffic.l2_hit_rate")));
  line.phrase(write, view.say("{} written", written(write, hbm.written)));
}

Phrase intensity_of_work(const View& view) { return {"hbm_traffic.intensity", written(view, "hbm_traffic.intensity")}; }

void work_line(const View& view, Line& line) {
  constexpr std::string_view path = "work.other_flops", exps = "work.exp_count";
  const sim::Totals& totals = view.subject().simulation().totals;
  line.phrase(path, view.say("{} other", written(path, static_cast<double>(totals.other_flops.count()))));
  line.phrase(exps, written(exps, static_cast<double>(totals.exps.count())));
}

Phrase error_of_time(const View& view) {
  const auto error = view.subject().simulation().accuracy.error_percent;
  if (!view.subject().has_time()) return {};
  if (!star_of(view.subject().simulation().plan).empty()) return {{}, std::string(view.say("* estimated"))};
  if (!error) return {{}, std::string(view.say("not validated"))};
  return {"time.error_percent", "± " + written("time.error_percent", *error)};
}

/// Writes the details of the time. If few SMs work, that comes first: the card is then mostly idle.
void time_line(const View& view, Line& line) {
  const sim::Simulation& simulation = view.subject().simulation();
  if (!view.subject().has_time()) return line.phrase(no_time_words(view));
  steps_phrase(view, line);
  if (sim::lacks_wgmma_clock(simulation.plan)) line.warning(view.say("clock under wgmma unknown"));
  const sim::BusySms sms = sim::busy_sms(simulation);
  if (sms.few()) line.phrase("time.sms_busy", view.say("{} of {} SMs busy", sms.busy, sms.all));
  line.phrase(view.say("bound by {}", view.say(simulation.bound_by)));
  if (const auto us = measured_microseconds(view.state.look, view.index))
    line.phrase(view.say("measured {}", written("time.microseconds", *us)));
}

Phrase extra_memory(const View& view) {
  const double extra = bytes(view.subject().simulation().memory.extra_hbm);
  return {"memory.extra_hbm_bytes", view.say("{} extra", written("memory.extra_hbm_bytes", extra))};
}

/// Writes the details of memory. If the tensors do not fit into the card, that comes first.
void memory_line(const View& view, Line& line) {
  const sim::MemoryMeter& memory = view.subject().simulation().memory;
  const double needed = std::ceil(cards(view.subject()));
  if (needed > 1) line.warning(view.say("does not fit: needs {} of these", report::thousands(std::llround(needed))));
  constexpr std::string_view path = "memory.peak_sram_bytes", capacity = "memory.sram_capacity_bytes";
  line.phrase(path, "SMEM " + written(path, bytes(memory.peak_sram)));
  line.phrase(capacity, view.say("limit {}", written(capacity, bytes(memory.sram_capacity))));
}

double flops(sim::Flops n) { return static_cast<double>(n.count()); }

constexpr std::array<Counter, 5> counters = {
    {{/*say*/ "Tile traffic", "tile_traffic.ratio", "tile_traffic.bytes", "",
      [](const sim::Simulation& s) { return bytes(s.totals.total.total()); },
      [](const RunProgress& p) { return p.tile_bytes(); }, nullptr, tile_line},
     {/*say*/ "HBM traffic", "hbm_traffic.ratio", "hbm_traffic.bytes", "",
      [](const sim::Simulation& s) { return hbm_bytes_of(s).all(); },
      [](const RunProgress& p) { return p.hbm_bytes(); }, least_traffic, hbm_line},
     {/*say*/ "Arithmetic", "", "work.matmul_flops", /*say*/ "matrix",
      [](const sim::Simulation& s) { return flops(s.totals.matmul_flops); },
      [](const RunProgress& p) { return p.matmul_flops(); }, intensity_of_work, work_line},
     {/*say*/ "Predicted time", "time.ratio", "time.microseconds", "",
      [](const sim::Simulation& s) { return s.microseconds; }, [](const RunProgress& p) { return p.microseconds(); },
      error_of_time, time_line},
     {/*say*/ "HBM memory", "memory.ratio", "memory.peak_hbm_bytes", /*say*/ "peak",
      [](const sim::Simulation& s) { return bytes(s.memory.peak_hbm); }, nullptr, extra_memory, memory_line}}};

constexpr ui::Style small = ui::Style::caption;
constexpr float least_with_line = 60, least_with_bar = 72;  // CSS pixels: with a third row, and a bar below it

void draw_phrase(View& view, ui::Rect rect, const Phrase& phrase) {
  if (phrase.path.empty()) {
    view.canvas().text(rect, small, view.theme().muted, phrase.text, ui::Align::right);
  } else {
    draw_number_text(view, rect, small, view.theme().muted, phrase.path, phrase.text, ui::Align::right);
  }
}

/// Comparisons of a counter with standard attention, the longest text first; empty without a standard run.
std::vector<std::string> ratio_sentences(const View& view, const Counter& counter) {
  if (counter.ratio.empty() || view.subject().run->standard == nullptr) return {};
  const double ratio = derived_value(*view.subject().run, counter.ratio);
  if (std::isnan(ratio)) return {};
  if (ratio == 1) return {std::string(view.say("like standard"))};
  if (is_even(ratio)) return {std::string(view.say("nearly like standard"))};
  return {view.say("{} than standard", ratio_words(view, ratio, counter.ratio == "time.ratio")),
          ratio < 1 ? view.say("{} of standard", part_text(ratio)) : view.say("{} x standard", times_text(ratio))};
}

/// Draws the title and, at the end of its row, the longest sentence that fits. True if one does.
bool draw_heading(View& view, ui::Rect place, const Counter& counter, const std::vector<std::string>& sentences) {
  ui::Space row(place);
  left_text(view.canvas(), row, small, view.theme().muted, view.say(counter.title), view.px(8));
  for (const std::string& sentence : sentences) {
    if (view.canvas().text_width(small, sentence) > row.width()) continue;
    draw_phrase(view, row.rest(), {counter.ratio, sentence});
    return true;
  }
  return false;
}

/// A text in a style.
struct Large {
  ui::Style style = ui::Style::number;
  std::string text;
  float width = 0;
};

/// Number up to the playhead, in the largest style that fits; small parts in a unit of their own. Empty text if none
/// fits.
Large so_far(const View& view, const Counter& counter, double now, double value, float room) {
  constexpr double little = 0.1;  // in the unit of the whole, less would be "0.00"
  const std::string in_unit = number_in_unit_of(counter.path, now, value);
  std::vector<std::string> texts = {now < little * value ? written(counter.path, now) : in_unit};
  if (in_unit.find_first_of("123456789") != std::string::npos) texts.push_back(in_unit);
  for (const std::string& text : texts) {
    for (const ui::Style style : {ui::Style::number, ui::Style::title}) {
      const float width = std::ceil(view.canvas().text_width(style, text));
      if (width <= room) return {style, text, width};
    }
  }
  return {};
}

/// The number up to the playhead that fits into a row before the total; empty if none does.
Large part_of(const View& view, ui::Rect row, const Counter& counter, double now) {
  const double value = counter.value(view.subject().simulation());
  const float total = view.canvas().text_width(small, view.say("of {}", written(counter.path, value)));
  return so_far(view, counter, now, value, row.width - view.px(5) - total);
}

/// Draws the large number: with `parts` the one so far "of" the total, else the total. Returns its width.
float draw_large(View& view, ui::Rect row, const Counter& counter, double now, bool parts) {
  const double value = counter.value(view.subject().simulation());
  const std::string all = view.say("of {}", written(counter.path, value));
  Large large;
  if (parts && counter.now != nullptr) large = part_of(view, row, counter, now);
  if (large.text.empty()) {
    const bool fits = number_width(view, ui::Style::number, counter.path, value) <= row.width;
    return draw_number(view, row, fits ? ui::Style::number : ui::Style::title, counter.path, value);
  }
  view.ui.state.shown.emplace(view.id(sim::text("so far/", counter.path)), large.text);
  view.canvas().text(row, large.style, view.theme().text, large.text);
  const float width = large.width + view.px(5);
  const ui::Rect beside{row.x + width, row.y + view.px(5), row.width - width, row.height};
  return width + draw_number_text(view, beside, small, view.theme().muted, counter.path, all);
}

/// Draws the large number and the second one. False if the second one does not fit.
bool draw_values(View& view, ui::Rect row, const Counter& counter, double now, bool parts, const Phrase& second) {
  ui::Space line(row.moved(0, view.px(5)));  // baseline of the large digits
  line.left(draw_large(view, row, counter, now, parts) + view.px(5));
  const std::string_view word = counter.word.empty() ? counter.word : view.say(counter.word);
  if (fitting_text(view.canvas(), line.rest(), small, view.theme().muted, word))  // else the unit suffices
    line.left(view.canvas().text_width(small, word));
  line.left(view.px(10));
  const bool room = view.canvas().text_width(small, second.text) <= line.width();
  if (room) draw_phrase(view, line.rest(), second);
  return room;
}

/// Draws the progress of the run, or the share of the card's memory taken.
void draw_bar(View& view, ui::Rect rect, const Counter& counter, double now) {
  const Subject& s = view.subject();
  const double share = counter.now == nullptr ? cards(s) : now / std::max(counter.value(s.simulation()), 1e-12);
  if (std::isnan(share)) return;
  const ui::Color color = counter.now == nullptr && share > 1 ? view.theme().warning : view.theme().strong;
  ui::progress_bar(view.canvas(), rect, static_cast<float>(share), color);
}

/// The row of a counter's large number, and its other rows.
struct Rows {
  ui::Rect heading, values, rest, bar;
  bool low = false;  ///< no room for the third row
};

Rows rows_of(const View& view, ui::Rect place) {
  const ui::Rect inside = place.inset(view.px(14), view.px(11));
  const float bar_height = inside.height < view.px(least_with_bar) ? 0 : view.px(3);
  const auto [heading, values, rest, bar] = ui::rows(inside, 0, {view.px(17), view.px(31), ui::rest(), bar_height});
  return {heading, values, rest, bar, inside.height < view.px(least_with_line)};
}

using CounterAmounts = std::array<double, counters.size()>;

/// Returns what is done of each total at the playhead.
CounterAmounts amounts_now(const Subject& subject) {
  const RunProgress progress(subject);
  CounterAmounts now{};
  for (std::size_t i = 0; i < counters.size(); ++i)
    now[i] = counters[i].now == nullptr ? counters[i].value(subject.simulation()) : counters[i].now(progress);
  return now;
}

/// True if the run is between its ends and the part so far has room in every counter that is drawn.
bool shows_parts(const View& view, std::span<const ui::Rect> places, const CounterAmounts& now) {
  bool under_way = false;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const Counter& counter = counters[i];
    if (counter.now == nullptr || places[i].empty() || std::isnan(now[i])) continue;
    under_way = under_way || (now[i] > 0 && now[i] < counter.value(view.subject().simulation()));
    if (part_of(view, rows_of(view, places[i]).values, counter, now[i]).text.empty()) return false;
  }
  return under_way;
}

/// Draws a counter that answers an open question: its title, and a hatched place for its number.
void draw_hidden(View& view, const Rows& rows, const Counter& counter) {
  constexpr float width = 120, height = 24;  // CSS pixels
  draw_heading(view, rows.heading, counter, {});
  const ui::Rect row = rows.values;
  view.canvas().covered({row.x, row.y + view.px(5), std::min(row.width, view.px(width)), view.px(height)},
                        ui::Style::title);
  if (!rows.low) view.canvas().text(rows.rest, small, view.theme().muted, view.say("covered until you answer"));
}

void draw_counter(View& view, ui::Rect place, const Counter& counter, double now, bool parts) {
  ui::panel(view.canvas(), place);
  Rows rows = rows_of(view, place);
  if (view.world.covered.hides(counter.path)) return draw_hidden(view, rows, counter);
  const std::vector<std::string> sentences = ratio_sentences(view, counter);
  const bool compared = draw_heading(view, rows.heading, counter, sentences);
  const Phrase second = counter.second == nullptr ? Phrase{} : counter.second(view);
  const bool drawn = draw_values(view, rows.values, counter, now, parts && !std::isnan(now), second);
  rows.rest.width += view.px(10);  // text may reach into the margin
  if (!rows.low) {
    Line line(view, rows.rest);
    if (!compared && !sentences.empty()) line.phrase(counter.ratio, sentences.back());
    if (!drawn) line.phrase(second.path, second.text);
    counter.line(view, line);
  }
  if (!rows.bar.empty()) draw_bar(view, rows.bar, counter, now);
}

}  // namespace

void draw_counters(View& view, std::span<const ui::Rect> places) {
  const bool none = std::all_of(places.begin(), places.end(), [](const ui::Rect& place) { return place.empty(); });
  if (none) return;
  const CounterAmounts now = amounts_now(view.subject());
  const bool parts = shows_parts(view, places, now);
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (!places[i].empty()) draw_counter(view, places[i], counters[i], now[i], parts);
  }
}

}  // namespace explorer
