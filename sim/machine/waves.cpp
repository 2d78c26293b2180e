// Heads are issued one after the other until the slots look as they did after an earlier head: from there on all
// repeats, later by as much as has passed since. The state is kept after heads 1, 2, 4, 8 ... and compared with after
// each head (Brent 1980, "An improved Monte Carlo factorization algorithm", finds cycles so).
//
// Example: heads of two CTAs A (3 cycles) and B (1 cycle), two SMs of one slot:
//
//   cycle   0  3   7
//   SM 0    AAABAAAB...     after head 2, B2 and A2 end at 4; after head 4, B4 and A4 end at 8
//   SM 1    BAAABAAA...     period: 2 heads, 4 cycles
//
// So of 101 heads five are issued, and 96 are time added: 48 x 4 cycles. They end at 203.
//
// Where nothing repeats soon, the heads in the middle are an estimate; waves.h says how wrong it is.
// Cost: that of the heads that are issued, and a comparison of O(residents) for each of them.
#include "sim/machine/waves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/machine/issue.h"

namespace sim {
namespace {

/// Issues head after head, and skips what repeats: exactly where the state after a head has been met before; else, when
/// one head more would take over half of the allowed steps, all but as many heads as there were.
class Heads {
 public:
  Heads(const std::vector<Run>& runs, double time, std::int64_t exact_steps, Issue& issue)
      : runs_(runs), time_(time), exact_steps_(exact_steps), issue_(issue), seen_(issue) {}

  void run(std::int64_t heads) {
    for (std::int64_t left = heads; left > 0;) {
      for (std::size_t i = 0; i < runs_.size(); ++i) issue_.issue(i, runs_[i].count);
      ++done_;
      --left;
      left -= skip_repeats(left);
      const std::int64_t with_one_more = issue_.steps() + issue_.steps() / done_;
      if (skipped_ == 0 && with_one_more > exact_steps_ / 2) left -= skip_some(left);
    }
  }

  std::int64_t skipped() const { return skipped_; }
  Cycles skip_begin() const { return skip_begin_; }
  Cycles skip_end() const { return skip_end_; }

 private:
  std::int64_t skip_repeats(std::int64_t left) {
    if (issue_.resembles(seen_)) {
      const std::int64_t period = done_ - seen_at_, periods = left / period;
      issue_.shift(periods * (issue_.now() - seen_.now()));
      return periods * period;
    }
    if (done_ >= 2 * seen_at_) remember();
    return 0;
  }

  void remember() {
    seen_ = issue_;
    seen_at_ = done_;
  }

  std::int64_t skip_some(std::int64_t left) {
    skipped_ = std::max<std::int64_t>(left - done_, 0);
    skip_begin_ = issue_.real(issue_.now());
    issue_.shift(std::llround(time_ * static_cast<double>(skipped_)));
    skip_end_ = issue_.real(issue_.now());
    remember();
    return skipped_;
  }

  const std::vector<Run>& runs_;
  double time_;  // that one head moves all others by
  std::int64_t exact_steps_;
  Issue& issue_;
  Issue seen_;  // the state after an earlier head
  std::int64_t seen_at_ = 0, done_ = 0;
  std::int64_t skipped_ = 0;
  Cycles skip_begin_, skip_end_;
};

constexpr double exact_waves = 32;                       // the fewer waves, the more the shape of the tail counts
constexpr double most_ticks = 4'503'599'627'370'496;     // 2^52: a double holds every tick
constexpr double most_busy = 4'611'686'018'427'387'904;  // 2^62

void check(const Grid& grid, const std::vector<Cycles>& durations, const SmSlots& slots, std::int64_t residencies) {
  require(0 < slots.sm_count && slots.sm_count <= 1'000'000, "a device has 1 to 1000000 SMs, not ", slots.sm_count);
  require(!slots.slowdown.empty() && slots.slowdown.size() <= 1024, "an SM holds 1 to 1024 CTAs, not ",
          slots.slowdown.size());
  double least = 1;
  for (const double slowdown : slots.slowdown) {
    require(slowdown >= least && slowdown <= 1e6, "a slowdown of CTAs that share an SM is ", slowdown,
            ": it begins with 1, never falls and stays below a million");
    least = slowdown;
  }
  require(slots.slowdown[0] == 1, "the slowdown of a CTA alone on its SM is ", slots.slowdown[0], ": it must be 1");
  require(residencies >= 0, "a picture of SMs keeps 0 or more residencies, not ", residencies);
  require(grid.repeats >= 0, "a grid has ", grid.repeats, " heads");
  require(grid.runs.size() == durations.size(), "a grid of ", grid.runs.size(), " runs has ", durations.size(),
          " durations");
  for (std::size_t i = 0; i < durations.size(); ++i) {
    require(grid.runs[i].count > 0, "run ", i, " of a grid has ", grid.runs[i].count, " CTAs");
    const double work = static_cast<double>(durations[i].count()) * slots.slowdown.back();
    require(1 <= work && work <= most_ticks, "a CTA of run ", i, " takes ", durations[i].count(), " x ",
            slots.slowdown.back(), " ticks of 1/256 cycle: allowed are 1 to 2^52");
  }
}

/// The work of one head's CTAs.
std::int64_t head_work(const Grid& grid, const std::vector<Cycles>& durations) {
  Cycles work;
  for (std::size_t i = 0; i < durations.size(); ++i) work += durations[i] * grid.runs[i].count;
  return work.count();
}

}  // namespace

Waves schedule_grid(const Grid& grid, const std::vector<Cycles>& durations, const SmSlots& slots,
                    WavesOptions options) {
  check(grid, durations, slots, options.residencies);
  if (grid.ctas() == 0) return {};
  Grid issued = grid;
  if (options.order == Raster::block_outermost || grid.runs.size() == 1) {
    for (Run& run : issued.runs) run.count = checked_multiply(run.count, grid.repeats);
    issued.repeats = 1;
  }
  const std::int64_t head = head_work(issued, durations), total = checked_multiply(head, issued.repeats);
  require(static_cast<double>(total) * slots.slowdown.back() <= most_busy, "a grid takes ", total, " x ",
          slots.slowdown.back(), " ticks of 1/256 cycle in all: allowed are 2^62");

  Issue issue(durations, slots, options.residencies);
  const double waves_of_all = static_cast<double>(grid.ctas()) / static_cast<double>(slots.count());
  const std::int64_t exact_steps =
      waves_of_all <= exact_waves ? std::numeric_limits<std::int64_t>::max() : options.exact_steps;
  Heads heads(issued.runs, static_cast<double>(head) / static_cast<double>(slots.count()), exact_steps, issue);
  heads.run(issued.repeats);
  Waves waves = issue.finish(total);
  waves.waves = waves_of_all;
  waves.skipped_heads = heads.skipped();
  waves.skip_begin = heads.skip_begin();
  waves.skip_end = heads.skip_end();
  return waves;
}

}  // namespace sim
