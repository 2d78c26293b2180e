// Checks the built-in lessons for every student, and their marking by answering them automatically.
#include "tests/lessons/built_in.h"

#include <catch2/catch.hpp>
#include <set>

#include "lessons/marking_parts.h"
#include "lessons/notebook.h"
#include "lessons/variation.h"
#include "tests/lessons/example.h"
#include "tests/support/random_scenario.h"

using lessons::Question;
using lessons::QuestionKind;

namespace {

const std::vector<lessons::Language> both = {lessons::Language::en, lessons::Language::zh};

/// Visits each question of each lesson, with the scene of its step.
template <class Visit>
void each_question(Visit visit) {
  for (const lessons::WrittenLesson* written : built_in::lessons()) {
    for (const lessons::Step& step : written->lesson.steps) {
      const lessons::Scene scene(written->lesson, step, sim::built_in_gpu);
      for (const Question& question : step.questions) {
        INFO(written->lesson.id << ", step " << step.name << ", question " << question.text);
        visit(*written, step, question, scene);
      }
    }
  }
}

/// Returns the marks of a lesson that `robot` answers; "" leaves a question unanswered.
template <class Robot>
lessons::Grade grade_of(const lessons::WrittenLesson& written, Robot robot) {
  lessons::LessonNotes notes{written.lesson.id, written.lesson.version, "", {}};
  for (const lessons::Step& step : written.lesson.steps) {
    if (step.questions.empty()) continue;
    const lessons::Scene scene(written.lesson, step, sim::built_in_gpu);
    for (const Question& question : step.questions) {
      const std::string answer = robot(question, scene);
      if (!answer.empty()) lessons::keep_answer(notes, {step.name, question.text, answer, false});
    }
  }
  return lessons::grade(written, notes, sim::built_in_gpu);
}

}  // namespace

TEST_CASE("the built-in lessons have no findings in either language") {
  std::vector<const lessons::Lesson*> all;
  for (const lessons::WrittenLesson* written : built_in::lessons()) {
    all.push_back(&written->lesson);
    for (const std::string& finding :
         lessons::check(*written, sim::built_in_gpu, both, lessons::built_in_ids()).findings)
      FAIL_CHECK(finding);
  }
  for (const std::string& finding : lessons::check_needs(all)) FAIL_CHECK(finding);
}

TEST_CASE("the reason of a wrong number fits the unit and kind of the question, in every lesson") {
  each_question([](const auto& written, const auto& step, const Question& question, const lessons::Scene& scene) {
    if (question.kind != QuestionKind::number) return;
    const lessons::Facts::Quantity right = scene.facts().quantity(question.answer);
    const sim::Shape& shape = scene.run().plan.problem.shape;
    const auto heads = static_cast<double>(shape.heads), batch = static_cast<double>(shape.batch);
    const bool bytes = right.unit.find("bytes") != std::string_view::npos;
    for (const double ratio : {0.125, 0.25, 0.5, 2.0, 4.0, heads, 1 / heads, batch, 1 / batch, 1 / (heads * batch),
                               1.024, 1 / 1.024, 1.024 * 1.024}) {
      const std::string typed = lessons::typed_number({right.value * ratio, right.unit});
      INFO(typed);
      const std::string said = lessons::mark(written.lesson, step, question, scene, typed).reason.text();
      const auto says = [&](const char* part) { return said.find(part) != std::string::npos; };
      if (says("These are elements") || says("1,024 for")) CHECK(bytes);
      if (says("Twice") || says("Half")) CHECK((bytes && question.answer.find("traffic") != std::string::npos));
      if (says("heads") || says("batch")) CHECK((bytes || right.unit == "flops"));
    }
  });
}

