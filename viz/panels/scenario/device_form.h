// Form of a GPU that differs from a known one in some fields: each field with the table's and the user's value; an
// overlay.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Draws the form. Each row takes a value with a suffix, such as 25Mi, and shows whether it is typed, or scaled with a
/// typed one; "×" resets it. The card shows the option `gpu` of the first run, in its canonical form.
void draw_device_form(View& view);

}  // namespace explorer
