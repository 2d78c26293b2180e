#pragma once
#include "viz/panels/view.h"
namespace explorer { void draw_role_badge(View& view, ui::Rect place, std::string_view badge, bool chosen); }
