// Helpers shared by the views of the middle.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Rectangle for a view's controls: on the title's line, or, if that is narrower than `width` CSS pixels, on a line of
/// their own, which is cut off the top of the body.
ui::Rect controls_place(const View& view, ui::Rect line, ui::Rect& body, float width);

/// Name of the resource that limits a kernel, in the window's language; `resource` is the simulator's name for it
/// ("hbm", "SMEM", "tensor_core").
std::string_view resource_name(const View& view, std::string_view resource);

}  // namespace explorer
