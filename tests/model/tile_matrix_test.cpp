#include "viz/model/tiles/tile_matrix.h"

#include <catch2/catch.hpp>
#include <set>

#include "viz/model/tiles/tile_stage.h"

namespace {

using explorer::Subject;
using explorer::TileMatrix;
using explorer::TileState;

Subject subject_of(const sim::Scenario& scenario, std::size_t kernel, sim::CtaPlace place) {
  Subject subject;
  subject.run = explorer::make_run(scenario);
  subject.replay = explorer::make_replay(subject.run->simulation, kernel, place);
  return subject;
}

sim::Scenario scenario_of(const std::string& algorithm, sim::Mask mask, sim::Pass pass = sim::Pass::forward) {
  sim::Scenario scenario;
  scenario.algorithm = algorithm;
  scenario.pass = pass;
  scenario.shape = {1, 4, 2, 328, 392, 32, mask};
  if (algorithm != "memory-efficient") scenario.br = 32;
  scenario.bc = algorithm == "standard" ? 32 : 64;
  if (sim::find_program(algorithm)->pattern == sim::PatternUse::of_tiles)
    scenario.pattern = sim::read_pattern("butterfly");
  return scenario;
}

sim::Scenario downwards(sim::Mask mask) {
  sim::Scenario scenario = scenario_of("flash2", mask);
  scenario.own["keys"] = 1;
  return scenario;
}

const std::vector<sim::Mask> masks = {{}, {true, 0, {}}, {true, 20, 100}, {false, 90, {}}};

/// The current pass: the tiles of visit n and of those before it, back to the first tile of the CTA.
std::set<std::pair<std::int64_t, std::int64_t>> visited(const std::vector<explorer::Visit>& visits, std::int32_t n) {
  std::set<std::pair<std::int64_t, std::int64_t>> tiles;
  const explorer::Visit& first = visits[0];
  for (; n >= 0; --n) {
    const explorer::Visit& visit = visits[static_cast<std::size_t>(n)];
    tiles.emplace(visit.row, visit.col);
    if (visit.row == first.row && visit.col == first.col) break;
  }
  return tiles;
}

void check_states(const Subject& subject) {
  const TileMatrix m(subject);
  const auto& visits = subject.replay->index.visits();
  if (m.visit < 0) return;
  const auto so_far = visited(visits, m.visit);
  for (const explorer::Visit& visit : visits) {
    const bool now = visit.row == m.row && visit.col == m.col;
    const bool seen = so_far.count({visit.row, visit.col}) > 0;
    const TileState want = now && m.working ? TileState::current : seen ? TileState::done : TileState::to_do;
    CHECK(m.is_live(visit.row, visit.col));
    CHECK(m.state(visit.row, visit.col) == want);
    int in_runs = 0;
    for (const explorer::TileRun& run : m.runs(visit.row)) {
      if (!run.cols.contains({visit.col, visit.col + 1})) continue;
      CHECK(run.state == want);
      ++in_runs;
    }
    CHECK(in_runs == 1);
  }
}

}  // namespace

TEST_CASE("the states of the tiles of a CTA are those of its visits, for every program") {
  for (const std::string algorithm :
       {"standard", "memory-efficient", "flash1", "flash2", "block-sparse", "flash2-block-sparse"}) {
    for (const sim::Pass pass : {sim::Pass::forward, sim::Pass::backward}) {
      const sim::Scenario scenario = scenario_of(algorithm, {true, 20, 100}, pass);
      const auto kernels = sim::make_plan(scenario).launches.size();
      for (std::size_t kernel = 0; kernel < kernels; ++kernel) {
        Subject subject = subject_of(scenario, kernel, {0, 1, 5, 3});
        INFO(algorithm << " " << name_of(pass) << " " << subject.launch().name);
        if (subject.launch().grid.of_heads() && subject.launch().grid.by_kv_head())
          continue;  // heads are the loop inside of the columns
        for (const explorer::Visit& visit : subject.replay->index.visits()) {
          subject.time = visit.begin;
          check_states(subject);
        }
        subject.time = subject.replay->index.end();
        check_states(subject);
      }
    }
  }
}

TEST_CASE("a CTA that takes its keys from the last to the first has done those after the current one") {
  for (const sim::Mask& mask : masks) {
    Subject subject = subject_of(downwards(mask), 0, {0, 1, 5, 0});
    std::int64_t before = 0;
    for (const explorer::Visit& visit : subject.replay->index.visits()) {
      subject.time = visit.begin;
      check_states(subject);
      const TileMatrix m(subject);
      CHECK(m.down);
      CHECK(m.visited_before() == before++);
      explorer::TileCounts counts(m);
      while (counts.advance()) {
      }
      std::int64_t done = 0;
      for (std::int64_t i = 0; i < m.rows.count(); ++i) {
        for (std::int64_t j = 0; j < m.cols.count(); ++j)
          done += m.is_live(i, j) && m.state(i, j) == TileState::done ? 1 : 0;
      }
      CHECK(counts.done(m) == done);
    }
  }
}

