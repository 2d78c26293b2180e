// Edits of a learner: they open steps, type and check answers, and store them in the notebook.
#include <algorithm>
#include <utility>

#include "lessons/options_text.h"
#include "sim/base/text.h"
#include "viz/model/lesson/lesson.h"
#include "viz/words/words.h"

namespace explorer {
namespace {

using lessons::Question;
using lessons::QuestionKind;

lessons::LessonNotes& notes_of(Model& model, const lessons::Lesson& lesson) {
  return model.classroom.notebook.notes(lesson);
}

void note_verdict(Model& model, const LessonPage& page, const Question& question, bool right) {
  model.classroom.right.emplace(sim::text(page.lesson().id, "/", page.step.name, "/", question.text), right);
}

/// A question of the open step by its name; null if there is none.
const Question* question_called(const Model& model, const std::string& name) {
  if (!shows_step(model.state.look)) return nullptr;
  const auto& questions = page_of(model).step.questions;
  const auto found =
      std::find_if(questions.begin(), questions.end(), [&](const Question& q) { return q.text == name; });
  return found == questions.end() ? nullptr : &*found;
}

/// Restores an answer from the notebook and marks it again: the notebook stores what was typed, not the verdict.
Trying recalled(Model& model, const LessonPage& page, const Question& question) {
  Trying trying;
  const lessons::Answer* kept = notes_of(model, page.lesson()).answer(page.step.name, question.text);
  if (kept == nullptr || !page.scene) return trying;
  try {
    trying = {lessons::recalled(page.asked(question), *kept)};
  } catch (const sim::Error& error) {
    trying.error = error.sentence();
  }
  if (trying.shown) return trying;
  trying.typed = kept->later.empty() ? kept->given : kept->later.back();
  if (trying.verdict) note_verdict(model, page, question, trying.right() && kept->later.empty());
  return trying;
}

std::string key_of_step(const Model& model) {
  const Opened open = opened(model.state.look);
  return sim::text(open.lesson, " ", open.step, " ", model.classroom.read);
}

/// Begins the work on the open step: its tries if it was open before, else the answers that the notebook keeps.
void begin_work(Model& model) {
  const LessonPage& page = page_of(model);
  LessonWork work;
  work.of = key_of_step(model);
  work.drawn_up = model.state.lesson.drawn_up;
  if (model.state.lesson.of == work.of) {
    work.tries = std::move(model.state.lesson.tries);
  } else {
    for (const Question& question : page.step.questions) work.tries[question.text] = recalled(model, page, question);
  }
  model.state.lesson = std::move(work);
}

void present(Model& model, bool on) {
  model.state.look.presents = on;
  model.state.look.loop = on && !model.state.look.still;  // repeats the step's tile
  model.play(model.state.look.loop);
}

/// Follows the link of the step that open(look) opens.
template <class Open>
void go_to(Model& model, Open open) {
  const Look before = model.state.look;
  model.play(false);
  open(model.state.look);
  const LessonPage& page = page_of(model);
  if (page.scene) model.follow(lessons::link_of(page.scene->options(), page.step, page.scene->cursor()));
  Look& look = model.state.look;
  if (page.step.look.find("tab=") == std::string::npos) show_panel(look, page.step.point);
  look.theme = before.theme;
  look.language = before.language;
  look.still = before.still;
  open(look);
  if (page.step.from && !look.still) model.play_clip(static_cast<double>(*page.step.from));
  if (before.presents && !shows_tour(look)) present(model, true);
  begin_work(model);
  ++model.classroom.turned;
  model.classroom.opens_lesson = false;
  lessons::LessonNotes& notes = notes_of(model, page.lesson());
  if (notes.step == page.step.name) return;
  notes.step = page.step.name;
  model.classroom.store();
}

/// Opens the tour at the step of the link, whose scenario it loads; other settings of the link are kept.
void open_tour(Model& model) {
  const Look named = model.state.look;
  go_to_tour_step(model, std::max(1, named.tour_step));
  for (const LookField& field : look_fields()) {
    const std::string value = field.text(named);
    if (field.name != "tour-step" && !field.name.starts_with("lesson") && value != field.text(Look{}))
      field.set(model.state.look, value);
  }
  model.classroom.opens_tour = false;
}

/// Step at which the learner stopped, from 1.
int last_step(const Model& model, const lessons::Lesson& lesson) {
  const lessons::LessonNotes* notes = model.classroom.notebook.find(lesson.id, lesson.version);
  const auto at = std::find_if(lesson.steps.begin(), lesson.steps.end(),
                               [&](const lessons::Step& step) { return notes != nullptr && step.name == notes->step; });
  return at == lesson.steps.end() ? 1 : static_cast<int>(at - lesson.steps.begin()) + 1;
}

/// Replaces the lesson and step of a link by existing ones.
void settle_link(Model& model) {
  Look& look = model.state.look;
  if (look.lesson.empty() || look.lesson == "list") return;
  try {
    look.lesson = lessons::id_called(look.lesson, lessons::built_in_ids());
  } catch (const sim::Error& error) {
    model.notice = words::translate(look.language, error.sentence());
    look.lesson = "list";
    return;
  }
  if (!shows_step(look)) return;  // waiting for its pack
  const lessons::Lesson& lesson = lessons::built_in(look.lesson).lesson;
  const bool goes = model.classroom.opens_lesson || look.lesson_step == 0;
  const int step = look.lesson_step == 0 ? last_step(model, lesson) : look.lesson_step;
  look.lesson_step = std::min(step, static_cast<int>(lesson.steps.size()));
  if (goes) go_to_lesson_step(model, lesson.id, look.lesson_step);
}

/// The notes that keep the answers to a question; null if it is asked again.
lessons::LessonNotes* kept_in(Model& model, const Trying& trying) {
  return trying.again ? nullptr : &notes_of(model, page_of(model).lesson());
}

}  // namespace

void settle_lesson(Model& model) {
  settle_link(model);
  Look& look = model.state.look;
  if (look.overlay == Overlay::tour && (look.tour_step == 0 || model.classroom.opens_tour)) open_tour(model);
  if (shows_tour(look)) look.lesson.clear();  // lesson and tour exclude each other
  if (shows_step(look) && model.state.lesson.of != key_of_step(model)) begin_work(model);
}

void go_to_lesson_step(Model& model, const std::string& id, int step) {
  go_to(model, [&](Look& look) {
    look.lesson = id;
    look.lesson_step = step;
  });
}

void go_to_tour_step(Model& model, int step) {
  go_to(model, [&](Look& look) {
    look.lesson.clear();
    look.overlay = Overlay::tour;
    look.tour_step = step;
  });
}

void apply_in_lesson(Model& model, const OpenLesson& edit) {
  if (shows_tour(model.state.look)) model.state.look.overlay = Overlay::none;
  model.state.look.lesson = edit.lesson;
  model.state.look.lesson_step = 0;
  if (edit.step > 0) go_to_lesson_step(model, edit.lesson, edit.step);
}

void apply_in_lesson(Model& model, const TurnTo& edit) {
  if (!shows_step(model.state.look)) return;
  const LessonPage& page = page_of(model);
  const bool tour = shows_tour(model.state.look);
  if (edit.step <= page.steps())
    return tour ? go_to_tour_step(model, edit.step) : go_to_lesson_step(model, page.lesson().id, edit.step);
  notes_of(model, page.lesson()).step.clear();
  model.classroom.store();
  if (tour) return void(model.state.look.overlay = Overlay::none);
  apply_in_lesson(model, OpenLesson{"list"});
}

void apply_in_lesson(Model& model, const TypeAnswer& edit) {
  Trying& trying = model.state.lesson.tries[edit.question];
  const bool changed = trying.typed != edit.typed || trying.unit != edit.unit;
  trying.typed = edit.typed;
  trying.unit = edit.unit;
  trying.order = edit.order;
  if (changed) trying.error = {};
}

void apply_in_lesson(Model& model, const CheckAnswer& edit) {
  const Question* question = question_called(model, edit.question);
  if (question == nullptr) return;
  Trying& trying = model.state.lesson.tries[edit.question];
  trying.error = {};
  const LessonPage& page = page_of(model);
  const std::string text = edit.text.empty() ? typed_answer(model, *question) : edit.text;
  if (!page.scene || text.empty()) return;
  try {
    if (!lessons::try_answer(trying, page.asked(*question), text, kept_in(model, trying))) return;
  } catch (const sim::Error& error) {
    trying.error = error.sentence();
    return;
  }
  trying.typed = text;
  trying.order.clear();  // a further try starts from scratch
  if (trying.again || (question->kind == QuestionKind::until && !trying.right())) return;
  note_verdict(model, page, *question, trying.right());
  model.classroom.store();
}

void apply_in_lesson(Model& model, const ShowHint& edit) {
  if (question_called(model, edit.question) != nullptr) ++model.state.lesson.tries[edit.question].hints;
}

void apply_in_lesson(Model& model, const ShowAnswer& edit) {
  const Question* question = question_called(model, edit.question);
  if (question == nullptr) return;
  Trying& trying = model.state.lesson.tries[edit.question];
  if (edit.asks_first && !trying.asks) {
    trying.asks = true;
    trying.error = sim::Sentence(/*say*/ "Nothing is answered yet. Press Enter again to see the answer.");
    return;
  }
  const LessonPage& page = page_of(model);
  if (!page.scene) return;
  lessons::show_answer(trying, page.asked(*question), edit.to_audience ? nullptr : kept_in(model, trying));
  if (!trying.again && !edit.to_audience) model.classroom.store();
}

void apply_in_lesson(Model& model, const AskAgain& edit) {
  if (question_called(model, edit.question) == nullptr) return;
  model.state.lesson.tries[edit.question] = Trying{};
  model.state.lesson.tries[edit.question].again = true;
}

void apply_in_lesson(Model& model, const AnswerTile& edit) {
  const Question* open = open_question(model);
  if (open != nullptr && open->kind == QuestionKind::tile)
    model.state.lesson.tries[open->text].typed = sim::text(edit.row, ", ", edit.col);
}

void apply_in_lesson(Model& model, const Present& edit) { present(model, edit.on); }

void apply_in_lesson(Model& model, const PointAt& edit) {
  model.state.lesson.chosen = edit.place;
  show_place(model.state.look, edit.place, edit.tabbed);
}

void apply_in_lesson(Model& model, const GiveWay& edit) {
  model.state.lesson.asked = edit.asked;
  model.state.lesson.shown = edit.front;
  model.state.lesson.hidden = edit.hidden;
  model.state.look.tab = edit.front.tab;
  model.state.look.center = edit.front.center;
}

}  // namespace explorer
