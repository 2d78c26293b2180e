// A GPU like one that is known, but for some fields: every field with the table's value and one's own, over the window.
#pragma once
#include "viz/panels/view.h"

namespace explorer {

/// Each row takes a value with a suffix, 25Mi, and says whether it is typed, or scaled with what is; "×" takes it back.
/// The card shows the option `gpu` of the first run, in its canonical form.
void draw_device_form(View& view);

}  // namespace explorer
