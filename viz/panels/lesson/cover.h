// What a question asks for is hatched in the picture until it is answered.
#pragma once
#include "viz/panels/lesson/desk.h"
#include "viz/panels/view.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Covers what would tell the answer of a question. Takes from the layout the cards of the meters that it asks for, of
/// an order the listing, of a value the matrix; panels ask the result for single numbers, lines and tiles. Numbers
/// that tell the answers of the questions behind it are covered with it.
Covered cover(ui::LessonLayout& layout, const LessonPage& page, const lessons::Question& question);

/// Covers what would tell the answer of any question of the step.
Covered cover_all(ui::LessonLayout& layout, const LessonPage& page);

/// Hatches a place, with what it waits for.
void draw_cover(View& view, ui::Rect place);

}  // namespace explorer
