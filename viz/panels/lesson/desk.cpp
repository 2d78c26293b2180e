#include "viz/panels/lesson/desk.h"

#include <algorithm>
#include <functional>

#include "lessons/options_text.h"
#include "lessons/packs.h"
#include "lessons/places.h"
#include "lessons/variation.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson_language.h"

namespace explorer {
namespace {

using lessons::Question;

lessons::LessonNotes& notes_of(ViewModel& model, const lessons::Lesson& lesson) {
  return memory_of(model).notebook.notes(lesson);
}

std::string key_of(const lessons::Lesson& lesson, const lessons::Step& step, const Question& question) {
  return sim::text(lesson.id, "/", step.name, "/", question.text);
}

/// Marked again when a lesson is opened: the notebook has what was typed, and not what came of it.
void recall(ViewModel& model, LessonPage& page, const Question& question, Trying& trying) {
  const lessons::Answer* kept = notes_of(model, page.lesson()).answer(page.step.name, question.text);
  if (kept == nullptr || !page.scene) return;
  trying.shown = kept->shown;
  if (kept->shown) return;
  trying.typed = kept->later.empty() ? kept->given : kept->later.back();
  try {
    const lessons::Tried tried = lessons::tried(page.lesson(), page.step, question, *page.scene, *kept);
    trying.verdict = tried.last;
    trying.wrong = tried.wrong;
    const bool right = tried.last->right && kept->later.empty();
    memory_of(model).right[key_of(page.lesson(), page.step, question)] = right;
  } catch (const sim::Error& error) {
    trying.complaint = error.what();
  }
}

}  // namespace

void keep_notebook(ViewModel& model) {
  model.notebook = lessons::to_text(memory_of(model).notebook);
  if (model.keep_notebook) model.keep_notebook(model.notebook);
}

void end_lesson(ViewModel& model, const LessonPage& page) {
  notes_of(model, page.lesson()).step.clear();
  keep_notebook(model);
  model.show_lessons();
}

LessonPage::LessonPage(const lessons::WrittenLesson& lesson, int step_number, Language language_shown)
    : written(lesson),
      number(step_number),
      step(written.lesson.steps.at(static_cast<std::size_t>(step_number - 1))),
      language(lesson_language(language_shown)),
      page(written.words(language).page(step.name)) {
  try {
    scene.emplace(written.lesson, step, sim::built_in_gpu);
    page = lessons::filled(std::move(page), scene->facts());
  } catch (const sim::Error& problem) {
    error = problem.what();
  }
}

const lessons::QuestionWords& LessonPage::words(const Question& question) const {
  static const lessons::QuestionWords none;
  const auto found = page.questions.find(question.text);
  return found == page.questions.end() ? none : found->second;
}

LessonMemory::LessonMemory(const std::string& text) {
  try {
    if (!text.empty()) notebook = lessons::read_notebook(text, "notebook");
  } catch (const sim::Error&) {  // whoever read the file has put it aside and said so
  }
}

lessons::Language language_of(const Look& look) { return lesson_language(look.language); }

bool shows_step(const Look& look) {
  return !look.lesson.empty() && look.lesson != "list" && lessons::is_here(look.lesson, language_of(look));
}

LessonMemory& memory_of(ViewModel& model) { return model.tasks.get<LessonMemory>("lesson/memory", "", model.notebook); }

const lessons::WrittenLesson& lesson_of(ViewModel& model, const std::string& id) {
  const lessons::WrittenLesson& lesson = lessons::built_in(id);
  LessonMemory& memory = memory_of(model);
  if (memory.notebook.student.empty()) return lesson;
  // Words in another language may come later.
  const auto [known, made] = memory.varied.try_emplace(lessons::pack_name(id, language_of(model.look)), lesson);
  if (made) known->second.lesson = lessons::varied(lesson.lesson, memory.notebook.student);
  return known->second;
}

LessonPage& page_of(ViewModel& model) {
  const Look& look = model.look;
  const lessons::WrittenLesson& lesson = lesson_of(model, look.lesson);
  const std::string key = sim::text(look.lesson, " ", look.lesson_step, " ", lessons::name_of(language_of(look)), " ",
                                    memory_of(model).read);
  return model.tasks.get<LessonPage>("lesson/page", key, std::cref(lesson), look.lesson_step, look.language);
}

Trying& trying_of(ViewModel& model, LessonPage& page, const Question& question) {
  const auto found = page.tries.find(question.text);
  if (found != page.tries.end()) return found->second;
  Trying& trying = page.tries[question.text];
  recall(model, page, question, trying);
  return trying;
}

bool is_over(const Question& question, const Trying& trying) {
  return trying.shown || (trying.verdict && lessons::is_over(question, *trying.verdict, trying.wrong));
}

const Question* open_question(ViewModel& model, LessonPage& page) {
  for (const Question& question : page.step.questions) {
    if (!is_over(question, trying_of(model, page, question))) return &question;
  }
  return nullptr;
}

void answer(ViewModel& model, LessonPage& page, const Question& question, const std::string& text) {
  Trying& trying = trying_of(model, page, question);
  trying.complaint.clear();
  if (!page.scene || text.empty()) return;
  try {
    const lessons::Verdict verdict = lessons::mark(page.lesson(), page.step, question, *page.scene, text);
    trying.complaint = verdict.complaint_in(language_of(model.look));
    if (!verdict.understood) return;
    const bool repeats = trying.verdict && trying.verdict->given == verdict.given;
    if (repeats && question.kind != lessons::QuestionKind::until) return;  // Enter, pressed twice
    trying.typed = text;
    trying.verdict = verdict;
    trying.wrong += verdict.right ? 0 : 1;
    trying.order.clear();  // a further try begins anew
  } catch (const sim::Error& error) {
    trying.complaint = error.what();
    return;
  }
  const bool is_goal = question.kind == lessons::QuestionKind::until;
  if ((is_goal && !trying.verdict->right) || trying.again) return;  // one tries until the goal is reached
  memory_of(model).right.emplace(key_of(page.lesson(), page.step, question), trying.verdict->right);
  lessons::keep_try(notes_of(model, page.lesson()), page.step.name, question.text, text);
  keep_notebook(model);
}

void show_answer(ViewModel& model, LessonPage& page, const Question& question) {
  Trying& trying = trying_of(model, page, question);
  trying.shown = true;
  trying.verdict.reset();
  trying.complaint.clear();
  if (trying.again) return;
  lessons::keep_answer(notes_of(model, page.lesson()), {page.step.name, question.text, "", true});
  keep_notebook(model);
}

void ask_again(LessonPage& page, const Question& question) {
  page.tries[question.text] = Trying{};
  page.tries[question.text].again = true;
}

std::string changes_of(const ViewModel& model, const LessonPage& page) {
  sim::OptionValues changes;
  if (!page.scene) return {};
  const sim::OptionValues before = with_batch_and_heads(page.scene->options());
  for (const auto& [name, value] : with_batch_and_heads(model.options())) {  // a link writes these, a step need not
    const auto known = before.find(name);
    if (known == before.end() || known->second != value) changes[name] = value;
  }
  return lessons::text_of(changes);
}

bool changes_more_than(const ViewModel& model, const LessonPage& page, const std::vector<std::string>& allowed) {
  if (!page.scene) return false;
  sim::OptionValues now = with_batch_and_heads(model.options()), before = with_batch_and_heads(page.scene->options());
  for (const std::string& name : allowed) {
    now.erase(name);
    before.erase(name);
  }
  return now != before;
}

Answered answered(ViewModel& model, const lessons::Lesson& lesson, const lessons::Step& step,
                  const Question& question) {
  if (notes_of(model, lesson).answer(step.name, question.text) == nullptr) return Answered::no;
  const auto marked = memory_of(model).right.find(key_of(lesson, step, question));
  return marked == memory_of(model).right.end() || marked->second ? Answered::yes : Answered::wrong;
}

LessonScore score_of(ViewModel& model, const lessons::Lesson& lesson) {
  LessonScore score;
  for (const lessons::Step& step : lesson.steps) {
    for (const Question& question : step.questions) {
      ++score.questions;
      if (answered(model, lesson, step, question) != Answered::no) ++score.answered;
    }
  }
  return score;
}

LessonScore score_of(ViewModel& model, const lessons::Summary& lesson) {
  const lessons::LessonNotes* notes = memory_of(model).notebook.find(lesson.id, lesson.version);
  return {notes == nullptr ? 0 : std::min(notes->answers.size(), lesson.questions), lesson.questions};
}

void show_panel(Look& look, std::string_view panel) {
  for (const std::string_view tab : {"matrix", "memory", "code", "softmax", "counters"}) {
    if (panel == tab) look.tab = tab;
  }
  if (panel == "roofline") look.tab = "counters";
}

bool has_lesson(ViewModel& model) {
  const Look& look = model.look;
  if (look.lesson.empty() || model.subjects() < 2) return !look.lesson.empty();
  return shows_step(look) && model.plays_run() && page_of(model).step.point == "race";
}

void present(ViewModel& model, bool on) {
  model.look.presents = on;
  model.look.loop = on && !model.look.still;  // the tile of the step, again and again
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

std::string lit_place(ViewModel& model, const LessonPage& page) {
  const LessonMemory& memory = memory_of(model);
  if (!memory.pointed.empty() || !memory.chosen.empty()) return memory.pointed.empty() ? memory.chosen : memory.pointed;
  if (memory.presents && !memory.first.empty()) return memory.first;
  const std::vector<std::string> places = lessons::places_in(page.page);
  return places.empty() ? "" : places.front();
}

void go_to_lesson_step(ViewModel& model, const std::string& id, int step) {
  const Look before = model.look;
  model.play(false);
  model.look.lesson = id;
  model.look.lesson_step = step;
  LessonPage& page = page_of(model);
  if (page.scene) model.follow(lessons::link_of(page.scene->options(), page.step, page.scene->cursor()));
  Look& look = model.look;
  if (page.step.look.find("tab=") == std::string::npos) show_panel(look, page.step.point);
  look.theme = before.theme;
  look.language = before.language;
  look.still = before.still;
  if (before.presents) present(model, true);
  look.lesson = id;
  look.lesson_step = step;
  model.scroll["lesson/text"] = 0;
  memory_of(model).part = 0;
  memory_of(model).chosen.clear();
  memory_of(model).asked.clear();
  memory_of(model).hidden = {};
  page.draft.clear();
  model.opens_lesson = false;
  lessons::LessonNotes& notes = notes_of(model, page.lesson());
  if (notes.step == page.step.name) return;
  notes.step = page.step.name;
  keep_notebook(model);
}

}  // namespace explorer
