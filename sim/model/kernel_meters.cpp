#include "sim/model/kernel_meters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/block_mask.h"
#include "sim/machine/device_fields.h"
#include "sim/model/compiled_kernels.h"
#include "sim/model/hbm_traffic.h"
#include "sim/trace/tensors.h"

namespace sim {
namespace {

/// Adds the compulsory traffic of a launch for batch entries of equal lengths. A kernel that does not touch all that
/// queries see, such as one of several that share a tensor, has only what it touches.
void add_compulsory(const LaunchAccesses& accesses, std::map<Tensor, Traffic>& compulsory) {
  const Launch& launch = accesses.launch;
  const SeenBytes seen(accesses.problem.shape, accesses.problem.hbm, accesses.problem.key_sections);
  for (const auto& [tensor, tile] : accesses.totals.by_tensor) {
    const TouchedOnce& once = accesses.pattern.once[static_cast<std::size_t>(tensor)];
    Traffic least;
    if (launch.reads(tensor)) least.read = std::min({seen.of(tensor), once.read, tile.read});
    if (std::find(launch.outputs.begin(), launch.outputs.end(), tensor) != launch.outputs.end())
      least.written = std::min(once.written, tile.written);
    if (least.total() > Bytes()) compulsory[tensor] += least;
  }
}

/// FLOPs that scale S: kernels make them part of the exponential's multiply-add (work_of in sm_work.h).
Flops folded_flops(const Trace& trace) {
  Flops folded;
  for (const Event& event : trace.events) {
    if (event.verb == Verb::scale && event.tensor == Tensor::S)
      folded += Flops(checked_multiply(event.other_flops, event.times));
  }
  return folded;
}

/// Microseconds of each resource on its own at its full rate; SMs without a CTA are idle.
std::vector<std::pair<std::string, double>> roofline(const Plan& plan, const Launch& launch, const KernelMeters& kernel,
                                                     const KernelTime& time, Bytes hbm_bytes) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  const Totals& totals = kernel.totals;
  const double per_microsecond = static_cast<double>(time.clock_hz) * 1e-6 * static_cast<double>(time.sms_busy);
  const auto at = [](std::int64_t amount, double rate) { return static_cast<double>(amount) / rate; };
  const double matrix =
      at(totals.matmul_flops.count(),
         static_cast<double>(gpu.matmul_flops_per_clock(product_dtype(plan, launch))) * per_microsecond);
  const double other = at((totals.other_flops - kernel.folded_flops).count(),
                          static_cast<double>(gpu.fp32_flops_per_clock) / 2 * per_microsecond);
  const bool one_pipe = product_dtype(plan, launch) == Dtype::fp32;  // tensor cores take no fp32
  const double hbm = at(hbm_bytes.count(), static_cast<double>(gpu.hbm_bytes_per_second) * 1e-6);
  return {{/*say*/ "hbm", counts_hbm_traffic(gpu) ? hbm : std::numeric_limits<double>::quiet_NaN()},
          {/*say*/ "l2", at(totals.total.total().count(), known_number(gpu, &DeviceSpec::l2_bytes_per_second) * 1e-6)},
          {"tensor", one_pipe ? 0 : matrix},
          {"fp32", one_pipe ? matrix + other : other},
          {"exp",
           at((totals.exps + totals.tanhs).count(), known_number(gpu, &DeviceSpec::exps_per_clock) * per_microsecond)}};
}

/// Lifts the time to that of the slowest resource. CTAs under a pattern are timed with the average number of tiles of
/// their class, and do not wait for the map of hidden tiles: together they may take up to 2 % less than the resource,
/// and much less if nearly all tiles are hidden.
void lift_to_roofline(KernelTime& time) {
  for (const auto& [resource, bound] : time.resources) {
    if (!(bound > time.microseconds)) continue;  // also if it is unknown
    Cause cause = Cause::bandwidth;
    for (int p = 0; p < pipe_count; ++p) {
      const Pipe pipe = static_cast<Pipe>(p);
      if (name_of(pipe) == resource) cause = work_on(pipe);
    }
    time.budget[cause] += bound - time.microseconds;
    time.microseconds = bound;
    time.bound_by = resource;
  }
}

/// Executions of the busiest line of a counted kernel in one CTA; of roles, whose lines may be of parts of a tile,
/// those of the busiest one that reads HBM, or 1.
double iterations_per_cta(const Trace& trace, std::int64_t ctas) {
  std::map<std::pair<int, std::int32_t>, std::int64_t> runs;  // executions of a line of a role
  std::int64_t most = trace.roles.empty() ? 1 : ctas;
  for (const Event& event : trace.events) {
    if (!trace.roles.empty() && event.direction != Direction::read) continue;
    std::int64_t& times = runs[{event.role, event.line}];
    times = checked_add(times, event.times);
    most = std::max(most, times);
  }
  return static_cast<double>(most) / static_cast<double>(std::max<std::int64_t>(1, ctas));
}

}  // namespace

