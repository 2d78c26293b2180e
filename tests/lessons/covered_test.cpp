// Which quantities give away the answer of a question.
#include "lessons/covered.h"

#include <catch2/catch.hpp>

#include "lessons/check.h"
#include "tests/lessons/built_in.h"

namespace {

using Catch::Contains;
using lessons::Quantities;

/// The quantities that a question of a built-in lesson asks for.
Quantities asked(const std::string& id, const std::string& step_name, std::size_t question = 0) {
  const lessons::Lesson& lesson = lessons::built_in(id).lesson;
  const auto step = std::find_if(lesson.steps.begin(), lesson.steps.end(),
                                 [&](const lessons::Step& one) { return one.name == step_name; });
  REQUIRE(step != lesson.steps.end());
  const lessons::Scene scene(lesson, *step, sim::built_in_gpu);
  return asked_quantities(lesson, *step, step->questions.at(question), scene);
}

}  // namespace

TEST_CASE("a quantity is among others with what it contains and what contains it") {
  const Quantities asked = {"tile_traffic.by_tensor.K", "here.S.1.1"};
  for (const std::string_view path :
       {"tile_traffic.by_tensor.K", "tile_traffic.by_tensor.K.read_bytes", "tile_traffic"})
    CHECK(lessons::is_among(asked, path));
  for (const std::string_view path : {"tile_traffic.by_tensor.KV", "tile_traffic.total", "here.S.1.10", "here.S.0.1"})
    CHECK_FALSE(lessons::is_among(asked, path));
}

TEST_CASE("a question asks for its subject, not for its operands and not for other runs") {
  CHECK(asked("07-flash1-by-hand", "scores") == Quantities{"here.S.1.1"});
  CHECK(asked("07-flash1-by-hand", "first").empty());  // PV and l, from which the answer is computed
  CHECK(asked("04-online-softmax", "output") == Quantities{"here.O.0.0"});
  CHECK(asked("04-online-softmax", "exact").empty());  // the traffic of another run
  CHECK(asked("01-two-memories", "price", 1) == Quantities{"roofs.hbm_ridge"});
  CHECK(asked("00-tour", "flash2") == Quantities{"hbm_traffic.by_tensor.K.l2_hit_rate"});
  CHECK(asked("07-flash1-by-hand", "count") == Quantities{"tile_traffic.total"});
}

TEST_CASE("values that equal the answer are asked for too, unless two quantities share them by chance") {
  const Quantities factor = asked("04-online-softmax", "larger");
  CHECK_FALSE(factor.empty());
  for (const std::string& path : factor) CHECK((path.starts_with("here.P.") || path.starts_with("here.O.")));
  CHECK(asked("04-online-softmax", "larger", 1).empty());  // 1
}

TEST_CASE("a step that shows the value that a later one asks for has a finding") {
  const lessons::WrittenLesson& written = lessons::built_in("04-online-softmax");
  lessons::WrittenLesson early = written;
  early.lesson.steps[0].at->j = 1;  // the sum of the first tile is on the chip
  const auto findings = [](const lessons::WrittenLesson& one) {
    std::string all;
    for (const std::string& finding :
         lessons::check(one, sim::built_in_gpu, {lessons::Language::en}, lessons::built_in_ids()).findings)
      all += finding + "\n";
    return all;
  };
  CHECK_THAT(findings(early), Contains("shows here.") && Contains("which question sum of step half asks for"));
  CHECK_THAT(findings(written), !Contains("shows here."));
}
