// Links of lessons, which a browser reopens at each reload; steps presented to a room; input and display of numbers.
#include <catch2/catch.hpp>

#include "lessons/check.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"
#include "viz/model/lesson/lesson.h"
#include "viz/panels/lesson/lesson.h"

TEST_CASE("the link of a step reopens that step unchanged", "[repeats]") {
  constexpr explorer::Size size{960, 600, 1};
  for (const std::string& id : lessons::built_in_ids()) {
    explorer::Headless window("lesson=" + id + "&lesson-step=1", size);
    for (int n = 1; n <= explorer::page_of(window.explorer.model).steps(); ++n) {
      explorer::go_to_lesson_step(window.explorer.model, id, n);
      window.driver.frame();
      explorer::Headless again(window.explorer.model.link(), size);
      again.driver.frame();
      INFO(again.explorer.model.link());
      const explorer::LessonPage& page = explorer::page_of(again.explorer.model);
      CHECK(page.number == n);
      CHECK(explorer::changes_of(again.explorer.model) == "");
      CHECK_FALSE(again.driver.shows("lesson/restore"));
    }
  }
}

namespace {

/// Returns the visible texts of the lesson, which is on the left. Clipped ones are scrolled away.
std::vector<ui::DrawnText> texts_of_panel(const explorer::Headless& window, float right) {
  std::vector<ui::DrawnText> texts = *window.driver.screen.texts;
  std::erase_if(texts, [&](const ui::DrawnText& text) { return text.box.x >= right || layout::ink_of(text).empty(); });
  return texts;
}

/// True for subscripts and exponents: only these are smaller than 12 CSS pixels.
bool is_script(const ui::DrawnText& text, float scale) { return text.em < 11.5f * scale; }

/// Checks a page of a presented step: its type sizes, number of words and overlaps.
void check_page(explorer::Headless& window, float right) {
  std::size_t words = 0;
  for (const ui::DrawnText& text : texts_of_panel(window, right)) {
    INFO(text.text << " " << text.em);
    CHECK(text.em >= (is_script(text, window.driver.scale) ? 23 : 28));
    if (!is_script(text, window.driver.scale)) words += lessons::words_in(text.text);
  }
  constexpr std::size_t most = 45, title_foot_and_votes = 55;
  CHECK((words > 3 && words < most + title_foot_and_votes));
  for (const std::string widget : {"lesson/next", "play", "center", "matrix/fit"})
    CHECK_FALSE(window.driver.shows(widget));
  std::string message = layout::text_of_faults(window);
  INFO(message);
  CHECK(message.empty());
}

}  // namespace

TEST_CASE("presented text of a lesson has at least 28 pixels, few words and no overlaps", "[repeats]") {
  constexpr explorer::Size sizes[] = {{1920, 1080, 1}, {1280, 720, 1}};
  std::size_t turn = 0, pages = 0;
  for (const std::string& id : lessons::built_in_ids()) {
    for (int n = 1; n <= static_cast<int>(lessons::built_in(id).lesson.steps.size()); ++n, ++turn) {
      const explorer::Size size = sizes[turn % 3 / 2];
      const std::string link = sim::text("present=1&lesson=", id, "&lesson-step=", n, turn % 2 == 0 ? "" : "&lang=zh");
      explorer::Headless window(link, size);
      window.driver.screen.texts.emplace();
      const explorer::Look& look = window.explorer.model.state.look;
      for (int page = 1; look.lesson == id && look.lesson_step == n; ++page, ++pages) {
        window.finish();
        window.driver.frame();
        INFO(link << " " << size.width << " page " << page);
        check_page(window, 0.47f * static_cast<float>(size.width));
        keep(window, sim::text("present-", id.substr(0, 2), "-", n, "-", page));
        REQUIRE(page < 10);
        window.driver.key(ImGuiKey_RightArrow);
      }
    }
  }
  CHECK(pages > turn);  // some steps have several pages
}

TEST_CASE("P presents a step, R reveals without a record in the notebook, P or Escape ends it") {
  explorer::Headless window("lesson=06&lesson-step=3", {1920, 1080, 1});
  const explorer::Look& look = window.explorer.model.state.look;
  bool kept = false;
  window.driver.type("p");
  CHECK(look.presents);
  CHECK_FALSE(window.driver.shows("lesson/answer/halve"));
  window.explorer.model.classroom.keep = [&](const std::string&) { kept = true; };
  const auto shown = [&] { return window.explorer.model.state.lesson.tries["halve"].shown; };
  window.driver.type("r");
  CHECK_FALSE(shown());  // the question is on the next page, which comes first
  window.driver.type("r");
  CHECK(shown());
  CHECK_FALSE(kept);
  const auto time = window.explorer.model.world.time();
  window.driver.key(ImGuiKey_RightArrow);
  CHECK(look.lesson_step == 4);
  window.driver.key(ImGuiKey_LeftArrow);
  CHECK(look.lesson_step == 3);
  CHECK(window.explorer.model.world.time() == time);
  CHECK(look.presents);
  window.driver.key(ImGuiKey_Escape);
  CHECK_FALSE(look.presents);
  CHECK(look.lesson_step == 3);
  window.driver.click("lesson/present");
  CHECK(look.presents);
  window.driver.click("lesson/present");
  CHECK_FALSE(look.presents);
}