TEST_CASE("the counts of tiles equal a count of all pairs, one by one") {
  for (const std::string algorithm : {"flash1", "flash2", "block-sparse", "flash2-block-sparse"}) {
    for (const sim::Mask& mask : masks) {
      Subject subject = subject_of(scenario_of(algorithm, mask), 0, {0, 1, 4, 0});
      const sim::Shape& shape = subject.problem().shape;
      subject.time = sim::Cycles(subject.replay->index.end().count() / 2);
      const TileMatrix m(subject);
      explorer::TileCounts counts(m);
      while (counts.advance()) {
      }
      REQUIRE(counts.complete());
      std::int64_t live = 0, masked = 0, done = 0;
      for (std::int64_t i = 0; i < m.rows.count(); ++i) {
        for (std::int64_t j = 0; j < m.cols.count(); ++j) {
          const sim::Interval queries = m.rows.elements(i), keys = m.cols.elements(j);
          std::int64_t pairs = 0;
          for (std::int64_t q = queries.begin; q < queries.end; ++q) {
            for (std::int64_t k = keys.begin; k < keys.end; ++k) pairs += shape.visible(q, k) ? 1 : 0;
          }
          CHECK(m.visible_pairs(i, j) == pairs);
          CHECK(m.is_live(i, j) == (pairs > 0));
          live += pairs > 0 ? 1 : 0;
          masked += pairs > 0 && pairs < queries.size() * keys.size() ? 1 : 0;
          done += pairs > 0 && m.state(i, j) == TileState::done ? 1 : 0;
        }
      }
      CHECK(counts.live() == live);
      CHECK(counts.masked() == masked);
      CHECK(counts.done(m) == done);
      CHECK(counts.all() == m.rows.count() * m.cols.count());
    }
  }
}

TEST_CASE("the matrix is touched exactly in kernels that visit its tiles") {
  const sim::Scenario backward = scenario_of("flash2", {}, sim::Pass::backward);
  CHECK_FALSE(TileMatrix(subject_of(backward, 0, {})).touched);
  CHECK(TileMatrix(subject_of(backward, 1, {})).touched);
  const sim::Scenario standard = scenario_of("standard", {});
  for (std::size_t kernel = 0; kernel < 3; ++kernel) CHECK(TileMatrix(subject_of(standard, kernel, {})).touched);
}

TEST_CASE("the tile turns from S to P while the exponentials are computed") {
  const Subject subject = subject_of(scenario_of("flash2", {true, 0, {}}), 0, {0, 0, 6, 0});
  const auto& visits = subject.replay->index.visits();
  for (const sim::Event& event : subject.replay->trace.events) {
    if (event.verb != sim::Verb::exp || event.tensor != sim::Tensor::P) continue;
    const std::int32_t visit = subject.replay->index.visit_at(event.begin);
    CHECK(visits[static_cast<std::size_t>(visit)].col == event.cols.index);
    const sim::Cycles middle((event.begin.count() + event.end.count()) / 2);
    const explorer::TileStage half = stage_of(*subject.replay, visit, middle);
    CHECK(half.before == sim::Tensor::S);
    CHECK(half.now == sim::Tensor::P);
    CHECK(half.share == Approx(0.5).margin(0.01));
    CHECK(stage_of(*subject.replay, visit, event.end).share == 1);
    CHECK(stage_of(*subject.replay, visit, sim::Cycles(event.begin.count() - 1)).now == sim::Tensor::S);
  }
}

TEST_CASE("a tile that is only loaded shows the loaded tensor") {
  const Subject subject = subject_of(scenario_of("standard", {}), 2, {});
  REQUIRE(subject.launch().name == "pv_gemm");
  const explorer::TileStage stage = stage_of(*subject.replay, 3, subject.replay->index.visits()[3].begin);
  CHECK(stage.now == sim::Tensor::P);
  CHECK(explorer::letter_of(sim::Tensor::dS) == 'S');
  CHECK(explorer::letter_of(sim::Tensor::P_dropped) == 'P');
  CHECK(explorer::letter_of(sim::Tensor::mask) == '\0');
  CHECK(explorer::letter_of(sim::Tensor::D) == '\0');
}
