// Points and rectangles of charts and of the window.
#pragma once
#include "viz/draw/rect.h"

namespace ui {

using draw::around, draw::common, draw::cut_bottom, draw::cut_left, draw::cut_right, draw::cut_top, draw::Point,
    draw::Rect;

}  // namespace ui
