// Progress of a whole run at the playhead of one of its CTAs: what all SMs have done by then, under the grid's
// own schedule, in steps as copies arrive and operations end.
//
// Inaccuracies: the CTAs of a kernel make the same steps as the one that is replayed, each in its own time and as large
// as its class is; HBM traffic follows tile traffic, except where a CTA takes a whole head. Grids that are known as a
// whole only advance with their time.
#pragma once
#include "viz/model/subject.h"

namespace explorer {

/// FLOPs of a multiplication and the addition of its product.
inline constexpr double flops_of_product = 2;

class RunProgress {
 public:
  /// Computes the run's clock if it is not ready yet: up to 10 ms.
  explicit RunProgress(const Subject& subject);

  /// Microseconds since the run was launched; 0 before its first CTA does anything.
  double microseconds() const;
  // In whole elements, and products; O(kernels + CTAs).
  double tile_bytes_read() const;
  double hbm_bytes() const;
  double matmul_flops() const;

 private:
  using OfKernel = double (*)(const sim::KernelMeters&);
  using OfCta = double (*)(const Replay&, sim::Cycles);  // up to a time
  double of(OfKernel of_kernel, OfCta of_cta, double unit) const;
  double share_of_kernel(OfCta of_cta) const;

  const Subject& subject_;
  std::size_t kernel_;
  double passed_;   // of the CTA's time, 0 to 1
  CtaTimes times_;  // of the CTA
};

/// Bytes of an element in HBM: what copies move is a multiple of it.
double element_bytes(const sim::Simulation& simulation);
/// An amount that is under way, in whole units.
double whole_units(double amount, double unit);

}  // namespace explorer
