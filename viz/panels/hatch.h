// Hatches of waits: one for each cause, the same in every view. Work is solid, nothing to do is the track.
#pragma once
#include "sim/trace/cause.h"
#include "viz/ui/canvas.h"

namespace explorer {

/// Diagonal: a pipe that neighbours hold; vertical: barriers; horizontal: bandwidth; dots: a copy's latency. Launch and
/// tail have none: nothing runs.
enum class Hatch { none, diagonal, vertical, horizontal, dots };
Hatch hatch_of(sim::Cause cause);

/// Draws a hatch over a place, in lines of a device pixel.
void draw_hatch(ui::Canvas& canvas, ui::Rect place, Hatch hatch, ui::Color color);

}  // namespace explorer
