// Laws of predicted times that hold for any constants of the model, and random scenarios as users type them on which to
// check the laws.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "sim/machine/device_fields.h"
#include "sim/model/simulation.h"
#include "tests/support/random_scenario.h"

namespace sim {

/// A law that a scenario violates, with the figures.
struct BrokenLaw {
  std::string law, figures;
  double ratio = 0;          ///< time over the limit of the law
  bool is_monotony = false;  ///< the law is that more work takes more time
};

namespace time_laws {

/// Draws 2^x with x uniform: small and large sizes are equally likely. Half of the results are multiples of a power of
/// two.
inline std::int64_t size_between(Dice& dice, std::int64_t low, std::int64_t high) {
  const double from = std::log2(static_cast<double>(low)), to = std::log2(static_cast<double>(high));
  const double x = from + (to - from) * static_cast<double>(dice.between(0, 1'000'000)) / 1e6;
  const auto size = static_cast<std::int64_t>(std::llround(std::exp2(x)));
  const std::int64_t step = std::int64_t{1} << std::max<std::int64_t>(0, static_cast<std::int64_t>(x) - 2);
  const std::int64_t even = dice.one_in(2) ? ceil_div(size, step) * step : size;
  return std::clamp(even, low, high);
}

template <class T>
const T& one_of(Dice& dice, const std::vector<T>& all) {
  return all[static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(all.size()) - 1))];
}

inline void draw_heads(Dice& dice, Scenario& s) {
  const std::int64_t all = size_between(dice, 1, 4096);
  s.shape.batch = dice.one_in(2) ? 1 : size_between(dice, 1, all);
  s.shape.heads = s.shape.kv_heads = std::max<std::int64_t>(1, all / s.shape.batch);
  if (!dice.one_in(4)) return;
  const std::int64_t group = std::int64_t{1} << dice.between(1, 3);
  s.shape.kv_heads = ceil_div(s.shape.heads, group);
  s.shape.heads = s.shape.kv_heads * group;
}

inline void draw_mask(Dice& dice, Scenario& s) {
  s.shape.mask.causal = dice.one_in(2);
  if (dice.one_in(8)) s.shape.mask.padding = dice.between(0, s.shape.seqlen_k / 2);
  if (dice.one_in(8)) s.shape.mask.window = size_between(dice, 64, s.shape.seqlen_k);
}

