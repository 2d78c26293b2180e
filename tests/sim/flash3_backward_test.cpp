// The backward pass of flash3: golden counts of its tiles, its values, what its roles do at barriers, and its limits.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "sim/catalogue/options.h"
#include "sim/model/closed_form.h"
#include "sim/model/scheduled_replay.h"
#include "sim/model/simulation.h"
#include "sim/model/validation.h"
#include "tests/support/random_scenario.h"
#include "tests/support/values_rule.h"

using namespace sim;
using Catch::Contains;

namespace {

Scenario backward(OptionValues values) {
  values.emplace("algorithm", "flash3");
  values.emplace("pass", "backward");
  return scenario_from(values, [](const std::string& name) { return built_in_gpu(name); });
}

/// The problem by flash2, with the same tiles.
Scenario by_flash2(const Scenario& s) {
  const Plan plan = make_plan(s);
  Scenario other = with_algorithm(s, "flash2");
  other.br = plan.launches[1].tiling.br;
  other.bc = plan.launches[1].tiling.bc;
  return other;
}

Totals totals_of(const Plan& plan) {
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  return totals;
}

std::string refused(const OptionValues& values) {
  try {
    simulate(backward(values));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// A row of flash3_backward_golden.py of the reference, which computed it without this program: the main kernel.
struct BackwardGolden {
  OptionValues values;
  std::int64_t br, bc, ctas, q, l, dq_acc, k, dk, elements, tiles, matmul;
  std::int64_t whole;  ///< elements of Q
  bool fits_flash2;
};

const BackwardGolden golden_rows[] = {
    {{{"batch", "4"}, {"heads", "16"}, {"seqlen", "8192"}, {"head-dim", "128"}},
     80,
     128,
     4'096,
     8'589'934'592,
     134'217'728,
     17'179'869'184,
     134'217'728,
     134'217'728,
     4'294'967'296,
     421'888,
     5'497'558'138'880,
     67'108'864,
     true},
    {{{"batch", "4"}, {"heads", "16"}, {"seqlen", "8192"}, {"head-dim", "128"}, {"causal", "1"}},
     64,
     128,
     4'096,
     4'362'076'160,
     68'157'440,
     8'724'152'320,
     134'217'728,
     134'217'728,
     2'181'038'080,
     266'240,
     2'791'728'742'400,
     67'108'864,
     true},
    {{{"heads", "32"}, {"seqlen", "1024"}, {"head-dim", "64"}, {"causal", "1"}},
     128,
     128,
     256,
     18'874'368,
     589'824,
     37'748'736,
     4'194'304,
     4'194'304,
     18'874'368,
     1'152,
     12'079'595'520,
     2'097'152,
     true},
    {{{"heads", "8"}, {"kv-heads", "2"}, {"seqlen", "1000"}, {"head-dim", "192"}},
     64,
     96,
     22,
     33'792'000,
     352'000,
     67'584'000,
     768'000,
     768'000,
     8'000'000,
     1'408,
     15'360'000'000,
     1'536'000,
     true},
    {{{"heads", "2"}, {"seqlen-q", "300"}, {"seqlen-k", "500"}, {"head-dim", "256"}, {"causal", "1"}},
     64,
     80,
     14,
     1'626'112,
     12'704,
     3'252'224,
     512'000,
     512'000,
     248'800,
     54,
     636'928'000,
     153'600,
     false}};

}  // namespace

TEST_CASE("flash3 backward counts the golden bytes, products and exponentials of its tiles") {
  for (const BackwardGolden& g : golden_rows) {
    const Simulation s = simulate(backward(g.values));
    INFO(g.br << " x " << g.bc);
    CHECK(s.plan.problem.tiling.br == g.br);
    CHECK(s.plan.problem.tiling.bc == g.bc);
    CHECK(s.kernels[1].ctas == g.ctas);
    Totals main;
    add_to(main, s.traces[1]);
    for (const Tensor t : {Tensor::Q, Tensor::dO}) CHECK(main.tensor(t).read.count() == g.q);
    for (const Tensor t : {Tensor::L, Tensor::D}) CHECK(main.tensor(t).read.count() == g.l);
    for (const Tensor t : {Tensor::K, Tensor::V}) CHECK(main.tensor(t).read.count() == g.k);
    for (const Tensor t : {Tensor::dK, Tensor::dV}) CHECK(main.tensor(t).written.count() == g.dk);
    CHECK(main.tensor(Tensor::dQ_acc).read.count() == g.dq_acc);
    CHECK(main.tensor(Tensor::dQ_acc).written.count() == g.dq_acc);
    CHECK(main.atomic.count() == g.dq_acc);
    CHECK(main.exps.count() == g.elements);
    CHECK(main.matmul_flops.count() == g.matmul);
    std::int64_t tiles = 0;
    for (const Event& event : s.traces[1].events) tiles += event.tensor == Tensor::Q ? event.times : 0;
    CHECK(tiles == g.tiles);
    CHECK(s.totals.tensor(Tensor::dO).read.count() == g.q + 2 * g.whole);  // D_i is of dO and O, once
    CHECK(s.totals.tensor(Tensor::dQ_acc).read.count() == g.dq_acc + 4 * g.whole);
    CHECK(s.totals.tensor(Tensor::dQ_acc).written.count() == g.dq_acc + 4 * g.whole);
    if (!g.fits_flash2) {
      CHECK_THROWS_WITH(simulate(by_flash2(s.plan.scenario)), Contains("do not fit on h100-sxm"));
      continue;
    }
    const Totals other = simulate(by_flash2(s.plan.scenario)).totals;
    CHECK(s.totals.by_tensor == other.by_tensor);
    CHECK(s.totals.by_bucket == other.by_bucket);
    CHECK(s.totals.matmul_flops == other.matmul_flops);
    CHECK(s.totals.other_flops == other.other_flops);
    CHECK(s.totals.exps == other.exps);
  }
}

TEST_CASE("shared memory and registers of flash3 backward are those that were counted by hand, one CTA on an SM") {
  struct Space {
    OptionValues values;
    std::int64_t smem, held, registers;  ///< held: registers of a thread that its tiles take at most
  };
  const Space golden[] = {{{{"head-dim", "64"}, {"seqlen", "1024"}}, 198'656, 192, 240},
                          {{{"head-dim", "96"}, {"seqlen", "1024"}}, 156'672, 160, 240},
                          {{{"head-dim", "128"}, {"seqlen", "1280"}}, 231'424, 208, 240},
                          {{{"head-dim", "128"}, {"seqlen", "1024"}, {"causal", "1"}}, 197'632, 192, 240},
                          {{{"head-dim", "192"}, {"seqlen", "960"}}, 222'208, 144, 160},
                          {{{"head-dim", "256"}, {"seqlen", "1280"}}, 201'728, 212, 240}};
  for (const Space& g : golden) {
    const Simulation s = simulate(backward(g.values));
    INFO("d " << s.plan.problem.shape.head_dim);
    CHECK(s.kernels[1].needs.smem.count() == g.smem);
    CHECK(s.kernels[1].ctas_per_sm == 1);
    std::int64_t threads = 0;
    for (const TraceRole& role : s.traces[1].roles) {
      threads += role.threads;
      if (!role.name.starts_with("consumer")) continue;
      CHECK(role.registers == g.registers);
      CHECK(role.held.count() == g.held * 128 * 4);
    }
    CHECK(threads == s.plan.launches[1].threads);
    CHECK(s.kernels[1].needs.registers.count() == 4 * (g.registers == 240 ? 64'512 : 65'536));
  }
}

TEST_CASE("a tile of dQ passes shared memory twice on its way to HBM, by the one warp that writes it") {
  for (const auto& [d, br] : {std::pair{64, 128}, {96, 64}, {128, 80}, {192, 64}, {256, 64}}) {
    const Plan plan = make_plan(backward({{"head-dim", std::to_string(d)}, {"seqlen", "3840"}}));
    const Trace trace = replay(plan, plan.launches[1], {});
    std::int64_t put = 0, reduced = 0, tiles = 0;
    for (const Event& e : trace.events) {
      const std::string& role = trace.roles[e.role].name;
      tiles += e.tensor == Tensor::Q ? 1 : 0;
      if (e.verb == Verb::move && e.tensor == Tensor::dQ_acc) put += e.smem_bytes;
      if (e.verb != Verb::atomic_add) continue;
      reduced += e.bytes;
      CHECK(role == (d == 256 ? trace.roles[1 + (role == "consumer 2")].name : "dQ writer"));
      CHECK(e.level == (d == 256 ? Level::registers : Level::smem));
    }
    INFO("d " << d);
    CHECK(reduced == tiles * 4 * br * d);
    CHECK(put == (d == 256 ? 0 : reduced));
    if (d != 256) CHECK(trace.roles[1].threads == 32);
  }
}

TEST_CASE("gradients of flash3 are those of flash2 with the same tiles, bit for bit, in any order of its roles") {
  const OptionValues cases[] = {
      {{"seqlen", "300"}, {"causal", "1"}},
      {{"seqlen-q", "200"}, {"seqlen-k", "333"}, {"head-dim", "128"}},
      {{"seqlen", "333"}, {"head-dim", "96"}, {"heads", "4"}, {"kv-heads", "2"}},
      {{"seqlen", "260"}, {"window", "70"}, {"dtype", "bf16"}, {"head-dim", "80"}},
      {{"seqlen", "200"}, {"head-dim", "192"}, {"causal", "1"}},
      {{"seqlen-q", "300"}, {"seqlen-k", "100"}, {"causal", "1"}, {"head-dim", "128"}},  // rows that see nothing
      {{"seqlen-q", "100"}, {"seqlen-k", "300"}, {"causal-from", "top-left"}, {"causal", "1"}},  // keys unseen
      {{"seqlen", "200"}, {"head-dim", "128"}, {"softcap", "5"}, {"alibi", "1"}, {"heads", "2"}}};
  for (const OptionValues& values : cases) {
    const Scenario s = backward(values);
    Plan plan = make_plan(s);
    INFO("d " << s.shape.head_dim << ", N " << s.shape.seqlen_q << " x " << s.shape.seqlen_k);
    const AttentionInputs inputs = draw_with_gradient(s, 3);
    const Plan flash2 = make_plan(by_flash2(s));
    plan.before = flash2.before;  // its forward pass, so that both have the same O and L
    const AttentionOutputs other = compute(flash2, inputs);
    for (plan.resume_seed = 0; plan.resume_seed <= 3; ++plan.resume_seed) {
      const AttentionOutputs mine = compute(plan, inputs);
      const bool same = mine.d_q == other.d_q && mine.d_k == other.d_k && mine.d_v == other.d_v;
      CHECK(same);
    }
  }
}

TEST_CASE("gradients of flash3 are as close to double precision as the rule allows, after its forward pass too") {
  const OptionValues cases[] = {{{"seqlen", "500"}, {"head-dim", "128"}, {"causal", "1"}},
                                {{"seqlen", "320"}, {"head-dim", "128"}, {"heads", "4"}, {"kv-heads", "1"}},
                                {{"seqlen-q", "200"}, {"seqlen-k", "300"}, {"head-dim", "256"}},
                                {{"seqlen", "250"}, {"head-dim", "192"}, {"dtype", "bf16"}},
                                {{"seqlen", "300"}, {"head-dim", "64"}, {"window", "64,32"}, {"softcap", "5"}}};
  for (OptionValues values : cases) {
    values["pass"] = "forward+backward";
    check_values_by_rule(backward(values), 7);
  }
}

TEST_CASE("walk == closed form == count on 2,000 random shapes of flash3 backward, as users type them") {
  Dice dice(46);
  constexpr std::int64_t head_dims[] = {40, 64, 80, 96, 128, 192, 256};
  int walked = 0;
  for (int n = 0; n < 2000; ++n) {
    Scenario s = backward({});
    Shape& shape = s.shape;
    const bool small = !dice.one_in(3);  // a walk visits every tile
    const auto length = [&] {
      if (small) return dice.between(1, 700);
      return dice.one_in(2) ? std::int64_t{1} << dice.between(0, 17) : dice.between(1, 131'072);
    };
    shape.kv_heads = small ? dice.between(1, 2) : std::int64_t{1} << dice.between(0, 4);
    shape.heads = shape.kv_heads * (small ? dice.between(1, 3) : std::int64_t{1} << dice.between(0, 3));
    shape.batch = dice.between(1, small ? 2 : 16);
    shape.seqlen_q = length();
    shape.seqlen_k = dice.one_in(2) ? shape.seqlen_q : length();
    shape.head_dim = head_dims[dice.between(0, 6)];
    if (!dice.one_in(3)) shape.mask = random_mask(dice, shape.seqlen_k, shape.seqlen_q);
    if (shape.mask.padding == 0 && dice.one_in(6)) draw_more_masks(dice, shape);
    const Plan plan = make_plan(s);
    const Totals counted = totals_of(plan);
    INFO(n << ": " << shape.seqlen_q << " x " << shape.seqlen_k << ", d " << shape.head_dim);
    if (small && ++walked > 0) REQUIRE(counted == count_by_brute_force(plan));
    Bytes read, written;
    for (const TrafficTerm& term : closed_form_traffic(plan))
      (term.direction == Direction::write ? written : read) += term.bytes;
    REQUIRE(counted.total.read == read);
    REQUIRE(counted.total.written == written);
    std::map<std::string, std::int64_t> work;
    for (const WorkTerm& term : closed_form_work(plan)) work[term.quantity] += term.count;
    REQUIRE(counted.matmul_flops.count() == work["matmul_flops"]);
    REQUIRE(counted.other_flops.count() == work["other_flops"]);
    REQUIRE(counted.exps.count() == work["exp_count"]);
  }
  CHECK(walked > 1200);
}

TEST_CASE("a CTA of flash3 backward waits, arrives and copies as often as was counted by hand") {
  for (const int d : {64, 128, 192, 256}) {
    for (const int tiles : {1, 2, 5}) {
      const std::int64_t rows = d == 64 ? 128 : d == 128 ? 80 : 64;
      const Plan plan = make_plan(backward({{"seqlen-q", std::to_string(rows * tiles)},
                                            {"seqlen-k", d > 128 ? "480" : "512"},
                                            {"head-dim", std::to_string(d)}}));
      const Trace trace = replay(plan, plan.launches[1], {});
      std::map<std::string, int> count;
      for (const Event& e : trace.events) {
        if (e.sync.barrier < 0) continue;
        const std::string_view kind = name_of(trace.barriers[static_cast<std::size_t>(e.sync.barrier)].kind);
        const std::string& role = trace.roles[e.role].name;
        ++count[text(role.starts_with("consumer") ? "consumers" : role, " ", name_of(e.verb), " ", kind)];
      }
      INFO("d " << d << ", " << tiles << " tiles");
      const bool writes = d != 256;
      const int n = d == 192 ? 3 : 2, meetings = d > 128 ? 2 : 1;
      CHECK(count["producer load full"] == 2 + 4 * tiles);  // K, V; Q with L and dO with D
      CHECK(count["producer wait empty"] == 2 * tiles);
      CHECK(count["consumers wait full"] == n * (2 + 2 * tiles));
      CHECK(count["consumers arrive empty"] == n * 2 * tiles);
      CHECK(count["consumers arrive turn"] == n * meetings * tiles);
      CHECK(count["consumers wait turn"] == n * meetings * tiles);
      CHECK(count["consumers wait empty"] == (writes ? n * tiles : 0));
      CHECK(count["consumers arrive full"] == (writes ? n * tiles : 0));
      CHECK(count["dQ writer wait full"] == (writes ? n * tiles : 0));
      CHECK(count["dQ writer atomic_add empty"] == (writes ? n * tiles : 0));
    }
  }
}

TEST_CASE("the main kernel of flash3 backward has a time whose budget adds up, and its L2 hits are those of flash2") {
  const Scenario s = backward({{"batch", "2"}, {"heads", "16"}, {"seqlen", "4096"}, {"head-dim", "128"}});
  const Simulation mine = simulate(s), other = simulate(by_flash2(s));
  for (const KernelMeters& kernel : mine.kernels) CHECK(kernel.time.budget.total() == Approx(kernel.time.microseconds));
  CHECK(mine.kernels[1].time.microseconds < other.kernels[1].time.microseconds);
  CHECK(mine.kernels[1].time.budget[Cause::tensor] > 0);
  CHECK(static_cast<double>(mine.kernels[1].hbm_total().count()) ==
        Approx(static_cast<double>(other.kernels[1].hbm_total().count())).epsilon(0.1));
  const auto time = [](const OptionValues& values) { return simulate(backward(values)).kernels[1].time.microseconds; };
  CHECK(time({{"heads", "16"}, {"seqlen", "8192"}, {"causal", "1"}}) <
        0.7 * time({{"heads", "16"}, {"seqlen", "8192"}}));
}

TEST_CASE("published times of flash3 backward, to which nothing was fitted, are 8 % off on average and 12 % at most") {
  const Validation group = validate({.group = "fa3-h100-d128-backward"});
  REQUIRE(group.predictions.size() == 6);
  double sum = 0;
  for (const Prediction& p : group.predictions) {
    INFO(description_of(*p.point));
    CHECK(p.point->standing != Standing::fit);
    CHECK(std::abs(p.error()) <= 0.12);
    if (p.point->standing == Standing::score) sum += std::abs(p.error());
  }
  CHECK(sum / 5 <= 0.08);
}

TEST_CASE("a ragged batch of flash3 backward counts what flash2 counts with the same tiles, and has a time") {
  for (const std::string causal : {"0", "1"}) {
    const Scenario s = backward({{"seqlens", "100,1000,77,100,4096"},
                                 {"heads", "8"},
                                 {"kv-heads", "2"},
                                 {"head-dim", "128"},
                                 {"causal", causal}});
    const Simulation mine = simulate(s), other = simulate(by_flash2(s));
    CHECK(mine.totals.by_tensor == other.totals.by_tensor);
    CHECK(mine.totals.by_bucket == other.totals.by_bucket);
    CHECK(mine.totals.matmul_flops == other.totals.matmul_flops);
    CHECK(mine.totals.other_flops == other.totals.other_flops);
    CHECK(mine.kernels[1].time.microseconds > 0);
    CHECK(mine.kernels[1].time.microseconds < other.kernels[1].time.microseconds);
    CHECK(static_cast<double>(mine.kernels[1].hbm_total().count()) ==
          Approx(static_cast<double>(other.kernels[1].hbm_total().count())).epsilon(0.15));
  }
}

TEST_CASE("a column block of few keys, which leaves a consumer without any, has a time") {
  for (const char* keys : {"1", "4", "64", "129", "200"}) {
    const Simulation s = simulate(backward({{"seqlen-k", keys}, {"seqlen-q", "300"}, {"heads", "4"}}));
    INFO(keys << " keys");
    CHECK(s.kernels[1].time.microseconds > 0);
    CHECK(s.kernels[1].time.microseconds < 100);
  }
}

TEST_CASE("flash3 backward refuses what it does not have by name") {
  CHECK_THAT(refused({{"dtype", "fp32"}}), Contains("dtype: flash3 takes fp16, bf16 and e4m3, not fp32"));
  CHECK_THAT(refused({{"dtype", "e4m3"}}), Contains("--dtype e4m3 is forward only"));
  CHECK_THAT(refused({{"dropout", "0.1"}}), Contains("dropout: flash3 has none"));
  CHECK_THAT(refused({{"gpu", "a100-sxm-80gb"}}), Contains("gpu: flash3 needs wgmma and TMA"));
  CHECK_THAT(refused({{"pattern", "window:2"}}), Contains("pattern: is an option of"));
  CHECK_THAT(refused({{"head-dim", "64"}, {"head-dim-v", "128"}}),
             Contains("head-dim-v: 128 is not head-dim, 64, and flash3's backward pass has one head dim"));
  CHECK_THAT(refused({{"head-dim", "288"}}), Contains("head-dim: flash3 takes up to 256, not 288"));
  CHECK_THAT(refused({{"br", "72"}}),
             Contains("br: flash3's backward pass takes multiples of 16 rows up to 128, not 72"));
  CHECK_THAT(refused({{"bc", "96"}}), Contains("bc: flash3's backward pass takes multiples of 64 keys up to 192 for a "
                                               "head-dim of 64, not 96"));
  CHECK_THAT(refused({{"schedule", "ping-pong"}}), Contains("schedule: applies only to the forward pass"));
  CHECK_THAT(refused({{"page-size", "16"}}), Contains("page-size: applies only to the forward pass"));
  CHECK_THAT(refused({{"head-dim", "128"}, {"br", "128"}}), Contains("do not fit on h100-sxm"));
}
