// A list of edits on a state gives the same state again, and its link reads back as the same state.
#include <catch2/catch.hpp>

#include "sim/programs/scenario.h"
#include "viz/model/lesson/lesson.h"

using namespace explorer;

TEST_CASE("a list of edits replays to the same state and link") {
  const Edits edits = {SetOptions{{{"seqlen", "512"}, {"causal", "1"}}},
                       SetLook{"theme", "light"},
                       LookAt{0, {0, 1, 3, 0}},
                       Seek{sim::nearest_tick(3000)},
                       StepBy{Step::tile, 1},
                       ToggleBookmark{},
                       SetLook{"center", "plots"},
                       SetSpeed{2},
                       SetNumber{"seqlen", "700", true},
                       SetNumber{"seqlen", "768", true},
                       EndDrag{},
                       Undo{},
                       Redo{},
                       Compare{{{{"algorithm", "standard"}}}},
                       SetLook{"sync", "bytes"}};
  const auto replayed = [&] {
    Model model(sim::built_in_gpu);
    for (const Edit& edit : edits) model.apply(edit);
    return model.state;
  };
  const State once = replayed(), again = replayed();
  CHECK(once.options.at("seqlen") == "768");
  CHECK(once.look.bookmarks.size() == 1);
  CHECK(once == again);
  CHECK(link_of(once) == link_of(again));
  Model opened(sim::built_in_gpu);
  opened.follow(link_of(once));
  CHECK(opened.link() == link_of(once));
  CHECK(opened.state.look == once.look);
}

TEST_CASE("a list of edits in a lesson replays to the same answers and verdicts") {
  const Edits edits = {OpenLesson{"06-does-it-fit", 3},
                       TypeAnswer{"halve", "524288", "", {}},
                       CheckAnswer{"halve", ""},
                       ShowHint{"halve"},
                       CheckAnswer{"halve", "1"},
                       TurnTo{4},
                       TypeAnswer{"wider", "equal", "", {}},
                       CheckAnswer{"wider", ""}};
  const auto replayed = [&](std::string& kept) {
    Model model(sim::built_in_gpu);
    model.classroom.keep = [&](const std::string& text) { kept = text; };
    for (const Edit& edit : edits) model.apply(edit);
    return model.state;
  };
  std::string first, second;
  const State once = replayed(first), again = replayed(second);
  CHECK(once == again);
  CHECK(first == second);
  CHECK(once.look.lesson_step == 4);
  REQUIRE(once.lesson.tries.at("wider").verdict.has_value());
  CHECK(once.lesson.tries.at("wider").verdict->right);
  CHECK(first.find("\"later\"") != std::string::npos);  // the first answer and a further try
}

TEST_CASE("edits between two looks turn one into the other, back to defaults too") {
  Look busy;
  busy.theme = Theme::light;
  busy.span = TimeSpan{sim::Cycles(64), sim::Cycles(640)};
  busy.cause = "data";
  busy.selection = "time.microseconds";
  busy.overlay = Overlay::help;
  busy.matrix_zoom = 1.5625;
  busy.bookmarks = {{0, {0, 1, 2, 0}, sim::Cycles(320)}};
  Model model(sim::built_in_gpu);
  for (const Edit& edit : edits_between(Look{}, busy)) model.apply(edit);
  CHECK(model.state.look == busy);
  for (const Edit& edit : edits_between(busy, Look{})) model.apply(edit);
  CHECK(model.state.look == Look{});
  CHECK(edits_between(busy, busy).empty());
  CHECK_THROWS_WITH(model.apply(SetLook{"theme", "blue"}), Catch::Contains("theme = \"blue\""));
}
