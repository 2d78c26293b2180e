// An event loop. Each slot holds a CTA that works on a task, waits for a moment, or is between two CTAs; one of several
// roles has a lane for each, which may also be blocked until another lane arrives at a barrier. share_pipes() gives
// each task that is worked on a rate; the next event is the first moment at which one of them is through or a wait is
// over; spend() advances all lanes to it, and act() resumes those that it concerns.
//
// Example: two CTAs of two tasks. Task 0 needs the tensor pipe for 100 cycles and the issue slots for 50, task 1 the
// issue slots for 100 and exp for 80. Both begin together; the first slot is served first.
//
//   cycles    slot 0                  slot 1                   shares
//   0-100     task 0 at rate 1/100    waits for tensor         slot 0 has all of the tensor pipe
//   100-200   task 1 at rate 1/200    task 0 at rate 1/100     slot 1 began first and takes half the issue slots: the
//                                                              other half is left, where task 1 could use all
//   200-250   task 1 at rate 1/100    waits for issue          slot 0 began first and needs all issue slots
//   250-350   -                       task 1 at rate 1/100
//
// Slot 0 ends at 250, 50 of them lost to issue; slot 1 at 350, 100 lost to tensor and 50 to issue.
// Cost: O(events x lanes); an event is the end of a task or of a wait.
#include "sim/machine/sm_schedule.h"

#include <algorithm>

#include "sim/machine/sm_run.h"

