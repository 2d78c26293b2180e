// Texts and colours of grids: the share of a head that a CTA takes, the parts of the keys, and the CTA that works on a
// part.
#pragma once
#include "viz/model/grid_timeline.h"
#include "viz/panels/view.h"

namespace explorer {

/// Text for the share of a head that a CTA takes, to be translated.
struct ShareWords {
  std::string_view takes;      ///< "one CTA per row block"
  std::string_view in_matrix;  ///< a sentence on the tiles of other CTAs in the matrix
};
const ShareWords& words_of(const sim::Launch& launch);

/// Draws words in a box at the left end of a line: whose numbers a card has.
void draw_scope(View& view, ui::Space& line, std::string_view words);

/// Number of parts of the keys in the launch in view; 1 if its grid does not split them.
std::int64_t parts_of_keys(const View& view);
/// Colours of a scale from the first part to the last, unlike those of tensors.
ui::Color part_color(const ui::Theme& theme, std::int64_t part, std::int64_t parts);

/// "No time is predicted: ..." with the fields that the device of the view's run lacks.
std::string no_time_words(const View& view);
/// Writes no_time_words() in a rectangle and returns true, if the device has no predicted time.
bool draw_no_time(View& view, ui::Rect place);

/// Timeline of the kernel in view on the SMs; continues the computation while it is not ready().
const GridTimeline& grid_timeline_of(View& view);
/// Selects a CTA (in issue order) of the kernel in view, at its start.
void look_at_cta(View& view, std::int64_t cta);
/// "SM 3, place 1 of 2; a click selects it".
std::string where_words(const View& view, const CtaSpan& span);
/// "9.6 µs to 41 µs, 31.4 µs long".
std::string when_words(const View& view, const CtaSpan& span);

}  // namespace explorer
