// On-chip space, events, listing lines, loops and the grid.
#include <catch2/catch.hpp>
#include <type_traits>

#include "sim/model/scheduled_replay.h"
#include "sim/model/simulation.h"
#include "sim/programs/launches.h"
#include "sim/programs/models.h"
#include "tests/support/takes.h"

using namespace sim;

namespace {

Scenario scenario(const std::string& algorithm) {
  Scenario s;
  s.algorithm = algorithm;
  return s;
}

template <class A, class B>
concept MultipliesQ = requires(Cta& cta, const A& a, const B& b) {
  cta.gemm_nt(a, b);
};

}  // namespace

TEST_CASE("incompatible memory levels do not compile") {
  STATIC_REQUIRE(MultipliesQ<SmemTile, SmemTile>);
  STATIC_REQUIRE(MultipliesQ<SmemTile, RegTile>);
  STATIC_REQUIRE_FALSE(MultipliesQ<RegTile, SmemTile>);  // Q must be in shared memory
  STATIC_REQUIRE_FALSE(MultipliesQ<HbmBlock, SmemTile>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<SmemTile>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<RegTile, SmemTile>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Bytes, Flops>);
}

TEST_CASE("a tile frees its space at the end of its scope") {
  Space space({"a.cpp", false, Bytes(1024), Bytes(1024), Dtype::fp16});
  {
    const SmemTile a(space, Tensor::K, {0, 0, 16, Origin::whole}, {0, 0, 16, Origin::whole}, 1);
    const SmemTile b(space, Tensor::V, {0, 0, 16, Origin::whole}, {0, 0, 16, Origin::whole}, 2);
  }
  const SmemTile again(space, Tensor::K, {0, 0, 32, Origin::whole}, {0, 0, 16, Origin::whole}, 3);
  CHECK(space.peak_smem() == Bytes(1024));
}

TEST_CASE("a tile that does not fit is reported with its name, line, size and the free space") {
  Scenario s = scenario("flash2");
  s.sram = 40960;
  s.br = s.bc = 128;
  const Plan plan = make_plan(s);
  CHECK_THROWS_WITH(count(plan, plan.launches[0]),
                    "flash2.cpp:43: V tile (128, 64) fp16 needs 16.0 KiB, 8.0 KiB of 40.0 KiB SMEM are free");
  CHECK_THROWS_WITH(count(plan), Catch::Contains("with --br 128 the largest --bc is 96") &&
                                     Catch::Contains("with --bc 128 the largest --br is 64"));
  s.bc = 96;
  CHECK_NOTHROW(count(make_plan(s)));
  s.bc = 97;
  CHECK_THROWS_AS(count(make_plan(s)), Error);
}

TEST_CASE("every event names the line of the listing that issued it") {
  for (const std::string& name : names_with_queries()) {
    const Plan plan = make_plan(within_limits(scenario(name)));
    for (const Trace& trace : count(plan)) {
      for (const Event& event : trace.events) {
        const std::string line = listing_line(trace.listing, event.line);
        INFO(name << ":" << event.line << " " << line);
        if (event.engine == Engine::barrier) {
          CHECK_FALSE(line.empty());
          continue;
        }
        CHECK(line.find("cta.") != std::string::npos);
        CHECK(line.find("// ") != std::string::npos);
      }
    }
  }
}

TEST_CASE("operands are events that started and ended before") {
  for (const std::string& name : names_with_queries()) {
    Scenario s = scenario(name);
    s.shape.mask.causal = true;
    const Plan plan = make_plan(within_limits(s));
    for (const Launch& launch : plan.launches) {
      const Trace trace = scheduled_replay(plan, launch, {0, 0, 0, 0});
      for (std::size_t n = 0; n < trace.events.size(); ++n) {
        for (const std::int32_t operand : trace.events[n].operands) {
          if (operand == no_event) continue;
          REQUIRE(static_cast<std::size_t>(operand) < n);
          const Event& event = trace.events[n];
          const Cycles ready = trace.events[static_cast<std::size_t>(operand)].end;
          CHECK(ready <= (event.verb == Verb::wait ? event.end : event.begin));
        }
      }
    }
  }
}

TEST_CASE("a counted run has a bounded number of events however long the sequence is") {
  for (const std::string& name : names_with_queries()) {
    Scenario s = scenario(name);
    s.shape = {4, 128, 8, 131072, 131072, 128, {true, 77, 4096}};
    std::size_t events = 0;
    for (const Trace& trace : count(make_plan(within_limits(s)))) events += trace.events.size();
    CHECK(events > 0);
    CHECK(events < 1000);
  }
}

TEST_CASE("the grid holds every CTA once, in runs of equal classes") {
  Scenario s = scenario("flash2");
  s.shape.batch = 2;
  s.shape.heads = s.shape.kv_heads = 3;
  const Grid plain = make_grid(s.shape, make_plan(s).launches[0].grid);
  CHECK(plain.ctas() == 2 * 3 * 8);
  CHECK(plain.runs.size() == 1);
  s.shape.mask.causal = true;
  const Grid causal = make_grid(s.shape, make_plan(s).launches[0].grid);
  CHECK(causal.ctas() == 2 * 3 * 8);
  REQUIRE(causal.runs.size() == 8);
  for (std::int64_t i = 0; i < 8; ++i) CHECK(causal.runs[static_cast<std::size_t>(i)].key == ClassKey{128, 1024, i, 1});
}

