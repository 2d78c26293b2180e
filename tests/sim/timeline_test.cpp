// The contents of a timeline: tracks, slices, arguments and counters, recorded by an exporter that only takes notes.
#include "sim/trace/timeline.h"

#include <catch2/catch.hpp>

#include "sim/model/replayed_timeline.h"
#include "tests/support/noted_timeline.h"
#include "tests/support/random_scenario.h"
#include "tests/support/two_warpgroups.h"

using namespace sim;
using Catch::Contains;

namespace {

Plan small(const std::string& algorithm, const char* gpu = "toy", Pass pass = Pass::forward) {
  Scenario s;
  s.algorithm = algorithm;
  s.pass = pass;
  s.shape = {2, 4, 2, 100, 120, 16, {true, 5, 60}};
  s.br = 32;
  s.bc = 16;
  s.gpu = built_in_gpu(gpu);
  return make_plan(within_limits(s));
}

/// Every program on a slow device and on a fast one, whose slices are shorter than a nanosecond, both passes, and one
/// program with two warpgroups.
std::vector<Timeline> timelines() {
  std::vector<Timeline> all;
  for (const char* gpu : {"toy", "h100-sxm"}) {
    for (const std::string& name : names_with_queries())
      all.push_back(replay_timeline(small(name, gpu, all_passes(name)), {}));
  }
  all.push_back(replay_timeline(two_warpgroups::plan(small("flash2").scenario), {}));
  return all;
}

std::int64_t sum_of(const Notes& notes, int process, const char* argument) {
  std::int64_t sum = 0;
  for (const auto& [id, slices] : notes.slices) {
    if (notes.tracks.at(id).process != process) continue;
    for (const NotedSlice& slice : slices) {
      const auto found = slice.numbers.find(argument);
      if (found != slice.numbers.end()) sum += found->second;
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("slices of one track come in the order of time and do not overlap") {
  for (const Timeline& timeline : timelines()) {
    for (const auto& [id, slices] : noted(timeline).slices) {
      std::int64_t free = 0;
      for (const NotedSlice& slice : slices) {
        CHECK(slice.begin >= free);
        CHECK(slice.end >= slice.begin);
        free = slice.end;
      }
    }
  }
}

TEST_CASE("every event is one slice on the track of its engine") {
  for (const Timeline& timeline : timelines()) {
    const Notes notes = noted(timeline);
    for (std::size_t k = 0; k < timeline.kernels.size(); ++k) {
      const int process = static_cast<int>(k) + 2;
      std::vector<int> seen(timeline.kernels[k].trace.events.size());
      for (const auto& [id, slices] : notes.slices) {
        if (notes.tracks.at(id).process != process) continue;
        if (notes.tracks.at(id).name.ends_with("waits")) continue;
        for (const NotedSlice& slice : slices) {
          const auto event = static_cast<std::size_t>(slice.numbers.at("event"));
          ++seen.at(event);
          const std::string engine(name_of(timeline.kernels[k].trace.events[event].engine));
          const std::string& track = notes.tracks.at(id).name;  // after the role if there are several
          CHECK((track == engine || track.ends_with(": " + engine)));
        }
      }
      CHECK(seen == std::vector<int>(seen.size(), 1));
    }
  }
}

TEST_CASE("the arguments of the slices add up to the totals of the trace") {
  for (const Timeline& timeline : timelines()) {
    const Notes notes = noted(timeline);
    for (std::size_t k = 0; k < timeline.kernels.size(); ++k) {
      Totals totals;
      add_to(totals, timeline.kernels[k].trace);
      const int process = static_cast<int>(k) + 2;
      const Bytes reduced = totals.atomic;  // reductions: in the totals as read and written, in the arguments once
      CHECK(sum_of(notes, process, "bytes") + reduced.count() == totals.total.total().count());
      CHECK(sum_of(notes, process, "matmul_flops") == totals.matmul_flops.count());
      CHECK(sum_of(notes, process, "other_flops") == totals.other_flops.count());
      CHECK(sum_of(notes, process, "exps") == totals.exps.count());
    }
  }
}

TEST_CASE("counters of on-chip memory peak at the trace's peaks, never go back in time and end at 0") {
  for (const Timeline& timeline : timelines()) {
    const Notes notes = noted(timeline);
    for (std::size_t k = 0; k < timeline.kernels.size(); ++k) {
      const Trace& trace = timeline.kernels[k].trace;
      for (const auto& [name, peak] : {std::pair{"SMEM", trace.peak_smem}, {"registers", trace.peak_registers}}) {
        const auto& samples = notes.samples.at(notes.id_of(static_cast<int>(k) + 2, name));
        std::int64_t most = 0, latest = 0;
        for (const auto& [at, bytes] : samples) {
          CHECK(at >= latest);
          latest = at;
          most = std::max(most, bytes);
        }
        CHECK(most == peak.count());
        CHECK(samples.front().second == 0);
        CHECK(samples.back().second == 0);
      }
    }
  }
}

TEST_CASE("a kernel starts when the CTA before it has ended, and lasts as long as its own") {
  const Timeline timeline = replay_timeline(small("standard"), {});
  const Notes notes = noted(timeline);
  const std::vector<NotedSlice>& kernels = notes.slices.at(notes.id_of(1, timeline.title));
  const auto& memory = notes.samples.at(notes.id_of(1, "HBM memory"));
  REQUIRE(kernels.size() == 4);  // qk_gemm, mask, softmax, pv_gemm
  REQUIRE(memory.size() == 4);
  Cycles now;
  for (std::size_t k = 0; k < 4; ++k) {
    const TimelineKernel& kernel = timeline.kernels[k];
    CHECK(kernels[k].name == kernel.trace.kernel);
    CHECK(kernels[k].begin == nanoseconds(now, timeline.clock_hz));
    CHECK(memory[k] == std::pair{kernels[k].begin, kernel.live_hbm.count()});
    const Event& first = kernel.trace.events.front();
    const auto engine = notes.id_of(static_cast<int>(k) + 2, std::string(name_of(first.engine)));
    CHECK(notes.slices.at(engine).front().begin == nanoseconds(now + first.begin, timeline.clock_hz));
    now += end_of(kernel.trace);
    CHECK(kernels[k].end == nanoseconds(now, timeline.clock_hz));
  }
}

TEST_CASE("a slice has the bytes moved, the listing line, and the events it waited for") {
  const Notes notes = noted(replay_timeline(small("flash2"), {}));
  const NotedSlice& load = notes.slices.at(notes.id_of(2, "copy_in")).at(1);
  CHECK(load.name == "load K");
  CHECK(load.words.at("tensor") == "K");
  CHECK(load.words.at("cols") == "[0, 16)");
  CHECK(load.words.at("direction") == "read");
  CHECK(load.words.at("kernel") == "flash2_forward");
  CHECK(load.words.at("code") == "SmemTile K = cta.load(block(hbm.K, j));");
  CHECK(load.numbers.at("bytes") == 16 * 16 * 2);
  CHECK(load.numbers.at("latency_ns") > 0);
  const NotedSlice& gemm = notes.slices.at(notes.id_of(2, "tensor")).at(0);
  CHECK(gemm.name == "gemm S");
  CHECK(gemm.words.at("waits_for_events") == "0, 4");
  CHECK(gemm.numbers.count("latency_ns") == 0);
}

TEST_CASE("every wait is one slice on the track of waits, named by its cause, with the waiting and the awaited event") {
  for (const Timeline& timeline : timelines()) {
    const Notes notes = noted(timeline);
    for (std::size_t k = 0; k < timeline.kernels.size(); ++k) {
      const Trace& trace = timeline.kernels[k].trace;
      std::map<std::string, std::size_t> next;  // slice of each track
      for (const WaitSpan& wait : trace.waits) {
        const Event& event = trace.events.at(static_cast<std::size_t>(wait.event));
        const std::string track = trace.roles.empty() ? "waits" : trace.roles[event.role].name + ": waits";
        const auto& slices = notes.slices.at(notes.id_of(static_cast<int>(k) + 2, track));
        const NotedSlice& slice = slices.at(next[track]++);
        CHECK(slice.name == slice.words.at("cause"));
        CHECK(slice.name == name_of(wait.cause));
        CHECK(slice.numbers.at("event") == wait.event);
        CHECK(slice.words.at("code") == listing_code(trace.listing, event.line));
        CHECK(slice.numbers.count("waits_for_event") == (wait.awaited == no_event ? 0 : 1));
      }
      for (const auto& [track, count] : next)
        CHECK(notes.slices.at(notes.id_of(static_cast<int>(k) + 2, track)).size() == count);
    }
  }
}

TEST_CASE("the first product of flash2 waits until K has arrived, then for the barrier before a phase") {
  const Notes notes = noted(replay_timeline(small("flash2"), {}));
  const auto& waits = notes.slices.at(notes.id_of(2, "waits"));
  CHECK(waits.at(0).name == "data");
  CHECK(waits[0].words.at("waits_for") == "load K");
  CHECK(waits[0].numbers.at("waits_for_event") == 4);
  CHECK(waits[0].words.at("code") == "RegTile S = cta.gemm_nt(Q, K);");
  CHECK(waits[1].name == "barrier");
  CHECK(waits[1].begin == waits[0].end);
  CHECK(waits[1].words.at("waits_for_events") == "0, 4");
  CHECK(notes.slices.at(notes.id_of(2, "tensor")).at(0).begin == waits[1].end);
}

TEST_CASE("a replay records every allocation and release of a tile") {
  const Plan plan = small("flash2");
  const std::vector<OccupancySample> noted = replay(plan, plan.launches[0], {}).occupancy;
  REQUIRE(noted.size() > 4);
  const std::int64_t q = 32 * 16 * 2, o = 32 * 16 * 4, k = 16 * 16 * 2;
  CHECK(noted[0].events == 0);  // space is taken before the load of Q
  CHECK(noted[0].smem.count() == q);
  CHECK(noted[1].events == 1);
  CHECK(noted[1].registers.count() == o);
  CHECK(noted[2].events == 4);  // after O, l and m
  CHECK(noted[2].smem.count() == q + k);
  CHECK(noted.back().smem.count() + noted.back().registers.count() == 0);
}

TEST_CASE("counting and computing without events record no occupancy") {
  const Plan plan = small("flash1");
  for (const Trace& trace : count(plan)) CHECK(trace.occupancy.empty());
}

TEST_CASE("nanoseconds are exact where they are whole and rounded down elsewhere") {
  CHECK(nanoseconds(whole_cycles(3), 1'000'000'000) == 3);
  CHECK(nanoseconds(Cycles(255), 1'000'000'000) == 0);
  CHECK(nanoseconds(whole_cycles(1'755), 1'755'000'000) == 1'000);
  CHECK(nanoseconds(Cycles(256 * 1'755 - 1), 1'755'000'000) == 999);
  CHECK(nanoseconds(Cycles(std::int64_t{1} << 62), 10'000'000'000) == 1'801'439'850'948'198);  // 2^54 cycles
  CHECK(nanoseconds(whole_cycles(9'999'999'999), 10'000'000'000) == 999'999'999);
  CHECK_THROWS_WITH(nanoseconds(Cycles(1), 0), Contains("a clock of 0 Hz"));
  CHECK_THROWS_WITH(nanoseconds(Cycles(1), 10'000'000'001), Contains("allowed are 1 to 10000000000"));
}

TEST_CASE("no timestamp precedes that of an earlier event") {
  std::int64_t before = 0;
  for (std::int64_t tick = 0; tick < 5000; ++tick) {
    const std::int64_t now = nanoseconds(Cycles(tick), 1'410'000'000);
    CHECK(now >= before);
    before = now;
  }
  CHECK(before == 4999 * 1000 / (1410 * 256));
}

TEST_CASE("the CTA of a timeline is the last row block of the first head unless it is chosen") {
  const Plan plan = small("standard");
  const Timeline by_default = replay_timeline(plan, {});
  CHECK(by_default.kernels[0].place == "CTA: batch 0, head 0, row block 3, column block 0");
  CHECK(by_default.kernels[2].place == "CTA: batch 0, head 0, row block 99, column block 0");  // softmax: row by row
  const Timeline chosen = replay_timeline(plan, CtaPlace{1, 2, 5, 6});
  CHECK(chosen.kernels[0].place == "CTA: batch 1, head 2, row block 3, column block 6");
  CHECK(chosen.kernels[2].place == "CTA: batch 1, head 2, row block 5, column block 0");
  const Timeline backward = replay_timeline(small("flash2", "toy", Pass::backward), CtaPlace{1, 3, 2, 6});
  CHECK(backward.kernels[0].place == "CTA: batch 1, head 3, row block 2, column block 0");
  CHECK(backward.kernels[1].place == "CTA: batch 1, KV head 1, row block 0, column block 6");
  CHECK(chosen.kernels[0].ctas == 2 * 4 * 4 * 8);
}

TEST_CASE("a CTA outside every kernel's grid is refused with the ranges") {
  const Plan plan = small("flash2");
  for (const CtaPlace& place : {CtaPlace{2, 0, 0, 0}, {0, 4, 0, 0}, {0, 0, 4, 0}, {0, 0, 0, 1}, {-1, 0, 0, 0}}) {
    CHECK_THROWS_WITH(replay_timeline(plan, place),
                      Contains("allowed are batch 0 to 1, head 0 to 3, row block 0 to 3, column block 0 to 0"));
  }
}
