// Links of lessons: what a browser's address says is opened anew at each reload.
#include <catch2/catch.hpp>

#include "tests/explorer/pictures.h"
#include "viz/panels/lesson/desk.h"
#include "viz/panels/lesson/lesson.h"

TEST_CASE("the link of a step, opened anew, is that step and no change of it") {
  constexpr explorer::Size size{960, 600, 1};
  for (const std::string& id : lessons::built_in_ids()) {
    explorer::Headless window("lesson=" + id + "&lesson-step=1", size);
    for (int n = 1; n <= explorer::page_of(window.explorer.model).steps(); ++n) {
      explorer::go_to_lesson_step(window.explorer.model, id, n);
      window.driver.frame();
      explorer::Headless again(window.explorer.model.link(), size);
      again.driver.frame();
      INFO(again.explorer.model.link());
      explorer::LessonPage& page = explorer::page_of(again.explorer.model);
      CHECK(page.number == n);
      CHECK(explorer::changes_of(again.explorer.model, page) == "");
      CHECK_FALSE(again.driver.shows("lesson/restore"));
    }
  }
}
