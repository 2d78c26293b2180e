// Tables in the text of a lesson, and the list of lessons.
#include <catch2/catch.hpp>

#include "lessons/way.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"
#include "viz/model/lesson/lesson.h"
#include "viz/panels/lesson/blocks.h"

namespace {

using explorer::Headless;

/// Calls `see` with each table of the built-in lessons, as a page shows it.
template <class See>
void for_each_table(const See& see) {
  for (const std::string& id : lessons::built_in_ids()) {
    const lessons::WrittenLesson& written = lessons::built_in(id);
    for (const lessons::Step& step : written.lesson.steps) {
      const lessons::Scene scene(written.lesson, step, sim::built_in_gpu);
      for (const lessons::Language language : {lessons::Language::en, lessons::Language::zh}) {
        const lessons::Page page = lessons::filled(written.words(language).page(step.name), scene.facts());
        for (const auto* blocks : {&page.blocks, &page.told})
          for (const lessons::Block& block : *blocks)
            if (block.kind == lessons::BlockKind::table) see(id + " " + step.name, block.text);
      }
    }
  }
}

}  // namespace

TEST_CASE("no number of a table in a lesson breaks, at any width of the panel", "[repeats]") {
  std::size_t tables = 0, turned = 0;
  Headless window("lesson=01&lesson-step=2", {1440, 900, 1});
  window.over = [&](ui::Ui& ui) {
    explorer::View view{ui, window.explorer.model};
    for_each_table([&](const std::string& where, const std::string& table) {
      for (const float width : {260.f, 300.f, 355.f, 400.f}) {
        const explorer::TableShape shape = shape_of_table(view, table, view.px(width));
        INFO(where << " " << width << "\n" << table);
        ++tables;
        turned += shape.head ? 0 : 1;
        if (shape.widths.empty()) {  // a list of its rows
          CHECK(width < 355);
          continue;
        }
        float sum = 0;
        for (const float column : shape.widths) sum += column + view.px(16);
        CHECK(sum <= view.px(width + 16) + 1);
        for (const explorer::TableRow& row : shape.rows) {
          const bool head = shape.head && &row == &shape.rows.front();
          for (std::size_t n = 0; n < std::min(row.size(), shape.widths.size()); ++n) {
            if (std::none_of(row[n].begin(), row[n].end(), sim::is_digit)) continue;
            const ui::Style style = head ? ui::Style::caption : ui::Style::body;
            explorer::Column cell(view, {0, 0, shape.widths[n], 0}, false), line(view, {0, 0, 1e4f, 0}, false);
            write(cell, style, row[n]);
            write(line, style, row[n]);
            CHECK(cell.used() == line.used());
          }
        }
      }
    });
  };
  window.driver.frame();
  CHECK(tables > 30);
  CHECK(turned > 0);
}

TEST_CASE("a table whose numbers fit in no form is a list of its rows") {
  Headless window("lesson=01&lesson-step=2", {1440, 900, 1});
  const std::string wide =
      "| what | one | two |\n|---|---|---|\n| tile traffic of all heads | 1,234,567,890,123 B | "
      "9,876,543,210,987 B |\n| HBM | 1,234,567,890,123 B | 9,876,543,210,987 B |";
  float high = 0, low = 0;
  window.over = [&](ui::Ui& ui) {
    explorer::View view{ui, window.explorer.model};
    CHECK(shape_of_table(view, wide, view.px(220)).widths.empty());
    CHECK_FALSE(shape_of_table(view, wide, view.px(600)).widths.empty());
    explorer::Column narrow(view, {0, 0, view.px(220), 0}, false), broad(view, {0, 0, view.px(600), 0}, false);
    write_table(narrow, wide);
    write_table(broad, wide);
    high = narrow.used();
    low = broad.used();
  };
  window.driver.frame();
  CHECK(high > 1.5f * low);
}

TEST_CASE("the list of lessons offers shorter routes of the lessons that exist") {
  const auto& all = lessons::summaries();
  const std::vector<lessons::RouteLessons> routes = lessons::shorter_routes(all);
  REQUIRE_FALSE(routes.empty());
  CHECK(routes.front().route->en == "The idea");
  CHECK(lessons::numbers_of(routes.front()).starts_with("00  04  06  07"));
  for (const lessons::RouteLessons& route : routes) CHECK(route.lessons.size() > 1);
  const std::string button = "lesson/route/The idea/" + std::string(routes.front().lessons[1]->id);
  for (const explorer::Size size : {explorer::Size{1440, 900, 1}, {960, 600, 1}, {780, 1688, 2}}) {
    Headless window("lesson=list", size);
    window.driver.screen.texts.emplace();
    window.finish();
    window.driver.frame();
    const std::string message = layout::text_of_faults(window);
    INFO(message);
    CHECK(message.empty());
    REQUIRE(window.driver.shows(button));
    window.driver.click(button);
    CHECK(window.explorer.model.state.look.lesson == routes.front().lessons[1]->id);
  }
}

TEST_CASE("a route has the lessons that exist, and is shown once while it is the start of another") {
  std::vector<std::string> ids;
  for (int n = 0; n < 18; ++n) ids.push_back(sim::text(n < 10 ? "0" : "", n, "-lesson"));
  const auto routes_to = [&](std::size_t count) {
    std::vector<lessons::Summary> all(count);
    for (std::size_t n = 0; n < count; ++n) all[n].id = ids[n];
    std::string text;
    for (const lessons::RouteLessons& route : lessons::shorter_routes(all))
      text += sim::text(route.route->en, ": ", lessons::numbers_of(route), "\n");
    return text;
  };
  CHECK(routes_to(9) == "The idea: 00  04  06  07\n");
  CHECK(routes_to(12) == "The idea: 00  04  06  07  09\nKernel engineer: 00  04  06  07  09  11\n");
  CHECK(routes_to(18) ==
        "The idea: 00  04  06  07  09\nKernel engineer: 00  04  06  07  09  11  12  13  17\n"
        "Serving: 00  04  06  07  09  11  13  16\n");
}
