// Heads are issued one after the other until the slots are in the state that followed an earlier head: from there on
// everything repeats, shifted by the time between the two states. The state is kept after heads 1, 2, 4, 8 ... and
// compared after each head (Brent 1980, "An improved Monte Carlo factorization algorithm", detects cycles this way).
//
// Example: heads of two CTAs A (3 cycles) and B (1 cycle), two SMs of one slot:
//
//   cycle   0  3   7
//   SM 0    AAABAAAB...     after head 2, B2 and A2 end at 4; after head 4, B4 and A4 end at 8
//   SM 1    BAAABAAA...     period: 2 heads, 4 cycles
//
// So of 101 heads five are issued, and 96 only add time: 48 x 4 cycles. They end at 203.
//
// If nothing repeats soon, the heads in the middle are an estimate; waves.h gives its error.
// Cost: that of the issued heads, and a comparison of O(residents) for each of them.
#include "sim/machine/waves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/machine/issue.h"

namespace sim {
namespace {

void issue_head(const std::vector<Run>& runs, std::size_t first_run, Issue& issue) {
  for (std::size_t i = 0; i < runs.size(); ++i) issue.issue(first_run + i, runs[i].count);
}

/// Issues heads one after the other and skips repetitions: exactly if the state after a head equals an earlier state;
/// otherwise, once one more head would take over half of the allowed steps, all remaining heads but n, where n is
/// the number of heads issued.
class Heads {
 public:
  Heads(const std::vector<Run>& runs, std::size_t first_run, double time, std::int64_t exact_steps, Issue& issue)
      : runs_(runs),
        first_run_(first_run),
        time_(time),
        exact_steps_(exact_steps),
        steps_before_(issue.steps()),
        issue_(issue),
        seen_(issue.state()) {}

  void run(std::int64_t heads) {
    for (std::int64_t left = heads; left > 0;) {
      issue_head(runs_, first_run_, issue_);
      ++done_;
      --left;
      left -= skip_repeats(left);
      const std::int64_t steps = issue_.steps() - steps_before_, with_one_more = steps + steps / done_;
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
      issue_.shift(periods * (issue_.now() - seen_.now));
      return periods * period;
    }
    if (done_ >= 2 * seen_at_) remember();
    return 0;
  }

