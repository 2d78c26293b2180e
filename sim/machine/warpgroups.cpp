#include "sim/machine/warpgroups.h"

#include <algorithm>

namespace sim {

void Barrier::arrive(Cycles when) {
  latest_ = std::max(latest_, when);
  if (++arrived_ < expected_) return;
  completed_at_.push_back(latest_);
  arrived_ = 0;
  latest_ = Cycles{};
}

void Warpgroup::resume() {
  handle_.promise().waiting = {};
  handle_.resume();
  if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
}

namespace {

/// When a warpgroup could go on.
Cycles ready_at(const Warpgroup& warpgroup, const Role& role) {
  const BarrierPhase& target = warpgroup.waiting();
  return target.barrier == nullptr ? role.now : std::max(role.now, target.barrier->completed_at(target.phase));
}

[[noreturn]] void report_deadlock(const std::vector<Warpgroup>& warpgroups) {
  std::string who;
  for (std::size_t w = 0; w < warpgroups.size(); ++w) {
    if (!warpgroups[w].done())
      who += text(who.empty() ? "" : ", ", "warpgroup ", w, " for phase ", warpgroups[w].waiting().phase);
  }
  throw Error("deadlock: every warpgroup waits for a barrier that nobody completes: " + who);
}

}  // namespace

void run_warpgroups(Cta& cta, std::vector<Warpgroup> given) {
  std::vector<Role> roles(given.size(), cta.role());  // before the coroutines, whose loops point to them
  std::vector<Warpgroup> warpgroups = std::move(given);
  for (std::size_t w = 0; w < roles.size(); ++w) roles[w].id = static_cast<std::uint8_t>(w);
  Role& before = cta.role();
  while (true) {
    std::size_t next = warpgroups.size();
    for (std::size_t w = 0; w < warpgroups.size(); ++w) {
      if (warpgroups[w].done() || !warpgroups[w].waiting().ready()) continue;
      if (next == warpgroups.size() || ready_at(warpgroups[w], roles[w]) < ready_at(warpgroups[next], roles[next]))
        next = w;
    }
    if (next == warpgroups.size()) break;
    roles[next].now = ready_at(warpgroups[next], roles[next]);
    cta.act_as(roles[next]);
    warpgroups[next].resume();
  }
  cta.act_as(before);
  const bool all_done = std::all_of(warpgroups.begin(), warpgroups.end(), [](const Warpgroup& w) { return w.done(); });
  if (!all_done) report_deadlock(warpgroups);
}

}  // namespace sim
