#include "sim/model/span_sums.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "sim/model/work_intervals.h"
#include "sim/trace/timeline.h"

namespace sim {
namespace {

/// Returns amount x part / whole, rounded down, for 0 <= part <= whole; exact if part is the whole or amount a multiple
/// of it.
std::int64_t share_of(std::int64_t amount, std::int64_t part, std::int64_t whole) {
  const double rest = static_cast<double>(amount % whole) * (static_cast<double>(part) / static_cast<double>(whole));
  return amount / whole * part + static_cast<std::int64_t>(std::floor(rest));
}

}  // namespace

Cycles SpanSums::wait(Cause cause) const {
  return std::accumulate(stalls.engines.begin(), stalls.engines.end(), Cycles{},
                         [&](Cycles sum, const EngineTime& engine) { return sum + engine.wait(cause); });
}

SpanIndex::SpanIndex(const Trace& trace) : end_(end_of(trace)), parts_(std::max<std::size_t>(1, trace.roles.size())) {
  each_interval(trace, [&](std::int32_t n, std::optional<Cause> wait, Cycles begin, Cycles) {
    if (!wait) add_event(trace.events[static_cast<std::size_t>(n)], begin);
  });
  add_times(trace);
  const auto finish = [this](Parts& parts) {
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::int64_t sum = 0;
    for (Part& part : parts) sum += std::exchange(part.before, sum);
    if (!parts.empty()) parts.push_back({end_, end_, sum});
    parts.shrink_to_fit();
  };
  for (PartsOfRole& of_role : parts_) {
    for (auto& of_engine : of_role) std::for_each(of_engine.begin(), of_engine.end(), finish);
  }
}

/// Adds the time that each engine works, or waits for each cause.
void SpanIndex::add_times(const Trace& trace) {
  each_engine_interval(trace, [&](Engine engine, std::optional<Cause> wait, Cycles begin, Cycles end) {
    const std::size_t amount = wait ? waits + static_cast<std::size_t>(*wait) : std::size_t{work};
    add(parts_.front()[static_cast<std::size_t>(engine)][amount], begin, end, (end - begin).count());
  });
}

/// Adds a part; until all parts are added and sorted, `before` is the part's own amount.
void SpanIndex::add(Parts& parts, Cycles begin, Cycles end, std::int64_t amount) {
  if (amount > 0) parts.push_back({begin, end, amount});
}

/// Adds the amounts of an event whose work starts at `begin`.
void SpanIndex::add_event(const Event& event, Cycles begin) {
  auto& parts = parts_[event.role][static_cast<std::size_t>(event.engine)];
  const Traffic moved = traffic_of(event);
  const std::array<std::int64_t, work> sums = {moved.read.count(), moved.written.count(), event.matmul_flops,
                                               event.exps};
  for (std::size_t amount = 0; amount < sums.size(); ++amount) add(parts[amount], begin, event.released, sums[amount]);
}

/// Returns the amount accumulated by a time; a part of length 0 counts at its time.
std::int64_t SpanIndex::until(const Parts& parts, Cycles time) {
  if (parts.empty() || time <= Cycles{}) return 0;
  const auto next = std::partition_point(parts.begin(), std::prev(parts.end()),
                                         [&](const Part& part) { return part.begin < time || part.end <= time; });
  if (next == parts.begin()) return 0;
  const Part& last = *std::prev(next);
  const std::int64_t amount = next->before - last.before;
  if (last.end <= time) return next->before;
  return last.before + share_of(amount, (time - last.begin).count(), (last.end - last.begin).count());
}

SpanSums SpanIndex::between(Cycles from, Cycles to) const {
  from = std::clamp(from, Cycles{}, end_);
  to = std::clamp(to, from, end_);
  const auto sum = [&](Engine engine, std::size_t amount) {
    std::int64_t all = 0;
    for (const PartsOfRole& of_role : parts_) {
      const Parts& parts = of_role[static_cast<std::size_t>(engine)][amount];
      all += until(parts, to) - until(parts, from);
    }
    return all;
  };
  SpanSums sums;
  sums.stalls.time = to - from;
  for (int e = 0; e < engine_count; ++e) {
    const auto engine = static_cast<Engine>(e);
    sums.moved += {Bytes(sum(engine, read)), Bytes(sum(engine, written))};
    sums.matmul_flops += Flops(sum(engine, matmul_flops));
    sums.exps += Exps(sum(engine, exps));
  }
  for (std::size_t n = 0; n < stalled_engines.size(); ++n) {
    EngineTime& time = sums.stalls.engines[n];
    time.engine = stalled_engines[n];
    time.work = Cycles(sum(time.engine, work));
    for (std::size_t c = 0; c < time.waits.size(); ++c) time.waits[c] = Cycles(sum(time.engine, waits + c));
    time.idle = std::max(Cycles{}, sums.stalls.time - time.work - time.waiting());
  }
  return sums;
}

}  // namespace sim
