#include "viz/panels/lesson/panel_state.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "lessons/options_text.h"
#include "lessons/packs.h"
#include "lessons/variation.h"
#include "viz/panels/lesson_language.h"
#include "viz/words/words.h"

namespace explorer {
namespace {

using lessons::Question;

lessons::LessonNotes& notes_of(ViewModel& model, const lessons::Lesson& lesson) {
  return memory_of(model).notebook.notes(lesson);
}

std::string key_of(const lessons::Lesson& lesson, const lessons::Step& step, const Question& question) {
  return sim::text(lesson.id, "/", step.name, "/", question.text);
}

/// Restores an answer from the notebook and marks it again: the notebook stores what was typed, not the verdict.
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
    trying.error = words::translate(model.look.language, error.sentence());
  }
}

}  // namespace

void keep_notebook(ViewModel& model) {
  model.lesson.notebook = lessons::to_text(memory_of(model).notebook);
  if (model.lesson.keep_notebook) model.lesson.keep_notebook(model.lesson.notebook);
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
    error = words::translate(language_shown, problem.sentence());
  }
}

const lessons::Page& LessonPage::following(const ViewModel& model) {
  if (step.drag.empty()) return page;
  std::vector<std::string> names;
  for (const lessons::Other& option : step.drag) names.push_back(option.name);
  const std::string changes = changes_more_than(model, *this, names) ? "" : changes_of(model, *this);
  if (changes.empty()) return page;
  if (std::exchange(dragged_to_, changes) == changes) return dragged_;
  try {
    const lessons::Scene there(lesson(), step, sim::built_in_gpu, lessons::read_options(changes));
    dragged_ = lessons::filled(written.words(language).page(step.name), there.facts());
  } catch (const sim::Error&) {  // impossible: the window explains it
    dragged_ = page;
  }
  return dragged_;
}

LessonMemory::LessonMemory(const std::string& text) {
  try {
    if (!text.empty()) notebook = lessons::read_notebook(text, "notebook");
  } catch (const sim::Error&) {  // the reader of the file has set it aside and reported it
  }
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

LessonMemory& memory_of(ViewModel& model) {
  return model.tasks.get<LessonMemory>("lesson/memory", "", model.lesson.notebook);
}

const lessons::WrittenLesson& lesson_of(ViewModel& model, const std::string& id) {
  const lessons::WrittenLesson& lesson = lessons::built_in(id);
  LessonMemory& memory = memory_of(model);
  if (memory.notebook.student.empty()) return lesson;
  // Keyed by language as well: words in another language may arrive later.
  const auto [known, made] = memory.varied.try_emplace(lessons::pack_name(id, language_of(model.look)), lesson);
  if (made) known->second.lesson = lessons::varied(lesson.lesson, memory.notebook.student);
  return known->second;
}

LessonPage& page_of(ViewModel& model) {
  const Look& look = model.look;
  const Opened open = opened(look);
  const lessons::WrittenLesson& lesson = lesson_of(model, open.lesson);
  const std::string key =
      sim::text(open.lesson, " ", open.step, " ", lessons::name_of(language_of(look)), " ", memory_of(model).read);
  return model.tasks.get<LessonPage>("lesson/page", key, std::cref(lesson), open.step, look.language);
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
  trying.error.clear();
  if (!page.scene || text.empty()) return;
  try {
    const lessons::Verdict verdict = lessons::mark(page.lesson(), page.step, question, *page.scene, text);
    trying.error = verdict.error_in(language_of(model.look));
    if (!verdict.understood) return;
    const bool repeats = trying.verdict && trying.verdict->given == verdict.given;
    if (repeats && question.kind != lessons::QuestionKind::until) return;  // Enter, pressed twice
    trying.typed = text;
    trying.verdict = verdict;
    trying.wrong += verdict.right ? 0 : 1;
    trying.order.clear();  // a further try starts from scratch
  } catch (const sim::Error& error) {
    trying.error = words::translate(model.look.language, error.sentence());
    return;
  }
  const bool is_goal = question.kind == lessons::QuestionKind::until;
  if ((is_goal && !trying.verdict->right) || trying.again) return;  // a goal is tried until it is reached
  memory_of(model).right.emplace(key_of(page.lesson(), page.step, question), trying.verdict->right);
  lessons::keep_try(notes_of(model, page.lesson()), page.step.name, question.text, text);
  keep_notebook(model);
}

void show_answer(ViewModel& model, LessonPage& page, const Question& question) {
  Trying& trying = trying_of(model, page, question);
  trying.shown = true;
  trying.verdict.reset();
  trying.error.clear();
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

}  // namespace explorer
