// Card of one run of a race: the kernel under way, its clock, its ratio to the first run, bytes moved and FLOPs
// computed.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/model/busy_sms.h"
#include "sim/model/links.h"
#include "sim/model/roofline.h"
#include "sim/report/numbers.h"
#include "viz/model/run_progress.h"
#include "viz/panels/engineer/engineer.h"
#include "viz/panels/panels.h"
#include "viz/panels/parts.h"
#include "viz/panels/race/race.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

using ui::Style;

double time_of_run(const View& view) { return std::min(view.state.look.run_time, view.subject().clock->end()); }
bool has_finished(const View& view) { return view.state.look.run_time >= view.subject().clock->end(); }

/// Names the kernel under way, or, for a single kernel, what its CTAs take; shorter if `width` is small. In a batch,
/// how long SMs are idle at the end.
std::string running(View& view, float width) {
  if (shows_entries(view)) {
    const double idle = view.subject().simulation().budget[sim::Cause::tail];
    const std::string tail = view.say("tail {}", number_text("time.budget.tail", idle));
    view.ui.state.shown.emplace(view.id("race/tail"), tail);
    return tail;
  }
  const RaceRun& clock = *view.subject().clock;
  const std::size_t kernels = clock.kernels().size(), k = clock.kernel_at(view.state.look.run_time);
  const sim::Launch& launch = view.subject().simulation().plan.launches[k];
  if (kernels == 1) return view.say("one kernel, {}", view.say(words_of(launch).takes));
  const std::string done = fmt::format("{:.0f} %", 100 * clock.share(k, view.state.look.run_time));
  std::string text = view.say("kernel {} of {}: {}, {} done", k + 1, kernels, launch.name, done);
  const bool fits = view.canvas().text_width(Style::caption, text) <= width;
  return fits ? text : view.say("{}: {} done", launch.name, done);
}

void draw_clock(View& view, ui::Rect place) {
  ui::Space row(place, view.px(5));
  const double end = view.subject().clock->end(), now = time_of_run(view);
  const std::string all =
      has_finished(view) ? std::string(view.say("finished")) : view.say("of {}", race_time_text(end));
  const ui::Rect right = row.right(view.canvas().text_width(Style::caption, all) + 1, 0);
  draw_number_text(view, right.moved(0, view.px(4)), Style::caption, view.theme().muted, "time.microseconds", all);
  const std::string large = number_in_unit_of("time.microseconds", now, end), unit = race_time_text(end);
  view.ui.state.shown.emplace(view.id("race/clock"), large);
  row.left(view.canvas().text(row.rest(), Style::number, view.theme().text, large));
  view.canvas().text(row.rest().moved(0, view.px(4)), Style::caption, view.theme().muted,
                     unit.substr(unit.rfind(' ') + 1));
}

/// Predicted time as a multiple of that of the run that ratios refer to.
double time_ratio(const View& view) {
  const Subject& reference = view.world.subject(lane_order(view.model).front());
  return view.subject().simulation().microseconds / reference.simulation().microseconds;
}

/// Draws the ratio to the first run if facts do not fit, then the kernel under way if it fits in the same row.
void draw_ratio_and_running(View& view, ui::Rect place) {
  const std::string ratio = ratio_to_first(view, Style::caption, place.width, time_ratio(view));
  if (!ratio.empty()) view.ui.state.shown.emplace(view.id("race/ratio"), ratio);
  ui::Space row(place);
  ui::left_text(view.canvas(), row, Style::caption, view.theme().text, ratio, view.px(12));
  ui::fitting_text(view.canvas(), row.rest(), Style::caption, view.theme().muted, running(view, row.width()),
                   ui::Align::right);
}

/// Draws a row with text at the left and its number at the right.
void draw_fact(View& view, ui::Rect row, std::string_view words, std::string_view path, const std::string& value) {
  const auto [left, right] = ui::columns(row, 0, {ui::rest(), view.canvas().text_width(Style::table, value) + 1});
  view.canvas().text(left, Style::caption, view.theme().muted, words);
  if (path.empty())
    view.canvas().text(right, Style::table, view.theme().text, value, ui::Align::right);
  else
    draw_number_text(view, right, Style::table, view.theme().text, path, value, ui::Align::right);
}

