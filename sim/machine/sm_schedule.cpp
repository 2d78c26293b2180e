// An event loop. Each slot holds a CTA that works on a task, waits for a moment, or is between two CTAs. share_pipes()
// gives each task that is worked on a rate; the next event is the first moment at which one of them is through or a
// wait is over; spend() moves all slots on to it, and act() lets those go on whose moment it is.
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
// Cost: O(events x slots); an event is the end of a task or of a wait.
#include "sim/machine/sm_schedule.h"

#include <algorithm>
#include <limits>

#include "sim/machine/sm_slot.h"

namespace sim {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

class Sm {
 public:
  /// Without moments each slot runs one CTA.
  Sm(const std::vector<Task>& tasks, const SmPort& port, int residents, std::span<const std::size_t> moments);
  SmRun run();
  std::vector<SmTally> tallies();

 private:
  void start(Slot& slot);
  Arrival copy(Slot& slot, std::size_t task);
  void end_of_task(Slot& slot);
  void proceed(Slot& slot);
  bool pass(Slot& slot, const Task& task);
  bool arrived(Slot& slot, const Arrival& copy);
  void wait(Slot& slot, double until, Cause cause);
  void finish(Slot& slot);
  void sort_working();
  void share_pipes();
  double next_event();
  void spend(Slot& slot, double dt);
  void act(Slot& slot);
  void step();
  SmTally tally() const;
  bool shown(const Slot& slot) const { return &slot == slots_.data() && slot.first; }

