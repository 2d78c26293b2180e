// Programs that are loaded, found by name and replaced, also while others are simulated.
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "sim/catalogue/derivation.h"
#include "sim/model/simulation.h"
#include "tests/recorded/load.h"

namespace {

std::string renamed(const std::string& file, const std::string& from, const std::string& to) {
  std::string text = sim::recorded_text(file);
  return text.replace(text.find(from), from.size(), to);
}

sim::Simulation simulated(const std::string& algorithm) {
  sim::Scenario s;
  s.algorithm = algorithm;
  s.shape.seqlen_q = s.shape.seqlen_k = 512;
  return sim::simulate(s);
}

}  // namespace

TEST_CASE("a loaded program is found by name and listed, but not a built-in program") {
  const std::size_t built_in = sim::built_in_programs().size();
  sim::load_recorded("my-flash2");
  CHECK(sim::find_program("my-flash2")->title == "FlashAttention-2");
  CHECK(sim::built_in_programs().size() == built_in);
  const auto names = sim::program_names();
  CHECK(std::count(names.begin(), names.end(), "my-flash2") == 1);
  sim::load_recorded("my-flash2");
  CHECK(sim::program_names() == names);
  CHECK_FALSE(sim::find_program("my-flash2")->has_backward());
}

TEST_CASE("patterns and options of one built-in program are refused, with the reason") {
  sim::load_recorded("my-flash2");
  sim::Scenario s;
  s.algorithm = "my-flash2";
  s.own["splits"] = 4;
  CHECK_THROWS_WITH(
      sim::make_plan(s),
      "splits: is an option of flash-decoding, flash-decoding-plus, mla-decode; my-flash2 is a recorded program, which "
      "has none: leave it out");
  s.own.clear();
  s.pattern = sim::read_pattern("butterfly");
  CHECK_THROWS_WITH(sim::make_plan(s),
                    Catch::StartsWith("pattern: is an option of standard, flash1, flash2, block-sparse, ") &&
                        Catch::EndsWith("my-flash2 is a recorded program, which has none: leave it out"));
}

