// Helpers shared by the parts of a race: the clock, its axis, totals.
#include "viz/panels/race/race.h"

#include <algorithm>
#include <cmath>

#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"

namespace explorer {

ui::Tracks race_tracks(const View& view, ui::Rect axis) {
  return {view.ui, 0, std::max(view.world.run_end(), 1e-9), axis, view.state.look.run_time};
}

ui::Touch touch_race(View& view, std::string_view name, ui::Rect axis) {
  const ui::Touch touch = race_tracks(view, axis).touch(view.id(name), axis);
  if (touch.held) {
    view.edit(PlayOn{false});
    view.edit(SeekRun{touch.time});
  }
  return touch;
}

std::string race_time_text(double microseconds) { return number_text("time.microseconds", microseconds); }

double hbm_bytes_of(const sim::KernelMeters& kernel) {
  return kernel.hbm_counted ? static_cast<double>(kernel.hbm_total().count()) : std::nan("");
}
double tile_bytes_of(const sim::KernelMeters& kernel) {
  return static_cast<double>(kernel.totals.total.total().count());
}
double matrix_flops_of(const sim::KernelMeters& kernel) {
  return static_cast<double>(kernel.totals.matmul_flops.count());
}

double total_of_run(const Subject& subject, double (*quantity)(const sim::KernelMeters&)) {
  double sum = 0;
  for (const sim::KernelMeters& kernel : subject.simulation().kernels) sum += quantity(kernel);
  return sum;
}

double largest_of_runs(const Model& model, double (*quantity)(const sim::KernelMeters&)) {
  double most = 0;
  for (std::size_t n = 0; n < model.world.subjects(); ++n)
    most = std::max(most, total_of_run(model.world.subject(n), quantity));
  return most;
}

std::int64_t sms_in_row(const View& view, ui::Rect lanes) {
  return sms_per_band(view.subject().scenario().gpu->sm_count, static_cast<std::size_t>(std::max(1.f, lanes.height)));
}

bool shows_entries(const View& view) {
  const Look& look = view.state.look;
  const Subject& first = view.world.subject(0);
  const bool of_batch = first.is_ragged() || (look.center == Center::batch && look.play != Play::run);
  return of_batch && has_entries_of(view.subject(), first);
}

bool is_reference(const View& view) { return view.index == lane_order(view.model).front(); }

ui::Paint padding_paint(const ui::Theme& theme) {
  return {ui::mix(theme.muted, theme.inset, 0.5f), theme.inset, ui::Hatch::diagonal};
}

const RaceLanes& race_lanes_of(View& view, ui::Rect lanes) {
  const std::int64_t sms = view.subject().scenario().gpu->sm_count;
  LaneGrid grid;
  grid.columns = static_cast<std::size_t>(std::max(1.f, lanes.width));
  grid.bands = static_cast<std::size_t>(sim::ceil_div(sms, sms_in_row(view, lanes)));
  grid.end = std::max(view.world.run_end(), 1e-9);
  grid.by_row_block = view.state.look.by_row_block;
  const std::shared_ptr<const Run> entries = shows_entries(view) ? view.world.subject(0).run : nullptr;
  return view.world.tasks.get<RaceLanes>(view.index, view.subject().clock, grid, entries);
}

std::string race_sentence(const Model& model, bool short_names) {
  const Language language = model.state.look.language;
  std::string text;
  for (const std::size_t n : lane_order(model)) {
    const Subject& s = model.world.subject(n);
    if (s.error.empty() && !s.has_time()) continue;
    const std::string title = short_names ? shortest_run_name(model, n) : run_name(model, n);
    const double time = model.state.look.run_time, end = s.clock->end();
    const std::size_t kernel = s.clock->kernel_at(time), kernels = s.clock->kernels().size();
    if (!text.empty()) text += "; ";
    if (time >= end && time > end) {
      text += words::say_with(language, /*say*/ "{} finished {} ago", title, race_time_text(time - end));
    } else if (time >= end) {
      text += words::say_with(language, /*say*/ "{} has finished", title);
    } else if (kernels > 1) {
      text += words::say_with(language, /*say*/ "{}: kernel {} of {}, {}", title, kernel + 1, kernels,
                              s.simulation().kernels[kernel].name);
    } else {
      text += words::say_with(language, /*say*/ "{}: {} done", title,
                              fmt::format("{:.0f} %", 100 * s.clock->share(0, time)));
    }
  }
  return text.empty() ? text : text + std::string(words::say(language, /*say*/ "."));
}

}  // namespace explorer
