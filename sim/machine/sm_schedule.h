// The schedule of one SM: equal CTAs share its pipes and its port to the L2, each issues its tasks in program order.
// Overlap comes out of who needs which pipe when; nothing is fitted here.
//
// What shares a pipe: the task that began first takes what it needs, the next takes what is left (as a scheduler does
// that prefers the oldest warp). Copies queue at one port. Inaccuracies: the warps of a CTA run in step; pipes are
// fluid, so that instructions have no grain.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "sim/machine/cta_record.h"
#include "sim/machine/sm_work.h"

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
  /// Of one slot; with its turnover, between the first and the last round, if there are more.
  double cycles_per_cta = 0;
  Budget budget;              ///< of one CTA on average, adds up to cycles_per_cta
  std::vector<Budget> slots;  ///< of one CTA in each slot
  CtaRecord first;            ///< of the first CTA in the first slot
};

/// `residents` CTAs begin together, each followed by `rounds` - 1 more in its slot. Cost: O(tasks x residents x
/// rounds). Throws Error without residents or rounds.
SmRun run_sm(const std::vector<Task>& tasks, const SmPort& port, int residents, int rounds);

}  // namespace sim
