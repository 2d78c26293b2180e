// The CTAs of all kernels of a run at one place of the grid, one after another: what runs are compared along.
//
// Inaccuracies: it is the story of one CTA per kernel, not of the whole grid: of `standard` one tile of S, then one row
// block of the softmax, then one tile of O. The panels say which part of the work that is.
#pragma once
#include "viz/model/look.h"
#include "viz/model/run.h"

namespace explorer {

class Chain {
 public:
  /// Replays a CTA of each kernel. O(events). Throws Error when one has more events than a replay keeps.
  Chain(const sim::Simulation& simulation, sim::CtaPlace place);

  struct Moment {
    std::size_t kernel = 0;
    sim::Cycles time;
  };

  const std::shared_ptr<const Replay>& replay(std::size_t kernel) const { return links_[kernel].replay; }
  std::size_t kernels() const { return links_.size(); }
  /// How far a moment is, and how far the chain goes. O(log events).
  double amount(Sync sync, Moment moment) const;
  double total(Sync sync) const { return begins_[static_cast<std::size_t>(sync)].back(); }
  /// The first moment at which an amount is reached; the end when it never is. O(log events).
  Moment moment(Sync sync, double amount) const;

 private:
  struct Link {
    std::shared_ptr<const Replay> replay;
    double amount(Sync sync, sim::Cycles time, double cycles_per_us) const;
    sim::Cycles reached(Sync sync, double amount, double cycles_per_us) const;
  };

  std::vector<Link> links_;
  std::array<std::vector<double>, 3> begins_;  ///< amounts at the begin of each kernel, and at the end of the last
  double cycles_per_us_ = 1;
};

}  // namespace explorer
