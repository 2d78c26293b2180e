// The schedule of one SM: equal CTAs share its pipes and its port to the L2, each issues its tasks in program order.
// Overlap comes out of who needs which pipe when; nothing is fitted here.
//
// What shares a pipe: the task that began first takes what it needs, the next takes what is left (as a scheduler does
// that prefers the oldest warp). Copies queue at one port. Inaccuracies: the warps of a CTA run in step; pipes are
// fluid, so that instructions have no grain.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/machine/cta_record.h"
#include "sim/machine/sm_tally.h"

namespace sim {

/// One event as the SM sees it.
struct Task {
  enum class Kind : std::uint8_t { work, copy_in, copy_out };
  Kind kind = Kind::work;
  SmWork work;
  double bytes = 0;         ///< of a copy
  double latency = 0;       ///< of work: from the end of what it depends on to its first instruction
  std::int32_t after = -1;  ///< of a copy in: the task whose end lets it be issued; -1: the CTA's start
  std::array<std::int32_t, 6> operands{-1, -1, -1, -1, -1, -1};  ///< tasks; copies among them must have arrived
};

struct SmRun {
  double cycles_per_cta = 0;  ///< of one slot, on average
  Budget budget;              ///< of one CTA on average, adds up to cycles_per_cta
  std::vector<Budget> slots;  ///< of the CTA in each slot
  CtaRecord first;            ///< of the CTA in the first slot
};

/// One CTA in each of `residents` slots; all begin together. Cost: O(tasks x residents). Throws Error without
/// residents.
SmRun run_sm(const std::vector<Task>& tasks, const SmPort& port, int residents);

/// Returns the cycles for which the tasks keep each resource busy.
ResourceCycles work_of(std::span<const Task> tasks, const SmPort& port);

/// Slots that are never empty: when a CTA ends, the next one begins after the turnover. A tally at each of the moments,
/// which rise: when the first slot has ended so many tasks in all, whatever the other slots are at. Cost: O(tasks ended
/// x residents). Throws Error without residents or tasks.
std::vector<SmTally> tally_sm(const std::vector<Task>& tasks, const SmPort& port, int residents,
                              std::span<const std::size_t> moments);

}  // namespace sim
