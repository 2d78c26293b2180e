// Scenarios for comparison: one problem with other algorithms.
#include <algorithm>

#include "sim/programs/plan.h"
#include "sim/programs/programs.h"

namespace sim {

namespace {

/// Removes the pattern from programs that have a block-sparse variant, if that variant is compared as well.
void keep_dense(std::vector<Scenario>& compared) {
  for (Scenario& s : compared) {
    const auto named = named_program(s);
    const auto is_other = [&](const Scenario& other) { return other.algorithm == named->under_pattern; };
    if (std::any_of(compared.begin(), compared.end(), is_other)) s.pattern = {};
  }
}

}  // namespace

Tiling pattern_tiling(Scenario s) {
  const auto named = named_program(s);
  if (!named->under_pattern.empty()) name_algorithm(s, named->under_pattern);
  s.pattern = {};
  return make_plan(s).problem.tiling;
}

void share_pattern(std::vector<Scenario>& compared, const Pattern& given) {
  if (!given.any()) return;
  keep_dense(compared);
  const Scenario* owner = nullptr;
  bool meant = false;
  for (const Scenario& s : compared) {
    const PatternUse use = program_of(s)->pattern;
    meant = meant || use != PatternUse::none;
    if (use == PatternUse::of_tiles && owner == nullptr) owner = &s;
  }
  require(meant, "pattern: none of the algorithms that are compared has this option: leave it out");
  if (owner == nullptr) return;
  const Tiling tiles = pattern_tiling(*owner);
  for (Scenario& s : compared) {
    const PatternUse use = program_of(s)->pattern;
    if (use == PatternUse::as_mask) s.pattern_tiles = tiles;
    if (use != PatternUse::of_tiles || &s == owner) continue;
    s.br = tiles.br;
    s.bc = tiles.bc;
  }
}

Scenario standard_of(Scenario scenario) {
  if (scenario.pattern.any() && !scenario.pattern_tiles) scenario.pattern_tiles = pattern_tiling(scenario);
  scenario = with_algorithm(std::move(scenario), programs::standard.name);
  scenario.tiling = TilingRule::kernel;
  scenario.br = scenario.bc = std::nullopt;
  return scenario;
}

Scenario with_algorithm(Scenario s, std::string_view algorithm) {
  name_algorithm(s, algorithm);
  if (s.named->pattern == PatternUse::none) s.pattern = {};
  if (!s.named->score_steps) s.score_steps.clear();
  if (!s.named->sinks) s.sinks = nullptr;
  if (!s.named->paged) {
    s = with_entry_per_sample(std::move(s));
    s.page_size = {};
    s.weights = 0;
    s.context = {};
  }
  if (!s.named->steps) s.steps = 0;
  if (!s.named->gpus) s.gpus = 1;
  if (!s.named->fp8) s.dtype = result_dtype(s.dtype);
  if (!s.named->unified_max) {
    s.phi = s.fallback = std::nullopt;
    s.range = std::nullopt;
  }
  if (s.named->kv_shared == SharedKv::never) s.shape.kv_shared = false;
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
