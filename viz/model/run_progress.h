// Progress of a whole run at the playhead of one of its CTAs: work of all SMs up to then, under the grid's own
// schedule, advancing as copies complete and operations end.
//
// Inaccuracies: all CTAs of a kernel make the same steps as the replayed one, each in its own time and scaled to its
// class; HBM traffic follows tile traffic, unless a CTA takes a whole head. Grids known only as a whole advance with
// their time.
#pragma once
#include "viz/model/subject.h"

namespace explorer {

/// FLOPs of a multiplication with its addition.
inline constexpr double flops_of_product = 2;

class RunProgress {
 public:
  /// Computes the run's clock if it is not ready yet: up to 10 ms.
  explicit RunProgress(const Subject& subject);

  /// Microseconds since the launch of the run; 0 until its first CTA begins.
  double microseconds() const;
  // Amounts in whole elements, or products; O(kernels + CTAs).
  double tile_bytes() const;  ///< read and written
  double hbm_bytes() const;
  double matmul_flops() const;

 private:
  using OfKernel = double (*)(const sim::KernelMeters&);
  using OfCta = double (*)(const Replay&, sim::Cycles);  // amount up to a time
  double of(OfKernel of_kernel, OfCta of_cta, double unit) const;
  double share_of_kernel(OfCta of_cta) const;

  const Subject& subject_;
  std::size_t kernel_;
  double passed_;   // share of the CTA's time, 0 to 1
  CtaTimes times_;  // schedule of the CTA
};

/// Bytes of an element in HBM: copies move a multiple.
double element_bytes(const sim::Simulation& simulation);
/// Rounds a partial amount down to whole units.
double whole_units(double amount, double unit);

}  // namespace explorer