SeenBytes::SeenBytes(const Shape& shape, const Hbm& hbm, const std::vector<KeySection>& sections)
    : shape_(shape),
      hbm_(hbm),
      sections_(sections),
      keys_(count_seen_keys(shape)),
      queries_(count_seeing_queries(shape)) {}

Bytes SeenBytes::of(Tensor tensor) const {
  const TensorFacts& facts = facts_of(tensor);
  const std::int64_t all = hbm_[tensor].total_bytes(shape_).count();
  if (facts.cols == extents::Nk) return Bytes(all);
  if (hbm_[tensor].shared_rows > 0)
    return Bytes(
        product(held_rows(sections_, shape_, keys_), shape_.kv_heads, hbm_[tensor].cols, size_of(hbm_[tensor].dtype)));
  if (facts.rows == extents::Nk) return Bytes(all / shape_.seqlen_k * keys_);
  return Bytes(facts.rows == extents::Nq ? all / shape_.seqlen_q * queries_ : all);
}

Bytes KernelMeters::hbm_total() const {
  Bytes total;
  for (const auto& [tensor, moved] : hbm) total += moved.total();
  return total;
}

namespace {

/// Returns the accesses of each class of a ragged batch, or of the plan, whose counted events are `trace`; adds each
/// class's iterations.
std::vector<LaunchAccesses> accesses_of(const Plan& plan, const Launch& launch, const Trace& trace,
                                        KernelMeters& kernel) {
  std::vector<LaunchAccesses> accesses;
  if (plan.classes == nullptr && launch.pieces == nullptr) {
    accesses.emplace_back(plan.problem, launch, trace);
    return accesses;
  }
  for (const Plan& c : classes_of(plan, launch)) {
    const Launch& of_class = launch_of(c, launch);
    const Trace counted = count(c, of_class);
    kernel.class_iterations.push_back(iterations_per_cta(counted, make_grid(c.problem.shape, of_class.grid).ctas()));
    accesses.emplace_back(c.problem, of_class, counted);
  }
  return accesses;
}

/// True if the L2 can serve some accesses.
bool has_reuse(const Plan& plan, const std::vector<LaunchAccesses>& accesses) {
  return plan.l2 > 0 && std::any_of(accesses.begin(), accesses.end(), [](auto& c) { return c.pattern.reuses; });
}

void add_hbm_traffic(const Plan& plan, const Launch& launch, const std::vector<LaunchAccesses>& accesses,
                     KernelMeters& kernel) {
  if (!has_reuse(plan, accesses)) {
    kernel.hbm = kernel.totals.by_tensor;
    return;
  }
  HbmTraffic hbm = hbm_traffic(plan, launch, accesses, grid_pace(plan, launch, kernel.demand()), plan.l2);
  kernel.hbm = std::move(hbm.by_tensor);
  kernel.stretch = hbm.stretch;
  kernel.reuse = hbm.reuse;
}

/// Predicts the time of a kernel with these bytes of HBM traffic.
KernelTime time_with(const Plan& plan, const Launch& launch, const KernelMeters& kernel, const HbmDemand& hbm) {
  KernelDemand demand = kernel.demand();
  demand.hbm = hbm.bytes;
  demand.stretch = hbm.stretch;
  KernelTime time = predict(plan, launch, demand);
  time.resources = roofline(plan, launch, kernel, time, hbm.bytes);
  lift_to_roofline(time);
  return time;
}

/// Resources of one CTA of the compiled kernel, which holds whole rows of the head dimension that it is compiled for.
CtaNeeds needs_of(const Plan& plan, const Launch& launch, const Trace& trace) {
  const auto needs = [&](const Plan& as_run, const Trace& counted) {
    return CtaNeeds{counted.peak_smem, registers_of(as_run, launch, counted), launch.threads};
  };
  if (!plan.problem.runs_wider()) return needs(plan, trace);
  const Plan compiled = as_compiled(plan);
  return needs(compiled, count(compiled, of_all_rows(launch)));
}

}  // namespace

