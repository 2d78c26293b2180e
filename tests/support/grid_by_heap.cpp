#include "tests/support/grid_by_heap.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

namespace grid_by_heap {
namespace {

/// One SM: the work left of its CTAs, in ticks of a CTA running alone, at the time of the last change.
struct Sm {
  struct Cta {
    std::int64_t work, begin;
    std::size_t run;
  };
  std::vector<Cta> ctas;
  std::int64_t changed = 0;
};

class Machine {
 public:
  Machine(const std::vector<sim::Cycles>& durations, const sim::SmSlots& slots)
      : sms_(static_cast<std::size_t>(slots.sm_count)), slots_(slots) {
    for (const sim::Cycles duration : durations) works_.push_back(duration.count());
    waves_.runs.assign(durations.size(), {sim::Cycles(-1), sim::Cycles(0)});
  }

  sim::Waves run(const std::vector<std::size_t>& ctas) {
    std::size_t next = 0;
    std::int64_t now = 0, tail = -1;
    for (;;) {
      while (next < ctas.size() && begin(ctas[next], now)) ++next;
      if (tail < 0 && next == ctas.size() && used_ < slots_.count()) tail = now;
      for (const std::size_t sm : changed_) expect_end(sm);
      changed_.clear();
      if (ends_.empty()) break;
      now = ends_.top().first;
      while (!ends_.empty() && ends_.top().first == now) end_at(ends_.top().second, now);
    }
    waves_.makespan = ticks(now);
    waves_.busy = ticks(busy_);
    waves_.tail_begin = ticks(tail);
    waves_.tail_idle = ticks(now * slots_.count() - busy_);
    return waves_;
  }

 private:
  /// Returns the 1/64 ticks that one tick of work takes each of `ctas` CTAs.
  std::int64_t slowdown(std::size_t ctas) const { return static_cast<std::int64_t>(64 * slots_.slowdown[ctas - 1]); }

  static sim::Cycles ticks(std::int64_t moment) { return sim::Cycles(std::llround(static_cast<double>(moment) / 64)); }

  /// Begins a CTA on the emptiest SM; false if no slot is free.
  bool begin(std::size_t run, std::int64_t now) {
    const auto emptier = [](const Sm& a, const Sm& b) { return a.ctas.size() < b.ctas.size(); };
    const auto sm = std::min_element(sms_.begin(), sms_.end(), emptier);
    if (static_cast<std::int64_t>(sm->ctas.size()) == slots_.ctas_per_sm()) return false;
    if (waves_.runs[run].begin.count() < 0) waves_.runs[run].begin = ticks(now);
    sm->ctas.push_back({works_[run], now, run});
    ++used_;
    changed_.push_back(static_cast<std::size_t>(sm - sms_.begin()));
    return true;
  }

  std::int64_t least_work(const Sm& sm) const {
    std::int64_t least = sm.ctas[0].work;
    for (const Sm::Cta& cta : sm.ctas) least = std::min(least, cta.work);
    return least;
  }

  /// Pushes the SM with its next end onto the heap. CTAs are added only at moments when others have ended, so that no
  /// work was done since the last change; earlier entries of the SM become stale.
  void expect_end(std::size_t at) {
    const Sm& sm = sms_[at];
    if (sm.ctas.empty()) return;
    const std::int64_t end = sm.changed + least_work(sm) * slowdown(sm.ctas.size());
    expected_.resize(sms_.size(), -1);
    expected_[at] = end;
    ends_.emplace(end, at);
  }

  void end_at(std::size_t at, std::int64_t now) {
    ends_.pop();
    if (expected_[at] != now) return;
    expected_[at] = -1;
    Sm& sm = sms_[at];
    const std::int64_t done = least_work(sm);
    sm.changed = now;
    std::vector<Sm::Cta> left;
    for (Sm::Cta cta : sm.ctas) {
      cta.work -= done;
      if (cta.work > 0) {
        left.push_back(cta);
      } else {
        waves_.runs[cta.run].end = ticks(now);
        busy_ += now - cta.begin;
        --used_;
      }
    }
    sm.ctas = left;
    changed_.push_back(at);
  }

  std::vector<Sm> sms_;
  sim::SmSlots slots_;
  std::int64_t used_ = 0, busy_ = 0;
  std::vector<std::int64_t> works_, expected_;
  std::vector<std::size_t> changed_;  // SMs whose set of CTAs has changed
  std::priority_queue<std::pair<std::int64_t, std::size_t>, std::vector<std::pair<std::int64_t, std::size_t>>,
                      std::greater<>>
      ends_;
  sim::Waves waves_;
};

}  // namespace

std::vector<std::size_t> issue_order(const sim::Grid& grid, sim::Raster order) {
  std::vector<std::size_t> ctas;
  const auto append = [&](std::size_t run) {
    ctas.insert(ctas.end(), static_cast<std::size_t>(grid.runs[run].count), run);
  };
  if (order == sim::Raster::head_outermost) {
    for (std::int64_t head = 0; head < grid.repeats; ++head) {
      for (std::size_t run = 0; run < grid.runs.size(); ++run) append(run);
    }
  } else {
    for (std::size_t run = 0; run < grid.runs.size(); ++run) {
      for (std::int64_t head = 0; head < grid.repeats; ++head) append(run);
    }
  }
  return ctas;
}

sim::Waves schedule(const sim::Grid& grid, const std::vector<sim::Cycles>& durations, const sim::SmSlots& slots,
                    sim::Raster order) {
  return Machine(durations, slots).run(issue_order(grid, order));
}

}  // namespace grid_by_heap
