// Values of the scenario and of its kernels.
#include "sim/catalogue/options.h"
#include "sim/catalogue/run_values.h"
#include "sim/model/roofline.h"

namespace sim {
namespace {

/// Converts an option's value to a value of a run.
RunValue as_run_value(const OptionValue& value) {
  return std::visit([](const auto& one) { return RunValue(one); }, value);
}

void add_option(const Simulation& s, RunValues& values, const ScenarioOption& option) {
  if (!is_reported(option, s.plan.scenario)) return;
  const std::string path = text("scenario.", option.name);
  const OptionValue value = option.resolved(s.plan);
  const auto explain = [&s, &option] {
    const bool asked = option.asked(s.plan.scenario) != OptionValue();
    return Explanation{{{asked ? /*say*/ "given, or the default: {}, {}" : /*say*/ "derived: {}, {}",
                         text("--", option.name), option.note.empty() ? option.help : option.note}}};
  };
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return values.number(path, *whole, explain);
  if (const auto* number = std::get_if<double>(&value)) return values.number(path, *number, explain);
  values.text(path, as_run_value(value));
}

Explanation explain_ctas(const Simulation& s, std::size_t k) {
  std::vector<DerivationTerm> parts;
  for (const Grid& grid : segments_of(s.plan, s.plan.launches[k])) {
    for (const Run& run : grid.runs) {
      parts.push_back({s.plan.launches[k].name,
                       {/*say*/ "CTAs of {} x {} with {} full and {} masked tiles, per head", run.key.rows,
                        run.key.cols, run.key.full_tiles, run.key.masked_tiles},
                       run.count,
                       grid.repeats});
    }
  }
  return {{/*say*/ "per head, times batch x heads"}, parts};
}

void add_intensities(const Simulation& s, RunValues& values, std::size_t k) {
  const RooflinePoint p = roofline_point(s.kernels[k]);
  const auto add = [&](const char* leaf, const char* traffic, double intensity, Bytes bytes) {
    values.number(text("kernels.", k, ".intensity.", leaf), intensity, [=] {
      if (p.matrix > Flops())
        return Explanation{{{/*say*/ "matrix FLOPs / {} = {} / {}", traffic, p.rated().count(), bytes.count()}}};
      return Explanation{{{/*say*/ "other FLOPs / {} = {} / {}", traffic, p.rated().count(), bytes.count()}}};
    });
  };
  add("tile", "tile traffic", p.tile_intensity(), p.tile);
  add("hbm", "HBM traffic", p.hbm_intensity(), p.hbm);
}

/// Number of CTAs that are on the chip at a time.
std::int64_t resident_ctas(const Simulation& s, std::size_t k) {
  const KernelMeters& kernel = s.kernels[k];
  return std::min(kernel.ctas, checked_multiply(s.plan.scenario.gpu->sm_count, kernel.ctas_per_sm));
}

/// Adds CTAs per SM, and the number that each limit allows; empty for resources that a CTA does not use.
void add_occupancy(const Simulation& s, RunValues& values, std::size_t k) {
  const std::string path = text("kernels.", k, ".occupancy.");
  const DeviceSpec& gpu = *s.plan.scenario.gpu;
  const CtaNeeds& needs = s.kernels[k].needs;
  const bool one = s.kernels[k].ctas_per_sm < ctas_per_sm(gpu, needs);
  const std::string smallest(one ? "grid" : occupancy_limit(gpu, needs));
  values.number(path + "ctas_per_sm", s.kernels[k].ctas_per_sm, [smallest, one] {
    if (one) return Explanation{{/*say*/ "a persistent grid has one CTA per SM, though more would fit"}};
    return Explanation{
        {{/*say*/ "the smallest of what shared memory, registers, threads and slots allow: {}", smallest}}};
  });
  values.text(path + "limit", smallest);
  for (const OccupancyLimit& limit : occupancy_limits(gpu, needs)) {
    const std::string place = path + std::string(limit.key);
    if (limit.cta == 0) {
      values.text(place, {});
    } else {
      values.number(place, limit.ctas(), [limit] {
        return Explanation{{{/*say*/ "of the SM / of a CTA = {} / {}, rounded down", limit.sm, limit.cta}}};
      });
    }
  }
}

}  // namespace

void add_scenario(const Simulation& s, RunValues& values) {
  values.number("schema", std::int64_t{1}, [] { return Explanation{{/*say*/ "the version of the JSON"}}; });
  for (const ScenarioOption& option : scenario_options()) add_option(s, values, option);
  values.text("scenario.numerics", std::string(s.check ? "on" : "off"));
}

void add_kernels(const Simulation& s, RunValues& values) {
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    const Launch& launch = s.plan.launches[k];
    const std::string path = text("kernels.", k, ".");
    const auto add = [&](const char* leaf, std::int64_t value, const char* why) {
      values.number(path + leaf, value, [why] { return Explanation{{why}}; });
    };
    values.text(path + "name", launch.name);
    add("br", launch.grid.br, /*say*/ "rows of one block: --br, or the tiling rule");
    add("bc", launch.grid.bc, /*say*/ "columns of one step: --bc, the tiling rule, or a slice of a GEMM");
    values.number(path + "ctas", s.kernels[k].ctas, [&s, k] { return explain_ctas(s, k); });
    add("resident_ctas", resident_ctas(s, k), /*say*/ "min(CTAs, SMs x CTAs per SM): all of a persistent grid");
    add("threads", launch.threads, /*say*/ "threads of one CTA, as the program launches it");
    add("smem_bytes", s.traces[k].peak_smem.count(), /*say*/ "most bytes of SMEM tiles that one CTA holds at a time");
    add_occupancy(s, values, k);
    add_intensities(s, values, k);
  }
}

}  // namespace sim
