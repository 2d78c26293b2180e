// The CTAs of a grid in time, with the L2 and the bandwidth of HBM that they share: one event each time a CTA accesses
// a tile. An SM gets its next CTA as soon as a slot is free, a CTA steps at the pace of its SM, and a miss delays the
// CTA that needs it, so CTAs drift apart, and those that miss fall back to those behind them.
//
//   pace        n steps among r CTAs on an SM take w (n s(r) + noise sqrt(n s(r)) N(0, 1)); the schedule of an SM
//               gives w and s(r)
//   distance    bytes of other items since the last access to the item, and its own (ReuseDistance)
//   miss        f = (distance / capacity - begins) / (whole - begins), in [0, 1]
//   write       at an access after a write, f of the dirty bytes are written back; at the end, the rest
//   bandwidth   HBM takes requests in order: h = max(h, t) + (misses + write-backs) / bandwidth. The CTA's next access
//               waits for h, and every CTA that accesses the tile for the time when it arrives
//
// Large grids are thinned: of each axis one item in `thinned` is accessed, in its exact step, with the bytes of all. So
// distances, misses and pace stay, where joined blocks would merge CTAs that have drifted apart.
//
// Inaccuracies, against every access of the same grid (tests/sim/grid_walk_test.cpp): bytes are 2 % off on average, of
// nine in ten grids less than 5 %. A grid that needs more than 0.7 of the bandwidth may go either of two ways, by its
// noise: there a walk is one of them, and up to twice or half the bytes of another. Tiles of which an L2 holds fewer
// than a wave of CTAs writes are up to 17 % off.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "sim/machine/waves.h"
#include "sim/model/grid_nest.h"

namespace sim {

/// Bytes in one direction, as doubles, because only ratios leave the model. first <= missed <= moved.
struct L2Bytes {
  double moved = 0;   ///< between SMs and L2: tile traffic
  double first = 0;   ///< first move of each byte: the traffic that an infinite L2 leaves
  double missed = 0;  ///< between L2 and HBM
};

/// Bytes read and written, by tensor.
struct L2Tally {
  std::array<L2Bytes, tensor_capacity> read, written;
};

struct WalkChip {
  SmSlots slots;
  double hbm_bytes_per_cycle = 1;
  double hbm_latency = 700;           ///< cycles until a miss arrives
  double capacity = 0;                ///< bytes of L2 that hot data can use
  double begins = 0.8, whole = 1.22;  ///< parts of it from and to which an access misses in part
};

/// Pace of a CTA that is alone on an SM, in cycles and without waiting for HBM.
struct WalkPace {
  double step = 0, startup = 0;
};

/// `free`: HBM delivers everything at once. `lockstep`: waves of CTAs, one step of each CTA in turn, without times.
enum class WalkRule : std::uint8_t { coupled, free, lockstep };

struct WalkOptions {
  WalkRule rule = WalkRule::coupled;
  std::optional<std::int64_t> thinned;  ///< odd; none: as the number of accesses requires
  double noise = 0.05;
  std::uint32_t seed = 1;
};

/// Accesses by reuse distance. Bin 8 e + m, m < 8, holds distances from 2^e (8 + m) to 2^e (9 + m) bytes.
struct DistanceHistogram {
  static constexpr std::size_t bins = std::size_t{8} * 60;
  static std::size_t bin(std::int64_t distance);
  static double middle(std::size_t bin);
  std::array<double, bins> bytes{};  ///< read, at accesses that are not the first
  double first = 0;                  ///< read at the first access to an item
};

struct Walked {
  L2Tally tally;  ///< of the sample, and of the CTAs that it represents
  DistanceHistogram distances;
  std::int64_t thinned = 1;
  double cycles = 0;      ///< of the sample, from the first CTA's begin to the last one's end
  double own_cycles = 0;  ///< without waiting for HBM
  double hbm_bytes = 0;   ///< of the sample
  double demand = 0;      ///< hbm_bytes / (bandwidth x own_cycles)
};

/// Walks a grid. Cost: O(accesses log items), some 100 ns each, and O(CTAs of the sample).
Walked walk_grid(const GridNest& nest, const WalkPace& pace, const WalkChip& chip, const WalkOptions& options = {});

}  // namespace sim