TEST_CASE("lessons varied for students have no findings", "[repeats]") {
  for (const lessons::WrittenLesson* written : built_in::lessons()) {
    for (int n = 0; n < 4 && written->lesson.number() != "00"; ++n) {
      lessons::WrittenLesson one = *written;
      one.lesson = lessons::varied(one.lesson, sim::text("student ", n));
      INFO(one.lesson.scenario);
      for (const std::string& finding : lessons::check(one, sim::built_in_gpu, {lessons::Language::en},
                                                       lessons::built_in_ids(), true, lessons::Asks::varied)
                                            .findings)
        FAIL_CHECK(finding);
    }
  }
}

TEST_CASE("the claims and numbers of a step hold at every stop of its dragged options", "[repeats]") {
  std::size_t stops = 0;
  for (const lessons::WrittenLesson* written : built_in::lessons()) {
    for (const lessons::Variation& there : lessons::variations(written->lesson)) {
      if (!there.dragged) continue;
      ++stops;
      for (const lessons::Language language : both) {
        for (const std::string& finding : lessons::check(*written, there, sim::built_in_gpu, language))
          FAIL_CHECK(finding);
      }
    }
  }
  CHECK(stops >= 15);
}

TEST_CASE("a student's lesson is always the same, and an empty name gives the lesson itself") {
  lessons::Lesson lesson = example::written().lesson;
  CHECK(lessons::varied(lesson, "Ada").scenario == lesson.scenario);  // nothing varies
  lesson.vary = {{"seqlen", "32, 64,96 , 128"}, {"batch", "1,2,3"}};
  CHECK(lessons::varied(lesson, "").scenario == lesson.scenario);
  CHECK(lessons::varied(lesson, "Ada").scenario == lessons::varied(lesson, "Ada").scenario);
  std::set<std::string> drawn;
  for (int n = 0; n < 200; ++n) drawn.insert(lessons::varied(lesson, std::to_string(n)).scenario);
  CHECK(drawn.size() == 12);
  REQUIRE(lessons::variations(lesson).size() == 7);
  CHECK(lessons::variations(lesson)[2].name == "seqlen=96");
  lesson.steps[0].vary = lesson.steps[2].vary = {{"head-dim", "16,32, 64"}};
  CHECK(lessons::variations(lesson).size() == 13);
  CHECK(lessons::variations(lesson)[8].name == "step " + lesson.steps[0].name + ": head-dim=32");
  for (int n = 0; n < 20; ++n) {  // all steps use one student's parameters
    const lessons::Lesson one = lessons::varied(lesson, std::to_string(n));
    const auto value = [&](std::size_t step) { return lessons::options_of(one, one.steps[step]).at("head-dim"); };
    CHECK(value(0) == value(2));
  }
}

TEST_CASE("each lesson gives students different answers, and a notebook is marked by its student's", "[repeats]") {
  for (const lessons::WrittenLesson* written : built_in::lessons()) {
    if (written->lesson.number() == "00") continue;
    INFO(written->lesson.id);
    std::set<std::string> answers;  // each of a whole lesson
    for (int n = 0; n < 12; ++n) {
      lessons::WrittenLesson one = *written;
      one.lesson = lessons::varied(one.lesson, sim::text("student ", n));
      const lessons::Grade grade = grade_of(one, lessons::right_answer);
      CHECK(grade.right == grade.of);
      std::string all;
      for (const lessons::Grade::Mark& mark : grade.marks) all += mark.expected + "\n";
      answers.insert(all);
    }
    CHECK(answers.size() > 1);
  }
}

TEST_CASE("the right answer of each question is marked right, each expected wrong one with its own reason") {
  each_question([](const lessons::WrittenLesson& written, const lessons::Step& step, const Question& question,
                   const lessons::Scene& scene) {
    const std::string right = lessons::right_answer(question, scene);
    CHECK(lessons::mark(written.lesson, step, question, scene, right).right);
    if (question.kind == QuestionKind::order || question.kind == QuestionKind::until) return;
    for (const lessons::Wrong& wrong : question.wrong) {
      const lessons::Verdict verdict =
          lessons::mark(written.lesson, step, question, scene, lessons::wrong_answer(question, wrong, scene));
      CHECK(verdict.understood);
      CHECK_FALSE(verdict.right);
      CHECK(verdict.why == wrong.why);
    }
    for (const lessons::Choice& choice : question.choices) {
      if (choice.name == right) continue;
      const lessons::Verdict verdict = lessons::mark(written.lesson, step, question, scene, choice.name);
      CHECK_FALSE(verdict.right);
      CHECK(verdict.why == choice.name);
    }
  });
}

