// Table of the verification panel.
#pragma once
#include "viz/model/verification.h"
#include "viz/panels/view.h"

namespace explorer {

/// Draws rows with a column for each source of the quantity; scrolls. If space is short, columns without any value are
/// left out first, then tolerance and difference, then recorded figures.
void draw_verification_table(View& view, const std::vector<ComparedRow>& rows, ui::Rect rect);

/// Name of a quantity, as rich text: "dQ written, B" for tile_traffic.by_tensor.dQ.write_bytes.
std::string quantity_words(const View& view, std::string_view quantity);

}  // namespace explorer
