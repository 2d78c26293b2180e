// Each step of a lesson in some size and look; with FLASHSCOPE_PICTURES=folder in all of them, for the eye.
#include <catch2/catch.hpp>

#include "lessons/catalogue.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"

namespace {

const explorer::Size window_sizes[] = {
    {1600, 1000, 1}, {1280, 720, 1}, {960, 600, 1}, {1170, 2532, 3}, {3840, 2160, 2}};

/// In a size and a look.
void check_layout(const std::string& id, int step, std::size_t size, std::size_t look) {
  const char* looks[] = {"", "&lang=zh&theme=light"};
  const std::string link = sim::text("lesson=", id, "&lesson-step=", step, looks[look]);
  explorer::Headless window(link, window_sizes[size]);
  window.driver.screen.texts.emplace();
  window.finish();
  window.driver.frame();
  std::string message;
  for (const std::string& fault : layout::faults_of(window)) message += "\n  " + fault;
  INFO(link << " " << window_sizes[size].width << message);
  CHECK(message.empty());
  keep(window,
       sim::text("step-", window_sizes[size].width, look == 0 ? "-dark-" : "-light-zh-", id.substr(0, 2), "-", step));
}

}  // namespace

TEST_CASE("nothing overlaps in any step of a lesson", "[repeats]") {
  const bool all = std::getenv("FLASHSCOPE_PICTURES") != nullptr;  // else each step has its turn in one of them
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