namespace {

/// Returns the first text of the last frame that equals `wanted`; fails if there is none.
ui::DrawnText drawn(explorer::Headless& window, std::string_view wanted) {
  window.driver.screen.texts.emplace();
  window.driver.frame();
  for (const ui::DrawnText& text : *window.driver.screen.texts) {
    if (text.text == wanted) return text;
  }
  FAIL("nowhere stands " << wanted);
  return {};
}

}  // namespace

TEST_CASE("a fraction of a lesson is typeset as a numerator over its denominator") {
  explorer::Headless window("lesson=06&lesson-step=8", {});
  const ui::Rect above = drawn(window, "M").box, below = drawn(window, "4d").box;
  CHECK(above.bottom() <= below.y + 2);
  CHECK(above.center().x == Approx(below.center().x).margin(1));
}

TEST_CASE("letters of a lesson are typeset by meaning: S_ij has one subscript, O(N d) is not a tensor") {
  explorer::Headless window("lesson=06&lesson-step=2", {});
  drawn(window, "ij");
  const auto& texts = *window.driver.screen.texts;
  const auto times = [&](std::string_view wanted) {
    return std::count_if(texts.begin(), texts.end(), [&](const ui::DrawnText& text) { return text.text == wanted; });
  };
  CHECK(times("ij") == 2);  // in the equation and in the paragraph
  explorer::Headless myth("lesson=05&lesson-step=11", {});
  CHECK(drawn(myth, "O(N d) of what?").em > 0);  // in one colour
}

TEST_CASE("a number takes the unit of the button, unless it was typed with one") {
  for (const std::string typed : {"1048.576", "1048576 B"}) {
    explorer::Headless window("lesson=06&lesson-step=3", {});
    window.driver.click("lesson/unit/halve/kB");
    window.driver.click("lesson/answer/halve");
    window.driver.type(typed);
    keep(window, "lesson-unit");
    window.driver.key(ImGuiKey_Enter);
    const explorer::Trying& trying = window.explorer.model.state.lesson.tries["halve"];
    REQUIRE(trying.verdict.has_value());
    CHECK(trying.verdict->right);
  }
}

TEST_CASE("an answered question lets the learner change options and shows the new count") {
  explorer::Headless window("lesson=06&lesson-step=3", {});
  CHECK_FALSE(window.driver.shows("lesson/try/seqlen"));
  for (const char* wrong : {"1", "524288"}) {
    window.driver.click("lesson/answer/halve");
    window.driver.type(wrong);
    window.driver.key(ImGuiKey_Enter);
  }
  CHECK(drawn(window, "524,288 B").em > 0);
  window.driver.screen.state.scrolled["lesson/text"] = 10000;
  window.driver.frame();
  window.driver.frame();
  CHECK(window.driver.shows("lesson/try/seqlen"));
  window.driver.click("lesson/try/seqlen");
  window.driver.click("lesson/try/seqlen/1024");
  keep(window, "lesson-free-play-waits");
  CHECK(window.explorer.model.state.options.at("seqlen") == "512");  // unchanged until it is run
  window.driver.click("lesson/run");
  window.finish();
  CHECK(window.explorer.model.state.options.at("seqlen") == "1024");
  CHECK(drawn(window, "now: 8,388,608 B  (4.00 x)").em > 0);
  keep(window, "lesson-free-play");
  window.driver.click("lesson/try/br");
  window.driver.click("lesson/try/br/64");
  window.driver.click("lesson/restore");  // also discards the pending change
  CHECK(window.explorer.model.state.options.at("seqlen") == "512");
  window.driver.screen.state.scrolled["lesson/text"] = 10000;
  window.driver.frame();
  window.driver.click("lesson/run");
  CHECK(window.explorer.model.state.options.at("br") == "16");
}

TEST_CASE("a goal locks all options but those that it names") {
  explorer::Headless window("lesson=06&lesson-step=5", {});
  window.driver.click("gpu");
  CHECK(window.driver.screen.state.open.empty());
  window.driver.hover("gpu");
  keep(window, "lesson-locked");
  CHECK(drawn(window, "Locked: this step lets you change Br, Bc.").em > 0);
  window.driver.click("br");
  CHECK_FALSE(window.driver.screen.state.open.empty());
}