void draw_facts(View& view, ui::Space& rest) {
  const sim::Simulation& s = view.subject().simulation();
  const float row = view.px(19);
  if (rest.height() < row) return;
  if (!is_reference(view)) {
    const std::string words = ratio_words(view, time_ratio(view), true), first{first_run(view)};
    view.ui.state.shown.emplace(view.id("race/ratio"), words);
    const bool even = is_even(time_ratio(view));
    draw_fact(view, rest.top(row), even ? view.say("against {}", first) : view.say("than {}", first), {}, words);
  }
  if (rest.height() < row) return;
  const sim::RooflinePoint all = sim::roofline(s).back();
  const double peak = all.peak(sim::roofs_of(s.plan));
  draw_fact(view, rest.top(row), view.say("of peak FLOP/s, whole run"), {}, report::percent(all.achieved() / peak));
  if (rest.height() < row) return;
  const bool known = s.accuracy.error_percent.has_value();
  draw_fact(view, rest.top(row), view.say("error of time"), known ? "time.error_percent" : "",
            known ? "± " + number_text("time.error_percent", *s.accuracy.error_percent)
                  : std::string(view.say(sim::lacks_wgmma_clock(s.plan) ? /*say*/ "clock under wgmma unknown"
                                                                        : /*say*/ "not validated")));
}

/// Draws the causes of the run's time, if the card has room for several.
void draw_causes(View& view, ui::Space& rest) {
  if (rest.height() < view.px(160)) return;
  const sim::Budget& budget = view.subject().simulation().budget;
  rest.top(view.px(16));
  view.canvas().text(rest.top(view.px(24)), Style::control, view.theme().text, view.say("Where the time goes"));
  for (const sim::Cause cause : sim::all_causes) {
    if (!(budget[cause] >= 0.005 * budget.total()) || rest.height() < view.px(22)) continue;
    const auto [name, number] = ui::columns(rest.top(view.px(22)), 0, {ui::rest(), view.px(64)});
    draw_number(view, number, Style::table, sim::text("time.budget.", sim::key_of(cause)), budget[cause],
                ui::Align::right);
    draw_swatch(view, name, cause, cause_words(view, cause));
  }
}

/// Busy SMs and CTAs per SM, of the kernel that runs or ran last.
std::string sms_words(const View& view) {
  const Subject& s = view.subject();
  const std::size_t k = s.clock->kernel_at(view.state.look.run_time);
  const sim::KernelMeters& kernel = s.simulation().kernels[k];
  const std::int64_t each = sim::ctas_side_by_side(s.simulation(), kernel);
  const std::int64_t busy = has_finished(view) ? kernel.time.sms_busy : s.clock->busy_sms(view.state.look.run_time);
  if (has_finished(view) && each == 1) return view.say("{} were busy, one CTA on each", busy);
  if (has_finished(view)) return view.say("{} were busy, {} CTAs on each", busy, each);
  if (each == 1) return view.say("{} SMs busy, one CTA on each", busy);
  return view.say("{} SMs busy, {} CTAs on each", busy, each);
}

void draw_words(View& view, ui::Rect place) {
  ui::Canvas& canvas = view.canvas();
  ui::Space rest(place);
  canvas.text(rest.top(view.px(22)), Style::title, view.theme().text, run_name_in(view, Style::title, rest.width()));
  if (!view.subject().error.empty()) {
    ui::paragraph(canvas, rest.rest(), Style::caption, {.color = view.theme().warning},
                  ui::escaped(view.translate(view.subject().error)));
    return;
  }
  const ui::Rect row = rest.top(view.px(19));
  const bool has_facts = rest.height() >= view.px(70);  // a clock, and a row below it
  if (has_facts || is_reference(view) || shows_entries(view))
    canvas.text(row, Style::caption, view.theme().muted, running(view, row.width));
  else
    draw_ratio_and_running(view, row);
  if (rest.height() < view.px(30)) return;
  rest.top(std::min(view.px(6), rest.height() / 16));
  draw_clock(view, rest.top(view.px(30)));
  ui::progress_bar(canvas, rest.top(view.px(3)), static_cast<float>(time_of_run(view) / view.subject().clock->end()),
                   view.theme().strong);
  rest.top(std::min(view.px(6), rest.height() / 10));
  const bool last = rest.height() >= view.px(4 * 19);
  const ui::Rect footer = last ? rest.bottom(view.px(18)) : ui::Rect{};
  if (has_facts) draw_facts(view, rest);
  draw_causes(view, rest);
  if (last) canvas.text(footer, Style::caption, view.theme().muted, sms_words(view));
}

