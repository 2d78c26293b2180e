// "Why this number?": the card, its terms and its navigation through all numbers.
#include <catch2/catch.hpp>

#include "tests/explorer/pictures.h"
#include "viz/model/explained.h"
#include "viz/panels/why/formula.h"

namespace {

constexpr std::string_view path = "tile_traffic.total.read_bytes";

std::string chosen(std::string_view selection) {
  return "#seqlen=2048&head-dim=128&causal=1&select=" + std::string(selection);
}

}  // namespace

TEST_CASE("a click on a number explains it, and a click on a term goes to its line") {
  explorer::Headless window("#seqlen=2048&causal=1", {});
  window.driver.click("number/" + std::string(path));
  window.driver.frame();
  CHECK(window.explorer.model.state.look.selection == path);
  keep(window, "why");
  const sim::Derivation derivation = sim::derive(window.explorer.model.world.run().simulation, std::string(path));
  REQUIRE(derivation.terms.size() >= 3);
  window.driver.click("why/term/3");
  const auto& replay = window.explorer.model.world.replay();
  const std::string& where = derivation.terms[2].where;
  const int line = std::stoi(where.substr(where.find(':') + 1));
  bool begins_here = false;
  for (const sim::Event& event : replay.trace.events) {
    begins_here = begins_here || (event.line == line && event.begin == window.explorer.model.world.time());
  }
  CHECK(begins_here);
  window.driver.click("why/close");
  CHECK(window.explorer.model.state.look.selection.empty());
}

TEST_CASE("a term of another kernel switches to that kernel") {
  explorer::Headless window("#algorithm=standard&seqlen=512&select=tile_traffic.by_tensor.O.write_bytes", {});
  window.driver.frame();
  CHECK(window.explorer.model.world.replay().kernel == 0);
  window.driver.click("why/term/1");
  CHECK(window.explorer.model.world.replay().kernel == 2);
}

TEST_CASE("the next occurrence of a line begins later") {
  explorer::Headless window(chosen(path) + "&cta=0,0,6,0&time=20000", {});
  window.driver.frame();
  const sim::Cycles before = window.explorer.model.world.time();
  window.driver.click("why/occurrence");
  CHECK(window.explorer.model.world.time() > before);
}

TEST_CASE("every number can be selected, and its card is drawn", "[repeats]") {
  explorer::Headless window("#algorithm=flash2&pass=forward%2Bbackward&seqlen=300&dropout=0.1", {});
  const std::vector<std::string> paths = explorer::explained_paths(window.explorer.model.world.run());
  CHECK(paths.size() > 200);
  for (std::size_t n = 0; n < paths.size(); n += 3) {
    window.explorer.model.state.look.selection = paths[n];
    INFO(paths[n]);
    REQUIRE_NOTHROW(window.driver.frame());
    CHECK(window.driver.shows("why/close"));
  }
}

TEST_CASE("the arrows of the card walk through all numbers") {
  explorer::Headless window(chosen(path), {});
  const std::vector<std::string> paths = explorer::explained_paths(window.explorer.model.world.run());
  const auto here = static_cast<std::size_t>(std::find(paths.begin(), paths.end(), path) - paths.begin());
  window.driver.frame();
  window.driver.click("why/next");
  CHECK(window.explorer.model.state.look.selection == paths[here + 1]);
  window.driver.click("why/previous");
  CHECK(window.explorer.model.state.look.selection == path);
}

TEST_CASE("a search finds numbers by parts of their names") {
  explorer::Headless window(chosen(path), {});
  window.driver.frame();
  window.driver.click("why/search");
  window.driver.type("hbm O write");
  keep(window, "why-search");
  window.driver.click("why/hbm_traffic.by_tensor.O.write_bytes");
  CHECK(window.explorer.model.state.look.selection == "hbm_traffic.by_tensor.O.write_bytes");
}

TEST_CASE("a link that selects an unknown number shows a search") {
  explorer::Headless window(chosen("tile_traffic.by_tensor.X.read_bytes@77"), {});
  window.driver.frame();
  keep(window, "why-unknown");
  CHECK(window.driver.shows("why/search"));
  window.driver.click("why/close");
  CHECK(window.explorer.model.state.look.selection.empty());
}

TEST_CASE("derived numbers equal the values of their formulas") {
  const explorer::Headless window("#seqlen=2048&causal=1", {});
  const explorer::Run& run = window.explorer.model.world.run();
  const sim::Derivation ratio = explorer::explain(run, "tile_traffic.ratio");
  const double tile = static_cast<double>(run.simulation.totals.total.total().count());
  const double standard = static_cast<double>(run.standard->totals.total.total().count());
  CHECK(std::stod(ratio.value) == Approx(tile / standard).epsilon(1e-4));
  CHECK(explorer::explain(run, "standard.work.matmul_flops").value ==
        sim::derive(*run.standard, "work.matmul_flops").value);
  CHECK_THROWS_AS(explorer::explain(run, "standard.nothing"), sim::Error);
}

TEST_CASE("an equation of a derivation is typeset with its values in it") {
  const explorer::FormulaLine line = explorer::read_formula(
      "flash2_forward Q read: B H Rq d e   with B = 1, H = 1, Rq = 2048, d = 64, e = 2 = 262144");
  CHECK(line.heading == "flash2_forward Q read");
  CHECK(line.equation == "B · H · R_q · d · e");
  CHECK(line.filled == "1 · 1 · 2,048 · 64 · 2 = 262,144");
  CHECK_FALSE(line.is_note);
  CHECK(explorer::read_formula("where B batch entries; Nq queries").equation == "B batch entries; N_q queries");
  CHECK(explorer::read_formula("no kernel has atomics").is_note);
}

TEST_CASE("the card is inside windows of every size") {
  const explorer::Size sizes[] = {{1600, 1000, 1}, {1280, 720, 1}, {960, 600, 1}, {780, 1688, 2}, {3200, 2000, 2}};
  for (const explorer::Size size : sizes) {
    for (const std::string look : {"theme=dark&lang=zh", "theme=light"}) {
      explorer::Headless window(chosen("work.other_flops") + "&tab=counters&" + look, size);
      window.driver.frame();
      keep(window, sim::text("why-", size.width, "-", look));
      const ui::Rect close = window.driver.rect("why/close"), search = window.driver.rect("why/search");
      CHECK(close.right() <= static_cast<float>(size.width));
      CHECK(close.y >= 0);
      CHECK(search.x >= 0);
      CHECK(search.bottom() <= static_cast<float>(size.height));
    }
  }
}
