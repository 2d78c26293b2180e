// The picture hides the answer of an open question; lessons in narrow windows.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"
#include "tests/lessons/told.h"
#include "viz/model/lesson/lesson.h"
#include "viz/panels/description.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/mirror.h"
#include "viz/panels/lesson/question.h"
#include "viz/panels/panels.h"
#include "viz/ui/rich_text.h"

namespace {

using explorer::Headless;

/// True if the picture next to the panel shows the words.
bool says(Headless& window, const std::string& words) {
  window.driver.screen.texts.emplace();
  window.finish();
  window.driver.frame();
  const float right = window.driver.rect("lesson/next").right();
  return std::any_of(window.driver.screen.texts->begin(), window.driver.screen.texts->end(),
                     [&](const ui::DrawnText& text) {
                       if (text.box.x < right || layout::ink_of(text).empty()) return false;
                       const std::string line = " " + std::string(text.text) + " ";
                       return line.find(" " + words + " ") != std::string::npos;
                     });
}

void answer_all(Headless& window) {
  const explorer::LessonPage& page = explorer::page_of(window.explorer.model);
  while (const lessons::Question* open = explorer::open_question(window.explorer.model))
    window.explorer.model.apply(explorer::CheckAnswer{open->text, lessons::right_answer(*open, *page.scene)});
}

/// Returns all texts drawn next to the lesson panel, a line each.
std::string texts_of(Headless& window) {
  window.driver.screen.texts.emplace();
  window.finish();
  window.driver.frame();
  const float right = window.driver.rect("lesson/next").right();
  std::string all;
  for (const ui::DrawnText& text : *window.driver.screen.texts) {
    if (text.box.x >= right) all += text.text + "\n";
  }
  return all;
}

constexpr std::pair<std::string_view, std::string_view> pictures[] = {{"matrix", "matrix"},
                                                                      {"memory", "tiles"},
                                                                      {"code", "roofline"},
                                                                      {"softmax", "verification"},
                                                                      {"counters", "plots"}};

/// Returns the answers of open questions that the window reveals, in any of its panels or in its description for screen
/// readers.
std::string leaks_of(Headless& window, const explorer::LessonPage& page, const lessons::Question& question) {
  explorer::Model& model = window.explorer.model;
  std::string leaks;
  for (const auto& [tab, center] : pictures) {
    explorer::look_field("tab").set(model.state.look, std::string(tab));
    explorer::look_field("center").set(model.state.look, std::string(center));
    const std::string texts = texts_of(window);
    std::vector<std::string> spellings;  // also those of the following questions
    for (const lessons::Question* one = &question; one <= &page.step.questions.back(); ++one) {
      for (const std::string& spelling : told::spellings(*page.scene, *one)) spellings.push_back(spelling);
    }
    for (const std::string& spelling : spellings) {
      for (const std::string& said : {texts, window.explorer.description(), lesson_mirror(model).dump()}) {
        if (!told::holds(said, spelling) || spelling == "100") continue;  // 100 is a tick of every axis of bytes
        const std::size_t at = said.find(spelling), begin = at - std::min<std::size_t>(at, 30);
        leaks += sim::text("\n  ", tab, ": ", spelling, " in ", said.substr(begin, 60));
      }
    }
    for (const auto& [name, place] : window.driver.screen.state.probes) {
      if (name.starts_with("number/") && model.world.covered.hides(name.substr(7))) leaks += "\n  " + name;
    }
    if (!model.world.covered.order) continue;
    const std::string sentence = ui::plain(explorer::step_sentence(explorer::Language::en, model.world.subject(0),
                                                                   explorer::describe(model.world.subject(0)), false));
    std::string joined = texts;
    std::erase(joined, '\n');
    if (joined.find(sentence) != std::string::npos || window.explorer.description().find(sentence) != std::string::npos)
      leaks += "\n  " + sentence;
  }
  return leaks;
}

}  // namespace

