#include "sim/machine/roles.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace sim {

Barrier::Barrier(Cta& cta, BarrierKind kind, std::string name, int arrivals)
    : cta_(&cta), barrier_{std::move(name), kind, arrivals}, index_(cta.add_barrier(barrier_)) {}

void Barrier::arrive(std::int64_t phase, std::int32_t by) {
  require(phase == phase_, "an arrival at the ", text_of(phase_), " is meant for phase ", phase);
  arrived_.push_back(by);
  if (arrived_.size() < static_cast<std::size_t>(barrier_.arrivals)) return;
  completed_by_ = std::exchange(arrived_, {});
  ++phase_;
}

std::string Barrier::text_of(std::int64_t phase) const {
  const std::size_t arrived = phase == phase_ ? arrived_.size() : 0;
  return text(name_of(barrier_.kind), " barrier ", barrier_.name, ", phase ", phase, " (", arrived, " of ",
              barrier_.arrivals, " arrivals)");
}

void Warpgroup::resume() {
  handle_.promise().waiting = {};
  handle_.resume();
  if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
}

bool Phase::await_ready() const noexcept { return barrier->is_over(number); }

void Phase::await_resume() const {
  const std::vector<std::int32_t>& by = barrier->completed_by();
  const auto event = [&](std::size_t n) { return n < by.size() && number >= 0 ? by[n] : no_event; };
  const Sync sync{barrier->index(), -1, static_cast<std::int32_t>(number)};
  barrier->cta().synchronise(Verb::wait, sync, {event(0), event(1), event(2)}, line);
}

void arrive(Phase phase, bool after_products, Line line) {
  Barrier& barrier = *phase.barrier;
  const std::int32_t event = barrier.cta().synchronise(
      Verb::arrive, {barrier.index(), -1, static_cast<std::int32_t>(phase.number), 0, after_products}, {}, line);
  barrier.arrive(phase.number, event);
}

Ring::Ring(Cta& cta, Tensor tensor, std::int64_t rows, std::int64_t cols, std::int64_t stages, int readers, Line line,
           int copies) {
  stages_.reserve(static_cast<std::size_t>(stages));  // phases point to barriers
  for (std::int64_t s = 0; s < stages; ++s) {
    const std::string name = text(name_of(tensor), " ", s);
    stages_.push_back({{cta.space(), tensor, {0, 0, rows}, {0, 0, cols}, line},
                       {},
                       {cta, BarrierKind::full, name, copies},
                       {cta, BarrierKind::empty, name, readers}});
  }
}

void Ring::release(std::int64_t n, Line line) { arrive(read(n), false, line); }

Block part_of(const Block& rows, std::int64_t size, std::int64_t w) {
  Block part = rows;
  const std::int64_t before = std::min(size * w, rows.axis.size);
  part.axis.begin += before;
  part.axis.size = std::min(size, rows.axis.size - before);
  part.axis.block = size;
  return part;
}

Turns::Turns(Cta& cta, int warpgroups) {
  turns_.reserve(static_cast<std::size_t>(warpgroups));  // phases point to barriers
  for (int w = 0; w < warpgroups; ++w) turns_.push_back({{cta, BarrierKind::turn, text("warpgroup ", w)}});
}

Phase Turns::of(int warpgroup, Line line) {
  Turn& turn = turns_[static_cast<std::size_t>(warpgroup)];
  return turn.barrier.phase(turn.taken++, line);
}

void Turns::pass_to(int warpgroup, bool after_products, Line line) {
  Turn& turn = turns_[static_cast<std::size_t>(warpgroup)];
  arrive(turn.barrier.phase(turn.passed++), after_products, line);
}

namespace {

[[noreturn]] void report_deadlock(const std::vector<RoleRun>& runs) {
  std::string who;
  for (const RoleRun& run : runs) {
    if (run.body.done()) continue;
    const Phase& phase = run.body.waiting();
    who += text(who.empty() ? "" : "; ", run.name, " for the ", phase.barrier->text_of(phase.number));
  }
  throw Error("deadlock: every role that is left waits for an arrival that none of them makes: ", who);
}

/// Returns the order in which roles are resumed: as declared, or drawn.
std::vector<std::size_t> drawn_order(std::size_t roles, std::mt19937_64& random, bool shuffled) {
  std::vector<std::size_t> order(roles);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t n = roles; shuffled && n > 1; --n) std::swap(order[n - 1], order[random() % n]);
  return order;
}

}  // namespace

void run_roles(Cta& cta, std::vector<RoleRun> given) {
  Role role = cta.role();
  role.counter = IterationCounter(cta.setup().cut, cta.space(), true);
  std::vector<Role> roles(given.size(), role);  // before the coroutines, whose loops point to them
  std::vector<RoleRun> runs = std::move(given);
  std::vector<Bytes> registers;
  cta.trace().roles.resize(runs.size());  // CTAs that are counted one after the other have the same
  for (std::size_t r = 0; r < runs.size(); ++r) {
    roles[r].id = static_cast<RoleNumber>(r);
    TraceRole& traced = cta.trace().roles[r];
    traced.name = runs[r].name;
    traced.registers = runs[r].registers;
    traced.threads = runs[r].threads;
    registers.push_back(traced.register_bytes());
  }
  cta.space().share_registers(registers);
  Role& before = cta.role();
  std::mt19937_64 random(cta.setup().resume_seed);
  for (bool any = true; any;) {
    any = false;
    for (const std::size_t r : drawn_order(runs.size(), random, cta.setup().resume_seed != 0)) {
      if (!runs[r].body.may_run()) continue;
      cta.act_as(roles[r]);
      runs[r].body.resume();
      any = true;
    }
  }
  const bool all_done = std::all_of(runs.begin(), runs.end(), [](const RoleRun& run) { return run.body.done(); });
  if (!all_done) report_deadlock(runs);
  runs.clear();  // before act_as(): the coroutines' tiles belong to their roles
  cta.act_as(before);
  for (const Role& ended : roles) cta.counter().join(ended.counter);
  for (std::size_t r = 0; r < roles.size(); ++r) {
    Bytes& held = cta.trace().roles[r].held;
    held = std::max(held, cta.space().peaks_of_roles()[r]);
  }
  cta.space().share_registers({});
}

}  // namespace sim
