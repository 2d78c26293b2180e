// The CTAs of all kernels of a run at one place of the grid, one after another: what runs are compared along.
//
// Inaccuracies: it is the story of one CTA per kernel, not of the whole grid: of `standard` one tile of S, then one row
// block of the softmax, then one tile of O. The panels say which part of the work that is. Time is that of the run: a
// CTA stands at its begin until the grid comes to it, and at its end from then on; where the CTAs of a grid are not
// known one by one, it begins after its share of the others.
#pragma once
#include "viz/model/look.h"
#include "viz/model/race.h"

namespace explorer {

class Chain {
 public:
  /// Replays a CTA of each kernel of a run. O(events), and the run on its clock where it is not there yet. Throws Error
  /// when a CTA has more events than a replay keeps.
  Chain(RaceRun& clock, sim::CtaPlace place);

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
    double begin, length;  ///< of the CTA, in microseconds since the launch of its kernel
    double amount(Sync sync, sim::Cycles time) const;
    sim::Cycles reached(Sync sync, double amount) const;
  };
  static Link make_link(const RaceRun& clock, std::size_t kernel, sim::CtaPlace place);

  std::vector<Link> links_;
  std::array<std::vector<double>, 3> begins_;  ///< amounts at the begin of each kernel, and at the end of the last
};

}  // namespace explorer
