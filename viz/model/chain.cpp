#include "viz/model/chain.h"

#include <algorithm>
#include <cmath>

namespace explorer {
namespace {

/// The time in ticks, at least 1: a divisor.
double some_ticks(sim::Cycles time) { return static_cast<double>(std::max<std::int64_t>(1, time.count())); }

}  // namespace

double Chain::Link::amount(Sync sync, sim::Cycles time) const {
  if (sync == Sync::time) return begin + length * static_cast<double>(time.count()) / some_ticks(replay->index.end());
  if (sync == Sync::bytes) return replay->progress.at(time).bytes();
  const auto& begun = replay->index.stops(TraceIndex::Unit::tile);
  return static_cast<double>(std::upper_bound(begun.begin(), begun.end(), time) - begun.begin());
}

sim::Cycles Chain::Link::reached(Sync sync, double amount) const {
  if (sync == Sync::time) {
    const double share = length > 0 ? std::clamp((amount - begin) / length, 0., 1.) : 1;
    return sim::Cycles(std::llround(share * static_cast<double>(replay->index.end().count())));
  }
  if (sync == Sync::bytes) return replay->progress.moved(amount);
  const auto& begun = replay->index.stops(TraceIndex::Unit::tile);
  const auto tile = static_cast<std::size_t>(std::max(std::ceil(amount), 1.0));  // before the first tile there is none
  return begun[std::min(tile, begun.size()) - 1];
}

Chain::Link Chain::make_link(const RaceRun& clock, std::size_t kernel, sim::CtaPlace place) {
  const sim::Simulation& simulation = clock.run().simulation;
  Link link{make_replay(simulation, kernel, place), 0, 0};
  const CtaTimes times = times_of_cta(clock, *link.replay);
  link.begin = times.begin - clock.kernels()[kernel].launch;
  link.length = times.end - times.begin;
  return link;
}

Chain::Chain(RaceRun& clock, sim::CtaPlace place) {
  while (clock.advance()) {
  }
  std::vector<double>& times = begins_[static_cast<std::size_t>(Sync::time)];
  for (std::size_t k = 0; k < clock.kernels().size(); ++k) {
    links_.push_back(make_link(clock, k, place));
    times.push_back(clock.kernels()[k].launch);
  }
  times.push_back(clock.end());
  for (const Sync sync : {Sync::bytes, Sync::step}) {
    std::vector<double>& begins = begins_[static_cast<std::size_t>(sync)];
    begins.push_back(0);
    for (const Link& link : links_) begins.push_back(begins.back() + link.amount(sync, link.replay->index.end()));
  }
}

double Chain::amount(Sync sync, Moment moment) const {
  return begins_[static_cast<std::size_t>(sync)][moment.kernel] + links_[moment.kernel].amount(sync, moment.time);
}

Chain::Moment Chain::moment(Sync sync, double amount) const {
  const std::vector<double>& begins = begins_[static_cast<std::size_t>(sync)];
  if (amount >= begins.back()) return {links_.size() - 1, links_.back().replay->index.end()};
  const auto next = std::upper_bound(begins.begin(), begins.end(), std::max(amount, 0.0));
  const auto kernel = static_cast<std::size_t>(next - begins.begin()) - 1;
  return {kernel, links_[kernel].reached(sync, amount - begins[kernel])};
}

}  // namespace explorer
