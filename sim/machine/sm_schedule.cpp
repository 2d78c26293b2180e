#include "sim/machine/sm_schedule.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "sim/machine/copies.h"

namespace sim {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// The CTA in one place of the SM.
struct Place {
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
  int round = 0;
  std::vector<Arrival> copies;
  std::array<double, pipe_count> delays{};  ///< what neighbours took from the task
  Budget budget;
};

class Sm {
 public:
  Sm(const std::vector<Task>& tasks, const SmPort& port, int residents, int rounds);
  SmRun run();

 private:
  void start(Place& place);
  Arrival copy(Place& place, std::size_t task);
  void end_of_task(Place& place);
  void proceed(Place& place);
  bool pass(Place& place, const Task& task);
  Arrival last_operand(const Place& place, const Task& task) const;
  bool arrived(Place& place, const Arrival& copy);
  void wait(Place& place, double until, Cause cause);
  void finish(Place& place);
  void sort_working();
  void share_pipes();
  double next_event();
  void spend(Place& place, double dt);
  void act(Place& place);
  SmRun result();
  bool shown(const Place& place) const { return &place == places_.data() && place.round == 0; }

  const std::vector<Task>& tasks_;
  const SmPort& port_;
  int rounds_;
  Copies copies_;
  std::vector<Place> places_;
  std::vector<Place*> working_;
  double now_ = 0, port_free_ = 0;
  double first_ends_ = 0, last_ends_ = 0;  ///< sums over places
  std::size_t done_ = 0;
  CtaRecord record_;
};

Sm::Sm(const std::vector<Task>& tasks, const SmPort& port, int residents, int rounds)
    : tasks_(tasks),
      port_(port),
      rounds_(rounds),
      copies_(tasks),
      places_(static_cast<std::size_t>(residents)),
      record_(tasks.size()) {}

Arrival Sm::copy(Place& place, std::size_t task) {
  const double begin = std::max(now_, port_free_);
  port_free_ = begin + tasks_[task].bytes * port_.cycles_per_byte;
  // Nobody waits for the latency of a store.
  const double arrives = port_free_ + (tasks_[task].kind == Task::Kind::copy_in ? port_.latency : 0);
  if (shown(place)) record_.span(task, begin, port_free_, arrives);
  return place.copies[copies_.number(task)] = {static_cast<std::int32_t>(task), port_free_, arrives};
}

void Sm::start(Place& place) {
  place.at = 0;
  place.last_store = {};
  place.latency_paid = false;
  place.copies.assign(copies_.count(), {});
  for (const std::size_t n : copies_.issued_at_start()) copy(place, n);
  proceed(place);
}

void Sm::wait(Place& place, double until, Cause cause) {
  place.state = Place::State::waiting;
  place.until = until;
  place.cause = cause;
}

bool Sm::arrived(Place& place, const Arrival& copy) {
  if (copy.arrives <= now_) return true;
  place.bandwidth_until = copy.transferred;
  wait(place, copy.arrives, Cause::data);
  if (shown(place)) {
    const std::size_t waits = std::min(place.at, tasks_.size() - 1);  // at the end of the CTA: its last task
    record_.wait_for_copy(waits, copy.task, now_, copy.transferred, copy.arrives);
  }
  return false;
}

void Sm::end_of_task(Place& place) {
  for (const std::size_t n : copies_.issued_after(place.at)) copy(place, n);
  ++place.at;
  place.latency_paid = false;
}

/// The copy among a task's operands that arrives last.
Arrival Sm::last_operand(const Place& place, const Task& task) const {
  Arrival last;
  for (const std::int32_t operand : task.operands) {
    if (operand < 0 || tasks_[static_cast<std::size_t>(operand)].kind != Task::Kind::copy_in) continue;
    const Arrival& copy = place.copies[copies_.number(static_cast<std::size_t>(operand))];
    if (copy.arrives > last.arrives) last = copy;
  }
  return last;
}

/// False when the task keeps its CTA busy or waiting.
bool Sm::pass(Place& place, const Task& task) {
  if (task.kind == Task::Kind::copy_out) {
    place.last_store = copy(place, place.at);
    return true;
  }
  if (task.kind == Task::Kind::copy_in) return true;
  if (!arrived(place, last_operand(place, task))) return false;
  if (task.latency > 0 && !place.latency_paid) {
    place.latency_paid = true;
    wait(place, now_ + task.latency, Cause::barrier);
    if (shown(place)) record_.wait(place.at, Cause::barrier, now_, place.until);
    return false;
  }
  if (task.work.alone() <= 0) {
    if (shown(place)) record_.span(place.at, now_, now_, now_);
    return true;
  }
  place.state = Place::State::working;
  place.left = 1;
  place.since = now_;
  place.delays.fill(0);
  return false;
}

void Sm::proceed(Place& place) {
  while (place.at < tasks_.size()) {
    if (!pass(place, tasks_[place.at])) return;
    end_of_task(place);
  }
  if (arrived(place, place.last_store)) finish(place);
}

void Sm::finish(Place& place) {
  ++place.round;
  if (place.round == 1) first_ends_ += now_;
  if (place.round == 1 && rounds_ > 1) place.budget = {};  // of the rounds that follow
  if (place.round == rounds_) {
    last_ends_ += now_;
    ++done_;
    place.state = Place::State::done;
    return;
  }
  wait(place, now_ + port_.turnover, Cause::launch);
  place.state = Place::State::between;
}

/// By the begin of their work; the earlier place first when they began together.
void Sm::sort_working() {
  working_.clear();
  for (Place& place : places_) {
    if (place.state != Place::State::working) continue;
    const auto later = [&](const Place* other) { return other->since > place.since; };
    working_.insert(std::find_if(working_.begin(), working_.end(), later), &place);
  }
}

/// The task that began first takes what it needs of the pipes, the next what is left.
void Sm::share_pipes() {
  sort_working();
  std::array<double, pipe_count> free;
  free.fill(1);
  for (Place* place : working_) {
    const auto& cycles = tasks_[place->at].work.cycles;
    place->rate = 1 / tasks_[place->at].work.alone();
    place->held_up_by.reset();
    for (std::size_t p = 0; p < free.size(); ++p) {
      if (cycles[p] <= 0 || free[p] / cycles[p] >= place->rate) continue;
      place->rate = free[p] / cycles[p];
      place->held_up_by = static_cast<Pipe>(p);
    }
    for (std::size_t p = 0; p < free.size(); ++p) free[p] = std::max(0.0, free[p] - place->rate * cycles[p]);
  }
}

/// Sets when each place's work ends at its rate. Returns the first moment at which something happens.
double Sm::next_event() {
  double next = never;
  for (Place& place : places_) {
    if (place.state == Place::State::done) continue;
    if (place.state == Place::State::working) place.until = place.rate > 0 ? now_ + place.left / place.rate : never;
    next = std::min(next, place.until);
  }
  return next;
}

void Sm::spend(Place& place, double dt) {
  if (place.state == Place::State::done) return;
  if (place.state == Place::State::working) {
    const SmWork& work = tasks_[place.at].work;
    const Pipe slowest = work.slowest();
    const double ahead = dt * place.rate, delay = place.held_up_by ? dt - ahead * work[slowest] : 0;
    place.left -= ahead;
    place.budget[work_on(slowest)] += dt - delay;
    if (!place.held_up_by) return;
    place.budget[busy(*place.held_up_by)] += delay;
    place.delays[static_cast<std::size_t>(*place.held_up_by)] += delay;
    return;
  }
  const double bandwidth = place.cause == Cause::data ? std::clamp(place.bandwidth_until - now_, 0.0, dt) : 0;
  place.budget[Cause::bandwidth] += bandwidth;
  place.budget[place.cause] += dt - bandwidth;
}

/// What a place does when the time of its event has come.
void Sm::act(Place& place) {
  if (place.state == Place::State::done || place.until > now_) return;
  if (place.state == Place::State::working) {
    if (shown(place)) {
      record_.span(place.at, place.since, now_, now_);
      record_.delays_of(place.at, place.delays);
    }
    end_of_task(place);
    proceed(place);
  } else if (place.state == Place::State::waiting) {
    proceed(place);
  } else {
    start(place);
  }
}

SmRun Sm::run() {
  for (Place& place : places_) start(place);
  while (done_ < places_.size()) {
    share_pipes();
    const double next = next_event();
    require(next < never, "the schedule of an SM stands still: its work is not a number");
    for (Place& place : places_) spend(place, next - now_);
    now_ = next;
    for (Place& place : places_) act(place);
  }
  return result();
}

SmRun Sm::result() {
  const double places = static_cast<double>(places_.size()), rounds = std::max(1, rounds_ - 1);
  SmRun run{(rounds_ > 1 ? last_ends_ - first_ends_ : last_ends_) / places / rounds, {}, {}, std::move(record_)};
  for (const Place& place : places_) {
    run.places.push_back(Budget{}.add(place.budget, 1 / rounds));
    run.budget.add(run.places.back(), 1 / places);
  }
  return run;
}

}  // namespace

SmRun run_sm(const std::vector<Task>& tasks, const SmPort& port, int residents, int rounds) {
  require(residents > 0 && rounds > 0, "run_sm: ", residents, " residents, ", rounds, " rounds");
  return Sm(tasks, port, residents, rounds).run();
}

}  // namespace sim