  const std::vector<Task>& tasks_;
  const SmPort& port_;
  std::span<const std::size_t> moments_;
  Copies copies_;
  std::vector<Slot> slots_;
  std::vector<Slot*> working_;
  double now_ = 0, port_free_ = 0;
  double ends_ = 0;             ///< sum over slots
  std::size_t done_ = 0;        ///< slots
  std::size_t ended_ = 0;       ///< tasks of the first slot
  ResourceCycles spent_{};      ///< of all slots; of the port as far as it is booked
  std::vector<SmTally> taken_;  ///< at the first of the moments
  CtaRecord record_;
};

Sm::Sm(const std::vector<Task>& tasks, const SmPort& port, int residents, std::span<const std::size_t> moments)
    : tasks_(tasks),
      port_(port),
      moments_(moments),
      copies_(tasks),
      slots_(static_cast<std::size_t>(residents)),
      record_(tasks.size()) {}

Arrival Sm::copy(Slot& slot, std::size_t task) {
  const double begin = std::max(now_, port_free_);
  const double transfer = tasks_[task].bytes * port_.cycles_per_byte;
  port_free_ = begin + transfer;
  spent_.back() += transfer;
  // Nobody waits for the latency of a store.
  const double arrives = port_free_ + (tasks_[task].kind == Task::Kind::copy_in ? port_.latency : 0);
  if (shown(slot)) record_.span(task, begin, port_free_, arrives);
  return slot.copies[copies_.number(task)] = {static_cast<std::int32_t>(task), port_free_, arrives};
}

void Sm::start(Slot& slot) {
  slot.at = 0;
  slot.last_store = {};
  slot.latency_paid = false;
  slot.copies.assign(copies_.count(), {});
  for (const std::size_t n : copies_.issued_at_start()) copy(slot, n);
  proceed(slot);
}

void Sm::wait(Slot& slot, double until, Cause cause) {
  slot.state = Slot::State::waiting;
  slot.until = until;
  slot.cause = cause;
}

bool Sm::arrived(Slot& slot, const Arrival& copy) {
  if (copy.arrives <= now_) return true;
  slot.bandwidth_until = copy.transferred;
  wait(slot, copy.arrives, Cause::data);
  if (shown(slot)) {
    const std::size_t waits = std::min(slot.at, tasks_.size() - 1);  // at the end of the CTA: its last task
    record_.wait_for_copy(waits, copy.task, now_, copy.transferred, copy.arrives);
  }
  return false;
}

void Sm::end_of_task(Slot& slot) {
  for (const std::size_t n : copies_.issued_after(slot.at)) copy(slot, n);
  ++slot.at;
  slot.latency_paid = false;
  if (&slot == slots_.data()) ++ended_;
  if (&slot == slots_.data() && taken_.size() < moments_.size() && ended_ == moments_[taken_.size()])
    taken_.push_back(tally());
}

SmTally Sm::tally() const {
  SmTally tally{{}, spent_};
  for (const Slot& slot : slots_) tally.budget.add(slot.budget);
  tally.done.back() -= std::max(0.0, port_free_ - now_);
  return tally;
}

/// False when the task keeps its CTA busy or waiting.
bool Sm::pass(Slot& slot, const Task& task) {
  if (task.kind == Task::Kind::copy_out) {
    slot.last_store = copy(slot, slot.at);
    return true;
  }
  if (task.kind == Task::Kind::copy_in) return true;
  if (!arrived(slot, copies_.last_operand(tasks_, task, slot.copies))) return false;
  if (task.latency > 0 && !slot.latency_paid) {
    slot.latency_paid = true;
    wait(slot, now_ + task.latency, Cause::barrier);
    if (shown(slot)) record_.wait(slot.at, Cause::barrier, now_, slot.until);
    return false;
  }
  if (task.work.alone() <= 0) {
    if (shown(slot)) record_.span(slot.at, now_, now_, now_);
    return true;
  }
  slot.state = Slot::State::working;
  slot.left = 1;
  slot.since = now_;
  slot.delays.fill(0);
  return false;
}

void Sm::proceed(Slot& slot) {
  while (slot.at < tasks_.size()) {
    if (!pass(slot, tasks_[slot.at])) return;
    end_of_task(slot);
  }
  if (arrived(slot, slot.last_store)) finish(slot);
}

void Sm::finish(Slot& slot) {
  slot.first = false;
  if (moments_.empty()) {
    ends_ += now_;
    ++done_;
    slot.state = Slot::State::done;
    return;
  }
  wait(slot, now_ + port_.turnover, Cause::launch);
  slot.state = Slot::State::between;
}

/// By the begin of their work; the earlier slot first when they began together.
void Sm::sort_working() {
  working_.clear();
  for (Slot& slot : slots_) {
    if (slot.state != Slot::State::working) continue;
    const auto later = [&](const Slot* other) { return other->since > slot.since; };
    working_.insert(std::find_if(working_.begin(), working_.end(), later), &slot);
  }
}

/// The task that began first takes what it needs of the pipes, the next what is left.
void Sm::share_pipes() {
  sort_working();
  std::array<double, pipe_count> free;
  free.fill(1);
  for (Slot* slot : working_) {
    const auto& cycles = tasks_[slot->at].work.cycles;
    slot->rate = 1 / tasks_[slot->at].work.alone();
    slot->held_up_by.reset();
    for (std::size_t p = 0; p < free.size(); ++p) {
      if (cycles[p] <= 0 || free[p] / cycles[p] >= slot->rate) continue;
      slot->rate = free[p] / cycles[p];
      slot->held_up_by = static_cast<Pipe>(p);
    }
    for (std::size_t p = 0; p < free.size(); ++p) free[p] = std::max(0.0, free[p] - slot->rate * cycles[p]);
  }
}

/// Sets when each slot's work ends at its rate. Returns the first moment at which something happens.
double Sm::next_event() {
  double next = never;
  for (Slot& slot : slots_) {
    if (slot.state == Slot::State::done) continue;
    if (slot.state == Slot::State::working) slot.until = slot.rate > 0 ? now_ + slot.left / slot.rate : never;
    next = std::min(next, slot.until);
  }
  return next;
}

void Sm::spend(Slot& slot, double dt) {
  if (slot.state == Slot::State::done) return;
  if (slot.state == Slot::State::working) {
    const SmWork& work = tasks_[slot.at].work;
    const Pipe slowest = work.slowest();
    const double ahead = dt * slot.rate, delay = slot.held_up_by ? dt - ahead * work[slowest] : 0;
    slot.left -= ahead;
    for (std::size_t p = 0; p < work.cycles.size(); ++p) spent_[p] += ahead * work.cycles[p];
    slot.budget[work_on(slowest)] += dt - delay;
    if (!slot.held_up_by) return;
    slot.budget[busy(*slot.held_up_by)] += delay;
    slot.delays[static_cast<std::size_t>(*slot.held_up_by)] += delay;
    return;
  }
  const double bandwidth = slot.cause == Cause::data ? std::clamp(slot.bandwidth_until - now_, 0.0, dt) : 0;
  slot.budget[Cause::bandwidth] += bandwidth;
  slot.budget[slot.cause] += dt - bandwidth;
}

/// What a slot does when the time of its event has come.
void Sm::act(Slot& slot) {
  if (slot.state == Slot::State::done || slot.until > now_) return;
  if (slot.state == Slot::State::working) {
    if (shown(slot)) {
      record_.span(slot.at, slot.since, now_, now_);
      record_.delays_of(slot.at, slot.delays);
    }
    end_of_task(slot);
    proceed(slot);
  } else if (slot.state == Slot::State::waiting) {
    proceed(slot);
  } else {
    start(slot);
  }
}

/// On to the next event.
void Sm::step() {
  share_pipes();
  const double next = next_event();
  require(next < never, "the schedule of an SM stands still: its work is not a number");
  for (Slot& slot : slots_) spend(slot, next - now_);
  now_ = next;
  for (Slot& slot : slots_) act(slot);
}

SmRun Sm::run() {
  for (Slot& slot : slots_) start(slot);
  while (done_ < slots_.size()) step();
  const auto slots = static_cast<double>(slots_.size());
  SmRun run{ends_ / slots, {}, {}, std::move(record_)};
  for (const Slot& slot : slots_) {
    run.slots.push_back(slot.budget);
    run.budget.add(slot.budget, 1 / slots);
  }
  return run;
}

std::vector<SmTally> Sm::tallies() {
  for (Slot& slot : slots_) start(slot);
  while (taken_.size() < moments_.size()) step();
  return std::move(taken_);
}

}  // namespace

SmRun run_sm(const std::vector<Task>& tasks, const SmPort& port, int residents) {
  require(residents > 0, "run_sm: ", residents, " residents");
  return Sm(tasks, port, residents, {}).run();
}

std::vector<SmTally> tally_sm(const std::vector<Task>& tasks, const SmPort& port, int residents,
                              std::span<const std::size_t> moments) {
  require(residents > 0 && !tasks.empty(), "tally_sm: ", residents, " residents, ", tasks.size(), " tasks");
  return Sm(tasks, port, residents, moments).tallies();
}

}  // namespace sim
