// Navigation between the steps of a lesson or the tour, and the panel in front and the highlighted place meanwhile.
#include <algorithm>

#include "lessons/options_text.h"
#include "lessons/places.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/panel_state.h"
#include "viz/panels/lesson/tour.h"

namespace explorer {

void show_panel(Look& look, std::string_view panel) {
  look_field("tab").set(look, std::string(panel));  // other names are not tabs
  if (panel == "roofline") look.tab = Tab::counters;
}

bool has_lesson(ViewModel& model) {
  const Look& look = model.look;
  if (look.lesson.empty() || model.subjects() < 2) return !look.lesson.empty();
  return shows_step(look) && model.plays_run() && page_of(model).step.point == "race";
}

void present(ViewModel& model, bool on) {
  model.look.presents = on;
  model.look.loop = on && !model.look.still;  // repeats the step's tile
  model.play(model.look.loop);
}

void show_place(ViewModel& model, std::string_view place) {
  const auto kind = lessons::kind_and_name(place).first;
  const bool turns = memory_of(model).turns;
  if (kind == "level") return show_panel(model.look, "memory");
  if (!lessons::is_thing(place)) return show_panel(model.look, place);
  if (turns && (kind == "counter")) return show_panel(model.look, "counters");
  if (turns && kind != "option" && kind != "kernel") show_panel(model.look, "matrix");
}

namespace {

/// Places of the words that are readable now, each once.
std::vector<std::string> shown_places(ViewModel& model, LessonPage& page) {
  std::vector<std::string> places;
  const auto add = [&](const std::vector<lessons::Block>& blocks) {
    for (const lessons::Block& block : blocks) {
      for (const std::string& place : lessons::places_in(block.text)) {
        if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
      }
    }
  };
  add(page.page.blocks);
  if (open_question(model, page) == nullptr) add(page.page.told);
  return places;
}

}  // namespace

std::string lit_place(ViewModel& model, LessonPage& page) {
  const LessonMemory& memory = memory_of(model);
  if (!memory.pointed.empty() || !memory.chosen.empty()) return memory.pointed.empty() ? memory.chosen : memory.pointed;
  if (memory.presents && !memory.first.empty()) return memory.first;
  const std::vector<std::string> places = shown_places(model, page);
  return places.empty() ? "" : places.front();
}

void choose_place(ViewModel& model, LessonPage& page, int direction) {
  const std::vector<std::string> places = shown_places(model, page);
  if (places.empty()) return;
  const auto count = static_cast<int>(places.size());
  const auto lit = std::find(places.begin(), places.end(), lit_place(model, page));
  const int now = lit == places.end() ? 0 : static_cast<int>(lit - places.begin());
  const std::string& place = places[static_cast<std::size_t>((now + count + direction) % count)];
  memory_of(model).chosen = place;
  show_place(model, place);
}

namespace {

/// Follows the link of the step that open(look) opens.
template <class Open>
void go_to(ViewModel& model, Open open) {
  const Look before = model.look;
  model.play(false);
  open(model.look);
  LessonPage& page = page_of(model);
  if (page.scene) model.follow(lessons::link_of(page.scene->options(), page.step, page.scene->cursor()));
  Look& look = model.look;
  if (page.step.look.find("tab=") == std::string::npos) show_panel(look, page.step.point);
  look.theme = before.theme;
  look.language = before.language;
  look.still = before.still;
  open(look);
  if (page.step.from && !look.still) model.play_clip(static_cast<double>(*page.step.from));
  if (before.presents && !shows_tour(look)) present(model, true);
  memory_of(model).to_top = true;
  memory_of(model).part = 0;
  memory_of(model).chosen.clear();
  memory_of(model).asked.clear();
  memory_of(model).hidden = {};
  page.draft.clear();
  model.lesson.opens_lesson = false;
  lessons::LessonNotes& notes = memory_of(model).notebook.notes(page.lesson());
  if (notes.step == page.step.name) return;
  notes.step = page.step.name;
  keep_notebook(model);
}

}  // namespace

void go_to_lesson_step(ViewModel& model, const std::string& id, int step) {
  go_to(model, [&](Look& look) {
    look.lesson = id;
    look.lesson_step = step;
  });
}

void go_to_tour_step(ViewModel& model, int step) {
  go_to(model, [&](Look& look) {
    look.lesson.clear();
    look.overlay = Overlay::tour;
    look.tour_step = step;
  });
}

void turn_to(ViewModel& model, const LessonPage& page, int step) {
  const bool tour = shows_tour(model.look);
  if (step <= page.steps())
    return tour ? go_to_tour_step(model, step) : go_to_lesson_step(model, page.lesson().id, step);
  memory_of(model).notebook.notes(page.lesson()).step.clear();
  keep_notebook(model);
  if (tour) return void(model.look.overlay = Overlay::none);
  model.show_lessons();
}

}  // namespace explorer
