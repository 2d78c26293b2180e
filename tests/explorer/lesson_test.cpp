// The lesson panel: every step of every lesson, operated through the pointer and the keys.
#include "viz/panels/lesson/lesson.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "lessons/options_text.h"
#include "tests/explorer/pictures.h"
#include "tests/lessons/told.h"
#include "viz/panels/lesson/mirror.h"
#include "viz/panels/lesson/question.h"

using explorer::Headless;
using explorer::LessonPage;
using lessons::Question;
using lessons::QuestionKind;
using ui::Rect;

namespace {

const LessonPage& page_of(Headless& window) { return explorer::page_of(window.explorer.model); }

/// Scrolls until the whole widget is visible.
void reveal(Headless& window, const std::string& name) {
  float& offset = window.driver.screen.state.scrolled["lesson/text"];
  for (int tries = 0; tries < 100; ++tries) {
    if (window.driver.shows(name) && window.driver.rect(name).height >= 24) return;
    const float before = offset;
    offset += 60;
    window.driver.frame();
    if (offset == before) offset = 0;
    window.driver.frame();
  }
  FAIL(name << " is nowhere");
}

void click(Headless& window, const std::string& name) {
  reveal(window, name);
  window.driver.click(name);
}

/// Enters an answer, given in mark()'s notation, through the widgets.
void give(Headless& window, const Question& question, const std::string& answer) {
  const std::string key = "/" + question.text;
  const LessonPage& page = page_of(window);
  if (question.kind == QuestionKind::until) {
    window.explorer.model.change_options(lessons::read_options(answer));
    window.driver.frame();
  } else if (question.kind == QuestionKind::order) {
    for (const char place : answer) {
      if (place != ' ') click(window, sim::text("lesson/line", key, "/", place));
    }
  } else if (explorer::keyed_answers(page, question).empty()) {
    click(window, "lesson/answer" + key);
    window.driver.type(answer);
  } else {
    for (int n = 1; window.explorer.model.state.lesson.tries[question.text].typed != answer; ++n)
      click(window, sim::text("lesson/choice", key, "/", n));
  }
  click(window, "lesson/check" + key);
}

/// Returns an anticipated wrong answer; for an order, the lines in reverse.
std::string wrong_of(const Question& question, const lessons::Scene& scene) {
  if (question.kind != QuestionKind::order) return lessons::wrong_answer(question, question.wrong.front(), scene);
  const std::string right = lessons::right_answer(question, scene);
  return {right.rbegin(), right.rend()};
}

/// Returns a wrong answer that differs from wrong_of().
std::string other_wrong_of(const Question& question, const lessons::Scene& scene) {
  if (question.wrong.size() > 1) return lessons::wrong_answer(question, question.wrong.back(), scene);
  std::string first = wrong_of(question, scene);
  std::rotate(first.begin(), first.begin() + 2, first.end());  // used for an order only
  return question.kind == QuestionKind::order ? first.substr(0, first.size() - 2) + " " + wrong_of(question, scene)[0]
                                              : "1+N";
}

/// Opens the first step of the lesson that begins with a question of this kind.
const Question& go_to_first(Headless& window, QuestionKind kind) {
  const auto& steps = page_of(window).lesson().steps;
  const auto asks = std::find_if(steps.begin(), steps.end(), [&](const lessons::Step& step) {
    return !step.questions.empty() && step.questions.front().kind == kind;
  });
  REQUIRE(asks != steps.end());
  explorer::go_to_lesson_step(window.explorer.model, page_of(window).lesson().id,
                              static_cast<int>(asks - steps.begin()) + 1);
  window.driver.frame();
  return asks->questions.front();
}

std::vector<std::string> ids() { return lessons::built_in_ids(); }

/// Walks through a lesson; act(window, page) operates each step.
template <class Act>
void walk(const std::string& id, explorer::Size size, const std::string& look, Act act) {
  Headless window("lesson=" + id + "&lesson-step=1" + look, size);
  const int steps = page_of(window).steps();
  const Rect footer = window.driver.rect("lesson/back");
  for (int n = 1; n <= steps; ++n) {
    INFO(id << " step " << n);
    REQUIRE(window.explorer.model.state.look.lesson_step == n);
    CHECK(page_of(window).error.empty());
    CHECK(window.explorer.model.world.error().empty());
    CHECK_FALSE(window.driver.shows("lesson/restore"));
    act(window, page_of(window));
    const Rect now = window.driver.rect("lesson/back");
    CHECK((now.y == footer.y && now.x == footer.x));
    window.driver.click("lesson/next");
  }
  CHECK(window.explorer.model.state.look.lesson == "list");
}

}  // namespace

