#include <array>

#include "sim/model/busy_sms.h"
#include "viz/model/explained.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/scenario/star.h"
#include "viz/ui/paragraph.h"

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
  cut_right(cell, view.px(8));
  const bool is_time = total.path == "time.microseconds";
  const std::string_view star = is_time ? star_of(view.subject().simulation().plan) : "";
  draw_total_title(view, cut_top(cell, view.px(16)), total, star);
  const bool too_much = total.path == "memory.peak_hbm_bytes" && does_not_fit(view.subject());
  const ui::Rect number = cut_top(cell, view.px(20));
  const std::string text = sim::text(number_text(total.path, value), star);
  draw_number_text(view, number, ui::Style::control, too_much ? theme.warning : theme.text, total.path, text);
  if (view.index == 0 || first == 0) return;
  const bool same = value == first;
  const std::string ratio = ratio_words(view, value / first, is_time);
  const float wide = canvas.text_width(ui::Style::caption, ratio);
  const float taken = canvas.text_width(ui::Style::control, text) + view.px(10);
  ui::Rect beside = number;
  cut_left(beside, taken);
  const ui::Rect place = wide <= beside.width ? beside : cell;
  if (wide > place.width || place.height < view.px(14)) return;
  canvas.text(place, ui::Style::caption, same ? theme.muted : theme.text, ratio);
}

/// Draws the name, and the run that the ratios below refer to.
void draw_name(View& view, ui::Rect line, bool with_ratios) {
  ui::Canvas& canvas = view.canvas();
  if (with_ratios) {
    const std::string against = view.say("against {}", first_run(view));
    const float width = canvas.text_width(ui::Style::caption, against) + 1;
    canvas.text(cut_right(line, width), ui::Style::caption, view.theme().muted, against);
    cut_right(line, view.px(10));
  }
  canvas.text(line, ui::Style::title, view.theme().text, run_name_in(view, ui::Style::title, line.width));
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
  ui::Rect rest = rect.inset(view.px(16), view.px(8));
  ui::Rect line = cut_top(rest, view.px(view.for_fingers() ? 40 : 24));
  if (view.index > 0) {
    const std::string_view remove = view.say("Remove");
    const ui::Rect place = cut_right(line, ui::button_width(canvas, remove));
    if (ui::button(view.ui, view.id("compare/remove"), place, remove))
      return view.edit(without_run(view.state, view.index));
  }
  if (view.index > 0) cut_right(line, view.px(10));
  cut_top(rest, view.px(2));
  const bool low = rest.height < view.px(51);  // a low window shows only the name
  draw_name(view, line, view.index > 0 && view.subject().error.empty() && !low);
  if (!view.subject().error.empty()) {
    ui::paragraph(canvas, rest, ui::Style::caption, {.color = theme.text},
                  ui::escaped(view.translate(view.subject().error)));
    return;
  }
  if (low) return;
  ui::Rect place = cut_bottom(rest, view.px(18));
  const std::string moment = where(view, true);
  const bool fits = canvas.text_width(ui::Style::caption, moment) <= place.width;
  canvas.text(place, ui::Style::caption, theme.muted, fits ? moment : where(view, false));
  const float cell = rest.width / static_cast<float>(totals.size());
  for (const Total& total : totals) draw_total(view, cut_left(rest, cell), total);
}

}  // namespace explorer