TEST_CASE("no drawn or described text reveals the answer of an open question", "[repeats]") {
  std::size_t asked = 0;
  for (const std::string& id : lessons::built_in_ids()) {
    Headless window("lesson=" + id + "&lesson-step=1", {1440, 900, 1});
    explorer::Model& model = window.explorer.model;
    for (int n = 1; n <= explorer::page_of(model).steps(); ++n) {
      explorer::go_to_lesson_step(model, id, n);
      const explorer::LessonPage& page = explorer::page_of(model);
      while (const lessons::Question* open = explorer::open_question(model)) {
        ++asked;
        const std::string leaks = leaks_of(window, page, *open);
        INFO(id << " " << page.step.name << " " << open->text << " " << lessons::expected_answer(page.asked(*open))
                << leaks);
        CHECK(leaks.empty());
        model.apply(explorer::CheckAnswer{open->text, lessons::right_answer(*open, *page.scene)});
      }
    }
  }
  CHECK(asked > 60);
}

TEST_CASE("the counter of a requested count, a short answer and an order are hidden where they appear") {
  const auto window_of = [](const std::string& step) {
    auto window = std::make_unique<Headless>("lesson=" + step, explorer::Size{1440, 900, 1});
    window->finish();
    window->driver.frame();
    return window;
  };
  const auto counts = window_of("05&lesson-step=4");  // K of all CTAs, of which its lines show parts
  counts->explorer.model.state.look.tab = explorer::Tab::code;
  CHECK(texts_of(*counts).find("134.2 MB") == std::string::npos);
  answer_all(*counts);
  CHECK(texts_of(*counts).find("134.2 MB") != std::string::npos);
  const auto short_one = window_of("07&lesson-step=10");
  CHECK(says(*short_one, "Tile traffic"));
  CHECK_FALSE(says(*short_one, "of 448 B"));
  const auto order = window_of("04&lesson-step=7");
  CHECK_FALSE(says(*order, "Maximum: m′ ← max(m, rowmax("));
  CHECK_FALSE(order->driver.shows("line/9"));
  answer_all(*order);
  CHECK(says(*order, "Maximum: m′ ← max(m, rowmax("));
}

TEST_CASE("a lesson opens on its picture, which hides the answer of its recall question") {
  for (const std::string& id : lessons::built_in_ids()) {
    if (id == "00-tour") continue;
    Headless window("lesson=" + id + "&lesson-step=1", {1440, 900, 1});
    INFO(id);
    const lessons::Question* open = explorer::open_question(window.explorer.model);
    REQUIRE(open != nullptr);
    const bool other_view = explorer::page_of(window.explorer.model).step.look.find("center=") != std::string::npos;
    CHECK(window.driver.shows("matrix") != other_view);
    CHECK((other_view || (window.driver.shows("play") && open->retrieval)));
    CHECK(window.explorer.model.world.subject(0).time.count() > 0);
  }
  Headless window("lesson=07&lesson-step=1", {1440, 900, 1});
  CHECK_FALSE(says(window, "0.37"));  // the moment precedes the answer, and nothing is covered
  CHECK_FALSE(says(window, "covered until you answer"));
  keep(window, "lesson-recall");
  answer_all(window);
  keep(window, "lesson-recall-after");
  CHECK(window.driver.shows("matrix"));
}

