// HBM traffic of one kernel: what of its tile traffic the L2 does not serve, by tensor.
//
// CTAs start in waves in issue order (GridShape::raster), as many as the chip holds. Those of a wave run in step, one
// iteration of their loops at a time, and share what they loop over together. What comes again later hits when the
// bytes of all tensors that were touched in between fit into the effective capacity. Writes stay in L2 until they are
// evicted, or the kernel ends.
//
// Inaccuracies: a wave starts when the one before it has ended, and CTAs never drift apart; the cache is cold at every
// kernel; it is least recently used and fully associative. Kernels of more than some 4,000 accesses are taken with
// neighbouring blocks joined, and a few of their heads stand for all: within 2 % of the brute force in the tests, but
// for blocks of a few rows under a window, in an L2 smaller than what a wave touches in one iteration, and for heads
// side by side (Raster::block_outermost) in large kernels when fewer than all of them are in flight. Loops that go from
// the last block to the first under a mask have a walk of their own (l2_apart.cpp), which takes a few ms, at
// 131,072 tokens up to 30.
#pragma once
#include <map>

#include "sim/programs/program.h"
#include "sim/trace/trace.h"

namespace sim {

/// `counted`: the counted trace of the launch; `in_flight`: SMs x CTAs per SM; `capacity`: bytes of L2 that hot data
/// can use, 0 for the papers' machine of two levels. By tensor, never more than the tile traffic nor less than each
/// byte that is touched once; capacity 0 gives the first, an endless one the second. HBM = once + (tile - once) x the
/// share of repeated bytes that misses. Cost: O(row blocks), some 0.3 ms.
std::map<Tensor, Traffic> hbm_traffic(const Problem& problem, const Launch& launch, const Trace& counted,
                                      std::int64_t in_flight, std::int64_t capacity);

/// The part of what is read that L2 serves: 1 - HBM reads / tile reads, 0 where nothing is read. Writes neither hit nor
/// miss: each byte written leaves L2 once, sooner or later.
double l2_hit_rate(const Traffic& tile, const Traffic& hbm);

}  // namespace sim
