// A plan run for a few rows of queries, and a CTA run iteration by iteration.
#include "sim/programs/row_window.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <limits>

#include "sim/trace/dependence.h"
#include "tests/support/takes.h"

namespace {

using sim::Keyframe;
using sim::RowWindow;
using sim::Tensor;

sim::Plan plan_of(const std::string& algorithm, sim::TilingRule tiling, sim::Pass pass) {
  const bool released = tiling == sim::TilingRule::released;
  sim::Scenario scenario;
  scenario.algorithm = algorithm;
  scenario.tiling = tiling;
  scenario.pass = pass;
  scenario.shape = {2, 2, released ? 2 : 1, 96, 200, 16, {true, 8, {}}};
  if (!released) scenario.bc = 32;
  scenario.seed = 3;
  return sim::make_plan(within_limits(scenario));
}

/// Runs every CTA of the rows, `at_once` iterations at a time.
void run(RowWindow& window, const sim::Plan& plan, const sim::Launch& launch, std::int64_t at_once) {
  const sim::GridAxes axes = sim::grid_axes(plan.problem.shape, launch.grid);
  const sim::Interval rows = axes.rows.touching(window.queries());
  for (std::int64_t i = rows.begin; i < rows.end; ++i) {
    for (std::int64_t j = 0; j < axes.cols.count(); ++j) {
      Keyframe at;
      for (bool more = true; more;) {
        const std::int64_t until = std::max<std::int64_t>(1, at.iteration) + at_once;
        sim::CtaPart part = window.resume(launch, axes.row(i), axes.col(j), std::move(at), until);
        more = !part.finished;
        at = std::move(part.next);
      }
    }
  }
}

sim::Trace outline_of(const sim::Plan& plan, const sim::Launch& launch, sim::Interval queries) {
  const sim::GridAxes axes = sim::grid_axes(plan.problem.shape, launch.grid);
  const RowWindow window(plan, 1, queries, std::make_shared<sim::DrawnInputs>(plan, 1));
  return window.outline(launch, axes.row(axes.rows.touching(queries).begin), axes.col(0));
}

/// The iterations that the weights P of the last tile of some rows depend on.
std::set<std::int64_t> behind_the_last(const sim::Plan& plan, const sim::Launch& launch) {
  const sim::Trace trace = outline_of(plan, launch, {64, 96});
  std::int32_t last = sim::no_event;
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    if (trace.events[n].verb == sim::Verb::exp && trace.events[n].tensor == Tensor::P) last = static_cast<int>(n);
  }
  REQUIRE(last != sim::no_event);
  return sim::iterations_behind(trace, {last});
}

}  // namespace

TEST_CASE("rows run alone, a few iterations at a time, equal those of the whole run, bit for bit") {
  for (const sim::Program& program : sim::built_in_programs()) {
    if (program.tile_pages > 0) continue;  // has one query
    for (const auto tiling : {sim::TilingRule::kernel, sim::TilingRule::released}) {
      if (tiling == sim::TilingRule::released && program.name != "flash1") continue;
      const sim::Plan plan = plan_of(std::string(program.name), tiling, sim::Pass::forward);
      const auto inputs = sim::draw_inputs(plan.problem.shape, plan.problem.dtype, plan.scenario.seed);
      const std::vector<float> want = sim::compute(plan, inputs).o;
      const std::int64_t d = plan.problem.shape.head_dim;
      for (const std::int64_t at_once : {1, 2, 1000}) {
        for (const sim::Interval queries : {sim::Interval{0, 1}, {17, 60}, {64, 96}}) {
          INFO(program.name << " " << name_of(tiling) << " queries from " << queries.begin << ", " << at_once);
          RowWindow window(plan, 3, queries, std::make_shared<sim::DrawnInputs>(plan, 3));
          for (const sim::Launch& launch : plan.launches) run(window, plan, launch, at_once);
          const auto found = window.stored(Tensor::O);
          REQUIRE(found.size() == static_cast<std::size_t>(queries.size() * d));
          CHECK(std::memcmp(found.data(), want.data() + (3 * 96 + queries.begin) * d, 4 * found.size()) == 0);
        }
      }
    }
  }
}

TEST_CASE("the iterations that a tile depends on are derived from the trace of its program") {
  const auto forward = [](const std::string& algorithm, sim::TilingRule tiling = sim::TilingRule::kernel) {
    const sim::Plan plan = plan_of(algorithm, tiling, sim::Pass::forward);
    return behind_the_last(plan, plan.launches.front());
  };
  using Iterations = std::set<std::int64_t>;
  CHECK(forward("flash1") == Iterations{6});  // uses the maximum of its own tile
  CHECK(forward("flash2") == Iterations{1, 2, 3, 4, 5, 6});
  const Iterations memory_efficient = forward("memory-efficient");
  CHECK(memory_efficient.count(1) == 1);
  CHECK(memory_efficient.size() == 1 + static_cast<std::size_t>(*memory_efficient.rbegin() / 2));  // one of two passes
  const sim::Plan backward = plan_of("flash1", sim::TilingRule::kernel, sim::Pass::backward);
  CHECK(behind_the_last(backward, backward.launches.front()) == Iterations{6});
}

TEST_CASE("the kernels that a kernel depends on are those that write what it reads") {
  const sim::Plan plan = plan_of("flash2", sim::TilingRule::kernel, sim::Pass::backward);
  const auto names = [&](std::size_t kernel) {
    std::vector<std::string> found;
    for (const sim::Launch* launch : sim::makers_of(plan, plan.launches[kernel])) found.push_back(launch->name);
    return found;
  };
  CHECK(names(0) == std::vector<std::string>{"flash2_forward"});
  CHECK(names(1) == std::vector<std::string>{"flash2_forward", "flash2_backward_prepare"});
}

TEST_CASE("rows of inputs drawn on demand equal those drawn together") {
  const sim::Plan plan = plan_of("flash2", sim::TilingRule::kernel, sim::Pass::forward);
  const auto inputs = sim::draw_inputs(plan.problem.shape, plan.problem.dtype, plan.scenario.seed);
  sim::DrawnRows K(plan, 3, sim::DrawnTensor::K);
  for (const std::int64_t row : {199, 0, 63, 64, 199})
    CHECK(std::memcmp(K.row(row), inputs.k.data() + (200 + row) * 16, 64) == 0);
  CHECK(K.drawn() == (8 + 64 + 64) * 16);  // each page is drawn once
}