TEST_CASE("score steps are refused for a recorded program that does not apply them, with what to add") {
  sim::load_all_recorded();
  const auto refusal = [](const char* algorithm, const char* step, const char* value) {
    sim::Scenario s;
    s.algorithm = algorithm;
    s.score_steps = {{step, value}};
    try {
      make_plan(s);
    } catch (const sim::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal("my-scores", "softcap", "30").empty());
  CHECK(refusal("my-scores", "alibi", "1").empty());
  CHECK(refusal("my-flash2", "softcap", "30") ==
        "softcap: no body of my-flash2 modifies the scores: write cta.modify(S, i, j) before the mask and record it "
        "again, or leave the option out");
  std::string text = sim::recorded_text("my-scores");
  for (std::size_t at = 0; (at = text.find(" load_vec slopes.all", at)) != std::string::npos;)
    text.replace(at, 20, " vec :l row 0");
  load_program(sim::parse_program(text, "scores.fscope"));
  CHECK(refusal("my-scores", "score", "s+q").empty());
  const std::string no_slopes =
      "alibi: no kernel of my-scores that runs for this problem reads the slopes: add if p.alibi: "
      "cta.load_vec(p.slopes.all), and record it again";
  CHECK(refusal("my-scores", "alibi", "1") == no_slopes);
  CHECK(refusal("my-scores", "score", "s-slope*k") == no_slopes);
  sim::load_recorded("my-scores");
}

TEST_CASE("names of built-in programs and of released code are refused") {
  for (const char* name : {"flash2", "standard", "flash1-released"}) {
    const auto program = sim::parse_program(renamed("my-flash2", "my-flash2", name), "mine.fscope");
    CHECK_THROWS_WITH(sim::load_program(program), Catch::Contains("is a built-in program: give yours another name"));
  }
}

TEST_CASE("a scenario keeps its program when another of the same name replaces it") {
  sim::load_recorded("my-flash2");
  sim::Scenario before;
  sim::name_algorithm(before, "my-flash2");
  const sim::Simulation run = sim::simulate(before);
  load_program(sim::parse_program(renamed("my-flash1", "my-flash1", "my-flash2"), "mine.fscope"));
  CHECK(sim::simulate(before).totals.total.total() == run.totals.total.total());
  CHECK(sim::listing_line(run.plan.launches[0].listing, 2) == "def flash2_forward(cta, p):");
  sim::Scenario after;
  after.algorithm = "my-flash2";
  CHECK(sim::simulate(after).plan.launches[0].name == "flash1_forward");
  CHECK(sim::listing_line(run.plan.launches[0].listing, 2) == "def flash2_forward(cta, p):");
}

TEST_CASE("the listing is the source, with code and equations separated") {
  sim::load_recorded("my-flash2");
  const sim::Simulation run = simulated("my-flash2");
  REQUIRE_FALSE(run.lines.empty());
  CHECK(run.lines[0].code == "Q = cta.load(p.Q[i])");
  CHECK_THAT(run.lines[0].text, Catch::EndsWith("# Q_i                        (Br, d)"));
}

TEST_CASE("the derivation of a recorded program's number is the sum of its lines, without a closed form") {
  sim::load_recorded("my-flash2");
  const sim::Simulation run = simulated("my-flash2");
  for (const std::string& path : sim::derivation_paths(run)) {
    const sim::Derivation why = sim::derive(run, path);
    std::int64_t sum = 0;
    for (const sim::DerivationTerm& term : why.terms) sum += term.total();
    if (path.starts_with("tile_traffic.total.") || path.starts_with("work.")) {
      INFO(path);
      CHECK(std::to_string(sum) == why.value);
      REQUIRE(why.formula.size() == 1);
      CHECK_THAT(why.formula[0].text(), Catch::Contains("no closed form"));
    }
  }
  CHECK_FALSE(run.accuracy.validated);
}

TEST_CASE("without tiles and a program like it, a recorded program halves tiles from 128 x 128 until they fit") {
  const auto tiles_of = [](const std::string& gpu, std::int64_t head_dim) {
    sim::Scenario s;
    s.algorithm = "plain";
    s.gpu = sim::built_in_gpu(gpu);
    s.shape.head_dim = head_dim;
    const sim::Tiling tiles = make_plan(s).problem.tiling;
    CHECK(sim::tiles_fit(s, tiles.br, tiles.bc));
    CHECK((tiles.bc == 128 || !sim::tiles_fit(s, tiles.br, 2 * tiles.bc) || tiles.br > tiles.bc));
    return std::pair(tiles.br, tiles.bc);
  };
  std::string text = renamed("my-flash2", "my-flash2", "plain");
  text.replace(text.find("like = \"flash2\""), 15, "like = \"\"");
  load_program(sim::parse_program(text, "plain.fscope"));
  CHECK(tiles_of("h100-sxm", 64) == std::pair<std::int64_t, std::int64_t>{128, 128});
  CHECK(tiles_of("t4", 128) == std::pair<std::int64_t, std::int64_t>{128, 64});
}

#ifndef __EMSCRIPTEN__  // the page has no threads
TEST_CASE("programs are replaced while 64 threads simulate them", "[workers]") {
  sim::load_recorded("my-flash2");
  const std::int64_t of_flash2 = simulated("flash2").totals.total.total().count(),
                     of_flash1 = simulated("flash1").totals.total.total().count();
  const auto one = sim::parse_program(renamed("my-flash1", "my-flash1", "shared"), "one.fscope"),
             other = sim::parse_program(renamed("my-flash2", "my-flash2", "shared"), "other.fscope");
  load_program(one);
  std::atomic<int> wrong = 0, done = 0;
  std::vector<std::thread> threads;
  for (int n = 0; n < 64; ++n) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 10; ++turn) {
        const std::int64_t bytes = simulated("shared").totals.total.total().count();
        wrong += bytes != of_flash1 && bytes != of_flash2;
      }
      ++done;
    });
  }
  for (int turn = 0; done < 64; ++turn) {
    load_program(turn % 2 == 0 ? sim::parse_program(renamed("my-flash2", "my-flash2", "shared"), "new.fscope") : one);
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}
#endif
