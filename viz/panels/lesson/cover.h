// What a question asks for is hatched in the picture until it is answered.
#pragma once
#include "lessons/lesson.h"
#include "viz/panels/view.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Takes the places that would say what is asked for: the listing has the order of the lines, a counter its number, the
/// matrix its values. What was learned in an earlier lesson comes from memory: of the picture the timeline is left.
void cover(ui::LessonLayout& layout, const lessons::Question& question);

/// Hatched, with what it waits for.
void draw_cover(View& view, ui::Rect place);

}  // namespace explorer
