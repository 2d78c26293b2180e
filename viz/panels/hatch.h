// Hatches of waits: one per cause, the same in every view. Work is solid; idle time leaves the track blank.
#pragma once
#include <optional>

#include "sim/trace/cause.h"
#include "viz/ui/hatch.h"

namespace explorer {

/// Diagonal: a pipe held by neighbouring CTAs; vertical: barriers; horizontal: bandwidth; dots: data, which a copy or a
/// product brings; chevrons: a turn; squares: a stage of a ring; arrows: the link to other GPUs. Launch and tail have
/// no hatch: nothing runs.
using ui::Hatch;
Hatch hatch_of(sim::Cause cause);

/// Draws a wait: its hatch on a quiet ground, brighter if it is over. `lit`: whether it is highlighted, if anything is.
void draw_wait(ui::Canvas& canvas, ui::Rect box, Hatch hatch, bool past, std::optional<bool> lit = {});

}  // namespace explorer
