// Lessons next to the panels: interface for explorer.cpp, and for front ends that fetch lessons as packs.
#pragma once
#include <map>
#include <string>

#include "lessons/notebook.h"
#include "viz/panels/view.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Call before the panels handle their keys: goes to the step that a link names, and handles the keys of the lesson.
/// True if it handled a key that the panels would handle as well.
bool begin_lesson(ViewModel& model, ui::UiState& state);

/// Layout of this frame: that of make_layout() if no lesson is shown. Panels that an open question covers are left out.
ui::LessonLayout lesson_layout(ViewModel& model, float width, float height, float dpr, ui::Tab tab);

/// Switches tabs, if panels share one: a panel that the open question covers is replaced by one that it does not, until
/// the question is over or the learner chooses a tab. True if another panel is now in front, and the layout must be
/// computed again.
bool give_way(ViewModel& model, const ui::LessonLayout& layout);

/// True if a step is presented to an audience: requested, and the window is large enough.
bool presents(const ViewModel& model, float width, float height, float dpr);

/// Draws the step, or the list of lessons, in the layout's panel; nothing if that is empty. Call it after the panels:
/// it outlines the places that its words point at.
void draw_lesson(View& view, const ui::LessonLayout& layout);

/// Pack that the panel waits for, "07-flash1-by-hand.zh"; empty if there is none, or the pack is unavailable.
std::string wanted_pack(ViewModel& model);
/// Adds a fetched pack; the fonts must then be rebuilt. False if it is damaged: the panel reports it.
bool take_pack(ViewModel& model, const std::string& name, std::string_view bytes);
/// Text that the panel shows while it waits, or when the pack is unavailable.
std::string waiting_text(ViewModel& model);
/// Requests an unavailable pack again.
void retry_pack(ViewModel& model);
/// Reports that a pack could not be fetched: the server's status, 0 if no server answered.
void miss_pack(ViewModel& model, const std::string& name, int status);

/// Replaces the built-in lessons by a user's own: the files of their folders by name, "21-mine/en.md". Throws
/// sim::Error, and replaces none, if one is wrong or there is none.
void take_own_lessons(const std::map<std::string, std::string>& files);
/// Shows the list of own lessons that were taken while the page was open.
void show_own_lessons(ViewModel& model);

/// Makes the list offer the notebook as a file, on platforms where notebooks are not files.
void offer_notebook(ViewModel& model);
/// True if the notebook file was requested since the last call.
bool gives_notebook(ViewModel& model);
/// Merges a notebook stored elsewhere. Throws sim::Error if it is another student's and this one has answers.
void add_notebook(ViewModel& model, const lessons::Notebook& more);

/// Follows the link of a step, from 1, keeping theme and language. Costs some simulations.
void go_to_lesson_step(ViewModel& model, const std::string& id, int step);

}  // namespace explorer
