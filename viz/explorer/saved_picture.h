// The picture that the share menu of the window saves.
#pragma once
#include "viz/explorer/headless.h"

namespace explorer {

/// A picture of the explorer as a window of `size` shows it, with at least two device pixels per CSS pixel, and without
/// open lists, pointer or notice: that of `screenshot` for the explorer's link. Finishes all computations. `state`: of
/// the window's widgets.
platform::Picture saved_picture(Explorer& explorer, Size size, const ui::UiState& state);

}  // namespace explorer
