// Copies among the tasks of a CTA: when each is issued, and when it arrives.
#pragma once
#include <span>
#include <vector>

#include "sim/machine/sm_schedule.h"

namespace sim {

/// Arrival of a copy of one CTA; `task` is -1 if there is none.
struct Arrival {
  std::int32_t task = -1;
  double transferred = 0, arrives = 0;
};

/// Numbers the copies of one CTA and lists, for every task, the copies in that are issued when the task ends.
class Copies {
 public:
  explicit Copies(const std::vector<Task>& tasks);  ///< O(tasks)
  std::size_t count() const { return static_cast<std::size_t>(count_); }
  std::size_t number(std::size_t task) const { return static_cast<std::size_t>(number_[task]); }
  std::span<const std::size_t> issued_at_start() const { return issued(0); }
  std::span<const std::size_t> issued_after(std::size_t task) const { return issued(task + 1); }

  /// Returns the copy in among a task's operands that arrives last, given the arrivals of all copies.
  Arrival last_operand(const std::vector<Task>& tasks, const Task& task, const std::vector<Arrival>& copies) const;

 private:
  std::span<const std::size_t> issued(std::size_t iteration) const {
    return {issued_.data() + first_[iteration], first_[iteration + 1] - first_[iteration]};
  }
  std::int32_t count_ = 0;
  std::vector<std::int32_t> number_;
  std::vector<std::size_t> first_, issued_;  ///< iteration 0 is the start, iteration n + 1 the end of task n
};

}  // namespace sim
