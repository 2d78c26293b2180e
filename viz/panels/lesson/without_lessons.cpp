// The browser's page has no lessons beside its panels: it must stay small.
#include "viz/panels/lesson/lesson.h"

namespace explorer {

void begin_lesson(ViewModel&, const ui::UiState&) {}

ui::LessonLayout lesson_layout(ViewModel&, float width, float height, float dpr, ui::Tab tab) {
  return {{}, ui::make_layout(width, height, dpr, tab)};
}

void draw_lesson(View&, const ui::LessonLayout&) {}

}  // namespace explorer
