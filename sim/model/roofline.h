// The roofline of a run: how many FLOPs a byte carries at each memory level, what the device allows at that, and what
// the predicted time makes of it.
//
//   intensity  = FLOPs of products / bytes                          FLOP/B
//   shortest   = max(time of each pipe, bytes / bandwidth of each level)
//   attainable = FLOPs of products / shortest                       FLOP/s, at most intensity x bandwidth, and the peak
//   ridge      = matrix peak / bandwidth                            FLOP/B; left of it memory is the lower roof
//
// Both axes count products alone, as the papers' 4 N^2 d does and as the peak of the datasheet is meant: the FLOPs of
// the softmax have a pipe of their own beside them. What computes no products is rated by what it computes.
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
  double l2 = 0;           ///< bytes/s; all tile traffic passes the L2. Not a number where the device has none
  double hbm = 0;          ///< bytes/s
  bool has_l2() const { return l2 > 0; }
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
  Flops folded = Flops(0);  ///< of the rest: part of the exponentials' multiply-add, on no pipe of their own
  bool hbm_counted = true;  ///< else nothing is known of bytes between L2 and HBM but that there are at least
  Bytes compulsory;         ///< these
  Flops rated() const { return matrix > Flops() ? matrix : other; }  ///< what rates and intensities count
  double tile_intensity() const;                                     ///< FLOP/B; 0 without any FLOPs
  double hbm_intensity() const;                                      ///< FLOP/B; not a number where not counted
  double peak(const Roofs& roofs) const;  ///< FLOP/s: products and the rest side by side on their pipes
  double attainable(
      const Roofs& roofs) const;           ///< FLOP/s: what the slowest of pipes, L2 and HBM leaves, as far as known
  double level(const Roofs& roofs) const;  ///< FLOP/s of its place in a plot: achieved, or without a time attainable
  double plotted_hbm() const;              ///< FLOP/B of its place: hbm_intensity(), or where not counted tile's
  double achieved() const;                 ///< FLOP/s in the predicted time; not a number without one
};

RooflinePoint roofline_point(const KernelMeters& kernel);

/// A point per kernel in order of launch, and at the end the whole sequence. O(kernels).
std::vector<RooflinePoint> roofline(const Simulation& simulation);

}  // namespace sim
