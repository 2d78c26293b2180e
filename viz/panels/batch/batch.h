// The view "batch": entries to scale, what padding costs, and the race of the padded and the packed runs.
#pragma once
#include "viz/model/batch.h"
#include "viz/panels/view.h"

namespace explorer {

/// The padded run of the view's batch; null if it is not among the compared ones.
const Subject* padded_run(const View& view);
/// Number of CTAs of all kernels of a run.
std::int64_t ctas_of(const sim::Simulation& simulation);
/// Colour of a class of entries by its rank among their lengths; unlike those of tensors.
ui::Color class_color(const ui::Theme& theme, float rank);
/// "1,024 × 1,024": queries and keys.
std::string lengths_text(const sim::SequenceClass& sequences);
/// "entry 3 of 128 × 128, head 0, row block 1".
std::string entry_words(const View& view, const sim::CtaPlace& place);

void draw_batch_entries(View& view, ui::Rect card);
void draw_batch_costs(View& view, ui::Rect card);

/// Tells the user that a panel or view shows entries of one length, not this ragged batch, and offers a way back.
void draw_not_of_batch(View& view, ui::Rect body);
/// The run in one sentence, for screen readers.
std::string batch_sentence(Language language, const Subject& subject);

}  // namespace explorer
