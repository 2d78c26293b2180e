// Covers parts of the picture that reveal an answer: they are hatched until the question is answered.
#pragma once
#include "viz/model/lesson/lesson.h"
#include "viz/panels/view.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Covers everything that would reveal the answer of a question. Removes from the layout for an order the listing, for
/// a roof the roofline, for a value of a row the softmax panel; the other panels query the result for numbers, levels
/// of memory, lines and tiles. Numbers that reveal the answers of the step's later questions are covered too.
Covered cover(ui::LessonLayout& layout, const LessonPage& page, const lessons::Question& question);

/// Covers everything that would reveal the answer of any question of the step.
Covered cover_all(ui::LessonLayout& layout, const LessonPage& page);

/// Hatches a rectangle, with a note on what uncovers it.
void draw_cover(View& view, ui::Rect place);

}  // namespace explorer
