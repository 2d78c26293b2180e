// flash3: golden counts of the tiles of FlashAttention-3, its values and what it does at barriers.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "sim/catalogue/options.h"
#include "sim/model/scheduled_replay.h"
#include "sim/model/simulation.h"
#include "tests/support/random_scenario.h"

using namespace sim;
using Catch::Contains;

namespace {

std::shared_ptr<const DeviceSpec> find(const std::string& name) { return built_in_gpu(name); }

Scenario scenario(OptionValues values, const std::string& algorithm = "flash3") {
  values.emplace("algorithm", algorithm);
  return scenario_from(values, find);
}

/// The problem by flash2, with the same order of keys and the same tiles.
Scenario as_flash2(const Scenario& s) {
  const Plan plan = make_plan(s);
  Scenario other = with_algorithm(s, "flash2");
  other.br = plan.problem.tiling.br;
  other.bc = plan.problem.tiling.bc;
  other.own["keys"] = 1;
  return other;
}

std::string refusal(const OptionValues& values) {
  try {
    simulate(scenario(values));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

const std::vector<std::string> schedules = {"overlapped", "ping-pong", "warp-specialised", "serial"};

struct Golden {
  OptionValues values;
  std::int64_t br, bc, ctas, q, k, l, matmul, exps, tiles, masked;
};

}  // namespace

TEST_CASE("flash3 counts the golden bytes, products and exponentials of its tiles") {
  // Sizes that flash3_golden.py of the reference computed, without this program.
  const Golden golden[] = {
      {{{"batch", "4"}, {"heads", "16"}, {"seqlen", "8448"}, {"head-dim", "128"}},
       128,
       176,
       4224,
       138'412'032,
       9'135'194'112,
       2'162'688,
       2'338'609'692'672,
       4'567'597'056,
       202'752,
       0},
      {{{"batch", "4"}, {"heads", "16"}, {"seqlen", "8448"}, {"head-dim", "128"}, {"causal", "1"}},
       128,
       128,
       4224,
       138'412'032,
       4'636'803'072,
       2'162'688,
       1'187'021'586'432,
       2'318'401'536,
       141'504,
       4'224},
      {{{"seqlen", "1000"}}, 192, 192, 6, 128'000, 768'000, 4'000, 256'000'000, 1'000'000, 36, 0},
      {{{"seqlen", "1000"}, {"causal", "1"}}, 192, 128, 6, 128'000, 518'144, 4'000, 160'055'296, 625'216, 32, 11},
      {{{"heads", "2"}, {"kv-heads", "1"}, {"seqlen-q", "127"}, {"seqlen-k", "300"}, {"head-dim", "256"}},
       128,
       80,
       2,
       130'048,
       307'200,
       1'016,
       78'028'800,
       76'200,
       8,
       0},
      {{{"seqlen", "1"}, {"head-dim", "128"}}, 128, 176, 1, 256, 256, 4, 512, 1, 1, 0}};
  for (const Golden& g : golden) {
    for (const std::string& schedule : schedules) {
      OptionValues values = g.values;
      values["schedule"] = schedule;
      const Simulation s = simulate(scenario(values));
      INFO(schedule << " " << s.plan.problem.tiling.br << " x " << s.plan.problem.tiling.bc);
      CHECK(s.plan.problem.tiling.br == g.br);
      CHECK(s.plan.problem.tiling.bc == g.bc);
      CHECK(s.kernels[0].ctas == g.ctas);
      CHECK(s.totals.tensor(Tensor::Q).read.count() == g.q);
      CHECK(s.totals.tensor(Tensor::O).written.count() == g.q);
      CHECK(s.totals.tensor(Tensor::K).read.count() == g.k);
      CHECK(s.totals.tensor(Tensor::V).read.count() == g.k);
      CHECK(s.totals.tensor(Tensor::L).written.count() == g.l);
      CHECK(s.totals.matmul_flops.count() == g.matmul);
      CHECK(s.totals.exps.count() == g.exps);
      std::int64_t tiles = 0, masked = 0;  // of the first consumer, which walks all of its CTA's
      const std::uint8_t first = schedule == "serial" ? 0 : 1;
      for (const Event& event : s.traces[0].events) {
        if (event.role == first && event.verb == Verb::scale) tiles += event.times;
        if (event.role == first && event.verb == Verb::mask) masked += event.times;
      }
      CHECK(tiles == g.tiles);
      CHECK(masked == g.masked);
    }
  }
}

TEST_CASE("shared memory of flash3 is that of Q, two stages of K and V, and P where it goes through there") {
  const std::pair<OptionValues, std::int64_t> golden[] = {
      {{{"head-dim", "64"}}, 196'608},  {{{"head-dim", "64"}, {"causal", "1"}}, 90'112},
      {{{"head-dim", "96"}}, 202'752},  {{{"head-dim", "96"}, {"window", "500"}}, 184'320},
      {{{"head-dim", "80"}}, 202'752},  // runs as d 96
      {{{"head-dim", "128"}}, 212'992}, {{{"head-dim", "128"}, {"causal", "1"}}, 163'840},
      {{{"head-dim", "192"}}, 221'184}, {{{"head-dim", "256"}}, 229'376}};
  for (const auto& [values, bytes] : golden) {
    const Simulation s = simulate(scenario(values));
    INFO("d " << s.plan.problem.shape.head_dim);
    CHECK(s.kernels[0].needs.smem.count() == bytes);
    CHECK(s.kernels[0].ctas_per_sm == 1);
  }
  CHECK_THAT(refusal({{"head-dim", "128"}, {"stages", "3"}}), Contains("do not fit on h100-sxm"));
  CHECK(refusal({{"head-dim", "128"}, {"causal", "1"}, {"stages", "3"}}).empty());
  CHECK_THAT(refusal({{"head-dim", "128"}, {"causal", "1"}, {"stages", "4"}}), Contains("do not fit on h100-sxm"));
}

TEST_CASE("O, S and P of a consumer take the registers that were counted by hand") {
  const std::pair<OptionValues, std::int64_t> golden[] = {
      {{{"head-dim", "128"}, {"seqlen", "1408"}}, 196},
      {{{"head-dim", "128"}, {"seqlen", "1024"}, {"causal", "1"}}, 160},
      {{{"head-dim", "256"}, {"seqlen", "1280"}}, 188},
      {{{"head-dim", "64"}, {"seqlen", "1536"}, {"causal", "1"}}, 128}};
  for (const auto& [values, registers] : golden) {
    const Simulation s = simulate(scenario(values));
    INFO("d " << s.plan.problem.shape.head_dim);
    for (const TraceRole& role : s.traces[0].roles) {
      const bool consumer = role.name != "producer";
      CHECK(role.held.count() == (consumer ? registers * 128 * 4 : 0));
      CHECK(role.held.count() <= role.registers * 128 * 4);
    }
  }
  const Simulation two = simulate(scenario({{"head-dim", "128"}})), three = simulate(scenario({{"head-dim", "64"}}));
  CHECK(two.kernels[0].needs.registers.count() == 4 * 64'512);
  CHECK(three.kernels[0].needs.registers.count() == 4 * 65'536);
}

TEST_CASE("every schedule of flash3 computes what flash2 computes from the last key block to the first, bit for bit") {
  const OptionValues cases[] = {{{"seqlen", "300"}, {"causal", "1"}},
                                {{"seqlen-q", "200"}, {"seqlen-k", "500"}, {"head-dim", "128"}},
                                {{"seqlen", "333"}, {"head-dim", "96"}, {"heads", "2"}, {"kv-heads", "1"}},
                                {{"seqlen", "260"}, {"window", "70"}, {"dtype", "bf16"}},
                                {{"seqlen-q", "300"}, {"seqlen-k", "100"}, {"causal", "1"}}};  // rows that see nothing
  for (OptionValues values : cases) {
    for (const std::string& schedule : schedules) {
      values["schedule"] = schedule;
      const Scenario s = scenario(values);
      INFO(schedule << ", d " << s.shape.head_dim << ", N " << s.shape.seqlen_q);
      const AttentionInputs inputs = draw_inputs(s.shape, s.dtype, 3);
      const AttentionOutputs mine = compute(make_plan(s), inputs), other = compute(make_plan(as_flash2(s)), inputs);
      CHECK(mine.o == other.o);
      CHECK(mine.log_sum_exp == other.log_sum_exp);
    }
  }
}

TEST_CASE("values, bytes and operations at barriers of flash3 are the same in whatever order roles are resumed") {
  const auto operations = [](const Trace& trace) {
    std::multiset<std::string> all;
    for (const Event& e : trace.events)
      all.insert(text(int{e.role}, name_of(e.verb), e.sync.barrier, ":", e.sync.phase, ":", e.bytes));
    return all;
  };
  for (const std::string& schedule : schedules) {
    Plan plan = make_plan(scenario({{"seqlen", "500"}, {"causal", "1"}, {"schedule", schedule}}));
    const AttentionInputs inputs = draw_inputs(plan.problem.shape, plan.problem.dtype, 3);
    const AttentionOutputs values = compute(plan, inputs);
    const auto before = operations(replay(plan, plan.launches[0], {0, 0, 2, 0}));
    for (plan.resume_seed = 1; plan.resume_seed <= 20; ++plan.resume_seed) {
      INFO(schedule << ", seed " << plan.resume_seed);
      CHECK(operations(replay(plan, plan.launches[0], {0, 0, 2, 0})) == before);
      if (plan.resume_seed <= 3) CHECK(compute(plan, inputs).o == values.o);
    }
  }
}

TEST_CASE("walk == closed form == count on 2,000 random shapes of flash3") {
  Dice dice(44);
  for (int n = 0; n < 2000; ++n) {
    Scenario s = scenario({{"schedule", schedules[static_cast<std::size_t>(dice.between(0, 3))]}});
    Shape& shape = s.shape;
    shape.kv_heads = dice.between(1, 2);
    shape.heads = shape.kv_heads * dice.between(1, 3);
    shape.batch = dice.between(1, 2);
    shape.seqlen_q = dice.between(1, 700);
    shape.seqlen_k = dice.between(1, 700);
    shape.head_dim =
        std::array<std::int64_t, 6>{8, 64, 80, 128, 192, 256}[static_cast<std::size_t>(dice.between(0, 5))];
    shape.mask.causal = dice.between(0, 1) == 1;
    if (dice.between(0, 3) == 0) shape.mask.window = dice.between(0, 300);
    if (dice.between(0, 3) == 0) shape.mask.padding = dice.between(0, shape.seqlen_k);
    const Plan plan = make_plan(s);
    Totals counted;
    for (const Trace& trace : count(plan)) add_to(counted, trace);
    INFO(n << ": " << shape.seqlen_q << " x " << shape.seqlen_k << ", d " << shape.head_dim);
    REQUIRE(counted == count_by_brute_force(plan));
    Totals other;
    for (const Trace& trace : count(make_plan(as_flash2(s)))) add_to(other, trace);
    REQUIRE(counted.by_tensor == other.by_tensor);
    REQUIRE(counted.matmul_flops == other.matmul_flops);
    REQUIRE(counted.other_flops == other.other_flops);
    REQUIRE(counted.exps == other.exps);
  }
}

TEST_CASE("a CTA of flash3 waits, arrives and copies as often as was counted by hand") {
  for (const std::string schedule : {"overlapped", "ping-pong", "warp-specialised"}) {
    for (const int tiles : {1, 2, 7}) {
      const Plan plan = make_plan(scenario({{"seqlen-q", "128"},
                                            {"seqlen-k", std::to_string(176 * tiles)},
                                            {"head-dim", "128"},
                                            {"schedule", schedule},
                                            {"grid", "one"}}));
      const Trace trace = replay(plan, plan.launches[0], {});
      std::map<std::string, int> count;
      for (const Event& e : trace.events) {
        if (e.sync.barrier < 0) continue;
        const std::string kind(name_of(trace.barriers[static_cast<std::size_t>(e.sync.barrier)].kind));
        ++count[text(e.role == 0 ? "producer " : "consumers ", name_of(e.verb), " ", kind)];
      }
      INFO(schedule << ", " << tiles << " tiles");
      const int n = 2;  // consumers
      CHECK(count["consumers wait full"] == n * (2 * tiles + 1));
      CHECK(count["consumers arrive empty"] == 2 * n * tiles);
      CHECK(count["producer wait empty"] == 2 * tiles);
      CHECK(count["producer load full"] == 2 * tiles + 1);
      const int syncs = schedule == "overlapped" ? tiles - 1 : schedule == "ping-pong" ? tiles + 1 : 0;
      CHECK(count["consumers wait turn"] == n * syncs);
      CHECK(count["consumers arrive turn"] == n * syncs + (schedule == "warp-specialised" ? 0 : 1));
    }
  }
}

TEST_CASE("overlapped, flash3 releases Q before the last P V, and beyond d 128 scales O while S runs, as released") {
  for (const int d : {128, 256}) {
    const Plan plan = make_plan(scenario({{"seqlen-q", "128"}, {"seqlen-k", "480"}, {"head-dim", std::to_string(d)}}));
    const Trace trace = replay(plan, plan.launches[0], {});
    std::string order;  // of the first consumer: S, O += P V, scaling of O, release of Q
    for (const Event& e : trace.events) {
      if (e.role != 1) continue;
      if (e.verb == Verb::gemm) order += e.tensor == Tensor::S ? 'S' : 'O';
      if (e.verb == Verb::rescale) order += 'r';
      if (e.verb == Verb::arrive && e.sync.barrier >= 0 &&
          trace.barriers[static_cast<std::size_t>(e.sync.barrier)].name == "Q 0")
        order += 'q';
    }
    CHECK(order == (d == 128 ? "SrSOrSOrqO" : "SSrOSrOSrOSrOSrOqrO"));
  }
}

TEST_CASE("a copy counts the bytes that are there, and its transaction the whole box") {
  const Plan plan = make_plan(scenario({{"seqlen", "1"}, {"head-dim", "128"}}));
  for (const Event& event : replay(plan, plan.launches[0], {}).events) {
    if (event.verb != Verb::load) continue;
    CHECK(event.bytes == 256);
    CHECK(event.sync.bytes == (event.tensor == Tensor::Q ? 128 : 176) * 256);
  }
}
