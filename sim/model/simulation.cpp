#include "sim/model/simulation.h"

#include <algorithm>
#include <cmath>

#include "sim/base/block_mask.h"
#include "sim/base/interrupt.h"
#include "sim/machine/device_override.h"
#include "sim/model/few_queries.h"

namespace sim {
namespace {

std::string tenths(std::int64_t part, std::int64_t whole) {
  const double tenth_percents = std::round(1000.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text(static_cast<std::int64_t>(tenth_percents) / 10, ".", static_cast<std::int64_t>(tenth_percents) % 10);
}

bool runs_wgmma(const Plan& plan) {
  return std::any_of(plan.launches.begin(), plan.launches.end(),
                     [](const Launch& launch) { return launch.products == Products::wgmma; });
}

/// Note on a head dimension that no kernel is compiled for.
std::string about_head_dim(const Plan& plan) {
  if (!plan.problem.runs_wider()) return "";
  const std::string d = text_of(plan.problem.shape.head_dims()), kernel_d = text_of(plan.problem.kernel_dims);
  return text("head-dim: ", plan.program->name, " has no tensor-core kernel for ", d,
              ": tiles, occupancy and time are those of the ", "one for ", kernel_d, ", bytes and FLOPs those of ", d);
}

/// A sentence for each output that a kernel declares and never stores: what is read of it later is undefined.
void add_about_outputs(const Simulation& s, std::vector<std::string>& warnings) {
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    const Launch& launch = s.plan.launches[k];
    const auto& moved = s.kernels[k].totals.by_tensor;
    for (const Tensor output : launch.outputs) {
      const auto found = moved.find(output);
      if (found == moved.end() || found->second.written == Bytes{})
        warnings.push_back(text("outputs: ", launch.name, " declares ", name_of(output), " and never stores it"));
    }
  }
}

/// Note on scores within the range of a unified maximum at which P is infinite in fp16.
std::string about_range(const Plan& plan) {
  constexpr float largest = 11.09f;  // exp of more rounds to more than 65,504
  const Problem& p = plan.problem;
  if (!plan.code->unified_max || p.dtype != Dtype::fp16 || p.high <= largest) return "";
  return text("range: P of fp16 is infinite where x - phi > 11.09, which ", text_of(unified_range(plan.scenario)),
              " lets pass: end it at 11.09 or below, or use --dtype bf16");
}

std::vector<std::string> warnings_of(const Simulation& s) {
  std::vector<std::string> warnings;
  const Scenario& scenario = s.plan.scenario;
  if (s.memory.peak_sram > s.memory.sram_capacity) {
    warnings.push_back(text("the tiles of ", scenario.algorithm, " take ", s.memory.peak_sram.count(), " bytes, ",
                            tenths(s.memory.peak_sram.count(), s.memory.sram_capacity.count()), " % of the ",
                            s.memory.sram_capacity.count(), " bytes of on-chip memory: they overflow"));
  }
  if (s.memory.peak_hbm.count() > scenario.gpu->hbm_bytes) {
    warnings.push_back(text("peak HBM memory of ", s.memory.peak_hbm.count(), " bytes is more than the ",
                            scenario.gpu->hbm_bytes, " bytes of ", scenario.gpu->name, ": a real run would fail"));
  }
  const Shape& shape = s.plan.problem.shape;
  const bool no_block = shape.mask.blocks != nullptr && shape.mask.blocks->visible_blocks() == 0;
  const auto sees_nothing = [](const Plan& plan) {
    const Shape& asked = plan.scenario.shape;
    return asked.live_keys({0, asked.seqlen_q}).empty();
  };
  const auto classes = classes_of(s.plan);
  if (no_block || std::all_of(classes.begin(), classes.end(), sees_nothing)) {
    warnings.push_back(text("the mask hides every key from every query: O is 0",
                            s.plan.has_backward() ? ", and so are the gradients" : ""));
  }
  if (scenario.steps > most_timed_steps) {
    warnings.push_back(text("steps: time and HBM traffic are those of ", most_timed_steps, " of ", scenario.steps,
                            " lengths, and linear between them"));
  }
  const std::string& architecture = scenario.gpu->architecture;
  if (scenario.dtype == Dtype::bf16 && (architecture == "sm_70" || architecture == "sm_75"))
    warnings.push_back(text("dtype: the tensor cores of ", scenario.gpu->name, " (", architecture,
                            ") take no bf16: ", "rates are those of fp16"));
  if (!counts_hbm_traffic(*scenario.gpu)) warnings.push_back(why_no_hbm_traffic(*scenario.gpu));
  if (!has_time(*scenario.gpu)) warnings.push_back(why_no_time(*scenario.gpu));
  add_about_outputs(s, warnings);
  if (std::string note = about_range(s.plan); !note.empty()) warnings.push_back(std::move(note));
  if (std::string note = about_head_dim(s.plan); !note.empty()) warnings.push_back(std::move(note));
  if (const std::string_view note = note_on_few_queries(s.plan); !note.empty()) warnings.emplace_back(note);
  for (std::string& doubt : doubts_about_clock(s.plan)) warnings.push_back(std::move(doubt));
  for (std::string& sentence : scaled_fields(*scenario.gpu)) warnings.push_back(std::move(sentence));
  return warnings;
}

void add_kernel(Simulation& s, KernelMeters kernel) {
  s.compulsory += kernel.compulsory;
  for (const auto& [name, moved] : kernel.hbm) {
    s.hbm_by_tensor[name] += moved;
    s.hbm += moved;
  }
  s.microseconds += kernel.time.microseconds;
  s.budget.add(kernel.time.budget);
  s.kernels.push_back(std::move(kernel));
}

std::optional<RunRange> range_of(const Simulation& s) {
  if (std::none_of(s.kernels.begin(), s.kernels.end(), [](auto& kernel) { return kernel.hbm_range.has_value(); }))
    return {};
  RunRange range;
  for (const KernelMeters& kernel : s.kernels) {
    const Bytes one = kernel.hbm_total();
    range.low += kernel.hbm_range ? kernel.hbm_range->low.bytes : one;
    range.high += kernel.hbm_range ? kernel.hbm_range->high.bytes : one;
    range.in_step += kernel.hbm_range ? kernel.hbm_range->in_step : one;
    range.least_microseconds += kernel.least_microseconds;
    range.most_microseconds += kernel.most_microseconds;
  }
  return range;
}

std::vector<LineTraffic> lines_of(const Simulation& s) {
  std::vector<LineTraffic> lines;
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    const std::string_view listing = s.plan.launches[k].listing;
    for (const auto& [key, traffic] : s.kernels[k].totals.by_line) {
      const auto& [kernel, line] = key;
      lines.push_back({kernel, line, listing_line(listing, line), listing_code(listing, line), traffic});
    }
  }
  return lines;
}

}  // namespace

