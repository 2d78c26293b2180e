// Lessons next to the panels: interface for explorer.cpp, and for front ends that fetch lessons as packs.
#pragma once
#include <map>
#include <string>

#include "lessons/notebook.h"
#include "viz/panels/view.h"
#include "viz/ui/layout.h"

namespace explorer {

/// Places of a frame: its layout, and what an open question covers.
struct LessonFrame {
  ui::LessonLayout layout;
  Covered covered = {};
  ui::Layout whole = {};     ///< below the card of the tour, including the parts that its question covers
  ui::Rect to_scale = {};    ///< place of a wrong number below the picture; empty if there is none
  ui::Rect values = {};      ///< place of the numbers on chip; empty if they are not drawn
  bool can_present = false;  ///< the window is large enough for an audience
};

/// Call before the panels handle their keys: handles those of the lesson. True if it handled a key that the panels
/// would handle as well.
bool begin_lesson(const View& view);

/// Layout of this frame: that of make_layout() if no lesson is shown. Panels that an open question covers are left out.
LessonFrame lesson_frame(const Model& model, float width, float height, float dpr, ui::Tab tab);

/// Switches tabs, if panels share one: a panel that the open question covers is replaced by one that it does not, until
/// the question is over or the learner chooses a tab.
void give_way(const View& view, float width, float height, float dpr);

/// True if a step is presented to an audience: requested, and the window is large enough.
bool presents(const Model& model, float width, float height, float dpr);

/// Draws the step, or the list of lessons, in the layout's panel; nothing if that is empty. Call it after the panels:
/// it outlines the places that its words point at.
void draw_lesson(View& view, const LessonFrame& frame);

/// Draws the door Learn of the first view: the tour and the lessons, with the learner's progress.
void draw_learn(View& view, ui::Rect card);

/// Pack of the open lesson, if it is not here.
std::string awaited_pack(const Look& look);
/// Pack to fetch, "07-flash1-by-hand.zh"; empty if there is none, or the pack is unavailable.
std::string wanted_pack(const Model& model);
/// Adds a fetched pack; the fonts must then be rebuilt. False if it is damaged: the panel reports it.
bool take_pack(Model& model, const std::string& name, std::string_view bytes);
/// Text that the panel shows while it waits, or when the pack is unavailable.
std::string waiting_text(const Model& model);
/// Reports that a pack could not be fetched: the server's status, 0 if no server answered.
void miss_pack(Model& model, const std::string& name, int status);

/// Replaces the built-in lessons by a user's own: the files of their folders by name, "21-mine/en.md". Throws
/// sim::Error, and replaces none, if one is wrong or there is none.
void take_own_lessons(const std::map<std::string, std::string>& files);
/// Shows the list of own lessons that were taken while the page was open.
void show_own_lessons(Model& model);

/// True if the notebook file was requested since the last call.
bool gives_notebook(Model& model);
/// Merges a notebook stored elsewhere. Throws sim::Error if it is another student's and this one has answers.
void add_notebook(Model& model, const lessons::Notebook& more);

}  // namespace explorer
