// What the views in the middle have in common.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Where the controls of a view stand: on the title's line, or, where that is narrower than `width` CSS pixels, on a
/// line of their own, which is cut off the top of the body.
ui::Rect controls_place(const View& view, ui::Rect line, ui::Rect& body, float width);

/// What limits a kernel, as the simulator names it ("hbm", "SMEM", "tensor_core"), in words.
std::string_view resource_name(const View& view, std::string_view resource);

}  // namespace explorer