bool lacks_wgmma_clock(const Plan& plan) {
  const std::vector<Provenance>& fields = plan.scenario.gpu->provenance;
  const auto is_clock = [](const Provenance& p) { return p.field == "wgmma_clock_hz"; };
  return runs_wgmma(plan) && std::none_of(fields.begin(), fields.end(), is_clock);
}

std::vector<std::string> doubts_about_clock(const Plan& plan) {
  std::vector<std::string> doubts;
  const DeviceSpec& gpu = *plan.scenario.gpu;
  if (runs_wgmma(plan) && gpu.architecture == "sm_100")
    doubts.push_back(text("gpu: ", gpu.name, " runs ", plan.program->name,
                          " as a Hopper kernel would, by wgmma: its own tcgen05 is not modelled"));
  if (lacks_wgmma_clock(plan))
    doubts.push_back(
        text("clock: ", gpu.name, " has no wgmma_clock_hz: times are at its clock_hz, ", megahertz(gpu.clock_hz)));
  return doubts;
}

const KernelMeters& Simulation::longest_kernel() const {
  return *std::max_element(kernels.begin(), kernels.end(),
                           [](const auto& a, const auto& b) { return a.time.microseconds < b.time.microseconds; });
}

const Plan& Simulation::plan_in_memory() const {
  const Plan* most = &plan;
  const auto bytes = [](const Plan& of) { return memory_peak(of).bytes; };
  if (plan.repeats == nullptr) return plan;
  for (const RepeatedPlan& one : *plan.repeats) {
    if (bytes(one.plan) > bytes(*most)) most = &one.plan;
  }
  return *most;
}

