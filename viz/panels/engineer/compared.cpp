// The lens with compared runs: what differs in one sentence, where the time goes in both, the numbers that differ, and
// the stalls of one CTA of each.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/text.h"
#include "viz/model/causes.h"
#include "viz/model/comparison.h"
#include "viz/model/explained.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/description.h"
#include "viz/panels/engineer/engineer.h"
#include "viz/panels/panels.h"
#include "viz/panels/parts.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/scenario/star.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using sim::Cause;
using sim::Simulation;
using ui::Rect;
using ui::Style;

constexpr float card_gap = 12, bar_room = 12, wide_from = 900, sentence_beside_from = 760, run_width = 200,
                error_beside_from = 190;
constexpr float number_row = 18, pipe_row = 18, lanes_height = 236, most_lanes = 330;  // CSS pixels

/// The compared run that is shown as B.
std::size_t second_run(const View& view) {
  return std::clamp<std::size_t>(static_cast<std::size_t>(view.state.look.pane), 1, view.world.subjects() - 1);
}

bool both_have_time(const View& a, const View& b) { return a.subject().has_time() && b.subject().has_time(); }

// Headline.

/// "A is 1.26 x slower: it spends 210 µs at shared memory, B none."
std::string contrast_words(const View& a, const View& b) {
  const Contrast found = contrast(a.subject().simulation(), b.subject().simulation());
  const std::string_view slow = found.first ? "A" : "B", fast = found.first ? "B" : "A";
  if (found.within_error() && found.error_percent)
    return a.say("A and B are as fast, within the error of {} of their times.",
                 number_text("time.error_percent", *found.error_percent));
  if (is_even(found.ratio)) return std::string(a.say("A and B are as fast."));
  const std::string ratio = times_text(found.ratio), time = number_text("time.microseconds", found.slower);
  const std::string other =
      found.faster > 0 ? number_text("time.microseconds", found.faster) : std::string(a.say("none"));
  if (found.group == Cause::tail)
    return a.say("{} is {} x slower: its SMs are idle for {} at the end, those of {} for {}.", slow, ratio, time, fast,
                 other);
  const View& slower = found.first ? a : b;
  const std::string_view at = found.group == Cause::bandwidth ? a.say("bandwidth")
                              : found.group == Cause::data    ? a.say("latency")
                                                              : resource_name(slower, sim::name_of(found.group));
  return a.say(sim::is_work(found.group) ? /*say*/ "{} is {} x slower: it spends {} at {}, {} {}."
                                         : /*say*/ "{} is {} x slower: it waits {} for {}, {} {}.",
               slow, ratio, time, at, fast, other);
}

/// "Changed in B: Br, Bc"
std::string change_words(const View& a, const View& b) {
  std::vector<std::string> names = differences(a.subject(), b.subject());
  if (names.empty()) return std::string(a.say("Nothing is changed in B."));
  for (std::string& name : names) {
    const std::string_view label = sim::option_called(name).label;
    if (!label.empty()) name = a.say(label);
  }
  return a.say("Changed in B: {}", sim::joined(names));
}

/// The sentence and what was changed, as markup.
std::array<std::string, 2> headline_of(const View& a, const View& b) {
  const View& lacking = a.subject().has_time() ? b : a;
  const std::string first = both_have_time(a, b) ? contrast_words(a, b) : no_time_words(lacking);
  return {ui::escaped(first), ui::escaped(change_words(a, b))};
}

std::string name_of_view(const View& view) { return ui::escaped(run_name(view.model, view.index, true)); }

/// True if the error stands beside the time, else below it.
bool error_beside(const View& view, float width) { return width >= view.px(error_beside_from); }

/// Height of the time, the error and the bound of a run.
float facts_height(const View& view, float width) { return view.px(error_beside(view, width) ? 50 : 68); }

float run_height(const View& view, float width) {
  const float name = ui::paragraph_height(view.canvas(), Style::control, name_of_view(view), width - view.px(28));
  return std::max(view.px(20), name) + view.px(4) + facts_height(view, width);
}

