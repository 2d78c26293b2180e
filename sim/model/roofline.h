// Roofline of a run: FLOPs per byte at each memory level, the rate that the device allows there, and the rate in the
// predicted time.
//
//   intensity  = FLOPs of products / bytes                          FLOP/B
//   shortest   = max(time of each pipe, bytes / bandwidth of each level)
//   attainable = FLOPs of products / shortest                       FLOP/s, at most intensity x bandwidth, and the peak
//   ridge      = matrix peak / bandwidth                            FLOP/B; left of it memory is the lower roof
//
// Both axes count matrix products only, as the papers' 4 N^2 d does and as the peak of a datasheet is meant: the FLOPs
// of the softmax run on a separate pipe. A kernel without products is rated by its other FLOPs.
// Source: Williams, Waterman and Patterson 2009, with one intensity per memory level (Ilic et al. 2014).
// Inaccuracies: exponentials, instruction issue and shared memory have no roof here.
#pragma once
#include <string>
#include <vector>

#include "sim/model/simulation.h"

namespace sim {

/// Peak rates of a device with all its SMs busy.
struct Roofs {
  double matrix_peak = 0;  ///< FLOP/s of products in the dtype: tensor cores, or the FP32 pipe for fp32
  double other_peak = 0;   ///< FLOP/s of other FLOPs, which are not multiply-adds: half of the FP32 pipe
  bool one_pipe = false;   ///< fp32: products and other FLOPs share one pipe
  double l2 = 0;           ///< bytes/s; all tile traffic passes through the L2. NaN if the device has none
  double hbm = 0;          ///< bytes/s
  bool has_l2() const { return l2 > 0; }
  double l2_ridge() const { return matrix_peak / l2; }
  double hbm_ridge() const { return matrix_peak / hbm; }
};

Roofs roofs_of(const DeviceSpec& gpu, Dtype dtype);
Roofs roofs_of(const Plan& plan);  ///< with the pipe that its products take

/// One kernel, or a sequence of them.
struct RooflinePoint {
  std::string name;  ///< the kernel's, or "all kernels"
  Flops matrix, other;
  Bytes tile, hbm;  ///< tile: across the SRAM boundary, hence through the L2; hbm: between L2 and HBM
  double microseconds = 0;
  Flops folded = Flops(0);  ///< part of `other` folded into the exponentials' multiply-add, on no pipe
  bool hbm_counted = true;  ///< else bytes between L2 and HBM are unknown, except for a lower bound
  Bytes compulsory;         ///< the lower bound
  Flops rated() const { return matrix > Flops() ? matrix : other; }  ///< FLOPs that rates and intensities count
  double tile_intensity() const;                                     ///< FLOP/B; 0 without any FLOPs
  double hbm_intensity() const;                                      ///< FLOP/B; NaN if not counted
  double peak(const Roofs& roofs) const;  ///< FLOP/s: products and other FLOPs concurrently on their pipes
  double attainable(
      const Roofs& roofs) const;           ///< FLOP/s: what the slowest of pipes, L2 and HBM leaves, as far as known
  double level(const Roofs& roofs) const;  ///< FLOP/s in a plot: achieved, or attainable if there is no time
  double plotted_hbm() const;              ///< FLOP/B in a plot: hbm_intensity(), or tile_intensity() if not counted
  double achieved() const;                 ///< FLOP/s in the predicted time; NaN without one
};

RooflinePoint roofline_point(const KernelMeters& kernel);

/// Returns a point per kernel in order of launch, followed by one for the whole sequence. O(kernels).
std::vector<RooflinePoint> roofline(const Simulation& simulation);

}  // namespace sim
