// The schedule of one SM: equal CTAs share its pipes and its port to the L2. Each CTA is a lane that issues its tasks
// in program order, or has a lane for each of its roles (roles.h), which meet at barriers. Overlap follows from
// which task needs which pipe when; nothing is fitted here.
//
// Sharing of a pipe: the task that began first takes what it needs, the next takes the rest (as a scheduler does that
// prefers the oldest warp). Asynchronous products share the tensor cores equally, as wgmma instructions of several
// warpgroups alternate. Copies queue at one port; those of roles (TMA) also write through the shared-memory port: they
// have what products leave there, and work has the rest. An arrival after products takes effect some cycles after their
// last instruction has started. Inaccuracies: the warps of a lane run in lockstep; pipes are fluid, so that
// instructions have no grain.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/machine/cta_record.h"
#include "sim/machine/sm_tally.h"
#include "sim/trace/trace.h"

namespace sim {

/// One event as the SM sees it.
struct Task {
  enum class Kind : std::uint8_t { work, copy_in, copy_out, product, wait_products, wait_phase, arrive };
  Kind kind = Kind::work;
  std::uint8_t role = 0;        ///< the lane that issues it
  bool after_products = false;  ///< arrival: it takes effect when the products before it have ended
  std::int16_t barrier = -1;    ///< barrier of wait_phase, of an arrival, or of a copy that arrives there; -1: none
  std::int32_t number = 0;      ///< wait_phase: the phase; wait_products: products that may be under way
  SmWork work;
  double bytes = 0;         ///< bytes of a copy
  double latency = 0;       ///< work: from the end of its operands to its first instruction; arrival after
                            ///< products: from their end until it takes effect
  double least = 0;         ///< work: cycles that a role alone needs for its instructions, one after the other
  std::int32_t after = -1;  ///< copy in: the task after whose end it may be issued; -1: the CTA's start
  std::array<std::int32_t, 6> operands{-1, -1, -1, -1, -1, -1};  ///< tasks; copies among them must have arrived
  double alone() const { return std::max(least, work.alone()); }
  Pipe slowest() const { return least > work.alone() ? Pipe::issue : work.slowest(); }
};

/// The tasks of a CTA of several roles, and the barriers and roles that they name.
struct RoleTasks {
  std::vector<Task> tasks;  ///< tasks; those of one role in program order
  std::vector<TraceBarrier> barriers;
  std::vector<TraceRole> roles;
};

struct SmRun {
  double cycles_per_cta = 0;  ///< average of one slot
  Budget budget;              ///< average of one CTA; adds up to cycles_per_cta
  std::vector<Budget> slots;  ///< budget of the CTA in each slot
  std::vector<Budget> roles;  ///< budgets of the first CTA's roles; empty if there are none
  CtaRecord first;            ///< record of the CTA in the first slot
};

/// Runs one CTA in each of `residents` slots; all begin together. Cost: O(tasks x residents). Throws Error without
/// residents.
SmRun run_sm(const std::vector<Task>& tasks, const SmPort& port, int residents);

/// Runs CTAs of several roles. `rounds`: how often each role runs its tasks, one round after the other without a
/// pause, as a persistent CTA does; barriers keep their phases. Budgets are means over the roles that compute: those
/// with products, if there are products. Throws Error if roles wait for arrivals that none of them makes: each with its
/// barrier and phase.
SmRun run_sm_roles(const RoleTasks& tasks, const SmPort& port, int residents, int rounds = 1);

/// Returns the cycles for which the tasks keep each resource busy.
ResourceCycles work_of(std::span<const Task> tasks, const SmPort& port);

/// Runs slots that are never empty: when a CTA ends, the next one begins after the turnover. Returns a tally at each of
/// the ascending moments: when the first slot has ended that number of tasks in all, whatever the others have done.
/// Cost: O(tasks ended x residents). Throws Error without residents or tasks.
std::vector<SmTally> tally_sm(const std::vector<Task>& tasks, const SmPort& port, int residents,
                              std::span<const std::size_t> moments);

}  // namespace sim
