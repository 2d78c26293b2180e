// Lanes of a CTA that wait for each other: phases of barriers, products, and the copies that arrive at barriers.
#include <algorithm>

#include "sim/machine/sm_run.h"

namespace sim {
namespace {

Cause cause_at(const TraceBarrier& barrier) { return barrier.kind == BarrierKind::turn ? Cause::turn : Cause::stage; }

}  // namespace

/// Returns the phase of a task in the current round: phases count on from round to round.
std::int64_t Sm::phase_in_round(const Lane& lane, const Task& task) const {
  return task.number + lane.round * phases_[static_cast<std::size_t>(task.barrier)];
}

bool Sm::may_go_on(const Lane& lane, const Task& task) const {
  if (task.kind == Task::Kind::wait_products)
    return lane.products.size() <= static_cast<std::size_t>(std::max(0, task.number));
  const SlotBarrier& barrier = slots_[lane.slot].barriers[static_cast<std::size_t>(task.barrier)];
  return barrier.phase > phase_in_round(lane, task);
}

void Sm::block(Lane& lane, const Task& task) {
  lane.state = Lane::State::blocked;
  lane.since = now_;
  lane.cause = task.kind == Task::Kind::wait_products
                   ? Cause::tensor
                   : cause_at(program_.barriers[static_cast<std::size_t>(task.barrier)]);
}

void Sm::issue_product(Lane& lane, std::size_t n) {
  ++lane.issued;
  lane.products.push_back({n, 1, 0, now_ + tasks_[n].latency});
}

void Sm::issue_copy(const Lane& lane, std::size_t n) {
  const double transfer = tasks_[n].bytes * port_.cycles_per_byte;
  spent_.back() += transfer;
  under_way_.push_back({lane.slot * roles_ + lane.role, n, transfer, now_, 0, shown(lane)});
}

/// Ends copies that are through; the next one begins.
void Sm::end_copies() {
  if (under_way_.empty() || under_way_.front().until > now_) return;
  const CopyUnderWay copy = under_way_.front();
  under_way_.pop_front();
  if (!under_way_.empty()) under_way_.front().begin = now_;
  const Task& task = tasks_[copy.task];
  const double arrives = now_ + (task.kind == Task::Kind::copy_in ? port_.latency : 0);
  if (copy.shown) record_.span(copy.task, copy.begin, now_, arrives);
  if (task.barrier >= 0) slots_[lanes_[copy.lane].slot].in_flight.push_back({arrives, task.barrier});
}

/// Returns the last store of a lane; one that is under way ends then at the full rate of the port.
Arrival Sm::last_store(const Lane& lane) const {
  Arrival last = lane.last_store;
  double end = now_;
  for (const CopyUnderWay& copy : under_way_) {
    end += copy.left;
    if (&lanes_[copy.lane] == &lane && tasks_[copy.task].kind == Task::Kind::copy_out)
      last = {static_cast<std::int32_t>(copy.task), end, end};
  }
  return last;
}

void Sm::arrive(std::size_t slot, std::int16_t barrier) {
  const auto n = static_cast<std::size_t>(barrier);
  SlotBarrier& reached = slots_[slot].barriers[n];
  if (++reached.arrived < program_.barriers[n].arrivals) return;
  reached.arrived = 0;
  ++reached.phase;
}

/// Ends the oldest product of a lane if it is through, and makes the arrivals that came after it.
void Sm::end_products(Lane& lane) {
  if (lane.products.empty() || lane.products.front().since < 0 || lane.products.front().until > now_) return;
  const ProductUnderWay product = lane.products.front();
  if (shown(lane)) {
    record_.span(product.task, product.since, now_, now_);
    record_.delays_of(product.task, product.delays);
  }
  lane.products.erase(lane.products.begin());
  ++lane.ended;
  while (!lane.late.empty() && lane.late.front().products <= lane.ended) {
    const LateArrival late = lane.late.front();
    const double effect = now_ + tasks_[late.task].latency;
    if (shown(lane)) record_.span(late.task, late.issued, late.issued, effect);
    slots_[lane.slot].in_flight.push_back({effect, tasks_[late.task].barrier});
    lane.late.erase(lane.late.begin());
  }
}

void Sm::arrive_in_time(std::size_t slot) {
  std::vector<TimedArrival>& arrivals = slots_[slot].in_flight;
  for (std::size_t n = 0; n < arrivals.size();) {
    if (arrivals[n].effect > now_) {
      ++n;
      continue;
    }
    arrive(slot, arrivals[n].barrier);
    arrivals.erase(arrivals.begin() + static_cast<std::ptrdiff_t>(n));
  }
}

/// Resumes lanes whose wait is over, and lanes that these unblock.
void Sm::resume_blocked() {
  for (bool any = true; any;) {
    any = false;
    for (Lane& lane : lanes_) {
      if (lane.state != Lane::State::blocked) continue;
      const std::size_t n = task_at(lane);
      if (!may_go_on(lane, tasks_[n])) continue;
      any = true;
      if (shown(lane)) {
        record_.span(n, lane.since, now_, now_);
        if (lane.cause != Cause::tensor) record_.wait(n, lane.cause, lane.since, now_);
      }
      end_of_task(lane);
      proceed(lane);
    }
  }
}

std::string Sm::text_of_wait(const Lane& lane) const {
  const Task& task = tasks_[task_at(lane)];
  const std::string& role = program_.roles[lane.role].name;
  if (task.kind == Task::Kind::wait_products) return text(role, " for its products");
  const auto n = static_cast<std::size_t>(task.barrier);
  const TraceBarrier& barrier = program_.barriers[n];
  const std::int64_t phase = phase_in_round(lane, task);
  const SlotBarrier& reached = slots_[lane.slot].barriers[n];
  return text(role, " for the ", name_of(barrier.kind), " barrier ", barrier.name, ", phase ", phase, " (",
              reached.phase == phase ? reached.arrived : 0, " of ", barrier.arrivals, " arrivals)");
}

void Sm::report_deadlock() const {
  std::string who;
  for (const Lane& lane : lanes_) {
    if (lane.slot == 0 && lane.state == Lane::State::blocked) who += (who.empty() ? "" : "; ") + text_of_wait(lane);
  }
  require(!who.empty(), "the schedule of an SM does not advance: its work is not a number");
  throw Error("deadlock: every role that is left waits for an arrival that none of them makes: ", who);
}

/// Means over the roles that compute, by products if any role has some: the others only wait or work on their behalf.
void Sm::average_over_roles(SmRun& run) const {
  std::vector<bool> computes(roles_);
  const bool multiply =
      std::any_of(tasks_.begin(), tasks_.end(), [](const Task& task) { return task.kind == Task::Kind::product; });
  for (const Task& task : tasks_) {
    const bool works = task.bytes == 0 && task.alone() > 0;
    if (multiply ? task.kind == Task::Kind::product : works) computes[task.role] = true;
  }
  const auto count =
      static_cast<double>(std::max<std::ptrdiff_t>(1, std::count(computes.begin(), computes.end(), true)));
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    Budget& budget = run.slots.emplace_back();
    for (std::size_t r = 0; r < roles_; ++r) {
      const Budget& of_role = lanes_[s * roles_ + r].budget;
      if (s == 0) run.roles.push_back(of_role);
      if (computes[r]) budget.add(of_role, 1 / count);
    }
    run.budget.add(budget, 1 / static_cast<double>(slots_.size()));
  }
}

}  // namespace sim
