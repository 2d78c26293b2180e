#include "viz/terminal/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace terminal {
namespace {

constexpr std::int64_t step = 16;  // rows that a tensor core takes at a time
constexpr std::int64_t fine = 256, coarse_step = 64, most = 1024;

TriedTiles cost_of(const sim::Simulation& s) {
  TriedTiles tried{s.plan.problem.tiling.br, s.plan.problem.tiling.bc};
  tried.tile_traffic = s.totals.total.total();
  tried.hbm_traffic = s.hbm.total();
  tried.smem = s.memory.peak_sram;
  for (const sim::Trace& trace : s.traces) tried.registers = std::max(tried.registers, trace.peak_registers);
  tried.microseconds = s.microseconds;
  const auto longest = std::max_element(s.kernels.begin(), s.kernels.end(), [](const auto& a, const auto& b) {
    return a.time.microseconds < b.time.microseconds;
  });
  tried.ctas_per_sm = longest->ctas_per_sm;
  tried.waves = longest->waves;
  return tried;
}

/// The cost of some tiles, or why they do not fit.
struct Attempt {
  std::optional<TriedTiles> tiles;
  std::string refusal;
};

Attempt attempt(sim::Scenario scenario, std::optional<std::int64_t> br, std::optional<std::int64_t> bc) {
  scenario.br = br;
  scenario.bc = bc;
  try {
    return {cost_of(sim::simulate(scenario)), ""};
  } catch (const sim::Error& error) {
    const std::string what = error.what();
    return {std::nullopt, what.substr(0, what.find("; tiles ("))};
  }
}

bool better(const TriedTiles& a, const TriedTiles& b, Goal goal) {
  const auto key = [goal](const TriedTiles& t) {
    const auto bytes = static_cast<double>(t.tile_traffic.count());
    return std::tuple(goal == Goal::bytes ? bytes : t.microseconds, goal == Goal::bytes ? t.microseconds : bytes,
                      t.br * t.bc, t.br);
  };
  return key(a) < key(b);
}

/// Multiples of 16 up to 256 and of 64 up to 1024, as far as the axis reaches, and the kernels' own size.
std::vector<std::int64_t> sizes(std::int64_t extent, std::int64_t own) {
  std::vector<std::int64_t> result;
  const std::int64_t whole = sim::ceil_div(extent, step) * step;
  for (std::int64_t size = step; size <= std::min(most, whole); size += size < fine ? step : coarse_step) {
    result.push_back(size);
  }
  if (std::find(result.begin(), result.end(), own) == result.end()) result.push_back(own);
  return result;
}

std::string percent_more(double now, double best, const char* what) {
  return now == best ? fmt::format("fits: the same {}", what)
                     : fmt::format("fits, with {:.1f} % {} {}", 100 * std::abs(now / best - 1),
                                   now > best ? "more" : "less", what);
}

/// The next larger size that cuts the axis into fewer blocks: a size in between moves the same.
LargerTiles one_larger(const sim::Scenario& scenario, Goal goal, const TriedTiles& best, bool rows) {
  const std::int64_t extent = rows ? scenario.shape.seqlen_q : scenario.shape.seqlen_k, now = rows ? best.br : best.bc;
  const std::int64_t blocks = sim::ceil_div(extent, now);
  if (blocks == 1) return {rows ? "Br" : "Bc", true, "one block covers the whole axis"};
  const std::int64_t size = sim::ceil_div(sim::ceil_div(extent, blocks - 1), step) * step;
  const Attempt larger = rows ? attempt(scenario, size, best.bc) : attempt(scenario, best.br, size);
  LargerTiles result{fmt::format("{} {}", rows ? "Br" : "Bc", size), larger.tiles.has_value(), larger.refusal};
  if (!larger.tiles) return result;
  result.outcome = goal == Goal::time ? percent_more(larger.tiles->microseconds, best.microseconds, "time")
                                      : percent_more(static_cast<double>(larger.tiles->tile_traffic.count()),
                                                     static_cast<double>(best.tile_traffic.count()), "tile traffic");
  return result;
}

/// What `--tiling paper` chooses, on the same chip.
std::optional<TriedTiles> paper_choice(const sim::Scenario& scenario) {
  sim::Scenario paper = scenario;
  paper.tiling = sim::TilingRule::paper;
  paper.br = paper.bc = std::nullopt;
  const sim::Tiling tiling = sim::make_plan(paper).problem.tiling;
  return attempt(scenario, tiling.br, tiling.bc).tiles;
}

void check(const sim::Scenario& s) {
  sim::require(s.tiling == sim::TilingRule::kernel,
               "tune: needs --tiling kernel: on the papers' machine an overflow is only a warning");
  sim::require(!s.br || !s.bc, "tune: --br and --bc are both given, so there is nothing left to search");
}

}  // namespace

Tuning tune(const sim::Scenario& scenario, Goal goal) {
  check(scenario);
  sim::Scenario free = scenario;
  free.br = free.bc = std::nullopt;
  const sim::Plan plan = sim::make_plan(free);
  const sim::Tiling own = plan.problem.tiling;
  Tuning tuning;
  tuning.goal = goal;
  const bool one_row = plan.program->row_at_a_time;
  const auto rows = scenario.br ? std::vector{*scenario.br}
                    : one_row   ? std::vector{own.br}
                                : sizes(scenario.shape.seqlen_q, own.br);
  const auto cols = scenario.bc ? std::vector{*scenario.bc} : sizes(scenario.shape.seqlen_k, own.bc);
  std::string refusal;
  for (const std::int64_t br : rows) {
    for (const std::int64_t bc : cols) {
      const Attempt tried = attempt(scenario, br, bc);
      if (tried.tiles) tuning.ranked.push_back(*tried.tiles);
      if (!tried.tiles && refusal.empty()) refusal = tried.refusal;
      tuning.unfit += tried.tiles ? 0 : 1;
    }
  }
  sim::require(!tuning.ranked.empty(), "tune: no tiles fit; the smallest: ", refusal);
  std::sort(tuning.ranked.begin(), tuning.ranked.end(),
            [goal](const TriedTiles& a, const TriedTiles& b) { return better(a, b, goal); });
  const TriedTiles& best = tuning.ranked.front();
  if (!scenario.br && !one_row) tuning.larger.push_back(one_larger(scenario, goal, best, true));
  if (!scenario.bc) tuning.larger.push_back(one_larger(scenario, goal, best, false));
  tuning.by_kernel = attempt(scenario, std::nullopt, std::nullopt).tiles;
  tuning.by_paper = paper_choice(scenario);
  return tuning;
}

}  // namespace terminal