KernelMeters measure(const Plan& plan, const Launch& launch, const Trace& trace) {
  check_nest(launch, trace);
  const DeviceSpec& gpu = *plan.scenario.gpu;
  KernelMeters kernel;
  kernel.name = launch.name;
  kernel.folded_flops = folded_flops(trace);
  for (const Grid& segment : segments_of(plan, launch)) kernel.ctas = checked_add(kernel.ctas, segment.ctas());
  kernel.needs = needs_of(plan, launch, trace);
  kernel.ctas_per_sm = launch.persistent ? 1 : ctas_per_sm(gpu, kernel.needs);
  kernel.waves =
      static_cast<double>(kernel.ctas) / static_cast<double>(checked_multiply(gpu.sm_count, kernel.ctas_per_sm));
  kernel.hbm_counted = counts_hbm_traffic(gpu);
  add_to(kernel.totals, trace);
  kernel.iterations = iterations_per_cta(trace, kernel.ctas);
  const std::vector<LaunchAccesses> accesses = accesses_of(plan, launch, trace, kernel);
  for (const LaunchAccesses& of_class : accesses) add_compulsory(of_class, kernel.compulsory_by_tensor);
  for (const auto& [tensor, least] : kernel.compulsory_by_tensor) kernel.compulsory += least;
  if (kernel.hbm_counted) add_hbm_traffic(plan, launch, accesses, kernel);
  kernel.time = time_with(plan, launch, kernel, {kernel.hbm_total(), kernel.stretch});
  kernel.least_microseconds = kernel.most_microseconds = kernel.time.microseconds;
  return kernel;
}

std::map<Tensor, Traffic> compulsory_of(const Plan& plan, const Launch& launch, const Trace& trace) {
  std::map<Tensor, Traffic> compulsory;
  add_compulsory(LaunchAccesses(plan.problem, launch, trace), compulsory);
  return compulsory;
}

void add_range(const Plan& plan, const Launch& launch, const Trace& trace, KernelMeters& kernel) {
  KernelMeters classes;  // whose iterations are known already
  const std::vector<LaunchAccesses> accesses = accesses_of(plan, launch, trace, classes);
  if (!kernel.hbm_counted || !has_reuse(plan, accesses)) return;
  kernel.hbm_range = hbm_range(plan, launch, accesses, grid_pace(plan, launch, kernel.demand()), plan.l2);
  if (!kernel.hbm_range) return;
  const double low = time_with(plan, launch, kernel, kernel.hbm_range->low).microseconds,
               high = time_with(plan, launch, kernel, kernel.hbm_range->high).microseconds;
  kernel.least_microseconds = std::min({low, high, kernel.time.microseconds});
  kernel.most_microseconds = std::max({low, high, kernel.time.microseconds});
}

}  // namespace sim
