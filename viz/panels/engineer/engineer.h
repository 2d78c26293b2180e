// The view "engineer": what bounds the kernel in view, what its pipes wait for, how many CTAs fit, and the banks.
#pragma once
#include "viz/panels/hatch.h"
#include "viz/panels/view.h"

namespace explorer {

/// "time.kernels.0.bound_by": a path of the kernel in view, in the part of the JSON that begins so.
std::string path_of_kernel(const View& view, std::string_view part, std::string_view leaf);
/// A cause as reports name it, in the language of the window.
std::string_view cause_words(const View& view, sim::Cause cause);
/// Fills a place as the cause is drawn everywhere: work solid, waits hatched.
void draw_cause(View& view, ui::Rect place, sim::Cause cause);
/// A square that shows a cause, and its name. Returns the width.
float draw_swatch(View& view, ui::Rect place, sim::Cause cause, std::string_view words);

/// The time of the kernel in view by cause: one bar, a legend with numbers, the bound in a sentence. A click on a cause
/// goes to its next event in the CTA in view.
void draw_budget(View& view, ui::Rect rect);
float budget_height(const View& view, float width);
/// A measured time beside the run (sim/model/measured.h): its share of each bound, and what it says of the kernel. In
/// a card of that width the field for it stands in the card, else in the line above all; a card without anything has
/// no height.
float measured_height(const View& view, float width);
void draw_measured(View& view, ui::Rect rect);
bool measured_in_line(const View& view, float width);
void cut_measured_field(View& view, ui::Rect& line);
void draw_stalls(View& view, ui::Rect rect);
void draw_occupancy(View& view, ui::Rect rect);
void draw_banks(View& view, ui::Rect rect);

}  // namespace explorer
