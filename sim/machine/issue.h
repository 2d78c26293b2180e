// State of the SMs while the CTAs of a grid are issued: the CTA in each slot, and its end. schedule_grid in waves.h
// drives it.
#pragma once
#include <utility>
#include <vector>

#include "sim/machine/waves.h"

namespace sim {

/// SMs [first, end).
struct SmRange {
  std::int32_t first = 0, end = 0;
  friend bool operator==(const SmRange&, const SmRange&) = default;
};

/// One CTA on each SM of a range. They all end together if the SMs stay full.
struct Resident {
  std::int64_t end = 0;  // ticks
  SmRange sms;
  std::int32_t run = -1;  // -1: a slot that is free at the start
};

/// Residents sorted by end, the older first if equal. A new one usually ends last and is appended in O(1); otherwise
/// the elements on the shorter side move.
class EndQueue {
 public:
  bool empty() const { return first_ == line_.size(); }
  const Resident& front() const { return line_[first_]; }
  const Resident& back() const { return line_.back(); }
  auto begin() { return line_.begin() + static_cast<std::ptrdiff_t>(first_); }
  auto end() { return line_.end(); }
  auto begin() const { return line_.begin() + static_cast<std::ptrdiff_t>(first_); }
  auto end() const { return line_.end(); }
  void pop() { ++first_; }
  void push(const Resident& resident);

 private:
  std::vector<Resident> line_;
  std::size_t first_ = 0;  // index of the first resident; earlier elements have ended
};

/// A moment of the tail, and the ticks until then of CTAs that have 0, 1, 2 ... neighbours.
struct DrainTime {
  std::int64_t work = 0;  // ticks, as in Resident::end
  std::vector<double> by_neighbours;
};

/// State that determines all later events: the residents and the free slots.
struct IssueState {
  std::vector<Resident> residents;
  std::vector<SmRange> free;
  std::int64_t now = 0;
};

/// All SMs while CTAs are issued. Until the last CTA is issued no slot is empty, and every CTA progresses at the pace
/// of a full SM: so time is measured in work (ticks that a CTA takes alone on an SM), exactly, and real time is work x
/// slowdown[R - 1].
class Issue {
 public:
  Issue(const std::vector<Cycles>& durations, const SmSlots& slots, std::int64_t picture);

  /// Issues `count` CTAs of a run, each as soon as a slot is free.
  void issue(std::size_t run, std::int64_t count);

  /// Adds `ticks` to the current time and to the ends of residents and runs.
  void shift(std::int64_t ticks);

  /// True if all later events of two states are equal, except for a shift in time.
  bool resembles(const IssueState& other) const;
  IssueState state() const;  ///< O(residents)

  std::int64_t now() const { return now_; }
  std::int64_t steps() const { return steps_; }

  /// Converts a moment in work to real time.
  Cycles real(std::int64_t work) const;

  /// Lets the remaining residents end, each with fewer neighbours than the one before. `total` is the work of all CTAs.
  Waves finish(std::int64_t total);

 private:
  std::ptrdiff_t next() const { return static_cast<std::ptrdiff_t>(next_free_); }

  /// Fills every slot with CTAs of one run, whole waves at once: after `slots_` CTAs the state repeats, one CTA's work
  /// later. Returns the number of CTAs issued.
  std::int64_t skip_waves(std::size_t run, std::int64_t count);

  /// Advances to the next moment when CTAs end, and frees their slots.
  void wait_for_slots();

  /// Issues at most `count` CTAs of a run to the next range of free slots; returns how many.
  std::int64_t fill(std::size_t run, std::int64_t count);

  void leave(const Resident& resident);
  void leave(const Resident& resident, std::int64_t begin, std::int64_t back_to_back);

  double slowdown(std::size_t residents) const { return slowdown_[residents - 1]; }

  /// Lets the residents of an SM end one after the other; returns the time that takes, and adds the time over slots to
  /// `busy`. `drain` is that of drain_times().
  double empty(SmRange sms, const std::vector<Resident>& residents, const std::vector<DrainTime>& drain, double& busy,
               Waves& waves);

  /// Times from now() to now() and to the end of each remaining resident, in ascending order. Those left at each moment
  /// divide the bandwidth. O(residents x slots of an SM).
  std::vector<DrainTime> drain_times() const;

  /// Remaining CTAs of each SM, as ranges of SMs with equal CTAs, in the order of their ends.
  std::vector<std::pair<SmRange, std::vector<Resident>>> last_residents() const;

  std::vector<std::int64_t> works_;  // work of a CTA of each run
  std::vector<double> slowdown_;
  SharedBandwidth bandwidth_;
  std::int64_t slots_;
  std::int64_t in_flight_ = 0;  // maximum: min(CTAs issued, slots)
  EndQueue residents_;
  std::vector<SmRange> free_;  // free slots, in the order in which they are filled
  std::size_t next_free_ = 0;  // index of the first free slot range that is not filled yet
  std::int64_t now_ = 0, steps_ = 0;
  std::vector<std::int64_t> begins_, ends_;  // by run
  std::size_t picture_;
  std::vector<Residency> residencies_;
};

}  // namespace sim
