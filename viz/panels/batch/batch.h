// The view "batch": entries to scale, what padding costs, and the SMs of the padded and the packed runs on one clock.
#pragma once
#include "viz/model/batch.h"
#include "viz/panels/view.h"

namespace explorer {

/// The three runs of the view's batch, computed a slice at a time.
BatchRuns& batch_runs_of(View& view);
/// CTAs of all kernels of a run.
std::int64_t ctas_of(const sim::Simulation& simulation);
/// The packed run that stands beside the padded one: in the order of the file, or with the most work first.
Packing packed_beside(const Look& look);
/// "padded", "packed", "longest first".
std::string_view packing_name(const View& view, Packing packing);
/// The colour of a class of entries by its rank among their lengths: no tensor's.
ui::Color class_color(const ui::Theme& theme, float rank);
/// "1,024 × 1,024": queries and keys.
std::string lengths_text(const sim::SequenceClass& sequences);
/// Padding: a hatched place, unlike one where nothing runs.
void draw_padding(View& view, ui::Rect place);

void draw_batch_entries(View& view, ui::Rect card);
void draw_batch_costs(View& view, ui::Rect card, const BatchRuns& runs);
/// Lanes of the run that is chosen, or of all three where there is room.
void draw_batch_lanes(View& view, ui::Rect card, const BatchRuns& runs);

/// Chooses what stands beside padding: an order of issue is also that of the scenario.
void choose_packing(View& view, Packing packing);

/// Says of a panel or view of a ragged batch that it has the numbers of entries of one length, with a way back.
void draw_not_of_batch(View& view, ui::Rect body);
/// The run in a sentence, for who does not see it.
std::string batch_sentence(Language language, const Subject& subject);

}  // namespace explorer