/// Draws name, time, error and bound of a run.
void draw_run(View& view, Rect place) {
  const ui::Theme& theme = view.theme();
  const Simulation& s = view.subject().simulation();
  const auto [head, facts] = ui::rows(place, view.px(4), {ui::rest(), facts_height(view, place.width)});
  const auto [letter, name] = ui::columns(head, view.px(8), {view.px(20), ui::rest()});
  draw_letter(view, {letter.x, letter.y, letter.width, view.px(20)});
  ui::paragraph(view.canvas(), name, Style::control, {.color = theme.text}, name_of_view(view));
  ui::Space rest(facts), line(rest.top(view.px(32)));
  line.left(draw_number(view, line.rest(), Style::number, "time.microseconds", s.microseconds), view.px(10));
  if (!view.subject().has_time()) return;
  const bool estimate = !star_of(s.plan).empty();
  const Rect error = error_beside(view, place.width) ? line.rest().moved(0, view.px(3)) : rest.top(view.px(18));
  if (s.accuracy.error_percent)
    draw_number_text(view, error, Style::caption, theme.muted, "time.error_percent",
                     "± " + number_text("time.error_percent", *s.accuracy.error_percent));
  else
    view.canvas().text(error, Style::caption, theme.muted,
                       estimate ? view.say("* estimated") : view.say("not validated"));
  const std::string_view bound = resource_name(view, s.bound_by);
  const std::string words = view.say("Bound by {}.", bound);
  view.canvas().text(rest.rest(), Style::caption, theme.text,
                     ui::first_that_fits(view.canvas(), Style::caption, rest.width(), {words, bound}));
}

bool sentence_beside(const View& view, float width) { return width >= view.px(sentence_beside_from); }

/// Width of a run's column, and of the sentence.
std::pair<float, float> headline_widths(const View& view, float inside) {
  if (!sentence_beside(view, inside)) return {(inside - view.px(card_gap)) / 2, inside};
  return {view.px(run_width), inside - 2 * view.px(run_width + card_gap)};
}

float sentence_height(const View& a, const View& b, float width) {
  const auto [first, changes] = headline_of(a, b);
  return ui::paragraph_height(a.canvas(), Style::title, first, width) + a.px(4) +
         ui::paragraph_height(a.canvas(), Style::body, changes, width);
}

float headline_height(const View& a, const View& b, float width) {
  const float inside = width - 2 * a.px(16);
  const auto [run, sentence] = headline_widths(a, inside);
  const float runs = std::max(run_height(a, run), run_height(b, run)), words = sentence_height(a, b, sentence);
  return 2 * a.px(12) + (sentence_beside(a, inside) ? std::max(runs, words) : runs + a.px(8) + words);
}

void draw_headline(View& a, View& b, Rect rect) {
  ui::mark_place(a.ui, "lens headline", rect);
  ui::panel(a.canvas(), rect);
  ui::Space rest(rect.inset(a.px(16), a.px(12)));
  const float run = headline_widths(a, rest.width()).first;
  const bool beside = sentence_beside(a, rest.width());
  const float high = std::max(run_height(a, run), run_height(b, run));
  Rect heads = beside ? rest.left(2 * run + 2 * a.px(card_gap), 0) : rest.top(high, a.px(8));
  heads.height = high;
  ui::Space runs(heads);
  draw_run(a, runs.left(run, a.px(card_gap)));
  draw_run(b, runs.left(run, 0));
  const auto [first, changes] = headline_of(a, b);
  a.ui.state.shown.emplace("lens/sentence", first);
  a.ui.state.shown.emplace("lens/changes", changes);
  rest.top(ui::paragraph(a.canvas(), rest.rest(), Style::title, {.color = a.theme().text}, first), a.px(4));
  ui::paragraph(a.canvas(), rest.rest(), Style::body, {.color = a.theme().muted}, changes);
}

// Numbers that differ.

struct Compared {
  std::string_view title;
  std::string path[2];
  double value[2];
  bool same() const { return value[0] == value[1]; }
};

