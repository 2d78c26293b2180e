#include "sim/programs/scenario.h"

#include <cmath>
#include <limits>

#include "sim/programs/run.h"

namespace sim {
namespace {

constexpr std::int64_t largest_block = std::int64_t{1} << 20;

OnChip on_chip(const Scenario& s) { return {s.sram.value_or(s.gpu->smem_bytes_per_cta), s.gpu->register_bytes_per_sm}; }

Bytes paper_memory(const Scenario& s) { return Bytes(s.sram.value_or(s.gpu->l1_smem_bytes_per_sm)); }

Tiling chosen_tiling(const Scenario& s, const Program& program) {
  Tiling tiling = program.forward_tiling(size_of(s.dtype), s.shape.head_dim, on_chip(s));
  if (s.tiling == TilingRule::paper) {
    const Tiling paper = paper_tiling(paper_memory(s).count() / size_of(s.dtype), s.shape.head_dim);
    tiling.bc = paper.bc;
    if (!program.row_at_a_time) tiling.br = paper.br;
  }
  tiling.br = s.br.value_or(tiling.br);
  tiling.bc = s.bc.value_or(tiling.bc);
  return tiling;
}

/// Counting takes time and memory in proportion to the blocks of one axis.
void check_block_count(const char* axis, const char* option, std::int64_t extent, std::int64_t size) {
  constexpr std::int64_t most_blocks = std::int64_t{1} << 21;
  require(ceil_div(extent, size) <= most_blocks, axis, ": ", extent, " in blocks of ", size, " makes ",
          ceil_div(extent, size), " blocks, more than ", most_blocks, ": use a shorter --", axis, " or a larger --",
          option);
}

void check_options(const Scenario& s) {
  s.shape.check();
  constexpr double largest_scale = std::numeric_limits<float>::max();  // kernels scale in fp32
  require(!s.scale || std::abs(*s.scale) <= largest_scale, "scale: ", s.scale.value_or(0), " is not a number from -",
          largest_scale, " to ", largest_scale);
  const auto check_block = [](const char* name, const std::optional<std::int64_t>& size) {
    require(!size || (*size >= 1 && *size <= largest_block), name, ": ", size.value_or(0), " is not in 1..",
            largest_block);
  };
  check_block("br", s.br);
  check_block("bc", s.bc);
  constexpr std::int64_t largest_sram = std::int64_t{1} << 40;
  require(!s.sram || (*s.sram >= 64 && *s.sram <= largest_sram), "sram: ", s.sram.value_or(0), " bytes is not in 64..",
          largest_sram);
}

}  // namespace

Plan make_plan(const Scenario& scenario) {
  check_options(scenario);
  Plan plan;
  plan.scenario = scenario;
  plan.program = &find_program(scenario.algorithm);
  const bool paper = scenario.tiling == TilingRule::paper;
  plan.capacity.listing = std::string(plan.program->listing.substr(plan.program->listing.rfind('/') + 1));
  plan.capacity.paper = paper;
  plan.capacity.smem = paper ? paper_memory(scenario) : Bytes(on_chip(scenario).smem);
  plan.capacity.registers = Bytes(on_chip(scenario).registers);
  plan.capacity.dtype = scenario.dtype;
  plan.rates = engine_rates(*scenario.gpu, scenario.dtype);
  Problem& problem = plan.problem;
  problem.shape = scenario.shape;
  problem.dtype = scenario.dtype;
  problem.scale =
      static_cast<float>(scenario.scale.value_or(1.0 / std::sqrt(static_cast<double>(scenario.shape.head_dim))));
  problem.hbm = make_hbm(scenario.shape, scenario.dtype);
  problem.tiling = chosen_tiling(scenario, *plan.program);
  check_block_count("seqlen-q", "br", scenario.shape.seqlen_q, problem.tiling.br);
  check_block_count("seqlen-k", "bc", scenario.shape.seqlen_k, problem.tiling.bc);
  problem.row_capacity = plan.capacity.smem;
  plan.launches = plan.program->forward(problem);
  return plan;
}

bool tiles_fit(const Scenario& scenario, std::int64_t br, std::int64_t bc) {
  Scenario other = scenario;
  other.br = br;
  other.bc = bc;
  const Plan plan = make_plan(other);
  try {
    for (const Launch& launch : plan.launches) count(plan, launch);
  } catch (const TileOverflow&) {
    return false;
  }
  return true;
}

}  // namespace sim
