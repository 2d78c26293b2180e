// The panels of the explorer, one file each.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Name, what is simulated, and what can be done with it: three places of the top bar.
void draw_title(View& view, ui::Rect rect);
void draw_controls(View& view, ui::Rect rect);
void draw_actions(View& view, ui::Rect rect);
/// One of the five counters.
void draw_counter(View& view, ui::Rect rect, std::size_t which);
void draw_roofline(View& view, ui::Rect rect);
void draw_memory(View& view, ui::Rect rect);
/// The middle: one of the following, chosen by segments. They get the rest of the title's line, and the place below.
/// viz/model/center_view.h says how to add one.
void draw_center(View& view, ui::Rect rect);
/// One that fills the place of all panels: the segments in a bar of its own, and the view below it.
void draw_full_view(View& view, ui::Rect place);
/// True if a question asks what a view of the middle places by its numbers: then that view is hatched.
bool covers_center(const Covered& covered, Center center);
void draw_matrix(View& view, ui::Rect line, ui::Rect body);
void draw_tiles(View& view, ui::Rect line, ui::Rect body);
void draw_plots(View& view, ui::Rect line, ui::Rect body);
void draw_verification(View& view, ui::Rect line, ui::Rect body);
void draw_roofline_view(View& view, ui::Rect line, ui::Rect body);
void draw_wall(View& view, ui::Rect line, ui::Rect body);
void draw_engineer(View& view, ui::Rect line, ui::Rect body);
void draw_microscope(View& view, ui::Rect line, ui::Rect body);
void draw_batch(View& view, ui::Rect line, ui::Rect body);
void draw_listing(View& view, ui::Rect rect);
void draw_softmax(View& view, ui::Rect rect);
void draw_timeline(View& view, ui::Rect rect);
/// Why the selected number is what it is: beside it, or in narrow windows as a `sheet` at the lower edge.
void draw_why(View& view, ui::Rect window, bool sheet);
/// Why the scenario is impossible, over the middle; `stale` shows the last possible run and is dimmed. And what of the
/// last link was left out.
void draw_error(View& view, ui::Rect place, ui::Rect stale);
void draw_complaints(View& view, ui::Rect window);
/// What came of a request, over everything else in the window.
void draw_notice(View& view, ui::Rect window);

}  // namespace explorer
