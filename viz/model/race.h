// A whole run on one clock: microseconds since its first launch. What its kernels have moved and computed by then, and
// which SMs are busy.
//
// Inaccuracies: those of GridTimeline. Inside a kernel bytes and FLOPs follow the time that its CTAs have spent; grids
// that are known as a whole only fill every SM evenly until the tail begins.
#pragma once
#include <functional>
#include <vector>

#include "viz/model/grid_timeline.h"

namespace explorer {

/// Viewer's seconds in which the slowest run of a race goes from its launch to its finish, at speed 1.
inline constexpr double race_seconds = 10;

class RaceRun : public Task {
 public:
  struct Kernel {
    double launch = 0, begin = 0, end = 0;  ///< launched, the first CTA begins, the last one ends
    GridTimeline grid;
    std::vector<float> done;            ///< share of the CTAs' time, at equal steps from `begin` to `end`
    std::vector<double> work_of_class;  ///< of a CTA by CtaSpan::run: the mean of their times; all CTAs sum to 1
  };

  explicit RaceRun(std::shared_ptr<const Run> run);
  bool advance() override;  ///< a kernel is placed in some slices
  bool ready() const { return ready_ == kernels_.size(); }

  const Run& run() const { return *run_; }
  const std::vector<Kernel>& kernels() const { return kernels_; }
  double end() const { return kernels_.back().end; }
  /// The kernel under way or being launched; the last one at the end.
  std::size_t kernel_at(double time) const;
  /// How much of a kernel's work is done at a time, 0 to 1. O(1).
  double share(std::size_t kernel, double time) const;
  /// Sums the shares where each CTA's part is known: `part_of_cta` takes the share of its time that has passed and
  /// returns the share of its work that is done. CTAs of one class do equal work. `ticks`: since the first CTA began.
  /// O(CTAs).
  double share(std::size_t kernel, double ticks, const std::function<double(double)>& part_of_cta) const;
  /// What of a quantity, which is a sum over kernels, is behind a time: all of it at the end, exactly. O(kernels).
  double amount(double time, double (*quantity)(const sim::KernelMeters&)) const;
  /// SMs that have a CTA. O(slots log CTAs).
  std::int64_t busy_sms(double time) const;
  /// A time inside a kernel as its grid counts it, and back.
  sim::Cycles in_grid(std::size_t kernel, double time) const;
  double on_clock(std::size_t kernel, sim::Cycles time) const;

 private:
  void sum_up(Kernel& kernel) const;
  static void weigh_classes(Kernel& kernel);

  std::shared_ptr<const Run> run_;
  std::vector<Kernel> kernels_;
  std::size_t ready_ = 0;
};

/// When a CTA runs, in microseconds since the launch of the run. The CTAs of a grid that is known as a whole only are
/// spread evenly over it. The clock must be ready().
struct CtaTimes {
  double begin = 0, end = 0;
};
CtaTimes times_of_cta(const RaceRun& clock, const Replay& cta);

/// A CTA that runs at a time and place of the lanes, and in which kernel.
struct RacingCta {
  std::size_t kernel = 0;
  std::int64_t cta = 0;
  std::int64_t sm = 0;
};
/// The newest one on an SM at a time; nothing when it is idle or its CTAs are not known one by one.
std::optional<RacingCta> racing_cta(const RaceRun& run, double time, std::int64_t sm);

}  // namespace explorer
