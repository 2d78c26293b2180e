// The view "GPUs": for each of three owners the pairs by ring step, the balance and the clock of every GPU; then what
// takes the time, and what others have measured.
#pragma once
#include "viz/model/gpus.h"
#include "viz/panels/view.h"

namespace explorer {

/// Draws an owner: triangle, bytes, balance and lanes. `most`: microseconds of the common scale.
void draw_owner(View& view, const GpusMoment& moment, const OwnerRun& owner, ui::Rect card, double most);
/// Draws the time of each owner by what takes it.
void draw_gpu_sums(View& view, const GpusMoment& moment, ui::Rect card);
/// Draws published shares over the balance.
void draw_gpu_shares(View& view, const GpusMoment& moment, ui::Rect card);

/// Colour of a ring step.
ui::Color step_color(const View& view, std::int64_t step, std::int64_t steps);

}  // namespace explorer
