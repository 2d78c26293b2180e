// Replays of few iterations of the CTA that represents all of its kernel, as tasks of an SM.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "sim/model/loop_iterations.h"
#include "sim/programs/run.h"

namespace sim {

/// Returns the events of one CTA as tasks of its SM. A phase begins at a product and at the first other work after one;
/// it waits until the warps have synchronised and the pipes are full again. Copies run ahead as far as their space in
/// SMEM allows, or are issued in program order (Launch::prefetches, Launch::tiles_in_flight); in a CTA of several
/// roles, the role that reaches one issues it.
std::vector<Task> tasks_of(const Trace& trace, const Launch& launch, const SmRates& rates);

/// Returns the tasks of a CTA of the compiled kernel, which computes with the whole of Problem::kernel_dims and copies
/// d of it. `trace`: replay_iterations() of the other arguments.
std::vector<Task> compiled_tasks(const Trace& trace, const Plan& plan, const Launch& launch, const CtaPlace& place,
                                 const std::array<std::size_t, 3>& most_iterations);

/// The CTA with the most iterations among those of one head.
CtaPlace busiest_cta(const Shape& shape, GridShape grid);

/// Query heads that a CTA takes: those that share its K and V in a grid by KV head, else 1.
std::int64_t heads_of_cta(const Shape& shape, const GridShape& grid);

/// Number of samples of a CTA: of 1, 2, 4 ... iterations.
inline constexpr std::size_t sample_count = 5;

/// A CTA of few iterations.
struct SampledReplay {
  std::vector<Task> tasks;
  Iterations iterations;
  EventRange outer;        ///< one iteration of the outer loop, if two are nested; else everything
  double outer_inner = 1;  ///< inner iterations in it
  std::vector<MiddleOfLoop> middles;
  std::vector<TraceBarrier> barriers;  ///< barriers of a CTA of several roles
  std::vector<TraceRole> roles;
  bool has_roles() const { return !roles.empty(); }
};

/// Samples of a kernel's CTA, each made when it is first needed. Neither the SM's port nor its other CTAs change them.
class SampledCta {
 public:
  SampledCta(const Plan& plan, const Launch& launch);
  const SampledReplay& sample(std::size_t n);  ///< the sample of 2^n iterations, n < sample_count
  bool is_persistent() const { return launch_.persistent; }
  bool nests() const { return outer_ > 0; }  ///< true if it has an outer loop over keys

 private:
  Trace replayed(std::size_t iterations) const;
  SampledReplay sampled(std::size_t iterations) const;

  Plan plan_;      ///< as compiled, of whole tiles
  HeadDims dims_;  ///< the head dimension in HBM
  const Launch& launch_;
  CtaPlace place_;
  std::size_t outer_ = 0;         ///< iterations of a sample's outer loop over keys; 0: there is none
  std::size_t rows_of_head_ = 0;  ///< row blocks of one head, if a CTA loops over heads and their row blocks
  std::array<std::optional<SampledReplay>, sample_count> samples_;
};

}  // namespace sim
