// The panels of the explorer, one file each.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// The three parts of the top bar: title, controls of the scenario, actions.
void draw_title(View& view, ui::Rect rect);
/// Draws the sign of the program, three rows of tiles, at the left of a rectangle. Returns its width.
float draw_sign(View& view, ui::Rect rect);
void draw_controls(View& view, ui::Rect rect);
void draw_actions(View& view, ui::Rect rect);
/// Draws the five counters; an empty place leaves one out. All of them show what is done so far of their total, or
/// none.
void draw_counters(View& view, std::span<const ui::Rect> places);
void draw_roofline(View& view, ui::Rect rect);
void draw_memory(View& view, ui::Rect rect);
/// Draws the middle: one of the views below, chosen by segments. A view gets the rest of the title's line and the space
/// below it. viz/model/center_view.h explains how to add one.
void draw_center(View& view, ui::Rect rect);
/// Draws a view that fills the space of all panels: the segments in a bar of their own, and the view below it.
void draw_full_view(View& view, ui::Rect place);
/// True if a question covers numbers that a view of the middle is drawn from: that view is then hatched.
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
void draw_roles(View& view, ui::Rect line, ui::Rect body);
void draw_pages(View& view, ui::Rect line, ui::Rect body);
void draw_numbers(View& view, ui::Rect line, ui::Rect body);
void draw_gpus(View& view, ui::Rect line, ui::Rect body);
void draw_listing(View& view, ui::Rect rect);
void draw_softmax(View& view, ui::Rect rect);
void draw_timeline(View& view, ui::Rect rect);
/// Draws why the selected number is what it is: next to it, or in narrow windows as a `sheet` at the lower edge.
void draw_why(View& view, ui::Rect window, bool sheet);
/// Draws why the scenario is impossible, over the middle; `stale`, which shows the last possible run, is dimmed.
void draw_error(View& view, ui::Rect place, ui::Rect stale);
/// Lists what was left out of the last link.
void draw_link_errors(View& view, ui::Rect window);
/// Draws the outcome of a request, over everything else in the window.
void draw_notice(View& view, ui::Rect window);

}  // namespace explorer