/// Draws the text of a card with a single line of text above the lanes.
void draw_narrow_words(View& view, ui::Rect place) {
  const auto [line, rest] = ui::rows(place, 0, {view.px(22), ui::rest()});
  const auto [name, clock] = ui::columns(line, view.px(8), {ui::rest(), std::min(0.55f * line.width, view.px(164))});
  draw_clock(view, clock);
  view.canvas().text(name, Style::title, view.theme().text, run_name_in(view, Style::title, name.width));
  const bool wrong = !view.subject().error.empty();
  if (!wrong && !is_reference(view)) return draw_ratio_and_running(view, rest);
  view.canvas().text(rest, Style::caption, wrong ? view.theme().warning : view.theme().muted,
                     wrong ? view.translate(view.subject().error) : running(view, rest.width));
}

struct RaceCounter {
  std::string_view title, path;
  double (*of_kernel)(const sim::KernelMeters&);
};
constexpr std::array<RaceCounter, 3> race_counters = {{{/*say*/ "HBM bytes", "hbm_traffic.bytes", hbm_bytes_of},
                                                       {/*say*/ "Tile bytes", "tile_traffic.bytes", tile_bytes_of},
                                                       {/*say*/ "Matrix FLOPs", "work.matmul_flops", matrix_flops_of}}};

/// Draws a counter: the track's length is the run's total on the scale of the largest run, its bright part is done.
void draw_race_counter(View& view, ui::Rect rect, const RaceCounter& counter) {
  ui::Canvas& canvas = view.canvas();
  const double all = total_of_run(view.subject(), counter.of_kernel);
  const bool counts_bytes = counter.of_kernel != matrix_flops_of;
  const double unit = counts_bytes ? element_bytes(view.subject().simulation()) : flops_of_product;
  const double now = whole_units(view.subject().clock->amount(view.state.look.run_time, counter.of_kernel), unit);
  const double most = largest_of_runs(view.model, counter.of_kernel);
  const auto [line, below] = ui::rows(rect, 0, {view.px(21), ui::rest()});
  const std::string total = view.say("of {}", number_text(counter.path, all));
  const auto [left, right] = ui::columns(line, view.px(5), {ui::rest(), canvas.text_width(Style::caption, total) + 1});
  draw_number_text(view, right, Style::caption, view.theme().muted, counter.path, total, ui::Align::right);
  const std::string text = number_in_unit_of(counter.path, now, all);
  view.ui.state.shown.emplace(view.id(sim::text("race/", counter.path)), text);
  canvas.text(left, Style::control, view.theme().text, text, ui::Align::right);
  canvas.text(left, Style::caption, view.theme().muted, view.say(counter.title));
  const ui::Rect track{below.x, below.y + view.px(1), below.width, view.px(4)};  // if need be, below the rectangle
  canvas.fill(track.share(most > 0 ? static_cast<float>(all / most) : 0), view.theme().track);
  canvas.fill(track.share(most > 0 ? static_cast<float>(now / most) : 0), view.theme().strong);
}

/// Draws a text over the middle of a link, moved as needed to stay within `room`.
void draw_link_words(View& view, ui::Rect line, ui::Rect room, std::string_view path, const std::string& words) {
  const float width = view.canvas().text_width(Style::caption, words) + 1;
  const float left = std::clamp(line.center().x - width / 2, room.x, std::max(room.x, room.right() - width));
  line = {left, line.y, std::min(width, room.right() - left), line.height};
  if (path.empty()) return void(view.canvas().text(line, Style::caption, view.theme().text, words));
  draw_number_text(view, line, Style::caption, view.theme().muted, path, words);
}

