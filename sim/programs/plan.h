// A plan = a scenario with every choice made: program, tiles, kernels, on-chip limits.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "sim/machine/capacity.h"
#include "sim/programs/program.h"
#include "sim/programs/scenario.h"

namespace sim {

/// Counting takes time and memory in proportion to the blocks of one axis; a plan with more is rejected.
inline constexpr std::int64_t most_blocks = std::int64_t{1} << 21;

struct RepeatedPlan;

struct Plan {
  Scenario scenario;
  const Program* program = nullptr;  ///< the requested program: the scenario keeps it
  const Program* code = nullptr;     ///< the program that runs: another under a pattern or under --tiling released
  Problem problem;                   ///< with the tiles of the first pass
  Capacity capacity;
  std::int64_t l2 = 0;  ///< bytes of L2 that hot data can use
  std::vector<Launch> launches;
  std::shared_ptr<const std::vector<Plan>> classes;  ///< plans of a ragged batch (classes_of); null if all are equal
  /// What one of several GPUs runs, step by step: plans, and the steps that each is for; null for a single GPU. Counts
  /// are sums over them.
  std::shared_ptr<const std::vector<RepeatedPlan>> repeats;
  std::uint64_t resume_seed = 0;  ///< CtaSetup::resume_seed of its CTAs, for tests
  std::vector<Launch> if_needed;  ///< launches that recompute rows with values, see Launch::needed; not counted
  std::vector<Launch> before;     ///< forward pass whose results a backward pass alone reads; not counted
  bool has_forward() const { return scenario.pass != Pass::backward; }
  bool has_backward() const { return scenario.pass != Pass::forward; }
};

/// A plan that runs a number of times.
struct RepeatedPlan {
  Plan plan;
  std::int64_t times = 1;
};

/// The plans of the classes of a ragged batch, in file order, with the tiles of the whole; else the plan itself.
/// Counts, bytes and memory are sums over them. The whole plan of a ragged batch has the most queries and the most keys
/// of any class: tiles are chosen by it.
std::span<const Plan> classes_of(const Plan& plan);

/// The plans whose CTAs a kernel runs: the classes, or the pieces of the problem that the launch has.
std::span<const Plan> classes_of(const Plan& plan, const Launch& launch);

/// Launch by which one class runs the kernel.
const Launch& launch_of(const Plan& of_class, const Launch& launch);

/// A launch for the whole problem, whatever part of it the launch runs.
Launch of_all_rows(Launch launch);

/// The CTAs of a kernel in issue order, a segment for each class.
std::vector<Grid> segments_of(const Plan& plan, const Launch& launch);

/// The clock of the SMs while a kernel runs: wgmma has one of its own (DeviceSpec::wgmma_clock_hz).
inline std::int64_t clock_hz(const Plan& plan, const Launch& launch) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  return launch.products == Products::wgmma ? gpu.wgmma_clock_hz : gpu.clock_hz;
}

/// The tensors of a problem, sized by its shape, its parts and its tiles.
Hbm tensors_of(const Problem& problem);

/// The type of number whose pipe multiplies a kernel's matrices: fp32 for multiply-adds.
inline Dtype product_dtype(const Plan& plan, const Launch& launch) {
  return launch.products == Products::fma ? Dtype::fp32 : plan.problem.dtype;
}

/// That of all kernels of a plan, which have one.
inline Dtype product_dtype(const Plan& plan) { return product_dtype(plan, plan.launches.front()); }

/// The plan with the head dimensions that its kernels are compiled for (Problem::kernel_dims): they compute and hold
/// whole rows of them on chip, though only the scenario's elements of a row exist in HBM.
Plan as_compiled(Plan plan);

/// The forward plan with other keys, and with the tiles and the number of parts that it has.
Plan with_keys(Plan plan, std::int64_t keys);

/// A tensor of all batch entries and heads, in memory: K and V in pages take whole pages.
Bytes total_bytes(const Plan& plan, Tensor tensor);

/// Returns the value of a program-specific option that a plan uses.
std::int64_t value_of(const OwnOption& option, const Plan& plan);

/// True if V is the first columns of K, by the option or by the program.
bool shares_kv(const Scenario& scenario);

/// Throws Error unless both head dimensions are equal, for a program of published code that takes no other.
void require_one_head_dim(const Scenario& scenario, std::string_view code);

/// Checks the scenario and makes every choice. Throws Error that names the option and its allowed values.
Plan make_plan(const Scenario& scenario);

}  // namespace sim