namespace sim {
namespace {

/// The tasks of each role, in program order.
std::vector<std::vector<std::int32_t>> tasks_of_roles(const std::vector<Task>& tasks, std::size_t roles) {
  std::vector<std::vector<std::int32_t>> order(roles);
  for (std::size_t n = 0; n < tasks.size(); ++n)
    order[roles == 1 ? 0 : tasks[n].role].push_back(static_cast<std::int32_t>(n));
  return order;
}

/// The phases of each barrier that are over when all tasks are.
std::vector<std::int64_t> phases_of(const Sm::Program& program) {
  std::vector<std::int64_t> phases(program.barriers.size());
  for (const Task& task : program.tasks) {
    const bool waits = task.kind == Task::Kind::wait_phase;
    if (!waits && task.barrier >= 0) ++phases[static_cast<std::size_t>(task.barrier)];
  }
  for (std::size_t b = 0; b < phases.size(); ++b) phases[b] /= program.barriers[b].arrivals;
  return phases;
}

}  // namespace

Sm::Sm(const Program& program, const SmPort& port, int residents)
    : program_(program),
      tasks_(program.tasks),
      port_(port),
      copies_(program.tasks),
      has_roles_(!program.roles.empty()),
      roles_(std::max<std::size_t>(1, program.roles.size())),
      order_(tasks_of_roles(program.tasks, roles_)),
      phases_(phases_of(program)),
      slots_(static_cast<std::size_t>(residents)),
      lanes_(slots_.size() * roles_),
      record_(program.tasks.size()) {
  for (std::size_t n = 0; n < lanes_.size(); ++n) {
    lanes_[n].slot = n / roles_;
    lanes_[n].role = n % roles_;
  }
}

Arrival Sm::copy(Lane& lane, std::size_t task) {
  const double begin = std::max(now_, port_free_);
  const double transfer = tasks_[task].bytes * port_.cycles_per_byte;
  port_free_ = begin + transfer;
  spent_.back() += transfer;
  // No CTA waits for store latency.
  const double arrives = port_free_ + (tasks_[task].kind == Task::Kind::copy_in ? port_.latency : 0);
  if (shown(lane)) record_.span(task, begin, port_free_, arrives);
  Slot& slot = slots_[lane.slot];
  return slot.copies[copies_.number(task)] = {static_cast<std::int32_t>(task), port_free_, arrives};
}

void Sm::start(std::size_t s) {
  Slot& slot = slots_[s];
  slot.left = roles_;
  slot.copies.assign(copies_.count(), {});
  slot.barriers.assign(program_.barriers.size(), {});
  for (Lane& lane : lanes_of(s)) {
    lane.at = 0;
    lane.last_store = {};
    lane.latency_paid = false;
  }
  if (!has_roles_) {
    for (const std::size_t n : copies_.issued_at_start()) copy(lanes_of(s).front(), n);
  }
  for (Lane& lane : lanes_of(s)) proceed(lane);
}

void Sm::wait(Lane& lane, double until, Cause cause) {
  lane.state = Lane::State::waiting;
  lane.until = until;
  lane.cause = cause;
}

bool Sm::arrived(Lane& lane, const Arrival& copy) {
  if (copy.arrives <= now_) return true;
  lane.bandwidth_until = copy.transferred;
  wait(lane, copy.arrives, Cause::data);
  if (shown(lane)) record_.wait_for_copy(task_now(lane), copy.task, now_, copy.transferred, copy.arrives);
  return false;
}

void Sm::end_of_task(Lane& lane) {
  if (!has_roles_) {
    for (const std::size_t n : copies_.issued_after(lane.at)) copy(lane, n);
  }
  ++lane.at;
  lane.latency_paid = false;
  if (lane.slot != 0) return;
  ++ended_;
  if (taken_.size() < program_.moments.size() && ended_ == program_.moments[taken_.size()]) taken_.push_back(tally());
}

SmTally Sm::tally() const {
  SmTally tally{{}, spent_};
  for (const Lane& lane : lanes_) tally.budget.add(lane.budget);
  tally.done.back() -= std::max(0.0, port_free_ - now_);
  return tally;
}

/// False when the task keeps its lane busy or waiting.
bool Sm::pass(Lane& lane, std::size_t n) {
  const Task& task = tasks_[n];
  switch (task.kind) {
    case Task::Kind::copy_out:
      if (has_roles_)
        issue_copy(lane, n);
      else
        lane.last_store = copy(lane, n);
      return true;
    case Task::Kind::copy_in:
      if (has_roles_) issue_copy(lane, n);
      return true;
    case Task::Kind::product:
      issue_product(lane, n);
      return true;
    case Task::Kind::arrive:
      if (shown(lane)) record_.span(n, now_, now_, now_);
      if (task.after_products && !lane.products.empty())
        lane.late.push_back({lane.issued, n, now_});
      else
        arrive(lane.slot, task.barrier);
      return true;
    case Task::Kind::wait_products:
    case Task::Kind::wait_phase:
      if (!may_go_on(lane, task)) return block(lane, task), false;
      if (shown(lane)) record_.span(n, now_, now_, now_);
      return true;
    case Task::Kind::work:
      return pass_work(lane, n);
  }
  return true;
}

bool Sm::pass_work(Lane& lane, std::size_t n) {
  const Task& task = tasks_[n];
  if (!arrived(lane, copies_.last_operand(tasks_, task, slots_[lane.slot].copies))) return false;
  if (task.latency > 0 && !lane.latency_paid) {
    lane.latency_paid = true;
    wait(lane, now_ + task.latency, Cause::barrier);
    if (shown(lane)) record_.wait(n, Cause::barrier, now_, lane.until);
    return false;
  }
  if (task.alone() <= 0) {
    if (shown(lane)) record_.span(n, now_, now_, now_);
    return true;
  }
  lane.state = Lane::State::working;
  lane.left = 1;
  lane.since = now_;
  lane.delays.fill(0);
  return false;
}

void Sm::proceed(Lane& lane) {
  while (true) {
    while (lane.at < order(lane).size()) {
      if (!pass(lane, task_at(lane))) return;
      end_of_task(lane);
    }
    if (lane.round + 1 >= program_.rounds || order(lane).empty()) break;
    ++lane.round;  // a persistent CTA continues at once
    lane.at = 0;
  }
  if (arrived(lane, last_store(lane))) finish(lane);
}

void Sm::finish(Lane& lane) {
  lane.state = Lane::State::done;
  Slot& slot = slots_[lane.slot];
  if (--slot.left > 0) return;
  slot.first = false;
  if (program_.moments.empty()) {
    ends_ += now_;
    ++done_;
    return;
  }
  wait(lane, now_ + port_.turnover, Cause::launch);
  lane.state = Lane::State::between;
}

/// Acts for a lane when the time of its event has come.
void Sm::act(Lane& lane) {
  if (!lane.products.empty()) end_products(lane);
  if (lane.state == Lane::State::done || lane.state == Lane::State::blocked || lane.until > now_) return;
  if (lane.state == Lane::State::working) {
    if (shown(lane)) {
      record_.span(task_at(lane), lane.since, now_, now_);
      record_.delays_of(task_at(lane), lane.delays);
    }
    end_of_task(lane);
    proceed(lane);
  } else if (lane.state == Lane::State::waiting) {
    proceed(lane);
  } else {
    start(lane.slot);
  }
}

/// Advances to the next event.
void Sm::step() {
  share_pipes();
  const double next = next_event();
  if (!(next < never)) report_deadlock();
  for (Lane& lane : lanes_) spend(lane, next - now_);
  if (!under_way_.empty()) under_way_.front().left -= (next - now_) * copy_rate_;
  now_ = next;
  if (has_roles_) {
    end_copies();
    for (std::size_t s = 0; s < slots_.size(); ++s) arrive_in_time(s);
  }
  for (Lane& lane : lanes_) act(lane);
  if (has_roles_) resume_blocked();
}

SmRun Sm::run() {
  for (std::size_t s = 0; s < slots_.size(); ++s) start(s);
  if (has_roles_) resume_blocked();
  while (done_ < slots_.size()) step();
  const auto slots = static_cast<double>(slots_.size());
  if (has_roles_) record_.sort();
  SmRun run{ends_ / slots, {}, {}, {}, std::move(record_)};
  if (has_roles_) return average_over_roles(run), run;
  for (const Lane& lane : lanes_) {
    run.slots.push_back(lane.budget);
    run.budget.add(lane.budget, 1 / slots);
  }
  return run;
}

std::vector<SmTally> Sm::tallies() {
  for (std::size_t s = 0; s < slots_.size(); ++s) start(s);
  while (taken_.size() < program_.moments.size()) step();
  return std::move(taken_);
}

SmRun run_sm(const std::vector<Task>& tasks, const SmPort& port, int residents) {
  require(residents > 0, "run_sm: ", residents, " residents");
  return Sm({tasks}, port, residents).run();
}

SmRun run_sm_roles(const RoleTasks& tasks, const SmPort& port, int residents, int rounds) {
  require(residents > 0 && rounds > 0, "run_sm: ", residents, " residents, ", rounds, " rounds");
  if (tasks.roles.empty()) return run_sm(tasks.tasks, port, residents);
  return Sm({tasks.tasks, tasks.barriers, tasks.roles, {}, rounds}, port, residents).run();
}

std::vector<SmTally> tally_sm(const std::vector<Task>& tasks, const SmPort& port, int residents,
                              std::span<const std::size_t> moments) {
  require(residents > 0 && !tasks.empty(), "tally_sm: ", residents, " residents, ", tasks.size(), " tasks");
  return Sm({tasks, {}, {}, moments}, port, residents).tallies();
}

}  // namespace sim
