#include "sim/model/kernel_meters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/block_mask.h"
#include "sim/machine/device_fields.h"
#include "sim/model/compiled_kernels.h"
#include "sim/model/hbm_traffic.h"
#include "sim/model/loop_nest.h"
#include "sim/trace/tensors.h"

namespace sim {
namespace {

/// Adds the compulsory traffic of a launch for batch entries of equal lengths. A kernel that does not touch all that
/// queries see, such as one of several that share a tensor, has only what it touches.
void add_compulsory(const LaunchAccesses& accesses, std::map<Tensor, Traffic>& compulsory) {
  const Launch& launch = accesses.launch;
  const SeenBytes seen(accesses.problem.shape, accesses.problem.hbm);
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
std::vector<std::pair<std::string, double>> roofline(const Plan& plan, const KernelMeters& kernel) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  const Totals& totals = kernel.totals;
  const double per_microsecond =
      static_cast<double>(kernel.time.clock_hz) * 1e-6 * static_cast<double>(kernel.time.sms_busy);
  const auto at = [](std::int64_t amount, double rate) { return static_cast<double>(amount) / rate; };
  const double matrix = at(totals.matmul_flops.count(),
                           static_cast<double>(gpu.matmul_flops_per_clock(plan.problem.dtype)) * per_microsecond);
  const double other = at((totals.other_flops - kernel.folded_flops).count(),
                          static_cast<double>(gpu.fp32_flops_per_clock) / 2 * per_microsecond);
  const bool one_pipe = plan.problem.dtype == Dtype::fp32;  // tensor cores take no fp32
  const double hbm = at(kernel.hbm_total().count(), static_cast<double>(gpu.hbm_bytes_per_second) * 1e-6);
  return {{/*say*/ "hbm", counts_hbm_traffic(gpu) ? hbm : std::numeric_limits<double>::quiet_NaN()},
          {/*say*/ "l2", at(totals.total.total().count(), known_number(gpu, &DeviceSpec::l2_bytes_per_second) * 1e-6)},
          {"tensor", one_pipe ? 0 : matrix},
          {"fp32", one_pipe ? matrix + other : other},
          {"exp", at(totals.exps.count(), known_number(gpu, &DeviceSpec::exps_per_clock) * per_microsecond)}};
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

/// Executions of the busiest line of a counted kernel in one CTA.
double iterations_per_cta(const Trace& trace, std::int64_t ctas) {
  std::map<std::pair<int, std::int32_t>, std::int64_t> runs;  // executions of a line of a role
  std::int64_t most = 1;
  for (const Event& event : trace.events) {
    std::int64_t& times = runs[{event.role, event.line}];
    times = checked_add(times, event.times);
    most = std::max(most, times);
  }
  return static_cast<double>(most) / static_cast<double>(std::max<std::int64_t>(1, ctas));
}

}  // namespace

SeenBytes::SeenBytes(const Shape& shape, const Hbm& hbm)
    : shape_(shape), hbm_(hbm), keys_(count_seen_keys(shape)), queries_(count_seeing_queries(shape)) {}

Bytes SeenBytes::of(Tensor tensor) const {
  const TensorFacts& facts = facts_of(tensor);
  const std::int64_t all = hbm_[tensor].total_bytes(shape_).count();
  if (facts.cols == extents::Nk) return Bytes(all);
  if (facts.rows == extents::Nk) return Bytes(all / shape_.seqlen_k * keys_);
  return Bytes(facts.rows == extents::Nq ? all / shape_.seqlen_q * queries_ : all);
}

Bytes KernelMeters::hbm_total() const {
  Bytes total;
  for (const auto& [tensor, moved] : hbm) total += moved.total();
  return total;
}

namespace {

/// CTAs of a class in issue order, the batch entries that they belong to, and about how long each runs.
struct IssuedClass {
  Interval ctas;
  double entries = 0, length = 1;
};

std::vector<IssuedClass> issued_classes(const Plan& plan, const Launch& launch) {
  std::vector<IssuedClass> classes;
  std::int64_t issued = 0;
  for (const Plan& c : classes_of(plan)) {
    const std::int64_t end = checked_add(issued, make_grid(c.problem.shape, launch_of(c, launch).grid).ctas());
    const Shape& shape = c.problem.shape;
    const double keys = static_cast<double>(shape.seqlen_k), queries = static_cast<double>(shape.seqlen_q);
    const double length = launch.grid.of_heads() ? keys * queries : launch.grid.of_columns() ? queries : keys;
    classes.push_back({{issued, end}, static_cast<double>(shape.batch), length});
    issued = end;
  }
  return classes;
}

/// The part of the L2 that a class has while its CTAs run: entries of other classes in its waves take as much each, for
/// as long as they run. All of it where the class fills a wave.
double part_of_l2(const std::vector<IssuedClass>& classes, const IssuedClass& of, std::int64_t in_flight) {
  if (of.ctas.size() >= in_flight) return 1;
  const Interval waves{of.ctas.begin / in_flight * in_flight,
                       checked_multiply(ceil_div(of.ctas.end, in_flight), in_flight)};
  double entries = 0;
  for (const IssuedClass& c : classes) {
    const auto together = static_cast<double>(overlap(c.ctas, waves).size());
    entries += c.entries * std::min(1.0, c.length / of.length) * together /
               static_cast<double>(std::max<std::int64_t>(1, c.ctas.size()));
  }
  return of.entries / std::max(of.entries, entries);
}

/// HBM traffic after an L2 of exactly the requested size, or after the device's own, whose size has no sharp edge.
std::map<Tensor, Traffic> traffic_behind_l2(const Plan& plan, const LaunchAccesses& accesses, std::int64_t in_flight,
                                            std::int64_t capacity) {
  return plan.scenario.l2 ? hbm_traffic(accesses, in_flight, capacity)
                          : hbm_traffic_without_edge(accesses, in_flight, capacity);
}

/// Adds iterations and HBM traffic of each class of a ragged batch. Entries share no tile, so the L2 is cold at each
/// class, and smaller while CTAs of other classes run too. Inaccuracy: always in the order of the file.
void add_classes(const Plan& plan, const Launch& launch, std::int64_t in_flight, KernelMeters& kernel) {
  const std::vector<IssuedClass> classes = issued_classes(plan, launch);
  for (std::size_t n = 0; n < classes.size(); ++n) {
    const Plan& c = classes_of(plan)[n];
    const Launch& of_class = launch_of(c, launch);
    const Trace trace = count(c, of_class);
    kernel.class_iterations.push_back(iterations_per_cta(trace, classes[n].ctas.size()));
    const LaunchAccesses accesses(c.problem, of_class, trace);
    add_compulsory(accesses, kernel.compulsory_by_tensor);
    if (!kernel.hbm_counted) continue;
    const double l2 = static_cast<double>(plan.l2) * part_of_l2(classes, classes[n], in_flight);
    const std::int64_t capacity = plan.l2 == 0 ? 0 : std::max<std::int64_t>(1, std::llround(l2));
    for (const auto& [tensor, traffic] : traffic_behind_l2(c, accesses, in_flight, capacity))
      kernel.hbm[tensor] += traffic;
  }
}

/// Resources of one CTA of the compiled kernel, which holds whole rows of the head dimension that it is compiled for.
CtaNeeds needs_of(const Plan& plan, const Launch& launch, const Trace& trace) {
  const auto needs = [&](const Plan& as_run, const Trace& counted) {
    return CtaNeeds{counted.peak_smem, registers_of(as_run, launch, counted), launch.threads};
  };
  if (plan.problem.kernel_d == plan.problem.shape.head_dim) return needs(plan, trace);
  const Plan compiled = as_compiled(plan);
  return needs(compiled, count(compiled, launch));
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
  const std::int64_t in_flight = checked_multiply(gpu.sm_count, kernel.ctas_per_sm);
  if (plan.classes != nullptr) {
    add_to(kernel.totals, trace);
    add_classes(plan, launch, in_flight, kernel);
  } else {
    LaunchAccesses accesses(plan.problem, launch, trace);
    add_compulsory(accesses, kernel.compulsory_by_tensor);
    if (kernel.hbm_counted) kernel.hbm = traffic_behind_l2(plan, accesses, in_flight, plan.l2);
    kernel.totals = std::move(accesses.totals);
  }
  for (const auto& [tensor, least] : kernel.compulsory_by_tensor) kernel.compulsory += least;
  kernel.iterations = iterations_per_cta(trace, kernel.ctas);
  kernel.time = predict(plan, launch, kernel.demand());
  kernel.time.resources = roofline(plan, kernel);
  lift_to_roofline(kernel.time);
  return kernel;
}

}  // namespace sim