/// Draws any device, program, pass and mask; 1 to 4,096 heads and 128 to 131,072 tokens.
inline Scenario draw(Dice& dice) {
  Scenario s;
  std::vector<std::string> gpus = device_names();
  std::erase_if(gpus, [](const std::string& name) { return !has_time(device(name)); });
  s.gpu = built_in_gpu(one_of(dice, gpus));
  s.algorithm = one_of(dice, names_with_queries());
  if (s.algorithm == "flash1") s.tiling = static_cast<TilingRule>(dice.between(0, 3));
  if (s.algorithm != "flash1" && dice.one_in(8)) s.tiling = TilingRule::paper;
  const bool by_length = s.algorithm == "flash3";  // its pass takes no draw: those of other scenarios stay
  s.pass = has_backward(s) && !by_length ? static_cast<Pass>(dice.between(0, 2)) : Pass::forward;
  s.dtype = dice.one_in(4) ? static_cast<Dtype>(dice.between(0, 2)) : Dtype::fp16;
  if (dice.one_in(8)) s.dropout = 0.1;
  draw_heads(dice, s);
  s.shape.seqlen_k = s.shape.seqlen_q = size_between(dice, 128, 131'072);
  s.shape.head_dim = one_of(dice, std::vector<std::int64_t>{32, 64, 64, 64, 80, 96, 128, 128, 128, 256});
  draw_mask(dice, s);
  if (by_length && s.shape.seqlen_k % 2 == 0) s.pass = Pass::backward;
  s = within_limits(s);
  if (has_own_option(s, "splits")) {
    s.shape.seqlen_q = dice.one_in(2) ? 1 : dice.between(1, 16);
    if (dice.one_in(2)) s.own["splits"] = dice.between(1, ceil_div(s.shape.seqlen_k, 256));
  }
  if (find_program(s.algorithm)->pattern != PatternUse::none && dice.one_in(2)) s.pattern = random_pattern(dice, 8);
  return s;
}

/// Fixes the tiles and splits that the scenario already has, so that a change of size changes nothing else.
inline Scenario with_fixed_choices(const Simulation& simulation) {
  Scenario s = simulation.plan.scenario;
  s.br = simulation.plan.problem.tiling.br;
  if (!find_program(s.algorithm)->whole_rows) s.bc = simulation.plan.problem.tiling.bc;
  if (simulation.plan.problem.parts > 0) s.own["splits"] = simulation.plan.problem.parts;
  return s;
}

class Laws {
 public:
  explicit Laws(const Scenario& s) : scenario_(s), simulation_(run(s)) {}

  std::vector<BrokenLaw> broken(Dice& dice) {
    if (!simulation_) return {};
    of_each_kernel(*simulation_);
    const bool shares = scenario_.algorithm == "flash1" && scenario_.tiling == TilingRule::released_1;
    if (scenario_.pattern.any() || shares) return broken_;
    const Scenario fixed = with_fixed_choices(*simulation_);
    const std::optional<Simulation> base = run(fixed);
    if (!base) return broken_;
    of_more_heads(dice, fixed, *base);
    of_more_keys(dice, fixed, *base);
    of_causal(fixed);
    return broken_;
  }

 private:
  static std::optional<Simulation> run(const Scenario& s) {
    if (!scenario_error(s).empty()) return std::nullopt;
    try {
      return simulate(s);
    } catch (const Error& error) {
      const std::string why = error.what();
      const bool too_large = why.find("do not fit") != std::string::npos || why.find("intervals") != std::string::npos;
      if (too_large) return std::nullopt;
      throw;
    }
  }

  void note(const std::string& law, double time, double allowed, const std::string& what, bool is_monotony = false) {
    if (time <= allowed) return;
    const double ratio = allowed > 0 ? time / allowed : 1e9;
    broken_.push_back({law, text(what, ": ", time, " us, allowed ", allowed), ratio, is_monotony});
  }

  void of_each_kernel(const Simulation& simulation) {
    for (const KernelMeters& kernel : simulation.kernels) {
      const KernelTime& time = kernel.time;
      for (const Cause cause : all_causes)
        note("parts", -time.budget[cause], 0, text(kernel.name, " ", name_of(cause)));
      note("sum", std::abs(time.budget.total() / time.microseconds - 1), 2e-6, kernel.name);
      for (const auto& [resource, bound] : time.resources) {
        note("bound", bound * (1 - 1e-9), time.microseconds, text(kernel.name, " under its ", resource));
      }
    }
  }

  /// Time in which SMs idle at the end of a kernel. More CTAs fill it and take no longer.
  static double tail_of(const KernelMeters& kernel) { return kernel.time.budget[Cause::tail]; }

  /// Share of the tiles of the longest row, or column, that a causal mask cuts: masking takes additional instructions.
  static double masked_share(const Scenario& s) {
    const std::int64_t br = *s.br, bc = s.bc.value_or(s.shape.seqlen_k);
    const double masked = static_cast<double>(ceil_div(std::max(br, bc), std::min(br, bc)) + 1);
    return std::min(1.0, masked / static_cast<double>(ceil_div(s.shape.seqlen_k, std::min(br, bc))));
  }

  /// Checks kernel by kernel that a larger scenario is not faster. Skips kernels with less work or with more iterations
  /// per CTA: with another number of keys, a window or a part of the keys may begin at another offset in its tile.
  void never_faster(const std::string& law, const Simulation& base, const Scenario& larger, double part) {
    const std::optional<Simulation> more = run(larger);
    if (!more) return;
    of_each_kernel(*more);
    for (std::size_t k = 0; k < std::min(base.kernels.size(), more->kernels.size()); ++k) {
      const KernelMeters &before = base.kernels[k], &after = more->kernels[k];
      if (after.totals.matmul_flops < before.totals.matmul_flops || after.iterations > 1.5 * before.iterations)
        continue;
      note(law, before.time.microseconds * (1 - part) - tail_of(before), after.time.microseconds,
           text(before.name, " against ", describe(larger)), true);
    }
  }

  void of_more_heads(Dice& dice, const Scenario& s, const Simulation& base) {
    Scenario larger = s;
    if (dice.one_in(2)) {
      larger.shape.batch += dice.one_in(2) ? 1 : dice.between(1, s.shape.batch);
    } else {
      const std::int64_t group = s.shape.heads / s.shape.kv_heads;
      larger.shape.kv_heads += dice.one_in(2) ? 1 : dice.between(1, s.shape.kv_heads);
      larger.shape.heads = larger.shape.kv_heads * group;
    }
    never_faster("heads", base, larger, 0.001);
  }

  void of_more_keys(Dice& dice, const Scenario& s, const Simulation& base) {
    Scenario larger = s;
    const std::int64_t more = dice.one_in(2) ? dice.between(1, 8) : size_between(dice, 1, s.shape.seqlen_k);
    larger.shape.seqlen_k += more;
    if (s.shape.seqlen_q == s.shape.seqlen_k) larger.shape.seqlen_q += more;
    larger.shape.mask.padding = std::min(larger.shape.mask.padding, larger.shape.seqlen_k);
    never_faster("keys", base, larger, 0.02);
  }

  void of_causal(Scenario s) {
    if (s.algorithm == "standard" || s.algorithm == "fmha" || s.shape.seqlen_q != s.shape.seqlen_k) return;
    s.shape.mask = {};
    const std::optional<Simulation> dense = run(s);
    s.shape.mask.causal = true;
    const std::optional<Simulation> causal = run(s);
    if (!dense || !causal) return;
    for (std::size_t k = 0; k < std::min(dense->kernels.size(), causal->kernels.size()); ++k) {
      const KernelMeters &all = dense->kernels[k], &live = causal->kernels[k];
      const std::string what = text(all.name, " ", describe(s));
      note("causal", live.time.microseconds - tail_of(live), all.time.microseconds * (1 + 0.2 * masked_share(s)), what,
           true);
      if (all.waves < 8 || s.shape.seqlen_k < 4096 || all.totals.matmul_flops.count() == 0) continue;
      const double share =
          static_cast<double>(live.totals.matmul_flops.count()) / static_cast<double>(all.totals.matmul_flops.count());
      note("live tiles", live.time.microseconds - tail_of(live), all.time.microseconds * 1.10 * share, what, true);
    }
  }

  Scenario scenario_;
  std::optional<Simulation> simulation_;
  std::vector<BrokenLaw> broken_;
};

}  // namespace time_laws

}  // namespace sim
