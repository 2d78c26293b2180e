// Sums over a span of a CTA's time against a walk over events and waits, and against the command line's stalls.
#include "sim/model/span_sums.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/catalogue/run_values.h"
#include "tests/support/takes.h"
#include "tests/support/typed_scenario.h"

using namespace sim;

namespace {

/// The share of [a, b) inside the span; an instant counts if it is in (from, to], or at 0.
double share_in(Cycles a, Cycles b, Cycles from, Cycles to) {
  if (a == b) return (from < a || from == Cycles{}) && a <= to && to > Cycles{} ? 1 : 0;
  const Cycles common = std::min(b, to) - std::max(a, from);
  return std::max(0., static_cast<double>(common.count())) / static_cast<double>((b - a).count());
}

struct Expected {
  double read = 0, written = 0, matmul_flops = 0, exps = 0;
  std::array<double, engine_count> work{};
  std::array<std::array<double, cause_count>, engine_count> waits{};
};

/// Sums event by event and wait by wait.
Expected walked(const Trace& trace, Cycles from, Cycles to) {
  Expected e;
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const Event& event = trace.events[n];
    const auto engine = static_cast<std::size_t>(event.engine);
    Cycles begin = event.begin;
    for (const Delay& delay : trace.delays) {
      if (delay.event != static_cast<std::int32_t>(n)) continue;
      e.waits[engine][static_cast<std::size_t>(delay.cause)] +=
          share_in(begin, begin + delay.time, from, to) * static_cast<double>(delay.time.count());
      begin += delay.time;
    }
    const double share = share_in(begin, event.released, from, to);
    e.work[engine] += share * static_cast<double>((event.released - begin).count());
    if (event.moves(Direction::read)) e.read += share * static_cast<double>(event.bytes);
    if (event.moves(Direction::write)) e.written += share * static_cast<double>(event.bytes);
    e.matmul_flops += share * static_cast<double>(event.matmul_flops);
    e.exps += share * static_cast<double>(event.exps);
  }
  for (const WaitSpan& wait : trace.waits) {
    if (wait.event < 0) continue;
    const Event& event = trace.events[static_cast<std::size_t>(wait.event)];
    double& sum = e.waits[static_cast<std::size_t>(event.engine)][static_cast<std::size_t>(wait.cause)];
    const Cycles a = std::max(wait.begin, from), b = std::min(wait.end, to);
    if (b <= a) continue;
    const Cycles at_work = std::min(b, event.released) - std::max(a, event.begin);
    sum += static_cast<double>((b - a - std::max(Cycles{}, at_work)).count());
  }
  return e;
}

/// `roles`: engines work for several of them at a time (stalls_test.cpp).
void check(const SpanSums& sums, const Expected& e, double events, bool roles) {
  const auto close = [&](std::int64_t counted, double expected) {
    CHECK(static_cast<double>(counted) == Approx(expected).margin(2 * engine_count + 1e-9 * events));
  };
  close(sums.moved.read.count(), e.read);
  close(sums.moved.written.count(), e.written);
  close(sums.matmul_flops.count(), e.matmul_flops);
  close(sums.exps.count(), e.exps);
  for (const EngineTime& engine : sums.stalls.engines) {
    INFO(name_of(engine.engine));
    const auto n = static_cast<std::size_t>(engine.engine);
    if (roles) continue;
    close(engine.work.count(), e.work[n]);
    for (const Cause cause : all_causes) close(engine.wait(cause).count(), e.waits[n][static_cast<std::size_t>(cause)]);
    CHECK(engine.idle == std::max(Cycles{}, sums.stalls.time - engine.work - engine.waiting()));
  }
}

/// Bytes, FLOPs and exponentials of all events.
Totals totals_of(const Trace& trace) {
  Totals totals;
  add_to(totals, trace);
  return totals;
}

/// Rows of the block of Q that the CTA loads first.
std::int64_t rows_of_q(const Trace& trace) { return trace.events.front().rows.size; }

void check_whole(const Trace& trace) {
  const SpanIndex index(trace);
  const Stalls stalls = stalls_of(trace);
  const SpanSums all = index.between({}, stalls.time);
  const Totals totals = totals_of(trace);
  CHECK(all.moved == totals.total);
  CHECK(all.matmul_flops == totals.matmul_flops);
  CHECK(all.exps == totals.exps);
  CHECK(all.stalls.time == stalls.time);
  for (std::size_t n = 0; n < stalls.engines.size(); ++n) {
    CHECK(all.stalls.engines[n].work == stalls.engines[n].work);
    CHECK(all.stalls.engines[n].waits == stalls.engines[n].waits);
    CHECK(all.stalls.engines[n].idle == stalls.engines[n].idle);
  }
}

}  // namespace

