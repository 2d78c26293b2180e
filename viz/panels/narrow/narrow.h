// The view "numbers" of a run in e4m3: a tile of Q on the grid of the type, errors, V transposed, and lanes next to
// those of fp16.
#pragma once
#include "viz/model/narrow.h"
#include "viz/panels/view.h"

namespace explorer {

/// Draws a card's background, its title with a note, and whose numbers it has at the right end. Returns the rest.
ui::Space draw_narrow_card(View& view, ui::Rect card, std::string_view title, std::string_view note,
                           std::string_view scope);
/// Draws the histograms of the tile, and its row with the largest value.
void draw_narrow_tile(View& view, ui::Rect card, const NarrowNumbers& numbers);
/// Draws errors of O, and what rotation changes.
void draw_narrow_errors(View& view, ui::Rect card, const NarrowNumbers& numbers);
/// Draws how V is transposed, and shared memory.
void draw_turned_v(View& view, ui::Rect card, const NarrowLanes& lanes);
/// Draws lanes of fp16 and of the run.
void draw_narrow_lanes(View& view, ui::Rect card, const NarrowLanes& lanes);

/// Draws words that tests find under a name.
void draw_named(View& view, ui::Rect place, ui::Style style, ui::Color color, std::string_view name,
                const std::string& words, ui::Align align = ui::Align::left);
/// "1.97e-2".
std::string short_error(double error, int decimals = 2);

}  // namespace explorer
