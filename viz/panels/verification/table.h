// The table of the verification panel.
#pragma once
#include "viz/model/verification.h"
#include "viz/panels/view.h"

namespace explorer {

/// Rows with a column for each place where the quantity was seen; it scrolls. Where there is no room, columns that
/// nobody has seen anything in are left out first, then the tolerance and the difference, then what was recorded.
void draw_verification_table(View& view, const std::vector<ComparedRow>& rows, ui::Rect rect);

/// A quantity in words, as rich text: "dQ written, B" for tile_traffic.by_tensor.dQ.write_bytes.
std::string quantity_words(const View& view, std::string_view quantity);

}  // namespace explorer
