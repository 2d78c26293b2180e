// Each step of a lesson in one size and look; in all of them with FLASHSCOPE_PICTURES=folder, which writes the
// pictures.
#include <catch2/catch.hpp>

#include "lessons/catalogue.h"
#include "lessons/places.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"
#include "viz/model/lesson/lesson.h"

namespace {

const explorer::Size window_sizes[] = {
    {1600, 1000, 1}, {1280, 720, 1}, {960, 600, 1}, {1170, 2532, 3}, {3840, 2160, 2}};

/// Checks one step in one size and look.
void check_layout(const std::string& id, int step, std::size_t size, std::size_t look) {
  const char* looks[] = {"", "&lang=zh&theme=light"};
  const std::string link = sim::text("lesson=", id, "&lesson-step=", step, looks[look]);
  explorer::Headless window(link, window_sizes[size]);
  window.driver.screen.texts.emplace();
  window.finish();
  window.driver.frame();
  std::string message = layout::text_of_faults(window);
  INFO(link << " " << window_sizes[size].width << message);
  CHECK(message.empty());
  keep(window,
       sim::text("step-", window_sizes[size].width, look == 0 ? "-dark-" : "-light-zh-", id.substr(0, 2), "-", step));
}

}  // namespace

TEST_CASE("nothing overlaps in any step of a lesson", "[repeats]") {
  const bool all = std::getenv("FLASHSCOPE_PICTURES") != nullptr;  // else the sizes and looks rotate over the steps
  std::size_t turn = 0;
  for (const std::string& id : lessons::built_in_ids()) {
    const int steps = static_cast<int>(lessons::built_in(id).lesson.steps.size());
    for (int n = 1; n <= steps; ++n, ++turn) {
      for (std::size_t way = 0; way < 2 * std::size(window_sizes); ++way) {
        if (all || way == turn % (2 * std::size(window_sizes))) check_layout(id, n, way / 2, way % 2);
      }
    }
  }
}

TEST_CASE("no word of a lesson's text is cut at the edge of its column", "[repeats]") {
  for (const explorer::Size size : {explorer::Size{960, 600, 1}, {390, 844, 1}, {1440, 900, 1}}) {
    for (const std::string language : {"en", "zh"}) {
      for (const std::string& id : lessons::built_in_ids()) {
        explorer::Headless window("lesson=" + id + "&lesson-step=1&lang=" + language, size);
        explorer::Model& model = window.explorer.model;
        for (int n = 1; n <= explorer::page_of(model).steps(); ++n) {
          explorer::go_to_lesson_step(model, id, n);
          window.driver.screen.texts.emplace();
          window.driver.frame();
          const float right = window.driver.rect("lesson/next").right();
          std::string cut;
          for (const ui::DrawnText& text : *window.driver.screen.texts) {
            if (text.box.x > right) continue;  // next to the lesson
            const bool is_body = text.style == ui::Style::body && text.clip.width > 0 && text.clip.height > 0;
            if (is_body && text.box.right() > text.clip.right() + 1) cut += "\n  " + text.text;
          }
          INFO(id << " " << n << " " << language << " " << size.width << cut);
          CHECK(cut.empty());
        }
      }
    }
  }
}

TEST_CASE("a linked word of a lesson highlights what it names, and the first one is highlighted on opening",
          "[repeats]") {
  std::size_t lit = 0;
  for (const std::string& id : lessons::built_in_ids()) {
    if (id == "00-tour") continue;
    explorer::Headless window("lesson=" + id + "&lesson-step=1", {1440, 900, 1});
    explorer::Model& model = window.explorer.model;
    for (int n = 1; n <= explorer::page_of(model).steps(); ++n) {
      explorer::go_to_lesson_step(model, id, n);
      const explorer::LessonPage& page = explorer::page_of(model);
      while (const lessons::Question* open = explorer::open_question(model))
        model.apply(explorer::CheckAnswer{open->text, lessons::right_answer(*open, *page.scene)});
      window.finish();
      window.driver.frame();
      const std::vector<std::string> places = lessons::places_in(page.page);
      REQUIRE_FALSE(places.empty());
      CHECK(window.driver.screen.state.reading.lit == places.front());
      for (const std::string& place : places) {
        INFO(id << " " << page.step.name << " " << place);
        model.state.lesson.chosen = place;
        window.driver.frame();
        const std::vector<ui::Rect>& rects = window.driver.screen.state.reading.lit_places;
        CHECK_FALSE(rects.empty());
        lit += rects.size();
      }
    }
  }
  CHECK(lit > 500);
}

