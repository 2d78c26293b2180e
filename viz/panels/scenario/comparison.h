// What stands above the panels of compared runs.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// What the playheads have in common, a warning when runs attend over other numbers, and one more run or none.
void draw_comparison_bar(View& view, ui::Rect rect);

/// Name and differences of the view's run, its totals against those of the first run, and where its playhead is.
void draw_run_header(View& view, ui::Rect rect);

/// Name of a run, with the options in which it differs from the first and that the user set: "FlashAttention-2, Br 64".
/// No two runs have the same name. `short_title`: "Flash-2, Br 64".
std::string run_name(const ViewModel& model, std::size_t n, bool short_title = false);
/// "Flash-2, Br 64"; "Br 64" where the first run is of the same program.
std::string shortest_run_name(const ViewModel& model, std::size_t n);
/// The longest name of the view's run that fits; if none does, one that begins with its number, for the canvas to cut.
std::string run_name_in(const View& view, ui::Style style, float width);
/// A program's name as charts and tabs have it; in another language than English its short title. Other labels stay as
/// they are.
std::string_view algorithm_label(const View& view, std::string_view name);
/// Short name of the first run, which ratios of the others refer to: "Standard".
std::string_view first_run(const View& view);
/// "6.29 x faster than Standard attention", or with the short name; empty if neither fits.
std::string ratio_to_first(const View& view, ui::Style style, float width, double ratio);

}  // namespace explorer
