#include "viz/model/chain.h"

#include <algorithm>
#include <cmath>

namespace explorer {
namespace {

constexpr std::array<Sync, 3> all_syncs = {Sync::time, Sync::bytes, Sync::step};

double real(sim::Cycles time) { return static_cast<double>(time.count()) / static_cast<double>(sim::ticks_per_cycle); }

}  // namespace

double Chain::Steps::at(sim::Cycles time) const {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  return after == times.begin() ? 0 : amounts[static_cast<std::size_t>(after - times.begin()) - 1];
}

sim::Cycles Chain::Steps::reached(double amount) const {
  if (amount <= 0 || amounts.empty()) return {};
  const auto found = std::lower_bound(amounts.begin(), amounts.end(), amount);
  return found == amounts.end() ? times.back() : times[static_cast<std::size_t>(found - amounts.begin())];
}

double Chain::Link::amount(Sync sync, sim::Cycles time, double cycles_per_us) const {
  if (sync == Sync::time) return real(time) / cycles_per_us;
  return sync == Sync::bytes ? bytes.at(time) : tiles.at(time);
}

sim::Cycles Chain::Link::reached(Sync sync, double amount, double cycles_per_us) const {
  if (sync == Sync::time) return std::min(sim::nearest_tick(amount * cycles_per_us), replay->index.end());
  return sync == Sync::bytes ? bytes.reached(amount) : tiles.reached(amount);
}

/// A byte has moved when its copy ends.
Chain::Link Chain::make_link(std::shared_ptr<const Replay> replay) {
  Link link;
  std::vector<std::pair<sim::Cycles, double>> moves;
  for (const sim::Event& event : replay->trace.events) {
    const sim::Bytes bytes = sim::traffic_of(event).total();
    if (bytes > sim::Bytes{}) moves.emplace_back(event.end, static_cast<double>(bytes.count()));
  }
  std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  double sum = 0;
  for (const auto& [time, bytes] : moves) {
    link.bytes.times.push_back(time);
    link.bytes.amounts.push_back(sum += bytes);
  }
  link.tiles.times = replay->index.stops(TraceIndex::Unit::tile);
  for (std::size_t n = 1; n <= link.tiles.times.size(); ++n) link.tiles.amounts.push_back(static_cast<double>(n));
  link.replay = std::move(replay);
  return link;
}

Chain::Chain(const sim::Simulation& simulation, sim::CtaPlace place)
    : cycles_per_us_(static_cast<double>(simulation.plan.scenario.gpu->clock_hz) * 1e-6) {
  for (std::size_t k = 0; k < simulation.plan.launches.size(); ++k)
    links_.push_back(make_link(make_replay(simulation, k, place)));
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