TEST_CASE("a wrong tile is marked on the matrix, next to the tile of the run") {
  explorer::Headless window("lesson=07&lesson-step=1", {1280, 720, 1});
  explorer::Model& model = window.explorer.model;
  const auto& steps = explorer::page_of(model).lesson().steps;
  const auto asks = [](const lessons::Question& one) { return one.kind == lessons::QuestionKind::tile; };
  const auto step = std::find_if(steps.begin(), steps.end(), [&](const lessons::Step& one) {
    return std::any_of(one.questions.begin(), one.questions.end(), asks);
  });
  REQUIRE(step != steps.end());
  explorer::go_to_lesson_step(model, "07-flash1-by-hand", static_cast<int>(step - steps.begin()) + 1);
  const lessons::Question& question = *std::find_if(step->questions.begin(), step->questions.end(), asks);
  window.driver.screen.texts.emplace();
  const auto signs = [&](std::string_view words) {
    window.driver.frame();
    const ui::Rect matrix = window.driver.rect("matrix");
    return std::count_if(window.driver.screen.texts->begin(), window.driver.screen.texts->end(),
                         [&](const ui::DrawnText& text) {
                           return text.text == words && text.box.x >= matrix.x && text.box.right() <= matrix.right() &&
                                  text.box.y >= matrix.y && text.box.bottom() <= matrix.bottom();
                         });
  };
  CHECK((signs("you") == 0 && signs("the run") == 0));  // the marks would reveal the answer
  const explorer::LessonPage& page = explorer::page_of(model);
  const std::string wrong = lessons::wrong_answer(question, question.wrong.front(), *page.scene);
  model.apply(explorer::CheckAnswer{question.text, wrong});
  CHECK((signs("you") == 0 && signs("the run") == 0));  // there is another try
  model.apply(
      explorer::CheckAnswer{question.text, lessons::wrong_answer(question, question.wrong.back(), *page.scene)});
  CHECK((signs("you") == 1 && signs("the run") == 1));
  keep(window, "lesson-wrong-tile");
  model.apply(explorer::AskAgain{question.text});
  CHECK((signs("you") == 0 && signs("the run") == 0));
  model.apply(explorer::CheckAnswer{question.text, lessons::right_answer(question, *page.scene)});
  CHECK((signs("you") == 0 && signs("the run") == 1));
}

TEST_CASE("the passes of a tensor are stripes below the picture, before the answer and after it") {
  explorer::Headless window("lesson=06&lesson-step=3", {1600, 1000, 1});
  explorer::Model& model = window.explorer.model;
  const explorer::LessonPage& page = explorer::page_of(model);
  const lessons::Question& question = page.step.questions.front();
  window.driver.frame();
  const auto& places = window.driver.screen.state.places;
  REQUIRE(places.count("to scale") == 1);
  const ui::Rect place = places.find("to scale")->second;
  const auto says = [&](std::string_view words) {
    window.driver.screen.texts.emplace();
    window.driver.frame();
    const auto& texts = *window.driver.screen.texts;
    return std::any_of(texts.begin(), texts.end(), [&](const ui::DrawnText& text) {
      return text.text == words && text.box.y > place.y && text.box.bottom() < place.bottom();
    });
  };
  CHECK(window.driver.rect("matrix").bottom() < place.y);
  CHECK((says("now") && says("then") && says("?")));
  CHECK_FALSE(says("1.05 MB"));
  model.apply(explorer::CheckAnswer{question.text, "1"});
  CHECK((says("now") && says("?")));  // the scale would reveal the answer
  model.apply(explorer::CheckAnswer{question.text, "524288"});
  CHECK((says("you") && says("the run")));
  keep(window, "lesson-wrong-number");
  model.apply(explorer::AskAgain{question.text});
  model.apply(explorer::CheckAnswer{question.text, lessons::right_answer(question, *page.scene)});
  CHECK((says("now") && says("1.05 MB")));
  explorer::go_to_lesson_step(model, "06-does-it-fit", 4);
  window.driver.frame();
  CHECK(places.count("to scale") == 0);
}

TEST_CASE("invalid lessons of a user leave the current lessons") {
  const auto taken = [](const std::map<std::string, std::string>& files) {
    try {
      explorer::take_own_lessons(files);
    } catch (const sim::Error& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  const std::size_t before = lessons::summaries().size();
  CHECK(taken({}) == "there is no folder such as 21-mine with a lesson.toml");
  CHECK(taken({{"mine/lesson.toml", ""}}) == "there is no folder such as 21-mine with a lesson.toml");
  CHECK_THAT(taken({{"21-mine/lesson.toml", "id = 7"}}), Catch::Contains("21-mine/lesson.toml"));
  const std::string tour = lessons::built_in_file("00-tour/lesson.toml");
  CHECK(taken({{"00-tour/lesson.toml", tour}}) == "00-tour/en.md: there is no such file");
  CHECK(lessons::summaries().size() == before);
}
