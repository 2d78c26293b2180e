// HBM traffic of one kernel: the tile traffic that the L2 does not serve, by tensor.
//
// CTAs start in waves that fill the chip, in issue order (GridShape::raster). CTAs of a wave run in lockstep,
// one iteration of their loops at a time, and share the tiles that they loop over together. A later access hits if the
// bytes of all tensors accessed in between fit into the effective capacity. Writes stay in L2 until they are evicted or
// the kernel ends.
//
// Inaccuracies: a wave starts when the previous one has ended, and CTAs never drift apart; the cache is cold at the
// start of every kernel; it is least recently used and fully associative. Kernels with more than some 4,000 accesses
// are simplified by joining neighbouring blocks and letting a few heads represent all: the result is within 2 % of the
// brute force in the tests, except for blocks of a few rows under a window, in an L2 smaller than the bytes of a wave
// in one iteration, and for concurrent heads (Raster::block_outermost) in large kernels if fewer than all of them are
// in flight. Loops from the last block to the first under a mask have their own walk (l2_apart.cpp), which takes a few
// ms, up to 30 ms at 131,072 tokens.
#pragma once
#include <map>

#include "sim/model/access_pattern.h"

namespace sim {

/// Tile traffic of a launch and its accesses in order, from its counted trace, for all that is derived from them.
struct LaunchAccesses {
  LaunchAccesses(const Problem& of, const Launch& one, const Trace& counted);
  const Problem& problem;
  const Launch& launch;
  Totals totals;
  AccessPattern pattern;
};

/// Returns HBM traffic by tensor. `in_flight`: SMs x CTAs per SM; `capacity`: bytes of L2 that hot data can use, 0 for
/// the papers' two-level model (no L2). The result is never more than the tile traffic and never less than each byte
/// that is accessed, once; capacity 0 gives the first, an infinite one the second. HBM = once + (tile - once) x the
/// share of repeated bytes that misses. Cost: O(row blocks), some 0.3 ms.
std::map<Tensor, Traffic> hbm_traffic(const LaunchAccesses& accesses, std::int64_t in_flight, std::int64_t capacity);

/// As above, from the counted trace of the launch.
std::map<Tensor, Traffic> hbm_traffic(const Problem& problem, const Launch& launch, const Trace& counted,
                                      std::int64_t in_flight, std::int64_t capacity);

/// Parts of its effective capacity between which the L2 of a GPU goes from serving all repeated accesses to serving
/// none: its partitions and sets fill up one after the other. Fitted to the DRAM counters of flash1 (batch 8, 16 heads,
/// N 1024, d 64) on an H100 and an H200, one pair for both.
inline constexpr double l2_begins_to_miss = 0.8, l2_misses_whole = 1.22;

/// Returns HBM traffic after such an L2: the mean over capacities between the two parts of `capacity`, evenly spaced.
/// Cost: two calls of hbm_traffic(), eight if the smallest and the largest capacity differ.
std::map<Tensor, Traffic> hbm_traffic_without_edge(const LaunchAccesses& accesses, std::int64_t in_flight,
                                                   std::int64_t capacity);

/// Returns the share of reads that L2 serves: 1 - HBM reads / tile reads, 0 if nothing is read. Writes neither hit nor
/// miss: each byte written leaves L2 once, sooner or later.
double l2_hit_rate(const Traffic& tile, const Traffic& hbm);

}  // namespace sim
