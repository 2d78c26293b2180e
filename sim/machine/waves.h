// The grid in time: CTAs are issued in order onto SMs that hold R of them at once, and the last one to end decides.
// Graham, "Bounds on multiprocessing timing anomalies" (1969): list scheduling; here with slots that share their SM.
//
// Example: two SMs of two slots, on which a CTA takes 1.5 times as long when it has a neighbour. Four CTAs A take 4
// cycles alone, then two CTAs B take 2. `.` is an idle slot.
//
//   cycle          0     6 8
//   SM 0  slot 0   AAAAAABB     A: 4 x 1.5 = 6 cycles, for all slots are full
//         slot 1   AAAAAA..     B: one for each SM, the emptiest first, so it runs alone and takes 2
//   SM 1  slot 0   AAAAAABB     makespan 8, busy 4 x 6 + 2 x 2 = 28 slot cycles
//         slot 1   AAAAAA..     the tail begins at 6, when none is left to issue: 4 slot cycles idle
//
// Inaccuracies: an SM gets its next CTA at once; slowdown depends on how many CTAs share an SM, not on which.
#pragma once
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/machine/grid.h"

namespace sim {

/// The SMs of a device, and what CTAs on one SM do to each other: slowdown[r - 1] times longer does each of r CTAs take
/// than alone. R = slowdown.size() CTAs fit; slowdown[0] = 1, and it never falls.
struct SmSlots {
  std::int64_t sm_count = 1;
  std::vector<double> slowdown = {1};
  std::int64_t ctas_per_sm() const { return static_cast<std::int64_t>(slowdown.size()); }
  std::int64_t count() const { return checked_multiply(sm_count, ctas_per_sm()); }
};

/// CTAs of one run, one at a time on each SM of [first_sm, end_sm).
struct Residency {
  std::int64_t first_sm = 0, end_sm = 0;
  std::int64_t run = 0;           ///< index in Grid::runs, of all segments one after the other
  std::int64_t back_to_back = 1;  ///< CTAs that follow each other on each SM
  Cycles begin, end;
};

/// When the first CTA of a run (of any head) begins and the last one ends.
struct RunTimes {
  Cycles begin, end;
};

/// What an SM's slots go through from the first CTA's begin, at 0, to the last one's end.
struct Waves {
  Cycles makespan;
  Cycles busy;                         ///< summed over slots: how long they hold a CTA
  Cycles tail_begin;                   ///< the first moment when no CTA is left to issue and some slot is empty
  Cycles tail_idle;                    ///< summed over slots, from tail_begin to makespan; no slot is idle before
  double waves = 0;                    ///< CTAs / slots
  std::vector<RunTimes> runs;          ///< as in Grid::runs
  std::vector<Residency> residencies;  ///< in the order of their ends up to the tail, at most as many as asked for
  std::int64_t skipped_heads = 0;      ///< that were not issued one by one: makespan is an estimate when not 0
  Cycles skip_begin, skip_end;         ///< the time that they were given
};

struct WavesOptions {
  Raster order = Raster::head_outermost;
  std::int64_t residencies = 0;     ///< how many to keep, for a picture
  std::int64_t exact_steps = 4096;  ///< batches of CTAs after which heads may be skipped
};

/// Issues the grid's CTAs in order; the next one goes to the SM with the fewest residents (of those the one with the
/// lowest number) as soon as a slot is free. A CTA of run i takes durations[i] alone on its SM, with the time that its
/// slot needs to turn over; while r CTAs share the SM, each progresses 1 / slowdown[r - 1] times as fast, so that rates
/// change at the moment when a neighbour comes or goes. Nothing is rounded but the results, to ticks.
/// Equal CTAs on neighbouring SMs are one step, and so are stretches that repeat; both are exact. When head_outermost
/// takes more than exact_steps steps and more than 32 waves, heads in the middle are skipped: each moves all times by
/// its work / slots, since no slot is idle before the last head. Over 3,000 random grids that is off by 1.9 % at worst
/// and 0.05 % on average (tests/sim/waves_property_test.cpp). block_outermost never skips.
/// O(steps log slots). Throws Error on wrong sizes, durations or slowdowns, and when the work passes 2^62 ticks.
Waves schedule_grid(const Grid& grid, const std::vector<Cycles>& durations, const SmSlots& slots,
                    WavesOptions options = {});

/// Schedules segments that are issued one after the other, each a grid of its own heads with an equal part of
/// exact_steps; durations and times are of the runs of all. Stretches that repeat, and heads that are skipped, lie
/// inside a segment.
Waves schedule_grid(std::span<const Grid> segments, const std::vector<Cycles>& durations, const SmSlots& slots,
                    WavesOptions options = {});

}  // namespace sim
