// The CTAs of all kernels of a run at one grid position, one after another: the path along which runs are compared.
//
// Inaccuracies: it shows one CTA per kernel, not the whole grid: for `standard` one tile of S, then one row block of
// the softmax, then one tile of O. The panels show which part of the work that is. Time is that of the run: a CTA stays
// at its start until the grid reaches it, and at its end afterwards; if the CTAs of a grid are not known individually,
// it begins after its share of the others.
#pragma once
#include "viz/model/look.h"
#include "viz/model/race.h"

namespace explorer {

class Chain {
 public:
  /// Replays a CTA of each kernel of a run. O(events), plus the run's clock if not ready yet. Throws Error if a CTA has
  /// more events than a replay keeps.
  Chain(RaceRun& clock, sim::CtaPlace place);

  struct Moment {
    std::size_t kernel = 0;
    sim::Cycles time;
  };

  const std::shared_ptr<const Replay>& replay(std::size_t kernel) const { return links_[kernel].replay; }
  std::size_t kernels() const { return links_.size(); }
  /// amount() is the progress at a moment, total() that of the whole chain. O(log events).
  double amount(Sync sync, Moment moment) const;
  double total(Sync sync) const { return begins_[static_cast<std::size_t>(sync)].back(); }
  /// The first moment at which an amount is reached; the end if it never is. O(log events).
  Moment moment(Sync sync, double amount) const;

 private:
  struct Link {
    std::shared_ptr<const Replay> replay;
    double begin, length;  ///< start and duration of the CTA in microseconds, since the launch of its kernel
    double amount(Sync sync, sim::Cycles time) const;
    sim::Cycles reached(Sync sync, double amount) const;
  };
  static Link make_link(const RaceRun& clock, std::size_t kernel, sim::CtaPlace place);

  std::vector<Link> links_;
  std::array<std::vector<double>, 3> begins_;  ///< amounts at the start of each kernel, and at the end of the last
};

}  // namespace explorer