TEST_CASE("an open question keeps the selected tab, and its panel comes to the front once it is answered",
          "[repeats]") {
  std::size_t given = 0;
  for (const explorer::Size size : {explorer::Size{390, 844, 1}, {960, 600, 1}}) {
    for (const std::string& id : lessons::built_in_ids()) {
      Headless window("lesson=" + id + "&lesson-step=1", size);
      explorer::Model& model = window.explorer.model;
      for (int n = 1; n <= explorer::page_of(model).steps(); ++n) {
        explorer::go_to_lesson_step(model, id, n);
        const explorer::LessonPage& page = explorer::page_of(model);
        const explorer::Tab named = model.state.look.tab;
        while (const lessons::Question* open = explorer::open_question(model)) {
          window.driver.screen.texts.emplace();
          window.driver.frame();
          INFO(id << " " << page.step.name << " " << open->text << " " << size.width << " " << model.link());
          const auto& texts = *window.driver.screen.texts;
          const auto hatched = std::count_if(texts.begin(), texts.end(), [](const ui::DrawnText& text) {
            return text.text == "covered until you answer";
          });
          CHECK(hatched <= (model.state.look.tab == explorer::Tab::counters ? 2 : 0));  // its roofline, and a counter
          if (model.state.look.tab == explorer::Tab::matrix)
            CHECK_FALSE(covers_center(model.world.covered, model.state.look.center));
          given += model.state.look.tab == named ? 0 : 1;
          model.apply(explorer::CheckAnswer{open->text, lessons::right_answer(*open, *page.scene)});
        }
        window.driver.frame();
        CHECK(model.state.look.tab == named);
      }
    }
  }
  CHECK(given > 0);
}

TEST_CASE("a tab selected by the learner stays selected, even if the question hides its panel") {
  Headless window("lesson=04&lesson-step=7", {960, 600, 1});
  window.driver.frame();
  REQUIRE(window.explorer.model.state.look.tab != explorer::Tab::code);
  window.driver.click("tab/code");
  window.driver.frame();
  CHECK(window.explorer.model.state.look.tab == explorer::Tab::code);
}

TEST_CASE("the picture of a handout has no lesson panel and reveals no answer of the step", "[repeats]") {
  std::size_t asked = 0;
  for (const std::string& id : lessons::built_in_ids()) {
    Headless window("lesson=" + id + "&lesson-step=1", {1280, 800, 1});
    explorer::Model& model = window.explorer.model;
    model.classroom.handout = true;
    window.driver.frame();
    for (int n = 1; n <= explorer::page_of(model).steps(); ++n) {
      explorer::go_to_lesson_step(model, id, n);
      const explorer::LessonPage& page = explorer::page_of(model);
      window.driver.screen.texts.emplace();
      window.finish();
      window.driver.frame();
      CHECK_FALSE(window.driver.shows("lesson/next"));
      std::string all;
      for (const ui::DrawnText& text : *window.driver.screen.texts) all += text.text + "\n";
      for (const lessons::Question& question : page.step.questions) {
        ++asked;
        for (const std::string& spelling : told::spellings(*page.scene, question)) {
          INFO(id << " " << page.step.name << " " << question.text << " " << spelling);
          CHECK_FALSE(told::holds(all, spelling));
        }
      }
    }
  }
  CHECK(asked > 60);
}

TEST_CASE("no lesson opens with a hatched panel") {
  for (const std::string& id : lessons::built_in_ids()) {
    Headless window("lesson=" + id + "&lesson-step=1", {1440, 900, 1});
    window.finish();
    window.driver.frame();
    INFO(id);
    CHECK(explorer::lesson_frame(window.explorer.model, 1440, 900, 1,
                                 static_cast<ui::Tab>(window.explorer.model.state.look.tab))
              .layout.covered.empty());
  }
}

TEST_CASE("a choice between memories hides what the shared memory holds, one of the L2 its hit rate") {
  Headless window("overlay=tour&tour-step=5", {1440, 900, 1});
  const auto shown = [&] {
    window.driver.screen.texts.emplace();
    window.finish();
    window.driver.frame();
    std::string all;
    for (const ui::DrawnText& text : *window.driver.screen.texts) all += text.text + "\n";
    return all;
  };
  CHECK(shown().find("of 227.0 KiB") == std::string::npos);
  CHECK(window.driver.shows("l2"));
  explorer::go_to_tour_step(window.explorer.model, 9);
  CHECK(shown().find("hit rate ?") != std::string::npos);
}