  void remember() {
    seen_ = issue_.state();
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
  std::size_t first_run_;  // index among the runs of all segments
  double time_;            // time by which one head delays the later ones
  std::int64_t exact_steps_, steps_before_;
  Issue& issue_;
  IssueState seen_;  // the state after an earlier head
  std::int64_t seen_at_ = 0, done_ = 0;
  std::int64_t skipped_ = 0;
  Cycles skip_begin_, skip_end_;
};

constexpr double exact_waves = 32;                       // the fewer the waves, the more the shape of the tail matters
constexpr double most_ticks = 4'503'599'627'370'496;     // 2^52: a double holds every tick
constexpr double most_busy = 4'611'686'018'427'387'904;  // 2^62

void check(std::span<const Grid> segments, const std::vector<Cycles>& durations, const SmSlots& slots,
           std::int64_t residencies) {
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
  SharedBandwidth::Rate fastest{0, 0};
  for (const auto& [byte, cta] : slots.bandwidth.rates) {
    require(fastest.byte <= byte && fastest.cta <= cta && byte <= cta && cta <= 1,
            "with a part of the bandwidth a byte takes ", byte, " and a CTA ", cta,
            " of the time among all: 0 to 1, a CTA not less than a byte, and the fastest first");
    fastest = {byte, cta};
  }
  require(fastest.byte == 1, "the last part of the bandwidth has bytes that take ", fastest.byte,
          " of the time among all: it must be 1");
  require(residencies >= 0, "a picture of SMs keeps 0 or more residencies, not ", residencies);
  std::vector<Run> runs;
  for (const Grid& grid : segments) {
    require(grid.repeats >= 0, "a grid has ", grid.repeats, " heads");
    runs.insert(runs.end(), grid.runs.begin(), grid.runs.end());
  }
  require(runs.size() == durations.size(), "a grid of ", runs.size(), " runs has ", durations.size(), " durations");
  for (std::size_t i = 0; i < durations.size(); ++i) {
    require(runs[i].count > 0, "run ", i, " of a grid has ", runs[i].count, " CTAs");
    const double work = static_cast<double>(durations[i].count()) * slots.slowdown.back();
    require(1 <= work && work <= most_ticks, "a CTA of run ", i, " takes ", durations[i].count(), " x ",
            slots.slowdown.back(), " ticks of 1/256 cycle: allowed are 1 to 2^52");
  }
}

/// Returns a segment as it is issued: merges its heads if their blocks alternate or all CTAs are equal.
Grid issued(Grid grid, Raster order) {
  if (order != Raster::block_outermost && grid.runs.size() > 1) return grid;
  for (Run& run : grid.runs) run.count = checked_multiply(run.count, grid.repeats);
  grid.repeats = 1;
  return grid;
}

/// The segments, the work of one head of each, and the total.
struct Work {
  std::vector<Grid> segments;
  std::vector<std::int64_t> of_head;
  std::int64_t total = 0, ctas = 0;
};

Work work_of(std::span<const Grid> segments, const std::vector<Cycles>& durations, Raster order) {
  Work all;
  std::size_t next = 0;
  for (const Grid& segment : segments) {
    const Grid& grid = all.segments.emplace_back(issued(segment, order));
    Cycles work;
    for (const Run& run : grid.runs) work += durations[next++] * run.count;
    all.of_head.push_back(work.count());
    all.total = checked_add(all.total, checked_multiply(work.count(), grid.repeats));
    all.ctas = checked_add(all.ctas, grid.ctas());
  }
  return all;
}

}  // namespace

Waves schedule_grid(const Grid& grid, const std::vector<Cycles>& durations, const SmSlots& slots,
                    WavesOptions options) {
  return schedule_grid(std::span(&grid, 1), durations, slots, options);
}

Waves schedule_grid(std::span<const Grid> segments, const std::vector<Cycles>& durations, const SmSlots& slots,
                    WavesOptions options) {
  check(segments, durations, slots, options.residencies);
  const Work work = work_of(segments, durations, options.order);
  if (work.ctas == 0) return {};
  require(static_cast<double>(work.total) * slots.slowdown.back() <= most_busy, "a grid takes ", work.total, " x ",
          slots.slowdown.back(), " ticks of 1/256 cycle in all: allowed are 2^62");

  Issue issue(durations, slots, options.residencies);
  const double all_slots = static_cast<double>(slots.count()),
               waves_of_all = static_cast<double>(work.ctas) / all_slots;
  const std::int64_t exact_steps = waves_of_all <= exact_waves
                                       ? std::numeric_limits<std::int64_t>::max()
                                       : options.exact_steps / static_cast<std::int64_t>(segments.size());
  Waves skips;
  std::size_t first_run = 0;
  for (std::size_t n = 0; n < work.segments.size(); ++n) {
    const Grid& grid = work.segments[n];
    if (grid.repeats == 1) {  // nothing can repeat
      issue_head(grid.runs, first_run, issue);
      first_run += grid.runs.size();
      continue;
    }
    Heads heads(grid.runs, first_run, static_cast<double>(work.of_head[n]) / all_slots, exact_steps, issue);
    heads.run(grid.repeats);
    first_run += grid.runs.size();
    if (heads.skipped() == 0) continue;
    if (skips.skipped_heads == 0) skips.skip_begin = heads.skip_begin();
    skips.skip_end = heads.skip_end();
    skips.skipped_heads += heads.skipped();
  }
  Waves waves = issue.finish(work.total);
  waves.waves = waves_of_all;
  waves.skipped_heads = skips.skipped_heads;
  waves.skip_begin = skips.skip_begin;
  waves.skip_end = skips.skip_end;
  return waves;
}

}  // namespace sim
