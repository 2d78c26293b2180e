// The view "GPUs": for each of three owners the pairs by ring step, the balance and the clock of every GPU; then what
// takes the time, and what others have measured.
#pragma once
#include "viz/model/gpus.h"
#include "viz/panels/view.h"

namespace explorer {

/// What the cards share.
struct GpusShown {
  View& view;
  const GpusMoment& moment;
  std::int64_t chosen;  ///< the GPU whose rows, lanes and circles are bright
  bool hidden;          ///< an open question asks for times or the balance
};

/// Draws an owner: triangle, what travels, balance and lanes. `most`: microseconds of the common scale.
void draw_owner(GpusShown& shown, const OwnerRun& owner, ui::Rect card, double most);
/// Draws the GPUs on a circle with arrows for what travels, and its bytes below, in at most four lines of 18 pixels.
void draw_travel(GpusShown& shown, const OwnerRun& owner, ui::Rect place, ui::Rect below);
/// Draws the time of each owner by what takes it.
void draw_gpu_sums(GpusShown& shown, ui::Rect card);
/// Draws published shares over the balance.
void draw_gpu_shares(GpusShown& shown, ui::Rect card);

/// Colour of a ring step: full for the chosen GPU.
ui::Color step_color(const GpusShown& shown, const OwnerRun& owner, std::int64_t step, std::int64_t gpu);
/// A click on what a GPU does chooses it; under the pointer it says how long the GPU computes and waits.
void react_to_gpu(GpusShown& shown, const OwnerRun& owner, std::string_view id, ui::Rect place, std::int64_t gpu);

}  // namespace explorer
