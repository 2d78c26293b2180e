// Lessons beside the panels: what explorer.cpp calls. Front ends without lessons link without_lessons.cpp instead.
#pragma once
#include "viz/panels/view.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Before the panels take their keys: goes to the step that a link names, and takes the keys of the lesson.
void begin_lesson(ViewModel& model, const ui::UiState& state);

/// The places of this frame: those of make_layout() where no lesson is shown. What a question asks for has none.
ui::LessonLayout lesson_layout(ViewModel& model, float width, float height, float dpr, ui::Tab tab);

/// Draws the step, or the list of lessons, in the panel of the layout; nothing where that is empty. Call it behind the
/// panels: it outlines what its words point at.
void draw_lesson(View& view, const ui::LessonLayout& layout);

/// Follows the link of a step, from 1; theme and language stay. Costs some simulations.
void go_to_lesson_step(ViewModel& model, const std::string& id, int step);

}  // namespace explorer
