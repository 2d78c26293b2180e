#include "viz/model/lesson/lesson.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "lessons/options_text.h"
#include "lessons/packs.h"
#include "lessons/places.h"
#include "lessons/variation.h"
#include "sim/base/text.h"

namespace explorer {
namespace {

using lessons::Question;
using lessons::QuestionKind;

std::string key_of(const lessons::Lesson& lesson, const lessons::Step& step, const Question& question) {
  return sim::text(lesson.id, "/", step.name, "/", question.text);
}

}  // namespace

void Classroom::open(const std::string& text) {
  try {
    notebook = text.empty() ? lessons::Notebook{} : lessons::read_notebook(text, "notebook");
  } catch (const sim::Error&) {
    notebook = {};
  }
}

void Classroom::store() const {
  if (keep) keep(lessons::to_text(notebook));
}

lessons::Language language_of(const Look& look) { return lesson_language(look.language); }

bool shows_tour(const Look& look) { return look.overlay == Overlay::tour && look.tour_step > 0; }

Opened opened(const Look& look) {
  return shows_tour(look) ? Opened{std::string(tour_id), look.tour_step} : Opened{look.lesson, look.lesson_step};
}

bool shows_step(const Look& look) {
  const std::string lesson = opened(look).lesson;
  return !lesson.empty() && lesson != "list" && lessons::is_here(lesson, language_of(look));
}

bool has_lesson(const Model& model) {
  const Look& look = model.state.look;
  if (look.lesson.empty() || !model.state.compares()) return !look.lesson.empty();
  return shows_step(look) && model.state.plays_run() && page_of(model).step.point == "race";
}

const lessons::WrittenLesson& lesson_of(const Model& model, const std::string& id) {
  const lessons::WrittenLesson& lesson = lessons::built_in(id);
  const Classroom& room = model.classroom;
  if (room.notebook.student.empty()) return lesson;
  // Keyed by language as well: words in another language may arrive later.
  const auto [known, made] = room.varied.try_emplace(lessons::pack_name(id, language_of(model.state.look)), lesson);
  if (made) known->second.lesson = lessons::varied(lesson.lesson, room.notebook.student);
  return known->second;
}

const LessonPage& page_of(const Model& model) {
  const Look& look = model.state.look;
  const Opened open = opened(look);
  const lessons::WrittenLesson& lesson = lesson_of(model, open.lesson);
  const std::tuple key(open.lesson, open.step, language_of(look), model.classroom.read);
  return model.world.tasks.get_for<LessonPage>(0, key, std::cref(lesson), open.step, look.language);
}

const lessons::Page& following_page(const Model& model) {
  const LessonPage& page = page_of(model);
  if (page.step.drag.empty()) return page.page;
  std::vector<std::string> names;
  for (const lessons::Other& option : page.step.drag) names.push_back(option.name);
  const std::string changes = changes_more_than(model, names) ? "" : changes_of(model);
  if (changes.empty()) return page.page;
  const std::tuple key(page.lesson().id, page.number, page.language, model.classroom.read, changes);
  return model.world.tasks.get_for<FollowingPage>(0, key, std::cref(page), changes).page;
}

const Trying& trying_of(const Model& model, const Question& question) {
  static const Trying none;
  const auto found = model.state.lesson.tries.find(question.text);
  return found == model.state.lesson.tries.end() ? none : found->second;
}

bool is_over(const Model& model, const Question& question) {
  return lessons::is_over(question, trying_of(model, question));
}

const Question* open_question(const Model& model) {
  if (!shows_step(model.state.look)) return nullptr;
  return lessons::open_question(page_of(model).step,
                                [&](const Question& question) { return trying_of(model, question); });
}

std::vector<const Question*> readable_questions(const Model& model) {
  const LessonPage& page = page_of(model);
  if (!page.scene) return {};
  return lessons::readable_questions(page.step, [&](const Question& question) { return trying_of(model, question); });
}

bool asks_for_tile(const Model& model) {
  const Question* open = open_question(model);
  return open != nullptr && open->kind == QuestionKind::tile;
}

std::vector<std::string> unlocked_options(const Model& model) {
  const Question* open = open_question(model);
  return open != nullptr && open->kind == QuestionKind::until ? open->change : std::vector<std::string>{};
}

std::vector<std::string_view> units_of(const LessonPage& page, const Question& question) {
  if (question.kind != QuestionKind::number || !page.scene) return {};
  const std::string_view unit = page.scene->facts().quantity(question.answer).unit;
  if (unit == "kibibytes") return {"KiB", "B"};
  return unit == "bytes" || unit == "exact_bytes" ? std::vector<std::string_view>{"B", "kB", "MB"}
                                                  : std::vector<std::string_view>{};
}

std::string typed_answer(const Model& model, const Question& question) {
  if (question.kind == QuestionKind::until) return changes_of(model);
  const Trying& trying = trying_of(model, question);
  const std::string_view typed = sim::trimmed(trying.typed);
  const bool has_none = !typed.empty() && (sim::is_digit(typed.back()) || typed.back() == ')');
  return has_none && !units_of(page_of(model), question).empty() && !trying.unit.empty()
             ? sim::text(typed, " ", trying.unit)
             : trying.typed;
}

std::string changes_of(const Model& model) {
  const LessonPage& page = page_of(model);
  sim::OptionValues changes;
  if (!page.scene) return {};
  const sim::OptionValues before = with_batch_and_heads(page.scene->options());
  for (const auto& [name, value] : with_batch_and_heads(model.state.options)) {  // a link writes these, a step need not
    const auto known = before.find(name);
    if (known == before.end() || known->second != value) changes[name] = value;
  }
  return lessons::text_of(changes);
}

bool changes_more_than(const Model& model, const std::vector<std::string>& allowed) {
  const LessonPage& page = page_of(model);
  if (!page.scene) return false;
  sim::OptionValues now = with_batch_and_heads(model.state.options),
                    before = with_batch_and_heads(page.scene->options());
  for (const std::string& name : allowed) {
    now.erase(name);
    before.erase(name);
  }
  return now != before;
}

Answered answered(const Model& model, const lessons::Lesson& lesson, const lessons::Step& step,
                  const Question& question) {
  const lessons::LessonNotes* notes = model.classroom.notebook.find(lesson.id, lesson.version);
  if (notes == nullptr || notes->answer(step.name, question.text) == nullptr) return Answered::no;
  const auto marked = model.classroom.right.find(key_of(lesson, step, question));
  return marked == model.classroom.right.end() || marked->second ? Answered::yes : Answered::wrong;
}

LessonScore score_of(const Model& model, const lessons::Lesson& lesson) {
  LessonScore score;
  for (const lessons::Step& step : lesson.steps) {
    for (const Question& question : step.questions) {
      ++score.questions;
      if (answered(model, lesson, step, question) != Answered::no) ++score.answered;
    }
  }
  return score;
}

LessonScore score_of(const Model& model, const lessons::Summary& lesson) {
  const lessons::LessonNotes* notes = model.classroom.notebook.find(lesson.id, lesson.version);
  return {notes == nullptr ? 0 : std::min(notes->answers.size(), lesson.questions), lesson.questions};
}

std::vector<std::string> shown_places(const Model& model) {
  const LessonPage& page = page_of(model);
  std::vector<std::string> places;
  const auto add = [&](const std::vector<lessons::Block>& blocks) {
    for (const lessons::Block& block : blocks) {
      for (const std::string& place : lessons::places_in(block.text)) {
        if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
      }
    }
  };
  add(page.page.blocks);
  if (open_question(model) == nullptr) add(page.page.told);
  return places;
}

void show_panel(Look& look, std::string_view panel) {
  look_field("tab").set(look, std::string(panel));  // other names are not tabs
  if (panel == "roofline") look.tab = Tab::counters;
}

void show_place(Look& look, std::string_view place, bool tabbed) {
  const auto kind = lessons::kind_and_name(place).first;
  if (kind == "level") return show_panel(look, "memory");
  if (!lessons::is_thing(place)) return show_panel(look, place);
  if (tabbed && (kind == "counter")) return show_panel(look, "counters");
  if (tabbed && kind != "option" && kind != "kernel") show_panel(look, "matrix");
}

}  // namespace explorer
