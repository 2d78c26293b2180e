#include "viz/results/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/machine/device_fields.h"
#include "sim/report/run_json.h"
#include "viz/results/scenario_words.h"

namespace results {
namespace {

using sim::better;
using Json = nlohmann::ordered_json;

/// The cost of some tiles, or why they do not fit. Other errors are the caller's.
RuleTiles attempt(const sim::Scenario& scenario, std::optional<std::int64_t> br, std::optional<std::int64_t> bc) {
  sim::TileAttempt tried = sim::try_tiles(scenario, br, bc);
  if (!tried.fits()) return {std::nullopt, tried.refusal.text()};
  const sim::Plan plan = make_plan(with_tiles(scenario, br, bc));
  return {TriedTiles{*std::move(tried.tiles), tile_text(plan)}, ""};
}

/// The tilings of a grid that fit, best first. For each Br the first Bc that does not fit ends the row: larger ones
/// take more. `refusal`: why the first one does not.
std::vector<TriedTiles> fitting(const sim::Scenario& scenario, Goal goal, const std::vector<std::int64_t>& rows,
                                const std::vector<std::int64_t>& cols, const TuneProgress& progress,
                                std::string& refusal) {
  std::vector<TriedTiles> found;
  const auto all = static_cast<std::int64_t>(rows.size() * cols.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::int64_t br = rows[row];
    for (std::size_t col = 0; col < cols.size(); ++col) {
      const std::int64_t bc = cols[col];
      if (progress) progress(static_cast<std::int64_t>(row * cols.size() + col), all);
      const RuleTiles tried = attempt(scenario, br, bc);
      if (!tried.tiles) {
        if (refusal.empty()) refusal = tried.refusal;
        break;
      }
      found.push_back(*tried.tiles);
    }
  }
  std::sort(found.begin(), found.end(),
            [goal](const TriedTiles& a, const TriedTiles& b) { return better(a, b, goal); });
  return found;
}

std::string percent_more(double now, double best, const char* what) {
  if (now == best) return fmt::format("fits: the same {}", what);
  return fmt::format("fits, with {:.1f} % {} {}", 100 * std::abs(now / best - 1), now > best ? "more" : "less", what);
}

/// The next larger size that cuts the axis into fewer blocks: a size in between moves the same.
LargerTiles one_larger(const sim::Scenario& scenario, Goal goal, const TriedTiles& best, bool rows) {
  const std::int64_t extent = rows ? scenario.shape.seqlen_q : scenario.shape.seqlen_k, now = rows ? best.br : best.bc;
  const std::int64_t blocks = sim::ceil_div(extent, now);
  if (blocks == 1) return {rows ? "Br" : "Bc", true, "one block covers the whole axis"};
  const std::int64_t size =
      std::max(now + 1, sim::ceil_div(sim::ceil_div(extent, blocks - 1), sim::tile_step) * sim::tile_step);
  const RuleTiles larger = rows ? attempt(scenario, size, best.bc) : attempt(scenario, best.br, size);
  LargerTiles result{fmt::format("{} {}", rows ? "Br" : "Bc", size), larger.tiles.has_value(), larger.refusal};
  if (!larger.tiles) return result;
  result.outcome = goal == Goal::time ? percent_more(larger.tiles->microseconds, best.microseconds, "time")
                                      : percent_more(static_cast<double>(larger.tiles->tile_traffic.count()),
                                                     static_cast<double>(best.tile_traffic.count()), "tile traffic");
  if (size > sim::largest_tried_tile) result.outcome += fmt::format("; tune tries up to {}", sim::largest_tried_tile);
  return result;
}

/// Tiles that `--tiling paper` chooses, on the same chip.
RuleTiles paper_choice(const sim::Scenario& scenario) {
  sim::Scenario paper = scenario;
  paper.tiling = sim::TilingRule::paper;
  paper.br = paper.bc = std::nullopt;
  try {
    const sim::Tiling tiling = sim::make_plan(paper).problem.tiling;
    return attempt(scenario, tiling.br, tiling.bc);
  } catch (const sim::TileOverflow& refused) {
    return {std::nullopt, refused.what()};
  }
}

void check(const sim::Scenario& s, Goal goal) {
  sim::require(goal == Goal::bytes || sim::has_time(*s.gpu), "tune: ", sim::why_no_time(*s.gpu),
               "; or use --for bytes");
  sim::require(s.tiling != sim::TilingRule::paper,
               "tune: needs --tiling kernel: with --tiling paper an overflow is only a warning");
  const auto program = sim::program_of(s);
  sim::require(program->variant_of.empty(), "tune: needs ",
               sim::is_released(s.tiling) ? "--tiling kernel" : "another --algorithm",
               ": released code has the tiles that it was released with");
  sim::require(!s.br || !sim::asked_bc(s), "tune: --br and --bc are both given, so there is nothing left to search");
}

}  // namespace

bool Tuning::kernel_rule_wins() const { return by_kernel.tiles && better(*by_kernel.tiles, ranked.front(), goal); }

Tuning tune(const sim::Scenario& given, Goal goal, const TuneProgress& progress) {
  check(given, goal);
  const sim::Scenario scenario = sim::with_tiles(given, given.br, sim::asked_bc(given));
  const auto program = sim::named_program(scenario);
  const bool searches_rows = !scenario.br && !program->row_at_a_time;
  const std::optional<std::int64_t> asked = program->tile_pages > 0 ? given.page_size : scenario.bc;
  const std::optional<std::int64_t> bc = program->whole_rows ? scenario.shape.seqlen_k : asked;
  const auto sides = [&](const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& cols) {
    return std::pair(searches_rows ? rows : std::vector{scenario.br.value_or(1)}, bc ? std::vector{*bc} : cols);
  };
  Tuning tuning;
  tuning.goal = goal;
  std::string refusal;
  const auto [rows, cols] = sides(sim::tile_sizes(scenario.shape.seqlen_q), sim::tile_sizes(scenario.shape.seqlen_k));
  tuning.ranked = fitting(scenario, goal, rows, cols, progress, refusal);
  if (tuning.ranked.empty()) {
    const auto [small_rows, small_cols] = sides(sim::small_tile_sizes, sim::small_tile_sizes);
    refusal.clear();
    tuning.ranked = fitting(scenario, goal, small_rows, small_cols, progress, refusal);
  }
  sim::require(!tuning.ranked.empty(), "tune: no tiles fit; the smallest: ", refusal);
  const TriedTiles& best = tuning.ranked.front();
  if (searches_rows) tuning.larger.push_back(one_larger(scenario, goal, best, true));
  if (!bc) tuning.larger.push_back(one_larger(scenario, goal, best, false));
  tuning.by_kernel = attempt(scenario, std::nullopt, std::nullopt);
  tuning.by_paper = paper_choice(scenario);
  return tuning;
}

Json tiles_json(const TriedTiles& t) {
  const auto known = [](bool is_known, auto number) { return is_known ? Json(number) : Json(nullptr); };
  return {{"br", t.br},
          {"bc", t.bc},
          {"tile_traffic_bytes", t.tile_traffic.count()},
          {"hbm_traffic_bytes", known(t.hbm_counted, t.hbm_traffic.count())},
          {"microseconds", known(std::isfinite(t.microseconds), t.microseconds)},
          {"smem_bytes", t.smem.count()},
          {"register_bytes", t.registers.count()},
          {"compiled", known(t.compiled.has_value(), t.compiled.value_or(false))},
          {"ctas_per_sm", t.ctas_per_sm},
          {"waves", t.waves}};
}

namespace {

Json or_null(const RuleTiles& rule) { return rule.tiles ? tiles_json(*rule.tiles) : Json(nullptr); }

}  // namespace

Json tuning_json(const Tuning& tuning, const sim::Plan& plan, std::size_t top) {
  Json ranked = Json::array(), larger = Json::array();
  for (std::size_t n = 0; n < std::min(top, tuning.ranked.size()); ++n) ranked.push_back(tiles_json(tuning.ranked[n]));
  for (const LargerTiles& one : tuning.larger) {
    larger.push_back({{"step", one.step}, {"fits", one.fits}, {"outcome", one.outcome}});
  }
  return {{"schema", 1},
          {"scenario", report::scenario_json(plan)},
          {"clock_hz", sim::clock_hz(plan, plan.launches.front())},
          {"for", tuning.goal == Goal::bytes ? "bytes" : "time"},
          {"best", tiles_json(tuning.ranked.front())},
          {"ranked", ranked},
          {"fitting", tuning.ranked.size()},
          {"larger", larger},
          {"kernel_rule_wins", tuning.kernel_rule_wins()},
          {"kernel_rule", or_null(tuning.by_kernel)},
          {"paper_rule", or_null(tuning.by_paper)},
          {"warnings", sim::doubts_about_clock(plan)}};
}

}  // namespace results
