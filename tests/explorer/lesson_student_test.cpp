// Parameters of a student in the lesson panel.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "lessons/variation.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "viz/model/lesson/lesson.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/mirror.h"

TEST_CASE("the panel has the parameters of the notebook's student, which grade also uses") {
  const lessons::Lesson& lesson = lessons::built_in("02-eight-trips").lesson;
  for (const std::string student : {"ada", "grace", "emmy"}) {
    explorer::Headless window("", {});
    window.explorer.model.classroom.notebook.student = student;
    window.explorer.model.follow("lesson=02&lesson-step=1");
    window.driver.frame();
    CHECK(explorer::page_of(window.explorer.model).lesson().scenario == lessons::varied(lesson, student).scenario);
  }
}

TEST_CASE("a wrong answer allows another try, and the notebook keeps the first for the next visit") {
  std::string kept;
  {
    explorer::Headless window("lesson=06&lesson-step=3", {});
    explorer::Model& model = window.explorer.model;
    model.classroom.keep = [&](const std::string& text) { kept = text; };
    window.driver.click("lesson/answer/halve");
    window.driver.type("524288");
    window.driver.key(ImGuiKey_Enter);
    window.driver.frame();
    CHECK(window.driver.shows("lesson/check/halve"));
    CHECK(model.state.lesson.tries["halve"].wrong == 1);
    window.driver.key(ImGuiKey_Enter);  // repeating the same answer costs nothing
    CHECK(model.state.lesson.tries["halve"].wrong == 1);
    keep(window, "lesson-another-try");
  }
  explorer::Headless window("", {});
  window.explorer.model.classroom.open(kept);
  window.explorer.model.classroom.keep = [&](const std::string& text) { kept = text; };
  window.explorer.model.follow("lesson=06&lesson-step=3");
  window.driver.frame();
  const explorer::LessonPage& page = explorer::page_of(window.explorer.model);
  const lessons::Question& question = page.step.questions.front();
  CHECK(explorer::open_question(window.explorer.model) == &question);
  CHECK(window.explorer.model.state.lesson.tries["halve"].wrong == 1);
  window.explorer.model.apply(explorer::CheckAnswer{question.text, lessons::right_answer(question, *page.scene)});
  CHECK(explorer::open_question(window.explorer.model) == nullptr);
  const lessons::Notebook notebook = lessons::read_notebook(kept, "kept");
  const lessons::Answer* answer = notebook.lessons.front().answer("passes", "halve");
  REQUIRE(answer != nullptr);
  CHECK(answer->given == "524288");
  CHECK(answer->later == std::vector<std::string>{lessons::right_answer(question, *page.scene)});
  const lessons::Grade grade = lessons::grade(page.written, notebook.lessons.front(), sim::built_in_gpu);
  CHECK(grade.right == 0);
}

TEST_CASE("the list of lessons shows chapters, prerequisites, progress and the next lesson") {
  explorer::Headless window("lesson=list", {1440, 900, 1});
  explorer::Model& model = window.explorer.model;
  const auto rows = [&] { return lesson_mirror(model)["lessons"]; };
  const auto drawn = [&](const std::string& wanted) {
    window.driver.screen.texts.emplace();
    window.driver.frame();
    return std::count_if(window.driver.screen.texts->begin(), window.driver.screen.texts->end(),
                         [&](const ui::DrawnText& text) { return text.text.find(wanted) != std::string::npos; });
  };
  CHECK(drawn("Why it is slow") == 1);
  CHECK(drawn("begin here") == 1);
  CHECK(drawn("00 → 04") == 1);
  CHECK(rows()[0]["chapter"] == "Why it is slow");
  CHECK(rows()[0]["progress"] == "begin here");
  CHECK(rows()[5]["facts"] == "18 min  ·  12 steps  ·  02, 04 → 05");
  for (int n = 1; n <= explorer::tour_steps; ++n) {
    explorer::go_to_lesson_step(model, "00-tour", n);
    const explorer::LessonPage& page = explorer::page_of(model);
    for (const lessons::Question& question : page.step.questions) model.apply(explorer::ShowAnswer{question.text});
  }
  window.driver.frame();
  window.driver.click("lesson/next");  // its end
  CHECK(model.state.look.lesson == "list");
  CHECK(rows()[0]["progress"] == "done");
  CHECK(rows()[1]["progress"] == "begin here");
  keep(window, "lesson-list-way");
}
