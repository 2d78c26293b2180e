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

/// Draws one pipe of the CTA in view as a bar, under a title, with its shares of work and of waits.
void draw_pipe(View& view, ui::Rect row, const sim::EngineTime& engine, std::string_view title);

/// The lens with compared runs: two of them beside each other. A is the first run, B the compared one in front.
void draw_compared(View& view, ui::Rect line, ui::Rect body);
/// True if a compared run is possible and may be shown: no question covers what it would reveal.
bool can_compare(const View& view);
/// Draws the letter of the view's run.
void draw_letter(View& view, ui::Rect place);
/// Draws what the time of both runs is spent on: two bars on one scale, joined cause by cause.
void draw_both_budgets(View& a, View& b, ui::Rect rect);
float both_budgets_height(const View& a, const View& b, float width);

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
