// Small scenarios of every algorithm, pass and tiling, with the values of their tiles.
#pragma once
#include <catch2/catch.hpp>
#include <cstring>

#include "tests/support/takes.h"
#include "viz/model/values/head_values.h"

struct Case {
  std::string algorithm;
  sim::Pass pass = sim::Pass::forward;
  sim::TilingRule tiling = sim::TilingRule::kernel;
};

inline std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const sim::Program& program : sim::built_in_programs()) {
    for (const sim::Pass pass : {sim::Pass::forward, sim::Pass::backward, sim::Pass::forward_backward}) {
      if (pass != sim::Pass::forward && !program.has_backward()) continue;
      for (const auto tiling : {sim::TilingRule::kernel, sim::TilingRule::paper, sim::TilingRule::released}) {
        if (tiling == sim::TilingRule::released && program.name != "flash1") continue;
        if (tiling == sim::TilingRule::paper && program.name == "flash3") continue;  // has none: several warpgroups
        cases.push_back({std::string(program.name), pass, tiling});
      }
    }
  }
  return cases;
}

inline sim::Scenario scenario_of(const Case& c) {
  const bool released = c.tiling == sim::TilingRule::released;
  sim::Scenario scenario;
  scenario.algorithm = c.algorithm;
  scenario.pass = c.pass;
  scenario.tiling = c.tiling;
  scenario.shape = {2, 4, released ? 4 : 2, 100, 140, 40, {true, 8, 70}};
  if (released) scenario.shape.mask.window.reset();
  if (c.tiling == sim::TilingRule::paper) scenario.sram = 16384;
  if (c.tiling == sim::TilingRule::kernel && c.algorithm != "memory-efficient") scenario.br = 32;
  if (c.tiling == sim::TilingRule::kernel) scenario.bc = 48;
  scenario.seed = 5;
  return within_limits(scenario);
}

/// Returns a CTA from the middle of the grid, with its playhead.
inline explorer::Subject subject_of(const std::shared_ptr<const explorer::Run>& run, std::size_t kernel) {
  explorer::Subject subject;
  subject.run = run;
  const sim::CtaPlace grid = explorer::grid_of(run->simulation, kernel);
  subject.replay = explorer::make_replay(run->simulation, kernel, {1, grid.head - 1, grid.row / 2, grid.col / 2});
  return subject;
}

inline explorer::TileLayers layers_at(const explorer::Subject& subject, explorer::HeadValues& head,
                                      const explorer::TileMatrix& matrix) {
  const explorer::TilePlace place = place_of(subject, matrix);
  if (explorer::is_fused_forward(subject.launch())) {
    const std::shared_ptr<explorer::RowHistory> row = head.row(matrix.row, matrix.part);
    explorer::TileValues tile(row, matrix.pass * row->block.tiles() + matrix.visited_before());
    while (tile.advance()) {
    }
    REQUIRE(tile.found() != nullptr);
    return tile.found()->layers;
  }
  explorer::KernelTile tile(subject.run, subject.replay->kernel, place, head.numbers(place));
  while (tile.advance()) {
  }
  REQUIRE(tile.found() != nullptr);
  return *tile.found();
}

inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && !a.empty() && std::memcmp(a.data(), b.data(), 4 * a.size()) == 0;
}
