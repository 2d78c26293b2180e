#include "sim/machine/sm_schedule.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sim {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// The CTA in one place of the SM.
struct Place {
  enum class State : std::uint8_t { working, waiting, between, done };
  State state = State::between;
  std::size_t at = 0;              ///< task in program order
  double left = 0, rate = 0;       ///< of the task's work, 1 at its begin; part of it per cycle
  Pipe held_up_by = Pipe::tensor;  ///< when the rate is less than alone
  double since = 0, until = 0;     ///< work began; wait ends
  Cause cause = Cause::launch;     ///< of the wait
  double bandwidth_until = 0;      ///< up to here a wait for data is one for bandwidth
  bool latency_paid = false;
  double stored = 0;  ///< its last store has left
  int round = 0;
  std::vector<double> transferred, arrives;  ///< of each copy
};

class Sm {
 public:
  Sm(const std::vector<Task>& tasks, const SmPort& port, int residents, int rounds);
  SmRun run();

 private:
  void start(Place& place);
  void copy(Place& place, std::size_t task);
  void end_of_task(Place& place);
  void proceed(Place& place);
  bool pass(Place& place, const Task& task);
  bool arrived(Place& place, double arrives, double transferred);
  void wait(Place& place, double until, Cause cause);
  void finish(Place& place);
  void share_pipes();
  double next_event();
  void spend(Place& place, double dt);
  void act(Place& place);
  bool shown(const Place& place) const { return &place == places_.data() && place.round == 0; }

  const std::vector<Task>& tasks_;
  const SmPort& port_;
  int rounds_;
  std::vector<Place> places_;
  std::vector<std::vector<std::size_t>> issued_by_;  ///< [task + 1]: copies that its end lets go
  std::vector<Place*> working_;
  double now_ = 0, port_free_ = 0;
  double first_ends_ = 0, last_ends_ = 0;  ///< sums over places
  std::size_t done_ = 0;
  Budget budget_;
  std::vector<Span> spans_;
};

Sm::Sm(const std::vector<Task>& tasks, const SmPort& port, int residents, int rounds)
    : tasks_(tasks),
      port_(port),
      rounds_(rounds),
      places_(static_cast<std::size_t>(residents)),
      issued_by_(tasks.size() + 1),
      spans_(tasks.size()) {
  for (std::size_t n = 0; n < tasks.size(); ++n) {
    if (tasks[n].kind == Task::Kind::copy_in) issued_by_[static_cast<std::size_t>(tasks[n].after + 1)].push_back(n);
  }
}

void Sm::copy(Place& place, std::size_t task) {
  const double begin = std::max(now_, port_free_);
  port_free_ = begin + tasks_[task].bytes * port_.cycles_per_byte;
  place.transferred[task] = port_free_;
  place.arrives[task] = port_free_ + port_.latency;
  if (shown(place)) spans_[task] = {begin, port_free_};
}

void Sm::start(Place& place) {
  place.at = 0;
  place.stored = 0;
  place.latency_paid = false;
  place.transferred.assign(tasks_.size(), 0);
  place.arrives.assign(tasks_.size(), 0);
  for (const std::size_t n : issued_by_[0]) copy(place, n);
  proceed(place);
}

void Sm::wait(Place& place, double until, Cause cause) {
  place.state = Place::State::waiting;
  place.until = until;
  place.cause = cause;
}

bool Sm::arrived(Place& place, double arrives, double transferred) {
  if (arrives <= now_) return true;
  place.bandwidth_until = transferred;
  wait(place, arrives, Cause::data);
  return false;
}

void Sm::end_of_task(Place& place) {
  for (const std::size_t n : issued_by_[place.at + 1]) copy(place, n);
  ++place.at;
  place.latency_paid = false;
}

