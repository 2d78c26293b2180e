#include "viz/model/causes.h"

#include <algorithm>

#include "sim/model/sampled_cta.h"

namespace explorer {
namespace {

/// Start of the next interval that a CTA spends on a cause after a time, else of the first; empty if there is none.
std::optional<sim::Cycles> next_moment(const sim::Trace& trace, sim::Cause cause, std::optional<sim::Cycles> after) {
  std::optional<sim::Cycles> first, next;
  const auto note = [&](sim::Cycles at) {
    if (!first || at < *first) first = at;
    if (after && at > *after && (!next || at < *next)) next = at;
  };
  for (const sim::WaitSpan& wait : trace.waits) {
    if (wait.cause == cause && wait.event >= 0) note(wait.begin);
  }
  for (const sim::Delay& delay : trace.delays) {
    if (delay.cause == cause) note(trace.events[static_cast<std::size_t>(delay.event)].begin);
  }
  for (const sim::Event& event : trace.events) {
    if (works_on(event, cause)) note(event.begin);
  }
  return next ? next : first;
}

}  // namespace

std::vector<sim::Cause> causes_of(const sim::Budget& budget) {
  std::vector<sim::Cause> causes;
  const double rounding = 1e-9 * budget.total();
  for (const sim::Cause cause : sim::all_causes) {
    if (budget[cause] > rounding) causes.push_back(cause);
  }
  std::stable_sort(causes.begin(), causes.end(), [&](sim::Cause a, sim::Cause b) {
    if (sim::is_work(a) != sim::is_work(b)) return sim::is_work(a);
    return budget[a] > budget[b];
  });
  return causes;
}

sim::Cause group_of(sim::Cause cause) {
  const bool busy = cause >= sim::Cause::tensor_busy && cause <= sim::Cause::issue_busy;
  return busy ? static_cast<sim::Cause>(static_cast<int>(cause) - static_cast<int>(sim::Cause::tensor_busy)) : cause;
}

double group_time(const sim::Budget& budget, sim::Cause group) {
  double time = 0;
  for (const sim::Cause cause : sim::all_causes) time += group_of(cause) == group ? budget[cause] : 0;
  return time;
}

std::vector<sim::Cause> groups_of(const sim::Budget& a, const sim::Budget& b) {
  sim::Budget both;
  for (const sim::Cause cause : sim::all_causes) {
    if (group_of(cause) == cause) both[cause] = group_time(a, cause) + group_time(b, cause);
  }
  return causes_of(both);
}

Contrast contrast(const sim::Simulation& a, const sim::Simulation& b) {
  Contrast found;
  found.first = a.microseconds > b.microseconds;
  const sim::Simulation &slow = found.first ? a : b, &fast = found.first ? b : a;
  found.ratio = slow.microseconds / fast.microseconds;
  for (const std::optional<double>& error : {a.accuracy.error_percent, b.accuracy.error_percent}) {
    if (error) found.error_percent = std::max(*error, found.error_percent.value_or(0));
  }
  for (const sim::Cause group : groups_of(a.budget, b.budget)) {
    const double slower = group_time(slow.budget, group), faster = group_time(fast.budget, group);
    if (slower - faster <= found.slower - found.faster) continue;
    found.group = group;
    found.slower = slower;
    found.faster = faster;
  }
  return found;
}

std::optional<sim::Cause> lit_cause(const Look& look) {
  if (look.cause.empty()) return std::nullopt;
  for (const sim::Cause cause : sim::all_causes) {
    if (sim::key_of(cause) == look.cause) return cause;
  }
  return std::nullopt;
}

bool works_on(const sim::Event& event, sim::Cause cause) {
  return sim::is_work(cause) && event.direction == sim::Direction::none && event.cause == cause;
}

void light_up(Model& model, std::size_t subject, sim::Cause cause) {
  const bool again = lit_cause(model.state.look) == cause;
  model.state.look.cause = sim::key_of(cause);
  model.play(false);
  const auto moment = [&] {
    const Subject& s = model.world.subject(subject);
    return next_moment(s.replay->trace, cause, again ? std::optional(s.time) : std::nullopt);
  };
  const Subject& here = model.world.subject(subject);
  if (!moment() && subject == 0)
    model.look_at(here.replay->kernel, sim::busiest_cta(here.problem().shape, here.launch().grid));
  const std::optional<sim::Cycles> at = moment();
  model.state.look.timeline = at ? TimelineOf::cta : TimelineOf::grid;
  if (at) model.seek_subject(subject, *at);
}

Edits next_light(const Model& model) {
  const std::vector<sim::Cause> causes = causes_of(model.world.subject(0).kernel().time.budget);
  const std::optional<sim::Cause> lit = lit_cause(model.state.look);
  auto next = lit ? std::find(causes.begin(), causes.end(), *lit) : causes.end();
  next = next == causes.end() ? causes.begin() : next + 1;
  if (next == causes.end()) return {SetLook{"cause", ""}};
  return {LightUp{std::string(sim::key_of(*next)), 0}};
}

}  // namespace explorer
