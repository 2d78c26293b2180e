// Scenarios side by side: the same problem for other algorithms.
#include "sim/programs/scenario.h"

namespace sim {

namespace {

/// The tiles that blocks of its pattern are counted in.
Tiling tiles_of(Scenario s) {
  s.pattern = {};
  return make_plan(s).problem.tiling;
}

}  // namespace

void share_pattern(std::vector<Scenario>& compared, const Pattern& given) {
  if (!given.any()) return;
  const Scenario* owner = nullptr;
  bool meant = false;
  for (const Scenario& s : compared) {
    const PatternUse use = program_of(s)->pattern;
    meant = meant || use != PatternUse::none;
    if (use == PatternUse::of_tiles && owner == nullptr) owner = &s;
  }
  require(meant, "pattern: none of the algorithms that are compared has this option: leave it out");
  if (owner == nullptr) return;
  const Tiling tiles = tiles_of(*owner);
  for (Scenario& s : compared) {
    const PatternUse use = program_of(s)->pattern;
    if (use == PatternUse::as_mask) s.pattern_tiles = tiles;
    if (use != PatternUse::of_tiles || &s == owner) continue;
    s.br = tiles.br;
    s.bc = tiles.bc;
  }
}

Scenario standard_of(Scenario scenario) {
  if (scenario.pattern.any() && !scenario.pattern_tiles) scenario.pattern_tiles = tiles_of(scenario);
  scenario = with_algorithm(std::move(scenario), programs::standard.name);
  scenario.tiling = TilingRule::kernel;
  scenario.br = scenario.bc = std::nullopt;
  return scenario;
}

Scenario with_algorithm(Scenario s, std::string_view algorithm) {
  name_algorithm(s, algorithm);
  if (s.named->pattern == PatternUse::none) s.pattern = {};
  std::erase_if(s.own, [&](const auto& given) { return !has_own_option(s, given.first); });
  return s;
}

std::shared_ptr<const Program> named_program(const Scenario& s) {
  return s.named != nullptr && s.named->name == s.algorithm ? s.named : find_program(s.algorithm);
}

void name_algorithm(Scenario& s, std::string_view algorithm) {
  s.named = find_program(algorithm);
  s.algorithm = s.named->name;
}

}  // namespace sim