/// Numbers of whole runs, and of the kernels in view; those that differ first.
std::vector<Compared> numbers_of(const View& a, const View& b) {
  std::vector<Compared> all;
  const auto add = [&](std::string_view title, auto path_of_run, auto value) {
    const double first = value(a.subject()), second = value(b.subject());
    if (std::isnan(first) && std::isnan(second)) return;
    all.push_back({title, {path_of_run(a), path_of_run(b)}, {first, second}});
  };
  const auto run = [](std::string_view path) { return [path](const View&) { return std::string(path); }; };
  const auto kernel = [](std::string_view part, std::string_view leaf) {
    return [part, leaf](const View& view) { return path_of_kernel(view, part, leaf); };
  };
  const auto real = [](auto count) { return static_cast<double>(count); };
  add(/*say*/ "CTAs in all", kernel("kernels", "ctas"), [&](const Subject& s) { return real(s.kernel().ctas); });
  add(/*say*/ "CTAs per SM", kernel("kernels", "occupancy.ctas_per_sm"),
      [&](const Subject& s) { return real(s.kernel().ctas_per_sm); });
  add(/*say*/ "threads a CTA", kernel("kernels", "threads"),
      [&](const Subject& s) { return real(s.launch().threads); });
  add(/*say*/ "SMEM a CTA", kernel("kernels", "smem_bytes"),
      [&](const Subject& s) { return real(s.simulation().traces[s.replay->kernel].peak_smem.count()); });
  if (both_have_time(a, b))
    add(/*say*/ "waves", kernel("time", "waves"), [](const Subject& s) { return s.kernel().waves; });
  add(/*say*/ "HBM traffic", run("hbm_traffic.bytes"),
      [](const Subject& s) { return hbm_bytes_of(s.simulation()).all(); });
  add(/*say*/ "Tile traffic", run("tile_traffic.bytes"),
      [&](const Subject& s) { return real(s.simulation().totals.total.total().count()); });
  add(/*say*/ "Peak HBM", run("memory.peak_hbm_bytes"),
      [&](const Subject& s) { return real(s.simulation().memory.peak_hbm.count()); });
  add(/*say*/ "Matrix FLOPs", run("work.matmul_flops"),
      [&](const Subject& s) { return real(s.simulation().totals.matmul_flops.count()); });
  add(/*say*/ "exponentials", run("work.exp_count"),
      [&](const Subject& s) { return real(s.simulation().totals.exps.count()); });
  std::stable_partition(all.begin(), all.end(), [](const Compared& each) { return !each.same(); });
  return all;
}

float numbers_height(const View& a, const View& b) {
  return 2 * a.px(12) + a.px(32) + static_cast<float>(numbers_of(a, b).size() + 1) * a.px(number_row);
}

void draw_numbers(View& a, View& b, Rect rect) {
  ui::mark_place(a.ui, "lens numbers", rect);
  const bool kernels = a.subject().simulation().kernels.size() + b.subject().simulation().kernels.size() > 2;
  const std::string_view note = kernels ? a.say("CTAs of the kernels in view") : std::string_view();
  ui::Space rest(draw_card(a, rect, a.say("What differs"), note));
  const auto cells = [&](Rect row) {
    return ui::columns(row, 0, {{0, 1, a.px(220)}, {a.px(84)}, {a.px(84)}, {a.px(42)}});
  };
  const auto [empty, first, second, ratio] = cells(rest.top(a.px(number_row)));
  a.canvas().text(first, Style::caption, a.theme().muted, "A", ui::Align::right);
  a.canvas().text(second, Style::caption, a.theme().muted, "B", ui::Align::right);
  a.canvas().text(ratio, Style::caption, a.theme().muted, "A / B", ui::Align::right);
  for (const Compared& each : numbers_of(a, b)) {
    if (rest.height() < a.px(number_row)) return;
    const ui::Color color = each.same() ? a.theme().muted : a.theme().text;
    const auto [title, left, right, times] = cells(rest.top(a.px(number_row)));
    a.canvas().text(title, Style::caption, color, a.say(each.title));
    draw_number(a, left, Style::table, color, each.path[0], each.value[0], ui::Align::right);
    draw_number(b, right, Style::table, color, each.path[1], each.value[1], ui::Align::right);
    const std::string text = each.same()          ? std::string(a.say("same"))
                             : each.value[1] == 0 ? std::string("-")
                                                  : times_text(each.value[0] / each.value[1]);
    a.canvas().text(times, Style::table, color, text, ui::Align::right);
  }
}

// Stalls.

float stalls_height(const View& view) {
  const auto rows = static_cast<float>(2 * view.subject().replay->stalls.engines.size());
  return 2 * view.px(12) + view.px(32) + view.px(18) + rows * view.px(pipe_row);
}

void draw_both_stalls(View& a, View& b, Rect rect) {
  ui::mark_place(a.ui, "lens stalls", rect);
  const auto time = [](const View& view) {
    return number_text("time.microseconds", view.subject().microseconds(view.subject().replay->stalls.time));
  };
  const Rect inside = draw_card(a, rect, a.say("Stalls per pipe"), a.say("one CTA: A {}, B {}", time(a), time(b)));
  const auto [heads, pipes] = ui::rows(inside, 0, {a.px(18), ui::rest()});
  a.canvas().text(heads, Style::caption, a.theme().muted, a.say("works / waits"), ui::Align::right);
  const auto& engines = a.subject().replay->stalls.engines;
  const std::vector<Rect> rows = ui::equal_rows(pipes, 0, 2 * engines.size(), a.px(28));
  for (std::size_t n = 0; n < engines.size(); ++n) {
    const std::string_view name = engine_name(a.state.look.language, engines[n].engine);
    draw_pipe(a, rows[2 * n], engines[n], sim::text("A  ", name));
    draw_pipe(b, rows[2 * n + 1], b.subject().replay->stalls.engines[n], "B");
  }
}

