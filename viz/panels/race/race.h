// Whole runs on one clock: a card for each with its SMs over time, and what they share below.
#pragma once
#include "viz/model/race_lanes.h"
#include "viz/panels/view.h"
#include "viz/ui/race_layout.h"

namespace explorer {

/// Name, clock, lanes of the SMs, counters and links of the view's run.
void draw_race_card(View& view, const ui::RaceCard& place);
/// Transport, what colours mean, HBM bytes of all runs over the same time, and totals at the finish.
void draw_race_foot(View& view, const ui::RaceLayout& layout);
/// "Standard attention is in softmax, kernel 2 of 3; FlashAttention-2 finished 570 µs ago."
std::string race_sentence(const ViewModel& model, bool short_names = false);

// What the cards and the foot have in common.

/// Where a time of the race stands in the lanes and in the plot below them.
float race_x(const View& view, ui::Rect axis, double microseconds);
/// Holding the pointer anywhere on a picture with this axis moves the clock. `clicked`: it was pressed and not moved.
struct RaceTouch {
  bool hovered = false, clicked = false;
  double time = 0;  ///< under the pointer
};
RaceTouch touch_race(View& view, std::string_view name, ui::Rect axis);
/// The playhead of all pictures.
void draw_race_playhead(View& view, ui::Rect axis);
/// "430.2 µs"
std::string race_time_text(double microseconds);
double hbm_bytes_of(const sim::KernelMeters& kernel);
double tile_bytes_of(const sim::KernelMeters& kernel);
double matrix_flops_of(const sim::KernelMeters& kernel);
/// The largest of the runs' totals of a quantity.
double largest_of_runs(const ViewModel& model, double (*quantity)(const sim::KernelMeters&));
double total_of_run(const Subject& subject, double (*quantity)(const sim::KernelMeters&));
/// The lanes of the view's run at a place, computed a slice at a time.
const RaceLanes& race_lanes_of(View& view, ui::Rect lanes);
/// SMs in a row of the lanes.
std::int64_t sms_in_row(const View& view, ui::Rect lanes);

/// Totals of the runs at the finish, and how they compare with those of the first.
void draw_race_totals(View& view, ui::Rect rest);

void draw_race_lanes(View& view, const ui::RaceCard& place);

}  // namespace explorer
