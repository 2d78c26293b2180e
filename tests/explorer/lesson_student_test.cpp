// A student's parameters in the panel of lessons.
#include <catch2/catch.hpp>

#include "lessons/variation.h"
#include "tests/explorer/finish.h"
#include "viz/panels/lesson/desk.h"

TEST_CASE("the panel has the parameters of the notebook's student, which grade marks with") {
  const lessons::Lesson& lesson = lessons::built_in("02-eight-trips").lesson;
  for (const std::string student : {"ada", "grace", "emmy"}) {
    explorer::Headless window("", {});
    window.explorer.model.notebook = lessons::to_text({student, {}});
    window.explorer.model.follow("lesson=02&lesson-step=1");
    window.driver.frame();
    CHECK(explorer::page_of(window.explorer.model).lesson().scenario == lessons::varied(lesson, student).scenario);
  }
}
