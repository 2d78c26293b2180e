// The SMs of one run over the time of the race: colour means head or row block, a flag marks the run's end.
#include <algorithm>
#include <array>
#include <cmath>

#include "viz/panels/race/race.h"
#include "viz/panels/roofline/chart.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

constexpr float still_to_come = 0.7f;  // of a colour, mixed into the inset
constexpr float flag_cell = 4;         // CSS pixels

/// Draws the rectangles of the lanes, past ones in full colour; the one under the playhead is split there.
void draw_rects(View& view, const RaceLanes& lanes, ui::Rect place, std::size_t bands) {
  ui::Canvas& canvas = view.canvas();
  std::array<std::array<ui::Color, 2>, order_steps> colors;
  for (int n = 0; n < order_steps; ++n) {
    const ui::Color full = view.theme().in_order(static_cast<float>(n) / static_cast<float>(order_steps - 1));
    colors[static_cast<std::size_t>(n)] = {full, ui::mix(full, view.theme().inset, still_to_come)};
  }
  const float now = std::round(race_x(view, place, view.model.run_time()));
  const float pitch = place.height / static_cast<float>(bands);
  for (const LaneRect& r : lanes.rects()) {
    const float left = place.x + static_cast<float>(r.left), right = place.x + static_cast<float>(r.right);
    const float top = place.y + std::round(pitch * static_cast<float>(r.top));
    const float height = place.y + std::round(pitch * static_cast<float>(r.bottom)) - top;
    const auto& color = colors[r.step];
    const float cut = std::clamp(now, left, right);
    if (cut > left) canvas.fill({left, top, cut - left, height}, color[0]);
    if (cut < right) canvas.fill({cut, top, right - cut, height}, color[1]);
  }
}

/// Draws a line between two kernels, at least two pixels wide: nothing runs during the next launch.
void draw_gaps(View& view, ui::Rect place) {
  const auto& kernels = view.subject().clock->kernels();
  for (std::size_t k = 1; k < kernels.size(); ++k) {
    const float left = race_x(view, place, kernels[k].launch), right = race_x(view, place, kernels[k].begin);
    const float wide = std::max(view.px(2), right - left);
    view.canvas().fill({std::round(left - view.px(1)), place.y, wide, place.height}, view.theme().inset);
  }
}

void draw_busy(View& view, const RaceLanes& lanes, ui::Rect place) {
  view.canvas().fill(place, view.theme().track);
  const auto sms = static_cast<float>(view.subject().scenario().gpu->sm_count);
  const float now = race_x(view, place, view.model.run_time());
  const auto& busy = lanes.busy();
  for (std::size_t x = 0, next = 0; x < busy.size(); x = next) {
    const float height = std::round(place.height * busy[x] / sms);
    for (next = x + 1; next < busy.size() && std::round(place.height * busy[next] / sms) == height;) ++next;
    const ui::Rect bar{place.x + static_cast<float>(x), place.bottom() - height, static_cast<float>(next - x), height};
    const ui::Rect past = ui::common(bar, {place.x, place.y, now - place.x, place.height});
    view.canvas().fill(bar, ui::mix(view.theme().muted, view.theme().track, 0.6f));
    if (!past.empty()) view.canvas().fill(past, view.theme().muted);
  }
}

/// Draws the names of the kernels above their times, if they fit.
void draw_kernel_row(View& view, ui::Rect row, ui::Rect axis, ui::Rect taken) {
  const auto& kernels = view.subject().clock->kernels();
  const std::size_t now = view.subject().clock->kernel_at(view.model.run_time());
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const std::string& name = view.subject().simulation().kernels[k].name;
    const float left = race_x(view, axis, kernels[k].launch), right = race_x(view, axis, kernels[k].end);
    const float width = view.canvas().text_width(ui::Style::table, name) + 1;
    const bool alone = kernels.size() == 1;
    if (!alone && width > right - left - view.px(8)) continue;
    const float x = alone ? left : (left + right - width) / 2;
    if (x + width > taken.x && x < taken.right()) continue;
    view.canvas().text({x, row.y, width, row.height}, ui::Style::table,
                       k == now ? view.theme().text : view.theme().muted, name);
  }
}

void draw_flag(View& view, ui::Point at, ui::Color color) {
  const float cell = view.px(flag_cell);
  view.canvas().stroke({at.x, at.y, 4 * cell + 2, 3 * cell + 2}, color, 1);
  for (int y = 0; y < 3; ++y) {
    for (int x = y % 2; x < 4; x += 2)
      view.canvas().fill({at.x + 1 + static_cast<float>(x) * cell, at.y + 1 + static_cast<float>(y) * cell, cell, cell},
                         color);
  }
}

/// Draws the finish: a dashed line, solid once reached, with flag and time. Returns the part of the row of names it
/// takes.
ui::Rect draw_finish(View& view, ui::Rect row, ui::Rect lanes) {
  ui::Canvas& canvas = view.canvas();
  const double end = view.subject().clock->end();
  const bool reached = view.model.run_time() >= end;
  const ui::Color color = reached ? view.theme().strong : view.theme().muted;
  const float x = std::min(std::round(race_x(view, lanes, end)), lanes.right() - 1), top = row.y + view.px(4);
  constexpr std::array<float, 2> dashes = {3, 3};
  const std::array line = {ui::Point{x, top}, ui::Point{x, lanes.bottom()}};
  dashed_line(canvas, line, color, 1, reached ? Dashes{} : Dashes{dashes});
  const std::string text = race_time_text(end);
  const float flag = 4 * view.px(flag_cell) + view.px(8);
  const float width = canvas.text_width(ui::Style::control, text) + 1;
  const bool right = x + flag + width <= lanes.right();
  draw_flag(view, {right ? x : x - 4 * view.px(flag_cell) - 2, top}, color);
  const float from = right ? x + flag : x - flag - width;
  canvas.text({from, row.y, width, row.height}, ui::Style::control, color, text);
  const float gap = view.px(8);
  return {std::min(x, from) - gap, row.y, std::max(x, from + width) - std::min(x, from) + 2 * gap, row.height};
}

