// Shares of the pipes of an SM among its lanes, the moment at which the next task ends, and the causes of the time
// spent.
#include <algorithm>

#include "sim/machine/sm_run.h"

namespace sim {

/// Sorts working lanes by the start of their work, of equal ones the earlier slot first.
void Sm::sort_working() {
  working_.clear();
  for (Lane& lane : lanes_) {
    if (lane.state != Lane::State::working) continue;
    const auto later = [&](const Lane* other) { return other->since > lane.since; };
    working_.insert(std::find_if(working_.begin(), working_.end(), later), &lane);
  }
}

/// Gives lanes whose oldest product may run equal parts of the tensor cores; if a pipe has less than they need, each is
/// slower by that factor.
void Sm::share_tensor(std::array<double, pipe_count>& free) {
  double lanes = 0;
  for (const Lane& lane : lanes_) lanes += is_active(lane) ? 1 : 0;
  std::array<double, pipe_count> needed{};
  for (Lane& lane : lanes_) {
    if (!is_active(lane)) continue;
    ProductUnderWay& product = lane.products.front();
    const SmWork& work = tasks_[product.task].work;
    if (product.since < 0) product.since = now_;
    product.rate = 1 / lanes / work.alone();
    for (std::size_t p = 0; p < needed.size(); ++p) needed[p] += product.rate * work.cycles[p];
  }
  double part = 1;
  Pipe scarce = Pipe::tensor;
  for (std::size_t p = 0; p < free.size(); ++p) {
    if (needed[p] * part <= free[p]) continue;
    part = free[p] / needed[p];
    scarce = static_cast<Pipe>(p);
  }
  for (Lane& lane : lanes_) {
    if (!is_active(lane)) continue;
    lane.products.front().rate *= part;
    lane.products.front().held_up_by = scarce;
  }
  for (std::size_t p = 0; p < free.size(); ++p) free[p] = std::max(0.0, free[p] - part * needed[p]);
}

/// The task that began first takes what it needs of the pipes, the next what is left.
void Sm::share_pipes() {
  sort_working();
  std::array<double, pipe_count> free;
  free.fill(1);
  if (has_roles_) share_tensor(free);
  if (!under_way_.empty()) share_port(free[static_cast<std::size_t>(Pipe::smem)]);
  for (Lane* lane : working_) {
    const auto& cycles = tasks_[task_at(*lane)].work.cycles;
    lane->rate = 1 / tasks_[task_at(*lane)].alone();
    lane->held_up_by.reset();
    for (std::size_t p = 0; p < free.size(); ++p) {
      if (cycles[p] <= 0 || free[p] / cycles[p] >= lane->rate) continue;
      lane->rate = free[p] / cycles[p];
      lane->held_up_by = static_cast<Pipe>(p);
    }
    for (std::size_t p = 0; p < free.size(); ++p) free[p] = std::max(0.0, free[p] - lane->rate * cycles[p]);
  }
}

/// Gives the oldest copy what products leave of the shared-memory port, and takes that from `free`.
void Sm::share_port(double& free) {
  CopyUnderWay& copy = under_way_.front();
  const double needed =
      copy.left > 0 ? tasks_[copy.task].work[Pipe::smem] / (tasks_[copy.task].bytes * port_.cycles_per_byte) : 0;
  copy_rate_ = needed > free ? free / needed : 1;
  copy.until = copy_rate_ > 0 ? now_ + copy.left / copy_rate_ : never;
  free = std::max(0.0, free - copy_rate_ * needed);
}

/// Sets when the work of a lane and its oldest product end at their rates.
double Sm::next_of(Lane& lane) {
  double next = never;
  if (!lane.products.empty()) {
    ProductUnderWay& product = lane.products.front();
    product.until = is_active(lane) ? now_ + product.left / product.rate : product.ready;
    next = product.until;
  }
  if (lane.state == Lane::State::done || lane.state == Lane::State::blocked) return next;
  if (lane.state == Lane::State::working) lane.until = lane.rate > 0 ? now_ + lane.left / lane.rate : never;
  return std::min(next, lane.until);
}

/// Returns the first moment at which something happens.
double Sm::next_event() {
  double next = never;
  for (Lane& lane : lanes_) next = std::min(next, next_of(lane));
  if (!has_roles_) return next;
  if (!under_way_.empty()) next = std::min(next, under_way_.front().until);
  for (const Slot& slot : slots_) {
    for (const TimedArrival& arrival : slot.in_flight) next = std::min(next, arrival.effect);
  }
  return next;
}

/// Lets the oldest product of a lane run; a lane that waits for it spends its time on it, and on those of others.
void Sm::spend_products(Lane& lane, double dt) {
  const bool waits = lane.state == Lane::State::blocked && lane.cause == Cause::tensor;
  if (!is_active(lane)) {
    if (waits) lane.budget[Cause::barrier] += dt;
    return;
  }
  ProductUnderWay& product = lane.products.front();
  const SmWork& work = tasks_[product.task].work;
  const double ahead = dt * product.rate, delay = std::max(0.0, dt - ahead * work.alone());
  product.left -= ahead;
  product.delays[static_cast<std::size_t>(product.held_up_by)] += delay;
  for (std::size_t p = 0; p < work.cycles.size(); ++p) spent_[p] += ahead * work.cycles[p];
  if (!waits) return;
  lane.budget[work_on(work.slowest())] += dt - delay;
  lane.budget[busy(product.held_up_by)] += delay;
}

void Sm::spend(Lane& lane, double dt) {
  if (!lane.products.empty()) spend_products(lane, dt);
  if (lane.state == Lane::State::done) {
    if (slots_[lane.slot].left > 0) lane.budget[Cause::tail] += dt;  // others of its CTA continue
    return;
  }
  if (lane.state == Lane::State::working) {
    const Task& task = tasks_[task_at(lane)];
    const SmWork& work = task.work;
    const double ahead = dt * lane.rate, delay = lane.held_up_by ? dt - ahead * task.alone() : 0;
    lane.left -= ahead;
    for (std::size_t p = 0; p < work.cycles.size(); ++p) spent_[p] += ahead * work.cycles[p];
    lane.budget[work_on(task.slowest())] += dt - delay;
    if (!lane.held_up_by) return;
    lane.budget[busy(*lane.held_up_by)] += delay;
    lane.delays[static_cast<std::size_t>(*lane.held_up_by)] += delay;
    return;
  }
  if (lane.state == Lane::State::blocked && lane.cause == Cause::tensor) return;  // spend_products has it
  const double bandwidth = lane.cause == Cause::data ? std::clamp(lane.bandwidth_until - now_, 0.0, dt) : 0;
  lane.budget[Cause::bandwidth] += bandwidth;
  lane.budget[lane.cause] += dt - bandwidth;
}

}  // namespace sim