/// False when the task keeps its CTA busy or waiting.
bool Sm::pass(Place& place, const Task& task) {
  if (task.kind == Task::Kind::copy_out) {
    copy(place, place.at);
    place.stored = place.transferred[place.at];
    return true;
  }
  if (task.kind == Task::Kind::copy_in) return true;
  double arrives = 0, transferred = 0;
  for (const std::int32_t operand : task.operands) {
    if (operand < 0 || tasks_[static_cast<std::size_t>(operand)].kind != Task::Kind::copy_in) continue;
    arrives = std::max(arrives, place.arrives[static_cast<std::size_t>(operand)]);
    transferred = std::max(transferred, place.transferred[static_cast<std::size_t>(operand)]);
  }
  if (!arrived(place, arrives, transferred)) return false;
  if (task.latency > 0 && !place.latency_paid) {
    place.latency_paid = true;
    wait(place, now_ + task.latency, Cause::barrier);
    return false;
  }
  if (task.work.alone() <= 0) return true;
  place.state = Place::State::working;
  place.left = 1;
  place.since = now_;
  return false;
}

void Sm::proceed(Place& place) {
  while (place.at < tasks_.size()) {
    if (!pass(place, tasks_[place.at])) return;
    end_of_task(place);
  }
  if (arrived(place, place.stored, place.stored)) finish(place);
}

void Sm::finish(Place& place) {
  ++place.round;
  if (place.round == 1) first_ends_ += now_;
  if (place.round == rounds_) {
    last_ends_ += now_;
    ++done_;
    place.state = Place::State::done;
    return;
  }
  wait(place, now_ + port_.turnover, Cause::launch);
  place.state = Place::State::between;
}

/// The task that began first takes what it needs of the pipes, the next what is left.
void Sm::share_pipes() {
  working_.clear();
  for (Place& place : places_) {
    if (place.state == Place::State::working) working_.push_back(&place);
  }
  std::stable_sort(working_.begin(), working_.end(),
                   [](const Place* a, const Place* b) { return a->since < b->since; });
  std::array<double, pipe_count> free;
  free.fill(1);
  for (Place* place : working_) {
    const auto& cycles = tasks_[place->at].work.cycles;
    place->rate = 1 / tasks_[place->at].work.alone();
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
  const double ahead = place.state == Place::State::working ? dt * place.rate : 0;
  place.left -= ahead;
  if (place.state == Place::State::done || (rounds_ > 1 && place.round == 0)) return;
  if (place.state == Place::State::working) {
    const SmWork& work = tasks_[place.at].work;
    budget_[work_on(work.slowest())] += ahead * work.alone();
    budget_[busy(place.held_up_by)] += dt - ahead * work.alone();
    return;
  }
  const double bandwidth = place.cause == Cause::data ? std::clamp(place.bandwidth_until - now_, 0.0, dt) : 0;
  budget_[Cause::bandwidth] += bandwidth;
  budget_[place.cause] += dt - bandwidth;
}

/// What a place does when the time of its event has come.
void Sm::act(Place& place) {
  if (place.state == Place::State::done || place.until > now_) return;
  if (place.state == Place::State::working) {
    if (shown(place)) spans_[place.at] = {place.since, now_};
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
  const double ctas = static_cast<double>(places_.size()) * std::max(1, rounds_ - 1);
  SmRun result;
  result.cycles_per_cta = (rounds_ > 1 ? last_ends_ - first_ends_ : last_ends_) / ctas;
  result.budget.add(budget_, 1 / ctas);
  result.spans = std::move(spans_);
  return result;
}

}  // namespace

std::string_view name_of(Cause cause) {
  constexpr std::string_view names[] = {"tensor",      "fp32",      "exp",      "smem",      "issue",
                                        "tensor busy", "fp32 busy", "exp busy", "smem busy", "issue busy",
                                        "data",        "bandwidth", "barrier",  "launch",    "tail"};
  return names[static_cast<int>(cause)];
}

double Budget::total() const { return std::accumulate(time.begin(), time.end(), 0.0); }

Budget& Budget::add(const Budget& other, double times) {
  for (std::size_t c = 0; c < time.size(); ++c) time[c] += times * other.time[c];
  return *this;
}

SmRun run_sm(const std::vector<Task>& tasks, const SmPort& port, int residents, int rounds) {
  require(residents > 0 && rounds > 0, "run_sm: ", residents, " residents, ", rounds, " rounds");
  return Sm(tasks, port, residents, rounds).run();
}

}  // namespace sim
