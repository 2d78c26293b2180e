// The grid in time: CTAs are issued in order to SMs that hold R of them at once; the last CTA ends at the makespan.
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
// Inaccuracies: an SM gets its next CTA immediately; slowdown depends on the number of CTAs that share an SM, not on
// their kind; which CTAs are left in the tail is counted as if slowdown were equal on all SMs.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/machine/grid.h"

namespace sim {

/// Bandwidth that the CTAs in flight divide evenly: N of them at most, min(CTAs, slots). When n are left in the tail, a
/// byte takes each of r CTAs on an SM min(1, max(n / N, r x port)) times as long as among N: those left draw what is
/// free, and the CTAs of an SM divide its port, at whose rate a byte takes `port` = rates[0].byte.
struct SharedBandwidth {
  /// Times of a byte and of a CTA alone on its SM, over their times among N: byte <= cta <= 1.
  struct Rate {
    double byte = 1, cta = 1;
  };
  std::vector<Rate> rates = {{}};  ///< fastest first, up to that among N, which is {1, 1}

  /// Returns the time of each of `residents` CTAs on an SM over its time among N, linear between rates; `left` is n /
  /// N.
  double time(double left, std::size_t residents) const {
    const double byte = std::max(left, static_cast<double>(residents) * rates.front().byte);
    const auto above = std::find_if(rates.begin(), rates.end(), [byte](const Rate& rate) { return byte <= rate.byte; });
    if (above == rates.end()) return 1;
    if (above == rates.begin()) return above->cta;
    const Rate below = *(above - 1);
    return below.cta + (above->cta - below.cta) * (byte - below.byte) / (above->byte - below.byte);
  }
};

/// The SMs of a device, and the slowdown of CTAs that share one: each of r CTAs takes slowdown[r - 1] times as long as
/// alone with an equal part of the bandwidth. R = slowdown.size() CTAs fit; slowdown[0] = 1, and it never decreases.
struct SmSlots {
  std::int64_t sm_count = 1;
  std::vector<double> slowdown = {1};
  SharedBandwidth bandwidth = {};
  std::int64_t ctas_per_sm() const { return static_cast<std::int64_t>(slowdown.size()); }
  std::int64_t count() const { return checked_multiply(sm_count, ctas_per_sm()); }
};

/// CTAs of one run, one at a time on each SM of [first_sm, end_sm).
struct Residency {
  std::int64_t first_sm = 0, end_sm = 0;
  std::int64_t run = 0;           ///< index in Grid::runs, counted through all segments
  std::int64_t back_to_back = 1;  ///< consecutive CTAs on each SM
  Cycles begin, end;
};

/// Begin of the first CTA of a run (of any head) and end of the last one.
struct RunTimes {
  Cycles begin, end;
};

/// Times of all slots, from the first CTA's begin, at 0, to the last one's end.
struct Waves {
  Cycles makespan;
  Cycles busy;                 ///< sum over slots of the time that they hold a CTA
  Cycles tail_begin;           ///< first moment when no CTA is left to issue and a slot is empty
  Cycles tail_idle;            ///< sum over slots of the idle time from tail_begin to makespan; no slot is idle before
  double waves = 0;            ///< CTAs / slots
  std::vector<RunTimes> runs;  ///< run times, as in Grid::runs
  std::vector<Residency> residencies;  ///< in the order of their ends up to the tail, at most the requested number
  std::int64_t skipped_heads = 0;      ///< heads not issued one by one; makespan is an estimate if not 0
  Cycles skip_begin, skip_end;         ///< time assigned to the skipped heads
};

struct WavesOptions {
  Raster order = Raster::head_outermost;
  std::int64_t residencies = 0;     ///< number to keep, for a picture
  std::int64_t exact_steps = 4096;  ///< steps after which heads may be skipped
};

/// Issues the grid's CTAs in order; the next one goes to the SM with the fewest residents (among equals, the one with
/// the lowest number) as soon as a slot is free. A CTA of run i takes durations[i] alone on its SM, including the
/// turnover time of its slot; while r CTAs share the SM, each progresses 1 / slowdown[r - 1] times as fast, so that
/// rates change at the moment when a neighbour starts or ends. Only the results are rounded, to ticks. Equal CTAs on
/// neighbouring SMs are one step, and so are intervals that repeat; both are exact. If head_outermost takes more than
/// exact_steps steps and more than 32 waves, heads in the middle are skipped: each delays all later times by its work /
/// slots, because no slot is idle before the last head. Over 3,000 random grids the error is 1.9 % at worst and 0.05 %
/// on average (tests/sim/waves_property_test.cpp). block_outermost never skips. O(steps log slots). Throws Error for
/// wrong sizes, durations or slowdowns, and if the work exceeds 2^62 ticks.
Waves schedule_grid(const Grid& grid, const std::vector<Cycles>& durations, const SmSlots& slots,
                    WavesOptions options = {});

/// Schedules segments that are issued one after the other, each a grid of its own heads with an equal part of
/// exact_steps; durations and times are those of the runs of all segments. Repeated intervals and skipped heads are
/// within one segment.
Waves schedule_grid(std::span<const Grid> segments, const std::vector<Cycles>& durations, const SmSlots& slots,
                    WavesOptions options = {});

}  // namespace sim
