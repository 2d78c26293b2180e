// Headers above the panels of compared runs.
#pragma once
#include "viz/model/batch.h"
#include "viz/panels/view.h"

namespace explorer {

/// Draws the bar: synchronisation of the playheads, a warning if the runs' inputs differ, and buttons to add a run or
/// end.
void draw_comparison_bar(View& view, ui::Rect rect);

/// Draws the header of the view's run: name, differences, totals against the first run's, position of its playhead.
void draw_run_header(View& view, ui::Rect rect);

/// "Padded", "Packed", "Longest first".
std::string_view packing_name(Language language, Packing packing);
/// Name of a run, with the options that the user set and that differ from the first run's: "FlashAttention-2, Br 64".
/// Names are unique. `short_title`: "Flash-2, Br 64".
std::string run_name(const Model& model, std::size_t n, bool short_title = false);
/// "Flash-2, Br 64"; only "Br 64" if the first run has the same program.
std::string shortest_run_name(const Model& model, std::size_t n);
/// Longest name of the view's run that fits; if none does, one that starts with its number, for the canvas to cut.
std::string run_name_in(const View& view, ui::Style style, float width);
/// Name of a program as charts and tabs show it: in languages other than English, its short title. Other labels are
/// unchanged.
std::string_view algorithm_label(const View& view, std::string_view name);
/// Short name of the first lane's run, the reference of the others' ratios: "Standard".
std::string_view first_run(const View& view);
/// "6.29 x faster than Standard attention", and the same with the short name.
std::vector<std::string> ratios_to_first(const View& view, double ratio);
/// "6.29 x faster than Standard attention", or with the short name; empty if neither fits.
std::string ratio_to_first(const View& view, ui::Style style, float width, double ratio);

}  // namespace explorer
