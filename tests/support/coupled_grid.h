// A grid of CTAs on a chip, by brute force: list scheduling, every access of every CTA, exact LRU distances, and
// bandwidth as queues. Nothing of the simulator is used, no CTA is merged, no access is left out.
//
// A CTA makes steps. It requests the tiles of a step when the step before begins to compute, and computes when they
// have arrived. Four servers take requests in order: the compute units and the L2 port of each SM, the L2, and HBM.
// CTAs start in order, slot k on SM k mod SMs; the next one takes the slot that is free first.
//
//   distance     bytes of other items since the item's last access, and its own
//   miss         (distance / capacity - begins) / (whole - begins), in [0, 1]: the part of the item that HBM delivers
//   in flight    an access to an item that HBM still delivers waits for it, whichever CTA requested it
//   write        keeps the item dirty; a later miss writes that part back, and the end of the grid writes the rest
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace coupled_grid {

/// Access of a CTA to an item of an axis: the index is that within one head's items.
struct Access {
  std::int32_t axis = 0, item = 0;
  bool reads = false, writes = false;
};

/// Accesses of a CTA by step; equal CTAs of different heads share one.
struct Script {
  std::vector<Access> accesses;
  std::vector<std::size_t> ends;  ///< end of each step in `accesses`
  void step(const std::vector<Access>& of_step) {
    accesses.insert(accesses.end(), of_step.begin(), of_step.end());
    ends.push_back(accesses.size());
  }
};

/// Blocks of a tensor, which every query head has, or every KV head.
struct Axis {
  bool per_kv_head = false;
  std::vector<std::int64_t> item_bytes;  ///< items of one head
};

struct Cta {
  std::int32_t script = 0, head = 0, kv_head = 0;
};

/// CTAs in issue order.
struct Grid {
  std::vector<Axis> axes;
  std::vector<Script> scripts;
  std::vector<Cta> ctas;
};

/// Rates in bytes per cycle, latencies and times in cycles.
struct Chip {
  std::int32_t sms = 1, ctas_per_sm = 1;
  double step_cycles = 2000;  ///< computing of one step, alone on its SM
  double hbm = 100, capacity = 0;
  double begins = 0.8, whole = 1.22;
  double port = 64, l2_per_sm = 32;
  double l2_latency = 250, hbm_latency = 700;
};

/// `free`: HBM without limits. `lockstep`: waves of CTAs, one step of each CTA in turn; without times.
enum class Pace : std::uint8_t { coupled, free, lockstep };

struct Rules {
  Pace pace = Pace::coupled;
  double noise = 0;  ///< standard deviation of a step's time, as a part of it
  std::uint64_t seed = 1;
};

struct Outcome {
  double read = 0, written = 0;  ///< bytes between HBM and L2
  double tile = 0;               ///< bytes between L2 and SMs
  double cycles = 0;
  std::int64_t accesses = 0;
  double hbm_bytes() const { return read + written; }
};

/// Cost: O(accesses log items).
Outcome run(const Grid& grid, const Chip& chip, const Rules& rules);

}  // namespace coupled_grid
