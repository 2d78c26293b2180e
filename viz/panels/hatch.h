// Hatches of waits: one per cause, the same in every view. Work is solid; idle time leaves the track blank.
#pragma once
#include "sim/trace/cause.h"
#include "viz/ui/canvas.h"

namespace explorer {

/// Diagonal: a pipe held by neighbouring CTAs; vertical: barriers; horizontal: bandwidth; dots: data, which a copy or a
/// product brings; chevrons: a turn; squares: a stage of a ring. Launch and tail have no hatch: nothing runs.
enum class Hatch { none, diagonal, vertical, horizontal, dots, chevrons, squares };
Hatch hatch_of(sim::Cause cause);

/// Draws a hatch over a rectangle, in lines one device pixel wide.
void draw_hatch(ui::Canvas& canvas, ui::Rect place, Hatch hatch, ui::Color color);

}  // namespace explorer
