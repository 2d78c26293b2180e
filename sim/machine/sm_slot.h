// The slots of an SM and the lanes of their CTAs while a schedule is made (sm_schedule.cpp).
#pragma once
#include <optional>
#include <vector>

#include "sim/machine/copies.h"

namespace sim {

/// An asynchronous product that its lane has issued.
struct ProductUnderWay {
  std::size_t task = 0;
  double left = 1, rate = 0;                ///< share of its work left; share done per cycle
  double ready = 0, since = -1, until = 0;  ///< time when it may begin; began (-1: not yet); ends
  Pipe held_up_by = Pipe::tensor;           ///< when the rate is less than alone
  std::array<double, pipe_count> delays{};  ///< time that others' products, and copies, took from it
};

/// An arrival that takes effect after `products` products of its lane have ended.
struct LateArrival {
  std::int64_t products = 0;
  std::size_t task = 0;
  double issued = 0;
};

/// A CTA, or one role of it, in a slot.
struct Lane {
  enum class State : std::uint8_t { working, waiting, blocked, between, done };
  State state = State::between;
  std::size_t slot = 0, role = 0;
  std::size_t at = 0;              ///< task in program order of the lane
  std::int64_t round = 0;          ///< round of a persistent CTA
  double left = 0, rate = 0;       ///< share of the task's work left; share done per cycle
  std::optional<Pipe> held_up_by;  ///< when the rate is less than alone
  double since = 0, until = 0;     ///< work began, or it was blocked; wait ends
  Cause cause = Cause::launch;     ///< cause of the wait
  double bandwidth_until = 0;      ///< up to here a wait for data is one for bandwidth
  bool latency_paid = false;
  Arrival last_store;
  std::array<double, pipe_count> delays{};  ///< time that neighbours took from the task
  Budget budget;
  std::vector<ProductUnderWay> products;  ///< the oldest first
  std::int64_t issued = 0, ended = 0;     ///< products
  std::vector<LateArrival> late;
};

/// A barrier of the CTA in a slot.
struct SlotBarrier {
  std::int64_t phase = 0;  ///< running phase: those before it are over
  int arrived = 0;
};

/// A copy, or an arrival after products, that takes effect at a barrier.
struct TimedArrival {
  double effect = 0;
  std::int16_t barrier = -1;
};

/// A copy that a role has issued: it crosses the port after those before it.
struct CopyUnderWay {
  std::size_t lane = 0, task = 0;
  double left = 0;              ///< cycles that it needs at the full rate of the port
  double begin = 0, until = 0;  ///< time when it began to cross the port; ends
  bool shown = false;           ///< true if the record has it
};

/// The CTA in one slot of the SM: lanes [first_lane, end_lane).
struct Slot {
  bool first = true;     ///< true for the first CTA in this slot
  std::size_t left = 0;  ///< lanes that are not done
  std::vector<Arrival> copies;
  std::vector<SlotBarrier> barriers;
  std::vector<TimedArrival> in_flight;
};

}  // namespace sim