namespace {

/// Returns a note if the published rule chose the number of key splits and half that number is predicted to be faster;
/// else "".
std::string doubt_about_splits(const Simulation& s) {
  Scenario scenario = s.plan.scenario;
  if (!has_time(*scenario.gpu) || !has_own_option(scenario, "splits") || own_option(scenario, "splits") ||
      s.plan.problem.parts < 2)
    return "";
  const std::int64_t half = s.plan.problem.parts / 2;
  scenario.own["splits"] = half;
  scenario.layers.reset();  // of which the time is not
  const double microseconds = simulate(scenario).microseconds;
  if (microseconds > 0.99 * s.microseconds) return "";
  return text("splits: the published rule takes ", s.plan.problem.parts, " parts of the keys, which fill the SMs, and ",
              "does not count the kernel that combines them: with --splits ", half, " the predicted time is ",
              std::llround(100 * (1 - microseconds / s.microseconds)), " % less");
}

/// Adds what several GPUs do beside their kernels: merging, waiting for the link, and the memory of both.
void add_gpus(Simulation& s) {
  const GpuMeters& gpus = *s.gpus;
  s.budget[Cause::bandwidth] += gpus.merge_microseconds;
  s.budget[Cause::link] += gpus.exposed_microseconds;
  s.microseconds += gpus.merge_microseconds + gpus.exposed_microseconds;
  s.memory.peak_hbm += gpus.run.kept;
  s.memory.extra_hbm += gpus.run.kept;
  if (gpus.exposed_microseconds > s.microseconds / 2) s.bound_by = name_of(Cause::link);
}

/// Sums up the kernels of a run, whose plan and traces are set, and reads its other meters.
Simulation with_meters(Simulation s, std::vector<KernelMeters> kernels) {
  for (std::size_t k = 0; k < s.traces.size(); ++k) {
    add_to(s.totals, s.traces[k]);
    add_kernel(s, std::move(kernels[k]));
  }
  s.lines = lines_of(s);
  s.memory = memory_meter(s.plan_in_memory(), s.traces);
  s.accuracy = accuracy_of(s.plan);
  s.bound_by = s.longest_kernel().time.bound_by;
  if (s.gpus) add_gpus(s);
  s.warnings = warnings_of(s);
  return s;
}

/// The kinds of a run on several GPUs as one plan with sums over them.
Simulation simulate_gpus(const Scenario& scenario) {
  GpuMeters gpus = measure_gpus(scenario);
  const GpuKind& main = gpus.kinds[main_kind(gpus)];
  Simulation s;
  s.plan = main.plan;
  s.plan.scenario = make_plan(scenario).scenario;
  s.traces = main.traces;
  std::vector<KernelMeters> kernels = main.kernels;
  std::vector<Summand> summands;
  auto repeats = std::make_shared<std::vector<RepeatedPlan>>();
  for (std::size_t n = 0; n < gpus.kinds.size(); ++n) {
    if (gpus.times[n] == 0) continue;
    summands.push_back({gpus.kinds[n].traces, gpus.kinds[n].kernels, gpus.times[n]});
    repeats->push_back({gpus.kinds[n].plan, gpus.times[n]});
  }
  s.plan.repeats = std::move(repeats);
  sum_up(summands, *scenario.gpu, s.traces, kernels);
  s.gpus = std::move(gpus);
  return with_meters(std::move(s), std::move(kernels));
}

}  // namespace

Simulation simulate(const Scenario& scenario) {
  check_interrupt();
  if (scenario.gpus > 1) return simulate_gpus(scenario);
  Plan plan = make_plan(scenario);
  std::vector<Trace> traces = count(plan);
  Simulation s = read_meters(std::move(plan), std::move(traces));
  if (std::string doubt = doubt_about_splits(s); !doubt.empty()) s.warnings.push_back(std::move(doubt));
  s.cache_fits = cache_fits(s.plan.scenario);
  return s;
}

void add_range(Simulation& s) {
  if (s.steps || s.gpus) return;
  for (std::size_t k = 0; k < s.kernels.size(); ++k) add_range(s.plan, s.plan.launches[k], s.traces[k], s.kernels[k]);
  s.range = range_of(s);
}

std::optional<Simulation> simulate_standard(const Scenario& scenario) {
  if (scenario.steps > 0 || scenario.gpus > 1) return std::nullopt;
  const Scenario standard = standard_of(scenario);
  if (standard.algorithm == scenario.algorithm) return std::nullopt;
  try {
    return simulate(standard);
  } catch (const Error&) {
    return std::nullopt;
  }
}

Simulation read_meters(Plan plan, std::vector<Trace> traces) {
  Simulation s;
  s.plan = std::move(plan);
  s.traces = std::move(traces);
  std::vector<KernelMeters> kernels;
  for (std::size_t k = 0; k < s.traces.size(); ++k) kernels.push_back(measure(s.plan, s.plan.launches[k], s.traces[k]));
  if (s.plan.scenario.steps > 0) s.steps = sum_over_steps(s.plan, s.traces, kernels);
  return with_meters(std::move(s), std::move(kernels));
}

}  // namespace sim