// Line and body.

void draw_line(View& a, View& b, Rect line, float width) {
  ui::Space rest(line);
  if (a.world.subjects() > 2) {
    std::vector<std::string> names, labels;
    for (std::size_t n = 1; n < a.world.subjects(); ++n) {
      names.push_back(sim::text(n));
      labels.push_back(shortest_run_name(a.model, n));
    }
    const std::vector<std::string_view> ids(names.begin(), names.end()), words(labels.begin(), labels.end());
    const float wide = std::min(rest.width(), ui::drop_down_width(a.canvas(), "B", words));
    const int now = static_cast<int>(b.index) - 1;
    const int next = ui::drop_down(a.ui, "lens/second", rest.left(wide, a.px(card_gap)), "B", words, now, ids);
    if (next != now) a.set([&](Look& look) { look.pane = next + 1; });
  }
  if (measured_in_line(a, width)) {
    for (View* view : {&a, &b}) {
      if (!view->bare) draw_letter(*view, ui::middle(rest.left(view->px(20), view->px(6)), view->px(20)));
      draw_measured_field(*view, rest);
    }
  }
  ui::fitting_text(a.canvas(), rest.rest(), Style::caption, a.theme().muted,
                   a.say("a click on a cause shows its events"), ui::Align::right);
}

}  // namespace

bool can_compare(const View& view) {
  if (view.index != 0 || view.world.subjects() < 2) return false;
  const Covered& covered = view.world.covered;
  if (!view.bare && (!covered.quantities.empty() || covered.order)) return false;
  const Subject& b = view.world.subject(second_run(view));
  return b.error.empty() && b.replay != nullptr && !b.is_ragged() && view.subject().error.empty();
}

void draw_letter(View& view, Rect place) {
  const bool first = view.index == 0;
  const Rect box{place.x, place.y, view.px(20), place.height};
  view.canvas().fill(box, first ? view.theme().strong : view.theme().track, view.px(4));
  view.canvas().text(box, Style::control, first ? view.theme().on_strong : view.theme().text, first ? "A" : "B",
                     ui::Align::center);
}

void draw_compared(View& a, Rect line, Rect body) {
  View b{a.ui, a, second_run(a)};
  b.bare = a.bare;
  const float width = body.width - a.px(bar_room);
  draw_line(a, b, line, width);
  const bool wide = width >= a.px(wide_from), timed = both_have_time(a, b);
  const float numbers = numbers_height(a, b), stalls = stalls_height(a);
  std::vector<ui::Slot> slots;
  slots.push_back({headline_height(a, b, width), [&](Rect r) { draw_headline(a, b, r); }});
  if (timed) slots.push_back({both_budgets_height(a, b, width), [&](Rect r) { draw_both_budgets(a, b, r); }});
  for (View* view : {&a, &b})
    slots.push_back({measured_height(*view, width), [view](Rect r) { draw_measured(*view, r); }});
  if (wide) {
    slots.push_back({std::max(numbers, stalls), [&](Rect r) {
                       const auto [left, right] = ui::columns(r, a.px(card_gap), {ui::share(0.42f), ui::share(0.58f)});
                       draw_numbers(a, b, left);
                       if (timed) draw_both_stalls(a, b, right);
                     }});
  } else {
    slots.push_back({numbers, [&](Rect r) { draw_numbers(a, b, r); }});
    if (timed) slots.push_back({stalls, [&](Rect r) { draw_both_stalls(a, b, r); }});
  }
  slots.push_back({a.px(lanes_height), [&](Rect r) { draw_timeline(a, r); }});
  const float free = body.height - ui::height_of(a.px(card_gap), slots);
  if (free >= 0) slots.back().height += std::min(free, a.px(most_lanes - lanes_height));
  const float bar = free >= 0 ? 0 : a.px(bar_room);
  ui::scrolling_column(a.ui, a.id("engineer/scroll"), body, a.px(card_gap), bar, slots);
}

}  // namespace explorer
