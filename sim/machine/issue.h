// The SMs of a grid while its CTAs are issued: who sits in which slot, until when. schedule_grid in waves.h drives it.
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

/// One CTA on each SM of a range. All end together if the SMs stay full.
struct Resident {
  std::int64_t end = 0;  // ticks
  SmRange sms;
  std::int32_t run = -1;  // -1: a slot that is free from the start
};

/// Residents in the order of their ends; of equal ends the older first. A new one mostly ends last, and is added at the
/// back in O(1); else the shorter side makes room.
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
  std::size_t first_ = 0;  // what stands before has left
};

/// State that the future depends on: who sits where, and which slots are free.
struct IssueState {
  std::vector<Resident> residents;
  std::vector<SmRange> free;
  std::int64_t now = 0;
};

/// All SMs while CTAs are issued. Until the last one is, no slot is empty, and all CTAs progress at the pace of a full
/// SM: time is counted in their work (ticks alone on an SM), exactly, and becomes real times slowdown[R - 1].
class Issue {
 public:
  Issue(const std::vector<Cycles>& durations, const SmSlots& slots, std::int64_t picture);

  /// Issues CTAs of a run, each as soon as a slot is free.
  void issue(std::size_t run, std::int64_t count);

  /// Moves all that has happened or is under way by a time.
  void shift(std::int64_t ticks);

  /// Whether the future of two states is the same, but for their time.
  bool resembles(const IssueState& other) const;
  IssueState state() const;  ///< O(residents)

  std::int64_t now() const { return now_; }
  std::int64_t steps() const { return steps_; }

  /// The real time of a moment in work.
  Cycles real(std::int64_t work) const;

  /// Lets the residents end, with fewer and fewer neighbours. `total` is the work of all CTAs.
  Waves finish(std::int64_t total);

 private:
  std::ptrdiff_t next() const { return static_cast<std::ptrdiff_t>(next_free_); }

  /// Every slot takes a CTA of one run again and again: after `slots_` of them all is as before, one CTA later.
  std::int64_t skip_waves(std::size_t run, std::int64_t count);

  /// On to the next moment when CTAs end: their slots are free.
  void wait_for_slots();

  /// Issues at most `count` CTAs of a run to the next range of free slots; returns how many.
  std::int64_t fill(std::size_t run, std::int64_t count);

  void leave(const Resident& resident);
  void leave(const Resident& resident, std::int64_t begin, std::int64_t back_to_back);

  double slowdown(std::size_t residents) const { return slowdown_[residents - 1]; }

  /// The residents of an SM end one after the other; returns how long they take, and adds that up over slots.
  double empty(SmRange sms, const std::vector<Resident>& residents, double& busy, Waves& waves);

  /// The CTAs that are left on each SM, as ranges of SMs that hold the same, in the order of their ends.
  std::vector<std::pair<SmRange, std::vector<Resident>>> last_residents() const;

  std::vector<std::int64_t> works_;  // of a CTA of each run
  std::vector<double> slowdown_;
  std::int64_t slots_;
  EndQueue residents_;
  std::vector<SmRange> free_;  // slots that are free now, in the order in which they are filled
  std::size_t next_free_ = 0;  // the first of them that is not filled yet
  std::int64_t now_ = 0, steps_ = 0;
  std::vector<std::int64_t> begins_, ends_;  // of each run
  std::size_t picture_;
  std::vector<Residency> residencies_;
};

}  // namespace sim
