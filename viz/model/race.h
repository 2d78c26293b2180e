// A whole run on one clock: bytes moved, work done and busy SMs by microseconds since its first launch.
//
// Inaccuracies: those of GridTimeline. Inside a kernel bytes and FLOPs follow the time that its CTAs have spent, evenly
// until they are scheduled; a grid known only as a whole fills every SM evenly until the tail begins.
#pragma once
#include <functional>
#include <vector>

#include "viz/model/grid_timeline.h"

namespace explorer {

/// Duration of the slowest run of a race from launch to finish, in seconds of the viewer at speed 1.
inline constexpr double race_seconds = 10;

class RaceRun : public Task {
 public:
  struct Kernel {
    double launch = 0, begin = 0, end = 0;  ///< kernel launch, start of the first CTA, end of the last
    GridTimeline grid;
    std::vector<float> done;            ///< share of the CTAs' time, at equal steps from `begin` to `end`
    std::vector<double> work_of_class;  ///< work of a CTA by CtaSpan::run: the mean of their times; all CTAs sum to 1
  };

  explicit RaceRun(std::shared_ptr<const Run> run);
  bool advance() override;  ///< schedules a kernel in several slices
  bool ready() const { return ready_ == kernels_.size(); }

  const Run& run() const { return *run_; }
  const std::vector<Kernel>& kernels() const { return kernels_; }
  double end() const { return kernels_.back().end; }
  /// The kernel being launched or under way; the last one at the end.
  std::size_t kernel_at(double time) const;
  /// Share of a kernel's work done at a time, 0 to 1. O(1).
  double share(std::size_t kernel, double time) const;
  /// Share of a kernel's work if each CTA's progress is known: `part_of_cta` maps the share of its time that has passed
  /// to the share of its work that is done. CTAs of one class do equal work. `ticks`: since the first CTA began.
  /// O(CTAs).
  double share(std::size_t kernel, double ticks, const std::function<double(double)>& part_of_cta) const;
  /// Amount of a quantity (a sum over kernels) accumulated by `time`; at the end, exactly the total. O(kernels).
  double amount(double time, double (*quantity)(const sim::KernelMeters&)) const;
  /// Number of SMs that run a CTA. O(slots log CTAs).
  std::int64_t busy_sms(double time) const;
  /// Converts a time inside a kernel between the run's clock and the kernel's grid.
  sim::Cycles in_grid(std::size_t kernel, double time) const;
  double on_clock(std::size_t kernel, sim::Cycles time) const;

 private:
  void sum_up(Kernel& kernel) const;
  static void weigh_classes(Kernel& kernel);

  std::shared_ptr<const Run> run_;
  std::vector<Kernel> kernels_;
  std::size_t ready_ = 0;
};

/// Start and end of a CTA, in microseconds since the launch of the run. CTAs of a grid known only as a whole are spread
/// evenly over it. The clock must be ready().
struct CtaTimes {
  double begin = 0, end = 0;
};
CtaTimes times_of_cta(const RaceRun& clock, const Replay& cta);

/// A CTA that runs at a time and position of the lanes, and its kernel.
struct RacingCta {
  std::size_t kernel = 0;
  std::int64_t cta = 0;
  std::int64_t sm = 0;
};
/// The newest CTA on an SM at a time; empty if the SM is idle or its CTAs are not known individually.
std::optional<RacingCta> racing_cta(const RaceRun& run, double time, std::int64_t sm);

}  // namespace explorer
