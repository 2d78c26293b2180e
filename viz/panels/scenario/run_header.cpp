#include <array>

#include "sim/model/busy_sms.h"
#include "viz/model/explained.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/scenario/star.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

struct Total {
  std::string_view title, path;
  double (*value)(const sim::Simulation&);
};
constexpr std::array<Total, 4> totals = {
    {{/*say*/ "Tile traffic", "tile_traffic.bytes",
      [](const sim::Simulation& s) { return static_cast<double>(s.totals.total.total().count()); }},
     {/*say*/ "HBM traffic", "hbm_traffic.bytes", [](const sim::Simulation& s) { return hbm_bytes_of(s).all(); }},
     {/*say*/ "Peak HBM", "memory.peak_hbm_bytes",
      [](const sim::Simulation& s) { return static_cast<double>(s.memory.peak_hbm.count()); }},
     {/*say*/ "Time", "time.microseconds", [](const sim::Simulation& s) { return s.microseconds; }}}};

/// True if the tensors need more memory than the card has.
bool does_not_fit(const Subject& s) { return s.simulation().memory.peak_hbm.count() > s.scenario().gpu->hbm_bytes; }

/// Draws the title of a number, with the meaning of its star if there is room.
void draw_total_title(View& view, ui::Rect line, const Total& total, std::string_view star) {
  const std::string_view title = view.say(total.title);
  const std::string words = sim::text(title, " (", view.say("* estimated"), ")");
  const bool all = !star.empty() && view.canvas().text_width(ui::Style::caption, words) <= line.width;
  view.canvas().text(line, ui::Style::caption, view.theme().muted, all ? std::string_view(words) : title);
}

/// Draws a number, and next to it or below it the ratio to the first run's.
void draw_total(View& view, ui::Rect cell, const Total& total) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const double value = total.value(view.subject().simulation());
  const double first = total.value(view.world.subject(0).simulation());
  cell.width -= view.px(8);
  const auto [title, number, below] = ui::rows(cell, 0, {view.px(16), view.px(20), ui::rest()});
  const bool is_time = total.path == "time.microseconds";
  const std::string_view star = is_time ? star_of(view.subject().simulation().plan) : "";
  draw_total_title(view, title, total, star);
  const bool too_much = total.path == "memory.peak_hbm_bytes" && does_not_fit(view.subject());
  const std::string text = sim::text(number_text(total.path, value), star);
  draw_number_text(view, number, ui::Style::control, too_much ? theme.warning : theme.text, total.path, text);
  if (view.index == 0 || first == 0) return;
  const bool same = value == first;
  const std::string ratio = ratio_words(view, value / first, is_time);
  const float taken = canvas.text_width(ui::Style::control, text) + view.px(10);
  const ui::Rect beside{number.x + taken, number.y, number.width - taken, number.height};
  const ui::Color color = same ? theme.muted : theme.text;
  if (fitting_text(canvas, beside, ui::Style::caption, color, ratio) || below.height < view.px(14)) return;
  fitting_text(canvas, below, ui::Style::caption, color, ratio);
}

/// Draws the name, and the run that the ratios below refer to.
void draw_name(View& view, ui::Rect place, bool with_ratios) {
  ui::Canvas& canvas = view.canvas();
  ui::Space line(place);
  if (with_ratios)
    right_text(canvas, line, ui::Style::caption, view.theme().muted, view.say("against {}", first_run(view)),
               view.px(10));
  canvas.text(line.rest(), ui::Style::title, view.theme().text, run_name_in(view, ui::Style::title, line.width()));
}

/// "kernel 2 of 3: standard_softmax · 12.3 µs of its CTA · tile 4 of 16"; `long_words`: says whose time it is.
std::string where(const View& view, bool long_words) {
  const Subject& s = view.subject();
  std::string text;
  const std::size_t kernels = s.simulation().plan.launches.size();
  if (kernels > 1) text = view.say("kernel {} of {}", s.replay->kernel + 1, kernels) + ": ";
  const std::string time = number_text("time.microseconds", s.microseconds(s.time));
  text += s.launch().name + " · " + (long_words ? view.say("{} of its CTA", time) : time);
  const auto& visits = s.replay->index.visits();
  const sim::BusySms sms = sim::busy_sms(s.simulation(), s.kernel());
  if (sms.few()) text += " · " + view.say("{} of {} SMs busy", sms.busy, sms.all);
  if (!visits.empty()) text += " · " + view.say("tile {} of {}", s.replay->index.visit_at(s.time) + 1, visits.size());
  return text;
}

}  // namespace

void draw_run_header(View& view, ui::Rect rect) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  ui::panel(canvas, rect);
  const auto [line, rest] =
      ui::rows(rect.inset(view.px(16), view.px(8)), view.px(2), {view.px(view.for_fingers() ? 40 : 24), ui::rest()});
  const std::string_view remove = view.say("Remove");
  const auto [name, button] =
      ui::columns(line, view.px(10), {ui::rest(), view.index > 0 ? ui::button_width(canvas, remove) : 0});
  if (view.index > 0 && ui::button(view.ui, view.id("compare/remove"), button, remove))
    return view.edit(without_run(view.state, view.index));
  const bool low = rest.height < view.px(51);  // a low window shows only the name
  draw_name(view, name, view.index > 0 && view.subject().error.empty() && !low);
  if (!view.subject().error.empty()) {
    ui::paragraph(canvas, rest, ui::Style::caption, {.color = theme.text},
                  ui::escaped(view.translate(view.subject().error)));
    return;
  }
  if (low) return;
  const auto [numbers, moment] = ui::rows(rest, 0, {ui::rest(), view.px(18)});
  if (!fitting_text(canvas, moment, ui::Style::caption, theme.muted, where(view, true)))
    canvas.text(moment, ui::Style::caption, theme.muted, where(view, false));
  const std::vector<ui::Part> cells(totals.size(), ui::rest());
  const std::vector<ui::Rect> places = ui::columns(numbers, 0, cells);
  for (std::size_t n = 0; n < totals.size(); ++n) draw_total(view, places[n], totals[n]);
}

}  // namespace explorer