TEST_CASE("a lesson shows the counters that its step mentions, else the picture takes their row") {
  explorer::Headless window("lesson=07&lesson-step=11", {1440, 900, 1});
  window.driver.screen.texts.emplace();
  explorer::Model& model = window.explorer.model;
  const auto shows = [&](std::string_view words) {
    window.finish();
    window.driver.frame();
    const auto& texts = *window.driver.screen.texts;
    return std::any_of(texts.begin(), texts.end(), [&](const ui::DrawnText& text) { return text.text == words; });
  };
  const explorer::LessonPage& count = explorer::page_of(model);
  while (const lessons::Question* open = explorer::open_question(model))
    model.apply(explorer::CheckAnswer{open->text, lessons::right_answer(*open, *count.scene)});
  CHECK(shows("Tile traffic"));
  CHECK_FALSE(shows("Predicted time"));
  const float low = window.driver.rect("matrix").y;
  explorer::go_to_lesson_step(model, "07-flash1-by-hand", 5);
  CHECK_FALSE(shows("Tile traffic"));
  CHECK(window.driver.rect("matrix").y < low - 80);
}

TEST_CASE("a step that compares runs shows them on one clock next to its text") {
  for (const explorer::Size size : {explorer::Size{1440, 900, 1}, explorer::Size{1600, 1000, 1}}) {
    explorer::Headless window("lesson=01&lesson-step=9", size);
    window.driver.screen.texts.emplace();
    window.finish();
    window.driver.frame();
    explorer::Model& model = window.explorer.model;
    CHECK(model.world.subjects() == 3);
    CHECK(model.state.look.run_time > 0);
    CHECK(window.driver.shows("lesson/next"));
    CHECK_FALSE(window.driver.shows("matrix"));
    for (const char* const run : {"run:0", "run:1", "run:2"}) {
      model.state.lesson.chosen = run;
      window.driver.frame();
      REQUIRE(window.driver.screen.state.reading.lit_places.size() == 1);
      CHECK(window.driver.screen.state.reading.lit_places.front().x > window.driver.rect("lesson/next").right());
    }
    std::string message = layout::text_of_faults(window);
    INFO(message);
    CHECK(message.empty());
    explorer::go_to_lesson_step(model, "01-two-memories", 10);
    window.driver.frame();
    CHECK(model.world.subjects() == 1);
    CHECK(window.driver.shows("matrix"));
  }
  explorer::Headless phone("lesson=01&lesson-step=9", {390, 844, 1});
  phone.finish();
  phone.driver.frame();
  CHECK(phone.driver.shows("lesson/next"));
}

TEST_CASE("a presented step plays its clip and highlights the words of each page") {
  explorer::Headless window("present=1&lesson=06&lesson-step=3", {1920, 1080, 1});
  explorer::Model& model = window.explorer.model;
  window.driver.frame();
  const auto before = model.world.time();
  CHECK(model.playing());
  window.explorer.update(0.05);
  CHECK(model.world.time() != before);
  const std::string first = window.driver.screen.state.reading.lit;
  window.driver.key(ImGuiKey_RightArrow);
  window.driver.frame();
  CHECK(model.state.look.lesson_step == 3);
  CHECK(window.driver.screen.state.reading.lit != first);
  window.driver.key(ImGuiKey_Escape);
  CHECK_FALSE(model.playing());
  explorer::Headless still("still=1&present=1&lesson=06&lesson-step=3", {1920, 1080, 1});
  still.driver.frame();
  CHECK_FALSE(still.explorer.model.playing());
}