TEST_CASE("right answers are marked right in every lesson", "[repeats]") {
  for (const std::string& id : ids()) {
    walk(id, {}, "", [](Headless& window, const LessonPage& page) {
      for (const Question& question : page.step.questions) {
        INFO(question.text);
        give(window, question, lessons::right_answer(question, *page.scene));
        const explorer::Trying& trying = window.explorer.model.state.lesson.tries[question.text];
        CHECK(trying.error.empty());
        REQUIRE(trying.verdict.has_value());
        CHECK(trying.verdict->right);
      }
      keep(window, sim::text("lesson-", page.lesson().number(), "-", page.number));
    });
  }
}

TEST_CASE("wrong answers that were expected get their reason in every lesson", "[repeats]") {
  for (const std::string& id : ids()) {
    walk(id, {1280, 720, 1}, "", [](Headless& window, const LessonPage& page) {
      for (const Question& question : page.step.questions) {
        if (question.wrong.empty() || question.kind == QuestionKind::until) {
          click(window, "lesson/show/" + question.text);
          CHECK(window.explorer.model.state.lesson.tries[question.text].shown);
          continue;
        }
        INFO(question.text);
        give(window, question, wrong_of(question, *page.scene));
        const explorer::Trying& trying = window.explorer.model.state.lesson.tries[question.text];
        REQUIRE(trying.verdict.has_value());
        CHECK_FALSE(trying.verdict->right);
        CHECK_FALSE(trying.verdict->why.empty());
        const std::string spoken = lesson_mirror(window.explorer.model)["questions"].back()["said"];
        CHECK(spoken.starts_with("Not yet. "));
        CHECK(spoken.ends_with("One more try."));
        for (const std::string& number : told::spellings(*page.scene, question))
          CHECK_FALSE(told::holds(spoken, number));
        CHECK(explorer::open_question(window.explorer.model) == &question);  // and its answer stays hidden
        give(window, question, other_wrong_of(question, *page.scene));
        CHECK(trying.wrong == 2);
        CHECK(lessons::is_over(question, trying));
      }
      keep(window, sim::text("lesson-wrong-", page.lesson().number(), "-", page.number));
    });
  }
}

TEST_CASE("a learner who answers nothing gets to the end of every lesson", "[repeats]") {
  for (const std::string& id : ids()) {
    walk(id, {960, 600, 1}, "&lang=zh", [](Headless& window, const LessonPage&) {
      const Question* open = explorer::open_question(window.explorer.model);
      if (open != nullptr) click(window, "lesson/check/" + open->text);
      CHECK(explorer::open_question(window.explorer.model) == open);
    });
  }
}

TEST_CASE("a link with a lesson opens its step, whichever way the lesson is written") {
  for (const std::string name : {"7", "07", "07-flash1-by-hand"}) {
    Headless window("lesson=" + name + "&lesson-step=3&theme=light&lang=zh", {});
    const explorer::Model& model = window.explorer.model;
    CHECK(model.state.look.lesson == "07-flash1-by-hand");
    CHECK(model.state.look.lesson_step == 3);
    CHECK(model.state.look.theme == explorer::Theme::light);
    CHECK(model.state.look.language == explorer::Language::zh);
    CHECK(model.link_errors.empty());
    const std::string link = model.link();
    Headless again(link, {});
    CHECK(again.explorer.model.link() == link);
  }
}

TEST_CASE("an unknown lesson opens the list with a message") {
  Headless window("lesson=99", {});
  CHECK(window.explorer.model.state.look.lesson == "list");
  CHECK_FALSE(window.explorer.model.notice.empty());
  Headless odd("lesson=<b>", {});
  CHECK(odd.explorer.model.state.look.lesson.empty());
  CHECK(odd.explorer.model.link_errors.size() == 1);
}

TEST_CASE("the list opens a lesson, and the panel returns to the list and closes") {
  Headless window("overlay=help", {});
  window.driver.click("help/lessons");
  keep(window, "lesson-list");
  window.driver.click("lesson/open/01-two-memories");
  CHECK(window.explorer.model.state.look.lesson_step == 1);
  window.driver.click("lesson/next");
  window.driver.click("lesson/list");
  window.driver.click("lesson/open/01-two-memories");
  CHECK(window.explorer.model.state.look.lesson_step == 2);  // where the learner stopped
  window.driver.click("lesson/close");
  CHECK(window.explorer.model.state.look.lesson.empty());
  CHECK_FALSE(window.driver.shows("lesson/next"));
}

TEST_CASE("answers are kept and restored when the lesson is opened again") {
  std::string kept;
  {
    Headless window("lesson=06&lesson-step=3", {});
    window.explorer.model.classroom.keep = [&](const std::string& text) { kept = text; };
    const Question& question = page_of(window).step.questions.front();
    give(window, question, lessons::right_answer(question, *page_of(window).scene));
  }
  REQUIRE(kept.find("halve") != std::string::npos);
  Headless window("", {});
  window.explorer.model.classroom.open(kept);
  window.explorer.model.follow("lesson=06");
  window.driver.frame();
  CHECK(window.explorer.model.state.look.lesson_step == 3);
  CHECK(window.driver.shows("lesson/again/halve"));
  click(window, "lesson/again/halve");
  CHECK(window.driver.shows("lesson/check/halve"));
}