/// Draws "6.29 x faster than Standard attention", right of the playhead or between the finish and it, as large as fits.
void draw_ratio(View& view, ui::Rect lanes) {
  if (view.index == 0 || lanes.height < view.px(44)) return;
  const double end = view.subject().clock->end(), first = view.model.subject(0).clock->end();
  const double now = view.model.run_time();
  const float finish = race_x(view, lanes, end) + view.px(24), head = race_x(view, lanes, now);
  const float beyond = std::max(finish, head + view.px(20)), middle = lanes.center().y;
  const std::array gaps = {ui::Rect{beyond, lanes.y, lanes.right() - beyond, lanes.height},
                           ui::Rect{finish, lanes.y, head - view.px(20) - finish, lanes.height}};
  const std::string below = now < end ? view.say("when it ends, in {}", race_time_text(end - now))
                                      : view.say("finished {} ago", race_time_text(now - end));
  for (const ui::Style style :
       {now < end ? ui::Style::title : ui::Style::number, ui::Style::title, ui::Style::caption}) {
    for (const ui::Rect& gap : gaps) {
      const std::string sentence = ratio_to_first(view, style, gap.width, end / first);
      if (sentence.empty()) continue;
      const ui::Color color = now < end ? view.theme().muted : view.theme().text;
      view.canvas().text({gap.x, middle - view.px(28), gap.width + 1, view.px(28)}, style, color, sentence);
      if (view.canvas().text_width(ui::Style::control, below) <= gap.width)
        view.canvas().text({gap.x, middle, gap.width, view.px(20)}, ui::Style::control, view.theme().muted, below);
      return;
    }
  }
}

/// Draws the tooltip of the SM under the pointer; a click on a lane of the first run opens its CTA at that time.
void use_lanes(View& view, ui::Rect lanes, std::int64_t per_row, std::size_t rows) {
  const RaceTouch touch = touch_race(view, "race/lanes", lanes);
  if (!touch.hovered || !view.subject().clock->ready()) return;
  const float y = (ImGui::GetIO().MousePos.y - lanes.y) / lanes.height * static_cast<float>(rows);
  const std::int64_t sms = view.subject().scenario().gpu->sm_count;
  const std::int64_t sm = std::clamp<std::int64_t>(static_cast<std::int64_t>(y) * per_row, 0, sms - 1);
  const auto cta = racing_cta(*view.subject().clock, touch.time, sm);
  std::vector<std::string> lines = {per_row == 1 ? sim::text("SM ", sm)
                                                 : view.say("SM {} to {}", sm, std::min(sms, sm + per_row) - 1)};
  lines.push_back(race_time_text(touch.time));
  if (cta) {
    const sim::CtaPlace p = place_of_cta(view.subject().simulation(), cta->kernel, cta->cta);
    lines.push_back(view.say("{}: batch {}, head {}, row block {}",
                             view.subject().simulation().kernels[cta->kernel].name, p.batch, p.head, p.row));
  }
  draw_tooltip(view, lines);
  const ImGuiIO& io = ImGui::GetIO();
  const bool dragged = io.MouseDragMaxDistanceSqr[0] > view.px(3) * view.px(3);
  if (!touch.clicked || dragged || !cta || view.index != 0) return;
  const CtaSpan* span = view.subject().clock->kernels()[cta->kernel].grid.find(cta->cta);
  view.set([&](Look& look) { look.play = Play::cta; });
  view.edit(LookAt{cta->kernel, place_of_cta(view.subject().simulation(), cta->kernel, cta->cta)});
  if (span == nullptr) return;
  const sim::Cycles in = view.subject().clock->in_grid(cta->kernel, touch.time) - span->begin;
  const double share = static_cast<double>(in.count()) / static_cast<double>((span->end - span->begin).count());
  view.edit(SeekShare{share});
}

}  // namespace

void draw_race_lanes(View& view, const ui::RaceCard& place) {
  const RaceLanes& lanes = race_lanes_of(view, place.lanes);
  const std::int64_t per_row = sms_in_row(view, place.lanes), sms = view.subject().scenario().gpu->sm_count;
  const auto rows = static_cast<std::size_t>(sim::ceil_div(sms, per_row));
  view.canvas().fill(place.lanes, view.theme().inset);
  draw_rects(view, lanes, place.lanes, rows);
  draw_gaps(view, place.lanes);
  draw_busy(view, lanes, place.busy);
  draw_kernel_row(view, place.names, place.lanes, draw_finish(view, place.names, place.lanes));
  if (!place.words_above) draw_ratio(view, place.lanes);  // else the text above shows the ratio
  draw_race_playhead(view, {place.lanes.x, place.lanes.y - view.px(5), place.lanes.width,
                            place.busy.bottom() - place.lanes.y + view.px(8)});
  use_lanes(view, place.lanes, per_row, rows);
}

}  // namespace explorer