TEST_CASE("sums of any span are those of a walk over events and waits, for every program on three GPUs") {
  Dice dice(29);
  for (const std::string& name : names_with_queries()) {
    for (const char* gpu : {"t4", "a100-sxm-40gb", "h100-sxm"}) {
      Scenario s = typed_scenario(dice, name, gpu);
      if (name == "flash-decoding") s.shape.seqlen_q = 1;  // a decode
      if (!takes(s)) continue;
      INFO(name << " on " << gpu << ", N " << s.shape.seqlen_k << ", causal " << s.shape.mask.causal);
      const Simulation run = simulate(s);
      for (std::size_t k = 0; k < run.kernels.size(); ++k) {
        const Trace trace = typical_cta(run, k).trace;
        check_whole(trace);
        if (trace.events.size() > 4000) continue;  // the walk searches the delays of each event
        const SpanIndex index(trace);
        const std::int64_t end = stalls_of(trace).time.count();
        for (int n = 0; n < 4; ++n) {
          const Cycles from(dice.near_an_end(0, end)), to(dice.near_an_end(from.count(), end));
          INFO("kernel " << k << " from " << from.count() << " to " << to.count());
          check(index.between(from, to), walked(trace, from, to), static_cast<double>(trace.events.size()),
                !trace.roles.empty());
        }
      }
    }
  }
}

TEST_CASE("adjoining spans sum to their union, and spans outside the CTA's time are empty") {
  Scenario s;
  s.shape = {4, 32, 32, 2048, 2048, 64, {}};
  const Trace trace = typical_cta(simulate(s), 0).trace;
  const SpanIndex index(trace);
  const std::int64_t end = stalls_of(trace).time.count();
  std::int64_t read = 0, flops = 0, exps = 0, barrier = 0;
  for (int n = 0; n < 97; ++n) {
    const SpanSums part = index.between(Cycles(end * n / 97), Cycles(end * (n + 1) / 97));
    read += part.moved.read.count();
    flops += part.matmul_flops.count();
    exps += part.exps.count();
    barrier += part.wait(Cause::barrier).count();
  }
  const SpanSums all = index.between(Cycles(-5), Cycles(2 * end));
  CHECK(read == all.moved.read.count());
  CHECK(flops == all.matmul_flops.count());
  CHECK(exps == all.exps.count());
  CHECK(barrier == all.wait(Cause::barrier).count());
  // The typical CTA of flash2 reads Q once and all of K and V, in fp16: (128 + 2 x 2,048) x 64 elements.
  CHECK(all.moved.read.count() == 2 * 64 * (rows_of_q(trace) + 2 * 2048));
  CHECK(all.matmul_flops.count() == 4 * rows_of_q(trace) * 2048 * 64);
  CHECK(index.between(Cycles(end), Cycles(2 * end)).moved == Traffic{});
  CHECK(SpanIndex(Trace{}).between(Cycles(0), Cycles(9)).stalls.time == Cycles{});
}

TEST_CASE("sums over the whole CTA are the stalls of the command line") {
  for (const std::string& name : names_with_queries()) {
    Scenario s;
    s.algorithm = name;
    s.shape = {4, 8, 8, 2048, 2048, 64, {}};
    if (!takes(s)) continue;
    const Simulation run = simulate(s);
    const auto values = values_of(run);
    for (std::size_t k = 0; k < run.kernels.size(); ++k) {
      const Trace trace = typical_cta(run, k).trace;
      const SpanSums all = SpanIndex(trace).between({}, stalls_of(trace).time);
      const double microseconds =
          1e6 / (static_cast<double>(ticks_per_cycle) * static_cast<double>(run.kernels[k].time.clock_hz));
      const std::string path = text("stalls.kernels.", k, ".");
      for (const EngineTime& engine : all.stalls.engines) {
        const std::string leaf = path + std::string(name_of(engine.engine)) + ".";
        const auto same = [&](const std::string& of, Cycles time) {
          CHECK(number_at(values, leaf + of) == Approx(static_cast<double>(time.count()) * microseconds).margin(1e-12));
        };
        same("work", engine.work);
        same("waiting", engine.waiting());
        same("idle", engine.idle);
        for (const Cause cause : all_causes) {
          if (engine.wait(cause) > Cycles{}) same("waits." + key_of(cause), engine.wait(cause));
        }
      }
    }
  }
}
