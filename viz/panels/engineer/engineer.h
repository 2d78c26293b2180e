// The view "engineer": what bounds the kernel in view, the waits of its pipes, its occupancy, and the banks.
#pragma once
#include "viz/panels/hatch.h"
#include "viz/panels/view.h"

namespace explorer {

/// Path of a value of the kernel in view, below `part` of the JSON: "time.kernels.0.bound_by".
std::string path_of_kernel(const View& view, std::string_view part, std::string_view leaf);
/// A cause as reports name it, in the language of the window.
std::string_view cause_words(const View& view, sim::Cause cause);
/// Fills a rectangle with a cause's pattern, the same in every view: work solid, waits hatched.
/// `bound`: the resource that bounds the run, whose work is brightest; if none is given, that of the kernel in view.
void draw_cause(View& view, ui::Rect place, sim::Cause cause, std::string_view bound = {});
/// Draws a square with a cause's pattern, and its name. Returns the width.
float draw_swatch(View& view, ui::Rect place, sim::Cause cause, std::string_view words);
/// The cause of time that matches a bound: work on a resource, or waits for one.
std::optional<sim::Cause> bound_cause(std::string_view bound);
/// Draws a cause's part of a bar, with its name if there is room. Its probe is "where/CAUSE".
void draw_part(View& view, ui::Rect place, sim::Cause cause, std::string_view bound, std::string_view where);
/// Shows what a cause means under the pointer; a click seeks its next event in the CTA in view.
void react_to_cause(View& view, std::string_view where, ui::Rect place, sim::Cause cause);

/// Draws the time of the kernel in view by cause: a bar, a legend with numbers, and a sentence on the bound. A click on
/// a cause seeks its next event in the CTA in view.
void draw_budget(View& view, ui::Rect rect);
float budget_height(const View& view, float width);
/// A measured time next to the run (sim/model/measured.h): its share of each bound, and the conclusions on the kernel.
/// The input field is in this card, or, if measured_in_line(), in the line above all cards. The height of an empty card
/// is 0.
float measured_height(const View& view, float width);
void draw_measured(View& view, ui::Rect rect);
bool measured_in_line(const View& view, float width);
/// Draws the input field at the left end of a line.
void draw_measured_field(View& view, ui::Space& line);
void draw_stalls(View& view, ui::Rect rect);
void draw_occupancy(View& view, ui::Rect rect);
void draw_banks(View& view, ui::Rect rect);

}  // namespace explorer
