// The roofline of a run: how many FLOPs a byte carries at each memory level, what the device allows at that, and what
// the predicted time makes of it.
//
//   intensity  = FLOPs / bytes                                      FLOP/B
//   attainable = min(peak, intensity x bandwidth of each level)     FLOP/s
//   ridge      = matrix peak / bandwidth                            FLOP/B; left of it memory is the lower roof
//
// Source: Williams, Waterman and Patterson 2009, with one intensity per memory level (Ilic et al. 2014).
// Inaccuracies: exponentials, instruction issue and shared memory have no roof here.
#pragma once
#include <string>
#include <vector>

#include "sim/model/simulation.h"

namespace sim {

/// What a device can do with all its SMs busy.
struct Roofs {
  double matrix_peak = 0;  ///< FLOP/s of products in the dtype: tensor cores, or the FP32 pipe for fp32
  double other_peak = 0;   ///< FLOP/s of the rest, which are no multiply-adds: half of the FP32 pipe
  bool one_pipe = false;   ///< fp32: products and the rest take turns
  double l2 = 0;           ///< bytes/s; all tile traffic passes the L2
  double hbm = 0;          ///< bytes/s
  double l2_ridge() const { return matrix_peak / l2; }
  double hbm_ridge() const { return matrix_peak / hbm; }
};

Roofs roofs_of(const DeviceSpec& gpu, Dtype dtype);

/// One kernel, or a sequence of them.
struct RooflinePoint {
  std::string name;  ///< the kernel's, or "all kernels"
  Flops matrix, other;
  Bytes tile, hbm;  ///< across the SRAM boundary, hence through the L2; between L2 and HBM
  double microseconds = 0;
  Flops flops() const { return matrix + other; }
  double tile_intensity() const;          ///< FLOP/B; 0 without FLOPs
  double hbm_intensity() const;           ///< FLOP/B
  double peak(const Roofs& roofs) const;  ///< FLOP/s of this mix: products and the rest side by side on their pipes
  double attainable(const Roofs& roofs) const;  ///< FLOP/s: the lowest of the three roofs
  double achieved() const;                      ///< FLOP/s in the predicted time
};

RooflinePoint roofline_point(const KernelMeters& kernel);

/// A point per kernel in order of launch, and at the end the whole sequence. O(kernels).
std::vector<RooflinePoint> roofline(const Simulation& simulation);

}  // namespace sim
