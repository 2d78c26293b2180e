#include "sim/machine/copies.h"

namespace sim {
namespace {

std::size_t iteration_of(const Task& copy) { return static_cast<std::size_t>(std::int64_t{copy.after} + 1); }

}  // namespace

Copies::Copies(const std::vector<Task>& tasks) : number_(tasks.size(), -1), first_(tasks.size() + 2) {
  for (std::size_t n = 0; n < tasks.size(); ++n) {
    if (tasks[n].kind != Task::Kind::work) number_[n] = count_++;
    if (tasks[n].kind == Task::Kind::copy_in) ++first_[iteration_of(tasks[n])];
  }
  for (std::size_t iteration = 1; iteration < first_.size(); ++iteration) first_[iteration] += first_[iteration - 1];
  issued_.resize(first_.back());
  for (std::size_t n = tasks.size(); n-- > 0;) {  // backwards: first_ goes from ends to begins
    if (tasks[n].kind == Task::Kind::copy_in) issued_[--first_[iteration_of(tasks[n])]] = n;
  }
}

Arrival Copies::last_operand(const std::vector<Task>& tasks, const Task& task,
                             const std::vector<Arrival>& copies) const {
  Arrival last;
  for (const std::int32_t operand : task.operands) {
    if (operand < 0) continue;
    const Task& made_by = tasks[static_cast<std::size_t>(operand)];
    if (made_by.kind != Task::Kind::copy_in || made_by.barrier >= 0) continue;  // a barrier tells of its arrival
    const Arrival& copy = copies[number(static_cast<std::size_t>(operand))];
    if (copy.arrives > last.arrives) last = copy;
  }
  return last;
}

}  // namespace sim
