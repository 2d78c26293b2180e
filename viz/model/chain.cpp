#include "viz/model/chain.h"

#include <algorithm>
#include <cmath>

namespace explorer {
namespace {

constexpr std::array<Sync, 3> all_syncs = {Sync::time, Sync::bytes, Sync::step};

double real(sim::Cycles time) { return static_cast<double>(time.count()) / static_cast<double>(sim::ticks_per_cycle); }

}  // namespace

double Chain::Link::amount(Sync sync, sim::Cycles time, double cycles_per_us) const {
  if (sync == Sync::time) return real(time) / cycles_per_us;
  if (sync == Sync::bytes) return replay->progress.at(time).bytes();
  const auto& begun = replay->index.stops(TraceIndex::Unit::tile);
  return static_cast<double>(std::upper_bound(begun.begin(), begun.end(), time) - begun.begin());
}

sim::Cycles Chain::Link::reached(Sync sync, double amount, double cycles_per_us) const {
  if (sync == Sync::time) return std::min(sim::nearest_tick(amount * cycles_per_us), replay->index.end());
  if (sync == Sync::bytes) return replay->progress.moved(amount);
  const auto& begun = replay->index.stops(TraceIndex::Unit::tile);
  const auto tile = static_cast<std::size_t>(std::max(std::ceil(amount), 1.0));  // before the first there is none
  return begun[std::min(tile, begun.size()) - 1];
}

Chain::Chain(const sim::Simulation& simulation, sim::CtaPlace place)
    : cycles_per_us_(static_cast<double>(simulation.plan.scenario.gpu->clock_hz) * 1e-6) {
  for (std::size_t k = 0; k < simulation.plan.launches.size(); ++k)
    links_.push_back({make_replay(simulation, k, place)});
  for (const Sync sync : all_syncs) {
    std::vector<double>& begins = begins_[static_cast<std::size_t>(sync)];
    begins.push_back(0);
    for (const Link& link : links_)
      begins.push_back(begins.back() + link.amount(sync, link.replay->index.end(), cycles_per_us_));
  }
}

double Chain::amount(Sync sync, Moment moment) const {
  return begins_[static_cast<std::size_t>(sync)][moment.kernel] +
         links_[moment.kernel].amount(sync, moment.time, cycles_per_us_);
}

Chain::Moment Chain::moment(Sync sync, double amount) const {
  const std::vector<double>& begins = begins_[static_cast<std::size_t>(sync)];
  if (amount >= begins.back()) return {links_.size() - 1, links_.back().replay->index.end()};
  const auto next = std::upper_bound(begins.begin(), begins.end(), std::max(amount, 0.0));
  const auto kernel = static_cast<std::size_t>(next - begins.begin()) - 1;
  return {kernel, links_[kernel].reached(sync, amount - begins[kernel], cycles_per_us_)};
}

}  // namespace explorer
