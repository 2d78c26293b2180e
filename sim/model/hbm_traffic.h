// HBM traffic of one kernel: the tile traffic that the L2 does not serve, by tensor.
//
// The CTAs of the kernel run on the schedule that times them, and each access hits as far as the bytes accessed since
// the last one fit into the L2 (grid_walk.h). Writes stay in L2 until they are evicted or the kernel ends.
//
// Inaccuracies: the cache is cold at the start of every kernel; it is least recently used and fully associative,
// without sets, sectors and partitions; tensors that are written are not fetched; and those of grid_walk.h.
#pragma once
#include <array>
#include <map>
#include <optional>

#include "sim/model/access_pattern.h"
#include "sim/model/grid_walk.h"

namespace sim {

/// Tile traffic of a launch and its accesses in order, from its counted trace, for all that is derived from them.
struct LaunchAccesses {
  LaunchAccesses(const Problem& of, const Launch& one, const Trace& counted);
  const Problem& problem;
  const Launch& launch;
  Totals totals;
  AccessPattern pattern;
};

/// The pace of a kernel's CTAs if HBM delivered everything at once, and the chip that they share.
struct GridPace {
  WalkPace pace;
  WalkChip chip;  ///< but for the capacity of its L2
};

/// Bytes of a kernel, and the time of its grid with waits for HBM, against that without.
struct HbmDemand {
  Bytes bytes;
  double stretch = 1;
};

/// Bounds of the bytes where the model cannot decide: CTAs that drift apart less or more than assumed move other
/// bytes, and where HBM is nearly saturated CTAs may keep in step or not.
struct HbmRange {
  HbmDemand low, high;
  Bytes in_step;  ///< bytes if CTAs kept in step, which is one of the two ends
};

/// Bytes read again, by their reuse distance: bin n has those above the end of bin n - 1 and up to its own.
struct Reuse {
  /// Ends of the bins, as parts of the L2. Bytes up to 0.8 hit, those from 1.22 on miss (WalkChip).
  static constexpr std::array<double, 8> ends = {0.125, 0.25, 0.5, 0.8, 1.22, 2, 4, 1e300};
  std::array<Bytes, ends.size()> bytes{};
  Bytes total() const;
};

/// Bytes between HBM and L2, and what they cost.
struct HbmTraffic {
  std::map<Tensor, Traffic> by_tensor;
  double stretch = 1;  ///< HbmDemand::stretch
  Reuse reuse;
  HbmDemand demand() const;
};

/// Returns HBM traffic by tensor. `classes`: of the plan, or of each class of its ragged batch. `capacity`: bytes of L2
/// that hot data can use. The result is never more than the tile traffic and never less than each byte that is
/// accessed, once: HBM = once + (tile - once) x the share of repeated bytes that misses. Cost: that of a walk, a few
/// ms.
HbmTraffic hbm_traffic(const Plan& plan, const Launch& launch, const std::vector<LaunchAccesses>& classes,
                       const GridPace& pace, std::int64_t capacity, const WalkOptions& options = {});

/// Returns the range of the kernel's HBM traffic if it is wide. If more than 2 % of the bytes are accessed again after
/// about as many bytes as the L2 holds, or HBM is nearly saturated, CTAs with 2 and 33 % of noise are walked as well,
/// and CTAs in step. The range is wide if noise moves the bytes by more than 10 %; or if the demand is more than 0.7 of
/// the bandwidth, and bytes of CTAs in step, and of those that never wait, differ from them by more than 2 %. Cost: up
/// to five walks.
std::optional<HbmRange> hbm_range(const Plan& plan, const Launch& launch, const std::vector<LaunchAccesses>& classes,
                                  const GridPace& pace, std::int64_t capacity);

/// Returns the share of reads that L2 serves: 1 - HBM reads / tile reads, 0 if nothing is read. Writes neither hit nor
/// miss: each byte written leaves L2 once, sooner or later.
double l2_hit_rate(const Traffic& tile, const Traffic& hbm);

}  // namespace sim
