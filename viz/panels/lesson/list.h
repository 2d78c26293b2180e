// The panel's parts: the list of lessons, a step, and what scrolls in both.
#pragma once
#include <functional>

#include "viz/panels/lesson/column.h"
#include "viz/panels/lesson/desk.h"

namespace explorer {

void draw_lesson_list(View& view, ui::Rect panel);
/// Text of a row of the list about a lesson: "18 min · 13 steps · 02, 04 → 05".
std::string facts_of(const ViewModel& model, const lessons::Summary& lesson);
/// "done", "begun", "begin here", "go on here"; empty for a lesson that was not opened.
std::string_view state_of(ViewModel& model, const lessons::Summary& lesson);
/// True for the first lesson that is not done.
bool is_next(ViewModel& model, const lessons::Summary& lesson);
void draw_step(View& view, ui::Rect panel);
/// A step for a room: in pages of few words, without a control. Returns the step that is asked for; 0 for none.
int draw_presented(View& view, LessonPage& page, ui::Rect panel);
/// In the place of a step whose pack is not here.
void draw_waiting(View& view, ui::Rect panel);

/// What a page says and asks, up to the first question that is open; behind all of them what they were asked before,
/// and what can be dragged.
void write_page(Column& column, LessonPage& page);
/// The options that the learner may drag in a step, as sliders with stops; the words of the page follow them.
void write_drags(Column& column, const LessonPage& page);
/// True if the scenario is no longer that of the step; what it lets the learner change does not count.
bool is_changed(const ViewModel& model, const LessonPage& page);
/// Where it is: says so in a line that it takes off the bottom of a place. Returns whether to go back to the step's.
bool draw_changed(View& view, const LessonPage& page, ui::Rect& rest);
/// Back and Next, and their keys; takes both off a row. Returns the step that is asked for; 0 for none, one more than
/// there are to leave.
int draw_turns(View& view, LessonPage& page, ui::Rect& row);

/// The ways out: back to the list, and close. Takes their line off a place; false when one was taken.
bool draw_ways_out(View& view, ui::Rect& line);
/// The way out, at the right of the first line. Returns whether it was taken.
bool draw_close(View& view, ui::Rect place);

/// A word that is a button. Returns whether it was clicked.
bool draw_word(View& view, std::string_view id, ui::Rect place, std::string_view text, ui::Align align);

/// Writes a column in a view that scrolls.
void draw_scrolled(View& view, ui::Rect rect, const std::function<void(Column&)>& write_all);

}  // namespace explorer