TEST_CASE("the trip counts of the grid add up to the counted iterations") {
  for (const Mask& mask : {Mask{}, Mask{true, 0, {}}, Mask{true, 100, 300}, Mask{false, 3, 64}}) {
    Scenario s = scenario("flash2");
    s.shape = {2, 4, 2, 1000, 900, 64, mask};
    const Plan plan = make_plan(s);
    std::int64_t masked = 0, tiles = 0;
    for (const Event& event : count(plan, plan.launches[0]).events) {
      if (event.verb == Verb::mask) masked += event.times;
      if (event.verb == Verb::load && event.tensor == Tensor::K) tiles += event.times;
    }
    const Grid grid = make_grid(s.shape, plan.launches[0].grid);
    std::int64_t grid_masked = 0, grid_tiles = 0;
    for (const Run& run : grid.runs) {
      grid_masked += run.count * run.key.masked_tiles * grid.repeats;
      grid_tiles += run.count * (run.key.full_tiles + run.key.masked_tiles) * grid.repeats;
    }
    CHECK(masked == grid_masked);
    CHECK(tiles == grid_tiles);
  }
}

TEST_CASE("a replay outside the grid or beyond its caps is refused") {
  Scenario s = scenario("flash2");
  const Plan plan = make_plan(s);
  CHECK_THROWS_WITH(replay(plan, plan.launches[0], {0, 0, 8, 0}), Catch::Contains("outside the grid of 8 x 1"));
  CHECK_THROWS_WITH(replay(plan, plan.launches[0], {0, 1, 0, 0}), Catch::Contains("outside 1 x 1"));
  s.br = s.bc = 1;
  s.shape.seqlen_q = s.shape.seqlen_k = 1 << 20;
  const Plan endless = make_plan(s);
  CHECK_THROWS_WITH(replay(endless, endless.launches[0], {}), Catch::Contains("more than 4194304 events"));
}

TEST_CASE("more blocks than can be counted quickly are refused") {
  Scenario s = scenario("memory-efficient");
  s.shape = {1, 1, 1, 1 << 22, 1024, 1, {}};
  CHECK_THROWS_WITH(make_plan(s), Catch::Contains("seqlen-q: 4194304 in blocks of 1 makes 4194304 blocks"));
}

TEST_CASE("sizes whose products pass 64 bits are refused, not wrapped") {
  Scenario s = scenario("standard");
  s.shape = {1, 1, 1, std::int64_t{1} << 31, std::int64_t{1} << 31, 64, {}};
  CHECK_THROWS_WITH(count(make_plan(s)), Catch::Contains("64 bits"));
}

TEST_CASE("a CTA of a grid that skips nothing has no masked tiles, whatever the mask") {
  const Shape shape{1, 1, 1, 100, 100, 16, {.causal = true}};
  for (const GridKind kind : {GridKind::per_head, GridKind::per_row_block, GridKind::per_tile}) {
    for (const Run& run : make_grid(shape, {kind, 32, 16, false}).runs) CHECK(run.key.masked_tiles == 0);
  }
}

TEST_CASE("the CTA that represents the fully masked parts of the keys is one of them") {
  Shape shape{1, 1, 1, 64, 256, 16, {}};
  const GridShape grid = GridShape::split(64, 32, 2, 4);  // 4 parts of 2 blocks
  for (const std::optional<std::int64_t> window : {std::optional<std::int64_t>{0}, std::optional<std::int64_t>{100}}) {
    for (const std::int64_t padding : {0, 40, 100, 200}) {
      shape.mask = {.causal = true, .padding = padding, .window = window};
      for (const CtaGroup& group : cta_groups(shape, grid)) {
        const Interval seen = live_splits(shape, grid, group.row.index());
        const bool live = overlap(seen, {group.col.index(), group.col.index() + 1}).size() > 0;
        INFO("padding " << padding << ", part " << group.col.index());
        CHECK(group.col.index() < 4);
        CHECK(group.times == (live ? seen.size() : 4 - seen.size()));
      }
    }
  }
}

TEST_CASE("if no smaller tile fits along one axis, the error reports it") {
  Scenario s;
  s.algorithm = "fmha";
  s.gpu = built_in_gpu("toy");
  s.shape.seqlen_q = s.shape.seqlen_k = 512;
  CHECK_THROWS_WITH(simulate(s), Catch::Contains("neither a smaller --br nor a smaller --bc alone is enough"));
}

TEST_CASE("a tile rule takes the published tiles if they fit, and else the largest that do") {
  for (const std::string& name : device_names()) {
    for (const std::int64_t d : {32, 64, 96, 128, 256}) {
      Scenario s;
      s.gpu = built_in_gpu(name);
      s.shape.head_dim = d;
      s.pass = Pass::backward;
      const Tiling t = make_plan(s).problem.tiling;
      const bool little = d > 96 && s.gpu->smem_bytes_per_cta < 144 * 1024;
      const Tiling published = d <= 64 ? Tiling{128, 128} : Tiling{64, little ? 64 : 128};
      INFO(name << ", d " << d << ": " << t.br << " x " << t.bc);
      if (t.br == 16 && t.bc == 16) continue;  // the smallest tile, whether it fits or not
      CHECK(tiles_fit(s, t.br, t.bc));
      if (t.br == published.br && t.bc == published.bc) continue;
      CHECK_FALSE(tiles_fit(s, published.br, published.bc));
      CHECK((t.br == published.br || !tiles_fit(s, 2 * t.br, t.bc) || !tiles_fit(s, t.br, 2 * t.bc)));
    }
  }
}

TEST_CASE("the published models' KV heads divide their query heads") {
  for (const ModelHeads& model : model_heads()) {
    INFO(model.name);
    CHECK(model.heads % model.kv_heads == 0);
    CHECK(model.heads * model.head_dim >= 1024);
  }
}