TEST_CASE("text that is not an answer is not understood and costs nothing") {
  each_question([](const lessons::WrittenLesson& written, const lessons::Step& step, const Question& question,
                   const lessons::Scene& scene) {
    for (const std::string none : {"", " ", "?", "\x1b[A", "no idea at all"}) {
      const lessons::Verdict verdict = lessons::mark(written.lesson, step, question, scene, none);
      CHECK_FALSE(verdict.understood);
      CHECK_FALSE(verdict.right);
      CHECK_FALSE(verdict.error.empty());
      CHECK(verdict.error.text().find("{}") == std::string::npos);
    }
  });
}

TEST_CASE("correct answers score full marks in every lesson, wrong or missing ones none", "[repeats]") {
  for (const lessons::WrittenLesson* written : built_in::lessons()) {
    INFO(written->lesson.id);
    const lessons::Grade perfect = grade_of(*written, lessons::right_answer);
    CHECK(perfect.right == perfect.of);
    const lessons::Grade empty = grade_of(*written, [](const Question&, const lessons::Scene&) { return ""; });
    CHECK(empty.right == 0);
    CHECK(empty.of == perfect.of);
    for (const lessons::Grade::Mark& mark : empty.marks) CHECK(mark.why == "missing");
    const lessons::Grade wrong = grade_of(*written, [](const Question& question, const lessons::Scene& scene) {
      if (question.kind == QuestionKind::choice) {
        const std::string right = lessons::right_answer(question, scene);
        for (const lessons::Choice& choice : question.choices) {
          if (choice.name != right) return choice.name;
        }
      }
      if (question.kind == QuestionKind::order) {  // the last line first
        std::string right = lessons::right_answer(question, scene);
        return right.substr(right.rfind(' ') + 1) + " " + right.substr(0, right.rfind(' '));
      }
      if (question.kind == QuestionKind::until) return question.change.front() + "=none";
      return lessons::wrong_answer(question, question.wrong.front(), scene);
    });
    CHECK(wrong.right == 0);
    for (const lessons::Grade::Mark& mark : wrong.marks) CHECK_FALSE(mark.why.empty());
  }
}

TEST_CASE("random answers are all marked and score few points", "[repeats]") {
  sim::Dice dice(11);
  std::size_t right = 0, of = 0;
  for (const lessons::WrittenLesson* written : built_in::lessons()) {
    const lessons::Grade guessed = grade_of(*written, [&](const Question&, const lessons::Scene&) {
      std::string answer;
      for (std::int64_t n = dice.between(1, 6); n > 0; --n) answer += static_cast<char>(dice.between(' ', '~'));
      return dice.one_in(2) ? std::to_string(dice.between(0, 1'000'000)) : answer;
    });
    right += guessed.right;
    of += guessed.of;
    for (const lessons::Grade::Mark& mark : guessed.marks) CHECK(mark.right == mark.why.empty());
  }
  CHECK(right * 10 <= of);
}

TEST_CASE("no list of choices ends in infinity, which would reveal the answer") {
  for (const std::string& id : lessons::built_in_ids()) {
    const lessons::WrittenLesson& written = lessons::built_in(id);
    for (const lessons::Step& step : written.lesson.steps) {
      for (const lessons::Question& question : step.questions) {
        if (question.choices.empty()) continue;
        INFO(id << " " << step.name << " " << question.text);
        const auto& choices = written.en.page(step.name).choices;
        const auto label = choices.find(question.choices.back().name);
        CHECK((label == choices.end() || sim::in_lower_case(label->second).find("infinity") == std::string::npos));
      }
    }
  }
}
