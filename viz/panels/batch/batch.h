// The view "batch": entries to scale, what padding costs, and the SMs of the padded and the packed runs on one clock.
#pragma once
#include "viz/model/batch.h"
#include "viz/panels/view.h"
#include "viz/ui/tracks.h"

namespace explorer {

/// The three runs of the view's batch, computed in slices.
BatchRuns& batch_runs_of(View& view);
/// Number of CTAs of all kernels of a run.
std::int64_t ctas_of(const sim::Simulation& simulation);
/// Packed run to show next to the padded one: in the order of the file, or with the most work first.
Packing packed_beside(const Look& look);
/// "padded", "packed", "longest first".
std::string_view packing_name(const View& view, Packing packing);
/// Colour of a class of entries by its rank among their lengths; unlike those of tensors.
ui::Color class_color(const ui::Theme& theme, float rank);
/// "1,024 × 1,024": queries and keys.
std::string lengths_text(const sim::SequenceClass& sequences);
/// Draws padding: hatched, to distinguish it from an SM where nothing runs.
void draw_padding(View& view, ui::Rect place);
ui::Paint padding_paint(const ui::Theme& theme);

void draw_batch_entries(View& view, ui::Rect card);
void draw_batch_costs(View& view, ui::Rect card, const BatchRuns& runs);
/// Draws the lanes of the chosen run, or of all three if they fit.
void draw_batch_lanes(View& view, ui::Rect card, const BatchRuns& runs);

/// Selects a packing; its order of issue also becomes the scenario's.
void choose_packing(View& view, Packing packing);

/// Tells the user that a panel or view shows entries of one length, not this ragged batch, and offers a way back.
void draw_not_of_batch(View& view, ui::Rect body);
/// The run in one sentence, for screen readers.
std::string batch_sentence(Language language, const Subject& subject);

}  // namespace explorer
