#include "viz/model/roles/role_runs.h"

#include <algorithm>

#include "sim/model/compiled_kernels.h"
#include "sim/model/published.h"
#include "sim/model/scheduled_replay.h"

namespace explorer {
namespace {

/// Values of the option by which a program's roles share the work, from the plainest on; one without a name where the
/// program has no such option, or none for this kernel: a backward pass has one schedule.
std::vector<std::string> schedules_of(const sim::Plan& plan, const RoleTrace& roles) {
  if (roles.is_backward()) return {""};
  for (const sim::OwnOption& option : plan.code->options) {
    if (option.name != "schedule") continue;
    const std::vector<std::string_view> words = option.words();
    return {words.rbegin(), words.rend()};
  }
  return {""};
}

/// FLOPs of a CTA's products by those of the tensor cores of its SM in the same time.
double tensor_share(const RoleTrace& roles, const sim::Plan& plan, const sim::Launch& launch) {
  std::int64_t flops = 0;
  for (const sim::Event& event : roles.trace().events) flops += event.matmul_flops;
  const double cycles = static_cast<double>(roles.end().count()) / static_cast<double>(sim::ticks_per_cycle);
  const double per_flop = sim::rates_of(plan, launch, roles.trace()).per_wgmma_flop;
  return cycles > 0 ? static_cast<double>(flops) * per_flop / cycles : 0;
}

}  // namespace

RoleRuns::RoleRuns(std::shared_ptr<const Run> run, std::shared_ptr<const Replay> replay)
    : run_(std::move(run)), replay_(std::move(replay)) {
  const sim::Plan& plan = run_->simulation.plan;
  for (const std::string& schedule : schedules_of(plan, replay_->roles)) runs_.push_back({schedule, nullptr, {}, {}});
  const std::int64_t own = sim::own_value(plan.scenario, "schedule");
  shown_ = runs_.size() - 1 - static_cast<std::size_t>(std::clamp<std::int64_t>(own, 0, std::ssize(runs_) - 1));
  RoleRun& shown = runs_[shown_];
  shown.trace = std::shared_ptr<const sim::Trace>(replay_, &replay_->trace);
  shown.roles = replay_->roles;
  if (shown.roles.empty()) return;
  for (std::size_t n = 0; n < runs_.size(); ++n) runs_[n].published = sim::published_speeds(scenario_of(n));
  const Listing& listing = run_->listings[replay_->kernel];
  const sim::Trace& counted = run_->simulation.traces[replay_->kernel];
  equations_ = columns_of_roles(listing, counted, false);
  source_ = columns_of_roles(listing, counted, true);
  shown.tensor_share = tensor_share(shown.roles, plan, plan.launches[replay_->kernel]);
}

bool RoleRuns::advance() {
  if (shown().roles.empty()) return false;
  if (next_ < runs_.size() && !runs_[next_].ready()) add_replay(next_);
  return ++next_ < runs_.size();
}

sim::Scenario RoleRuns::scenario_of(std::size_t n) const {
  sim::Scenario scenario = run_->simulation.plan.scenario;
  if (!runs_[n].schedule.empty()) scenario.own["schedule"] = static_cast<std::int64_t>(runs_.size() - 1 - n);
  return scenario;
}

void RoleRuns::add_replay(std::size_t n) {
  RoleRun& run = runs_[n];
  try {
    const sim::Plan plan = sim::make_plan(scenario_of(n));
    const sim::Launch& launch = plan.launches[replay_->kernel];
    run.trace = std::make_shared<const sim::Trace>(sim::scheduled_replay(plan, launch, replay_->place));
    run.roles = RoleTrace(*run.trace);
    run.tensor_share = tensor_share(run.roles, plan, launch);
  } catch (const sim::Error& error) {
    run.error = error.sentence();
  }
}

}  // namespace explorer