TEST_CASE("a recall question about stored tensors hides the HBM and the matrix's text about them") {
  Headless window("lesson=01&lesson-step=1", {1440, 900, 1});
  window.explorer.model.apply(explorer::SetLook{"tab", "memory"});
  const std::string open = texts_of(window);
  CHECK(open.find("are stored") == std::string::npos);
  CHECK_FALSE(window.driver.shows("hbm"));
  answer_all(window);
  CHECK(texts_of(window).find("are stored") != std::string::npos);
  CHECK(window.driver.shows("hbm"));
}

TEST_CASE("a choice between amounts hides the counter that decides it") {
  Headless window("lesson=05&lesson-step=3", {1600, 1000, 1});
  CHECK(texts_of(window).find("34.5 x") == std::string::npos);
  answer_all(window);
  CHECK(texts_of(window).find("34.5 x") != std::string::npos);
}

TEST_CASE("a question about a value of the matrix hides its cell") {
  Headless window("lesson=07&lesson-step=3", {1440, 900, 1});
  CHECK_FALSE(says(window, "2.00"));
  CHECK(says(window, "0.00"));
  answer_all(window);
  CHECK(says(window, "2.00"));
}

TEST_CASE("a goal offers its options in its box, including those absent from the top bar") {
  Headless window("lesson=05&lesson-step=8", {1440, 900, 1});
  CHECK_FALSE(window.driver.shows("l2"));
  window.driver.click("lesson/change/l2");
  window.driver.type("16384");
  window.driver.key(ImGuiKey_Enter);
  CHECK(window.explorer.model.state.options.at("l2") == "16384");
  window.driver.click("lesson/check/first");
  CHECK(window.explorer.model.state.lesson.tries.at("first").verdict->right);
}

TEST_CASE("on a phone the field of the open question is visible when its step opens") {
  for (const auto& [step, drawn_up] : {std::pair{"04&lesson-step=3", false}, {"01&lesson-step=3", true}}) {
    INFO(step);
    Headless window(std::string("lesson=") + step, {390, 844, 1});
    for (int frame = 0; frame < 3; ++frame) window.driver.frame();
    CHECK(window.explorer.model.state.lesson.drawn_up == drawn_up);
    const std::string question = explorer::open_question(window.explorer.model)->text;
    const ui::Rect check = window.driver.rect("lesson/check/" + question);
    CHECK(check.bottom() < window.driver.rect("lesson/next").y);
  }
}

TEST_CASE("on a phone the sheet of a lesson is drawn up over the picture, and down again") {
  Headless window("lesson=04&lesson-step=3", {390, 844, 1});
  window.driver.screen.texts.emplace();
  const auto height = [&] {
    window.driver.frame();
    return window.driver.rect("lesson/next").y - window.driver.rect("lesson/sheet").y;
  };
  const float low = height();
  window.driver.tap("lesson/sheet");
  const float high = height();
  CHECK(high > low + 200);
  keep(window, "lesson-sheet-up");
  CHECK(layout::faults_of(window).empty());
  window.driver.tap("lesson/sheet");
  CHECK(height() == low);
  window.driver.swipe("lesson/sheet", -60);
  CHECK(height() == high);
  window.driver.swipe("lesson/sheet", 60);
  CHECK(height() == low);
}

TEST_CASE("a lesson is next to the picture on a phone in landscape") {
  for (const int n : {2, 8, 11}) {
    Headless window(sim::text("lesson=05&lesson-step=", n), {844, 480, 1});
    window.driver.screen.texts.emplace();
    window.finish();
    window.driver.frame();
    keep(window, sim::text("lesson-on-its-side-", n));
    CHECK(window.driver.rect("lesson/next").right() < window.driver.rect("play").x);
    std::string message = layout::text_of_faults(window);
    INFO(message);
    CHECK(message.empty());
  }
}