TEST_CASE("keys of the panel give hints, show answers, change steps, open the list and close it") {
  Headless window("lesson=06&lesson-step=3", {});
  window.driver.type("h");
  CHECK(window.explorer.model.state.lesson.tries["halve"].hints == 1);
  CHECK_FALSE(window.explorer.model.state.look.still);
  window.driver.type("s");
  CHECK(window.explorer.model.state.lesson.tries["halve"].shown);
  CHECK_FALSE(window.explorer.model.state.look.still);
  window.driver.key(ImGuiKey_Enter);
  CHECK(window.explorer.model.state.look.lesson_step == 4);
  window.driver.type("2");
  CHECK(window.explorer.model.state.lesson.tries["wider"].typed == "equal");
  CHECK(window.explorer.model.state.look.center == explorer::Center::matrix);
  window.driver.key(ImGuiKey_Enter);
  CHECK(window.explorer.model.state.lesson.tries["wider"].verdict->right);
  window.driver.key(ImGuiKey_PageUp);
  CHECK(window.explorer.model.state.look.lesson_step == 3);
  window.driver.type("l");
  CHECK(window.explorer.model.state.look.lesson == "list");
  window.driver.key(ImGuiKey_Escape);
  CHECK(window.explorer.model.state.look.lesson.empty());
}

TEST_CASE("Enter checks the typed text, and text that is not a number costs nothing") {
  Headless window("lesson=06&lesson-step=3", {});
  window.driver.click("lesson/answer/halve");
  window.driver.type("many");
  window.driver.key(ImGuiKey_Enter);
  const explorer::Trying& trying = window.explorer.model.state.lesson.tries["halve"];
  CHECK_FALSE(trying.verdict.has_value());
  CHECK_FALSE(trying.error.empty());
  window.driver.click("lesson/answer/halve");
  window.driver.type("524288");
  keep(window, "lesson-typed");
  window.driver.key(ImGuiKey_Enter);
  CHECK(trying.verdict->why == "elements");
  keep(window, "lesson-answer");
}

TEST_CASE("a number that is typed while a question is open goes to its field, and no key of it is a shortcut") {
  const std::pair<const char*, std::string> cases[] = {{"lesson=06&lesson-step=3", "3.92e-1kB"},
                                                       {"overlay=tour&tour-step=3", "3.92e-1"}};
  for (const auto& [link, number] : cases) {
    INFO(link);
    Headless window(link, {});
    const std::string before = window.explorer.model.link(), name = page_of(window).step.questions.front().text;
    for (const char key : number) window.driver.type(std::string(1, key));
    CHECK(window.explorer.model.link() == before);
    CHECK(window.explorer.model.state.lesson.tries[name].typed == number);
    keep(window, "lesson-typed-without-a-click");
    window.driver.key(ImGuiKey_Enter);
    CHECK(window.explorer.model.state.lesson.tries[name].verdict.has_value());
    window.driver.type("7");  // a further try begins with an empty field
    CHECK(window.explorer.model.state.lesson.tries[name].typed == "7");
  }
}

TEST_CASE("a scenario changed during a step can be restored") {
  Headless window("lesson=06&lesson-step=3", {});
  window.explorer.model.set_option("br", "64");
  window.driver.frame();
  keep(window, "lesson-changed");
  window.driver.click("lesson/restore");
  CHECK(window.explorer.model.state.options.at("br") == "16");
  CHECK_FALSE(window.driver.shows("lesson/restore"));
}

TEST_CASE("a tile question is answered on the matrix, whose clicks then move nothing") {
  Headless window("lesson=07", {});
  const Question& question = go_to_first(window, QuestionKind::tile);
  const sim::Cycles before = window.explorer.model.world.time();
  window.driver.click("matrix", 0.75f);
  CHECK(window.explorer.model.state.lesson.tries[question.text].typed.ends_with(", 1"));
  CHECK(window.explorer.model.world.time() == before);
  click(window, "lesson/show/" + question.text);
  window.driver.click("matrix", 0.25f);
  CHECK_FALSE(window.explorer.model.world.time() == before);
}

TEST_CASE("the listing is hidden while a question about its order is open") {
  Headless window("lesson=07", {});
  const Question& question = go_to_first(window, QuestionKind::order);
  CHECK_FALSE(window.driver.shows("source"));  // the switch of the listing
  keep(window, "lesson-covered");
  window.explorer.model.apply(explorer::ShowAnswer{question.text});
  window.driver.frame();
  CHECK(window.driver.shows("source"));
}