/// Draws a link of a kernel at a place, with its text next to it, which has `room` around it.
void draw_link(View& view, ui::Rect place, ui::Rect room, std::size_t kernel, const sim::LinkUse& use) {
  ui::Canvas& canvas = view.canvas();
  const float middle = std::round(place.center().y), head = view.px(6);
  const bool moves = !has_finished(view) && use.bytes > sim::Bytes{};
  const double percent_of_peak = moves ? use.percent_of_peak() : 0;
  const float off = view.px(10), line = std::min(middle - place.y - off, view.px(23));
  const ui::Rect above{place.x, middle - off - line, place.width, line},
      below{place.x, middle + off, place.width, line};
  const auto bytes = static_cast<double>(use.bytes.count());
  draw_link_words(view, above, room, {}, moves ? report::byte_rate(bytes / (use.microseconds * 1e-6)) : "0");
  const std::string path = sim::text("links.kernels.", kernel, ".", use.key, ".percent_of_peak");
  const std::string percent = number_text(path, percent_of_peak);
  const std::string of =
      view.say("{} of its {}", percent, report::byte_rate(static_cast<double>(use.bytes_per_second)));
  const bool fits = canvas.text_width(Style::caption, of) < room.width;
  if (moves) draw_link_words(view, below, room, path, fits ? of : percent);
  if (!moves) {
    const float step = view.px(5);
    for (float x = place.x; x + step < place.right(); x += 2 * step)
      canvas.fill({x, middle, step, 1}, view.theme().faint);
    return;
  }
  const float thick = std::max(view.px(1.5f), view.px(18) * static_cast<float>(std::min(1., percent_of_peak / 100)));
  const ui::Color color = view.theme().muted;
  canvas.fill({place.x, middle - thick / 2, place.width - head, thick}, color);
  const float wing = std::max(thick / 2 + view.px(2), view.px(4));
  canvas.triangle({place.right() - head, middle - wing}, {place.right() - head, middle + wing}, {place.right(), middle},
                  color);
}

/// Draws HBM, L2 and the SMs, and the average rates between them of the kernel under way.
void draw_links(View& view, ui::Rect rect) {
  const Subject& s = view.subject();
  const sim::DeviceSpec& gpu = *s.scenario().gpu;
  const double now = view.state.look.run_time;
  const std::size_t kernel = s.clock->kernel_at(now);
  const auto [from_l2, from_hbm] = sim::links_of(s.simulation(), kernel);
  const std::string_view busy = view.say("SMs busy");
  const std::string sms = view.say("{} of {}", s.clock->busy_sms(now), gpu.sm_count);
  const float least_busy =
      std::max(view.canvas().text_width(Style::caption, busy),
               view.canvas().text_width(Style::control, view.say("{} of {}", gpu.sm_count, gpu.sm_count))) +
      view.px(14);
  const float hbm = view.px(52), l2 = view.px(40);
  const float middle = std::round(rect.center().y), high = view.px(38);
  const float way = std::round(std::min(0.27f * rect.width, (rect.width - hbm - l2 - least_busy) / 2));
  const float half = hbm + way + l2 / 2 - view.px(4);
  const auto box = [&](ui::Rect place, std::string_view first, const std::string& second) {
    place = {place.x, middle - high / 2, place.width, high};
    ui::inset_panel(view.canvas(), place);
    if (second.empty())
      return void(view.canvas().text(place, Style::control, view.theme().text, first, ui::Align::center));
    const ui::Rect top{place.x, place.y + view.px(3), place.width, high / 2 - view.px(2)};
    view.canvas().text(top, Style::caption, view.theme().muted, first, ui::Align::center);
    view.canvas().text(top.moved(0, high / 2 - view.px(3)), Style::control, view.theme().text, second,
                       ui::Align::center);
  };
  const auto [hbm_box, to_l2, l2_box, to_sms, sms_box] = ui::columns(rect, 0, {hbm, way, l2, way, ui::rest()});
  const auto [left, right] = ui::columns(rect, view.px(4), {half, ui::rest()});
  box(hbm_box, "HBM", {});
  draw_link(view, to_l2, left, kernel, from_hbm);
  box(l2_box, "L2", {});
  draw_link(view, to_sms, right, kernel, from_l2);
  box(sms_box, busy, sms);
}

}  // namespace

void draw_race_card(View& view, const ui::RaceCard& place) {
  if (!place.card.empty()) ui::panel(view.canvas(), place.card);
  if (view.subject().error.empty() && !view.subject().has_time()) {
    const auto [name, words] = ui::rows(place.words, 0, {view.px(22), ui::rest()});
    view.canvas().text(name, Style::title, view.theme().text, run_name_in(view, Style::title, name.width));
    return void(draw_no_time(view, words));
  }
  place.words_above ? draw_narrow_words(view, place.words) : draw_words(view, place.words);
  if (!view.subject().error.empty()) return;
  draw_race_lanes(view, place);
  if (place.counters.empty()) return;
  const float each = place.counters.height / static_cast<float>(race_counters.size());
  for (std::size_t n = 0; n < race_counters.size(); ++n)
    draw_race_counter(view, ui::grid_cell(place.counters, 1, each, n), race_counters[n]);
  if (!place.links.empty()) draw_links(view, place.links);
}

}  // namespace explorer
