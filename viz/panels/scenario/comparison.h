// What stands above the panels of compared runs.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// What the playheads have in common, a warning when runs attend over other numbers, and one more run or none.
void draw_comparison_bar(View& view, ui::Rect rect);

/// Name and differences of the view's run, its totals against those of the first run, and where its playhead is.
void draw_run_header(View& view, ui::Rect rect);

/// "FlashAttention-2", with the options in which it differs from the first run: "FlashAttention-2, br 64".
std::string run_name(const View& view);

}  // namespace explorer
