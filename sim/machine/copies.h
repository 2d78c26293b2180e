// The copies among the tasks of a CTA: which are issued when, and when one of them arrives.
#pragma once
#include <span>
#include <vector>

#include "sim/machine/sm_schedule.h"

namespace sim {

/// A copy of one CTA on its way; `task` -1: none.
struct Arrival {
  std::int32_t task = -1;
  double transferred = 0, arrives = 0;
};

/// Numbers the copies of one CTA and keeps, for every task, the copies in that its end lets go.
class Copies {
 public:
  explicit Copies(const std::vector<Task>& tasks);  ///< O(tasks)
  std::size_t count() const { return static_cast<std::size_t>(count_); }
  std::size_t number(std::size_t task) const { return static_cast<std::size_t>(number_[task]); }
  std::span<const std::size_t> issued_at_start() const { return issued(0); }
  std::span<const std::size_t> issued_after(std::size_t task) const { return issued(task + 1); }

  /// The copy in among a task's operands that arrives last, given when each copy does.
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
