// Race: whole runs on one clock. Each has a card with its SMs over time; the footer is shared.
#pragma once
#include "viz/model/race_lanes.h"
#include "viz/panels/view.h"
#include "viz/ui/race_layout.h"
#include "viz/ui/tracks.h"

namespace explorer {

/// Draws name, clock, lanes of the SMs, counters and links of the view's run; a panel behind them if `place` has a
/// card.
void draw_race_card(View& view, const ui::RaceCard& place);
/// Draws transport, legend of colours, HBM bytes of all runs over the same time, and totals at the finish.
void draw_race_footer(View& view, const ui::RaceLayout& layout);
/// Draws the HBM bytes of all runs over the time of the race, below a row for its ticks.
void draw_race_plot(View& view, ui::Rect axis, ui::Rect plot);
/// "Standard attention is in softmax, kernel 2 of 3; FlashAttention-2 finished 570 µs ago."
std::string race_sentence(const Model& model, bool short_names = false);

// Helpers shared by the cards and the footer.

/// The axis of the race over a rectangle, with its playhead.
ui::Tracks race_tracks(const View& view, ui::Rect axis);
/// x of a time of the race.
inline float race_x(const View& view, ui::Rect axis, double time) { return race_tracks(view, axis).x(time); }
/// Result of the pointer on a picture with this axis: holding it there moves the clock.
ui::Touch touch_race(View& view, std::string_view name, ui::Rect axis);
/// "430.2 µs"
std::string race_time_text(double microseconds);
double hbm_bytes_of(const sim::KernelMeters& kernel);
double tile_bytes_of(const sim::KernelMeters& kernel);
double matrix_flops_of(const sim::KernelMeters& kernel);
/// Largest total of a quantity among the runs.
double largest_of_runs(const Model& model, double (*quantity)(const sim::KernelMeters&));
double total_of_run(const Subject& subject, double (*quantity)(const sim::KernelMeters&));
/// Lanes of the view's run in a rectangle, computed in slices.
const RaceLanes& race_lanes_of(View& view, ui::Rect lanes);
/// Number of SMs in a row of the lanes.
std::int64_t sms_in_row(const View& view, ui::Rect lanes);

/// True if classes of entries colour the lanes of the view's run: in the view of a batch, for its packings.
bool shows_entries(const View& view);
/// True if the ratios of the others refer to the view's run.
bool is_reference(const View& view);
/// Padding: hatched, to distinguish it from an SM where nothing runs.
ui::Paint padding_paint(const ui::Theme& theme);
/// Draws the buttons of playback, the race in one sentence, and its clock.
void draw_race_transport(View& view, ui::Rect row);

/// Draws the totals of the runs at the finish, and their ratios to the first run's.
void draw_race_totals(View& view, ui::Rect rest);

/// Draws the SMs over time. `below`: text below the ratio once the run is done, instead of how long ago that was.
/// Returns what the pointer does to them.
ui::Touch draw_race_lanes(View& view, const ui::RaceCard& place, std::string_view below = {});

}  // namespace explorer
