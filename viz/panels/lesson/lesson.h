// Lessons beside the panels: what explorer.cpp calls, and front ends whose lessons come as packs.
#pragma once
#include <map>
#include <string>

#include "lessons/notebook.h"
#include "viz/panels/view.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Before the panels take their keys: goes to the step that a link names, and takes the keys of the lesson. True when
/// it took one that others would take as well.
bool begin_lesson(ViewModel& model, const ui::UiState& state);

/// The places of this frame: those of make_layout() where no lesson is shown. What a question asks for has none.
ui::LessonLayout lesson_layout(ViewModel& model, float width, float height, float dpr, ui::Tab tab);

/// Where panels share a tab: a panel that the open question covers gives way to one that it leaves, until the question
/// is over or the learner chooses a tab. True if another panel is in front now, and the places are to be made again.
bool give_way(ViewModel& model, const ui::LessonLayout& layout);

/// Whether a step is shown to a room: that is asked for, and the window is large enough.
bool presents(const ViewModel& model, float width, float height, float dpr);

/// Draws the step, or the list of lessons, in the panel of the layout; nothing where that is empty. Call it behind the
/// panels: it outlines what its words point at.
void draw_lesson(View& view, const ui::LessonLayout& layout);

/// The pack that the panel waits for, "07-flash1-by-hand.zh"; empty for none, and for one that could not be had.
std::string wanted_pack(ViewModel& model);
/// It came; the fonts are to be drawn anew. Damaged, the panel says so; false then.
bool take_pack(ViewModel& model, const std::string& name, std::string_view bytes);
/// What the panel says meanwhile, or of what became of it.
std::string waiting_text(ViewModel& model);
/// Wants a pack again that could not be had.
void retry_pack(ViewModel& model);
/// It did not come: what the server answered, 0 where none did.
void miss_pack(ViewModel& model, const std::string& name, int status);

/// Somebody's own lessons take the place of the built-in ones: the files of their folders by name, "21-mine/en.md".
/// Throws sim::Error, and takes none, when one is wrong or there is none.
void take_own_lessons(const std::map<std::string, std::string>& files);
/// They came while the page is open: shows their list.
void show_own_lessons(ViewModel& model);

/// From now on the list offers the notebook as a file: where notebooks are no files.
void offer_notebook(ViewModel& model);
/// Whether that file was asked for since the last call.
bool gives_notebook(ViewModel& model);
/// Adds a notebook that was kept elsewhere; one of another student takes the place of one without answers alone.
void add_notebook(ViewModel& model, const lessons::Notebook& more);

/// Follows the link of a step, from 1; theme and language stay. Costs some simulations.
void go_to_lesson_step(ViewModel& model, const std::string& id, int step);

}  // namespace explorer
