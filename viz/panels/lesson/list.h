// Parts of the panel: the list of lessons, a step, and their common widgets.
#pragma once
#include <functional>

#include "viz/model/lesson/lesson.h"
#include "viz/panels/lesson/column.h"
#include "viz/panels/lesson/lesson.h"

namespace explorer {

void draw_lesson_list(View& view, ui::Rect panel);
/// Facts in a lesson's row of the list: "18 min · 13 steps · 02, 04 → 05".
std::string facts_of(const Model& model, const lessons::Summary& lesson);
/// "done", "begun", "begin here", "go on here"; empty for a lesson that was not opened.
std::string_view state_of(const Model& model, const lessons::Summary& lesson);
/// True for the first lesson that is not done.
bool is_next(const Model& model, const lessons::Summary& lesson);
void draw_step(View& view, const LessonFrame& frame);
/// Draws a step for an audience: in pages of few words, without controls. Returns the step to go to; 0 if none.
int draw_presented(View& view, const LessonPage& page, ui::Rect panel);
/// Draws the panel while the pack of its step is not available.
void draw_waiting(View& view, ui::Rect panel);

/// Writes the text and questions of a page, up to the first open question; if none is open, also the text that follows
/// them, and the sliders.
void write_page(Column& column, const LessonPage& page, const lessons::Question* pinned = nullptr);
/// Writes sliders with stops for the options that the learner may drag in a step; the text of the page follows them.
void write_drags(Column& column, const LessonPage& page);
/// Height of the note that the scenario differs from the step's, apart from options that the step lets the learner
/// change; 0 if it does not.
float changed_height(const View& view, const LessonPage& page);
/// Draws that note, unless its line is empty. True if the user restores the step's scenario.
bool draw_changed(View& view, ui::Rect line);
/// Draws Back and Next at the ends of a row, and handles their keys. Changes `chosen` to the step to go to, the number
/// of steps + 1 to leave. Returns the space between them.
ui::Rect draw_turns(View& view, const LessonPage& page, ui::Rect row, int& chosen);

/// Draws the buttons back to the list and close at the ends of a line. Returns the space between them.
ui::Rect draw_ways_out(View& view, ui::Rect line);
/// Draws the close button. True if it was clicked.
bool draw_close(View& view, ui::Rect place);

/// Draws a word that is a button. True if it was clicked.
bool draw_word(View& view, std::string_view id, ui::Rect place, std::string_view text, ui::Align align);

/// Writes a column in a scrolling view.
void draw_scrolled(View& view, ui::Rect rect, const std::function<void(Column&)>& write_all);

}  // namespace explorer
