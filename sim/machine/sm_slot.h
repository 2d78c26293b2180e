// One slot of an SM while its schedule is made (sm_schedule.cpp).
#pragma once
#include <optional>
#include <vector>

#include "sim/machine/copies.h"

namespace sim {

/// The CTA in one slot of the SM.
struct Slot {
  enum class State : std::uint8_t { working, waiting, between, done };
  State state = State::between;
  std::size_t at = 0;              ///< task in program order
  double left = 0, rate = 0;       ///< of the task's work, 1 at its begin; part of it per cycle
  std::optional<Pipe> held_up_by;  ///< when the rate is less than alone
  double since = 0, until = 0;     ///< work began; wait ends
  Cause cause = Cause::launch;     ///< of the wait
  double bandwidth_until = 0;      ///< up to here a wait for data is one for bandwidth
  bool latency_paid = false;
  Arrival last_store;
  bool first = true;  ///< of the CTAs in this slot
  std::vector<Arrival> copies;
  std::array<double, pipe_count> delays{};  ///< what neighbours took from the task
  Budget budget;
};

}  // namespace sim
