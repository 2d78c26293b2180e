#include "viz/model/batch.h"

#include <algorithm>

#include "sim/programs/ragged.h"

namespace explorer {

sim::Scenario packed_as(const sim::Scenario& scenario, Packing packing) {
  if (scenario.sequences == nullptr) return scenario;
  sim::Scenario packed = scenario;
  packed.issue = packing == Packing::longest ? sim::IssueOrder::longest : sim::IssueOrder::file;
  if (packing != Packing::padded) return packed;
  packed = sim::with_sizes(std::move(packed));
  packed.sequences = nullptr;
  return packed;
}

Packing packing_of(const sim::Scenario& scenario) {
  if (scenario.sequences == nullptr) return Packing::padded;
  return scenario.issue == sim::IssueOrder::longest ? Packing::longest : Packing::file;
}

sim::SequenceClasses sequences_of(const sim::Simulation& simulation) {
  const sim::Plan& plan = simulation.plan;
  if (plan.scenario.sequences != nullptr) return *plan.scenario.sequences;
  const sim::Shape& shape = plan.problem.shape;
  return {{shape.batch, shape.seqlen_q, shape.seqlen_k}};
}

const sim::SequenceClass& class_of_entry(const sim::SequenceClasses& classes, std::int64_t entry) {
  for (const sim::SequenceClass& c : classes) {
    if (entry < c.count) return c;
    entry -= c.count;
  }
  throw sim::Error("batch: its classes have fewer entries than requested");
}

sim::SequenceClasses with_lengths(const sim::SequenceClasses& classes, std::int64_t entry, std::int64_t queries,
                                  std::int64_t keys) {
  sim::SequenceClasses changed;
  for (const sim::SequenceClass& c : classes) {
    const bool inside = entry >= 0 && entry < c.count;
    const std::int64_t before = inside ? entry : c.count, after = c.count - before - (inside ? 1 : 0);
    if (before > 0) changed.push_back({before, c.seqlen_q, c.seqlen_k});
    if (inside) changed.push_back({1, queries, keys});
    if (after > 0) changed.push_back({after, c.seqlen_q, c.seqlen_k});
    entry -= c.count;
  }
  return changed;
}

std::vector<float> ranks_of(const sim::SequenceClasses& classes) {
  const auto size = [](const sim::SequenceClass& c) { return std::pair(c.seqlen_k, c.seqlen_q); };
  std::vector<std::pair<std::int64_t, std::int64_t>> sizes;
  for (const sim::SequenceClass& c : classes) sizes.push_back(size(c));
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::vector<float> ranks;
  for (const sim::SequenceClass& c : classes) {
    const auto rank = std::lower_bound(sizes.begin(), sizes.end(), size(c)) - sizes.begin();
    ranks.push_back(sizes.size() == 1 ? 1 : static_cast<float>(rank) / static_cast<float>(sizes.size() - 1));
  }
  return ranks;
}

bool BatchRuns::advance() {
  if (counted_ < packings) {
    const bool same = counted_ > 0 && !is_ragged();
    const sim::Scenario scenario = packed_as(run_->simulation.plan.scenario, static_cast<Packing>(counted_));
    clocks_[counted_] = same ? clocks_[0] : std::make_shared<RaceRun>(is_ragged() ? make_run(scenario) : run_);
    ++counted_;
    return true;
  }
  for (const auto& clock : clocks_) {
    if (!clock->ready()) return clock->advance() || true;
  }
  return false;
}

double BatchRuns::end() const {
  double end = 0;
  for (const auto& clock : clocks_) end = std::max(end, clock->end());
  return end;
}

CtaTimes tail_of(const RaceRun& clock) {
  const auto& kernels = clock.kernels();
  std::size_t longest = 0;
  for (std::size_t k = 1; k < kernels.size(); ++k) {
    if (kernels[k].end - kernels[k].launch > kernels[longest].end - kernels[longest].launch) longest = k;
  }
  return {clock.on_clock(longest, kernels[longest].grid.grid().waves.tail_begin), kernels[longest].end};
}

}  // namespace explorer
