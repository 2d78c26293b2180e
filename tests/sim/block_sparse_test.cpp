// Block-sparse programs: bytes as a function of the share of live blocks, values, and which programs take a pattern.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/block_mask.h"
#include "sim/model/closed_form.h"
#include "sim/model/simulation.h"
#include "tests/support/random_scenario.h"
#include "tests/support/takes.h"
#include "tests/support/values_rule.h"

using namespace sim;
using Catch::Contains;

namespace {

Scenario sparse(const std::string& algorithm, const std::string& pattern, std::int64_t n, std::int64_t br,
                std::int64_t bc) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape.seqlen_q = s.shape.seqlen_k = n;
  s.br = br;
  s.bc = bc;
  if (!pattern.empty()) s.pattern = read_pattern(pattern);
  return s;
}

AttentionInputs draw(const Scenario& s) { return draw_with_gradient(s, 11); }

constexpr const char* takers[] = {"standard", "block-sparse", "flash2-block-sparse", "flash1", "flash2"};

}  // namespace

TEST_CASE("N 4,096 in key blocks of 256: 2 + 48 s passes over N d, of which K and V are two") {
  for (const double share : {1.0, 0.5, 0.25, 0.125, 0.0625}) {
    Scenario s = sparse("block-sparse", "", 4096, 64, 256);
    s.gpu = built_in_gpu("a100-sxm-40gb");
    Pattern pattern;  // the first blocks of each row: exactly that share is live
    Picture picture{16, 64, {}};
    for (int n = 0; n < 16 * 64; ++n) picture.black.push_back(n % 16 < 16 * share);
    pattern.kind = PatternKind::picture;
    pattern.picture = std::make_shared<const Picture>(picture);
    s.pattern = pattern;
    s.tiling = TilingRule::paper;
    s.sram = 1 << 20;
    const Simulation run = simulate(s);
    const Traffic matrix = run.totals.bucket(Bucket::matrix), asked = run.totals.tensor(Tensor::mask_blocks);
    CHECK(asked == Traffic{Bytes(16 * 64), {}});
    const auto elements = static_cast<double>((matrix.total() - asked.read).count()) / 2;
    CHECK(elements / (4096 * 64) == 2 + 48 * share);
  }
}

TEST_CASE("the pattern is a byte for each tile, query head and pass, whatever it hides") {
  for (const std::string name : {"block-sparse", "flash2-block-sparse"}) {
    for (const char* pattern : {"", "causal", "random:0", "butterfly"}) {
      Scenario s = sparse(name, pattern, 300, 64, 32);
      s.shape.batch = 2;
      s.shape.heads = 6;
      s.shape.kv_heads = 3;
      s.shape.mask.causal = true;
      const std::int64_t bytes = 2 * 6 * 5 * 10;
      CHECK(simulate(s).totals.tensor(Tensor::mask_blocks) == Traffic{Bytes(bytes), {}});
      s.pass = Pass::forward_backward;
      CHECK(simulate(s).totals.tensor(Tensor::mask_blocks) == Traffic{Bytes(2 * bytes), {}});
      CHECK(make_plan(s).problem.hbm.mask_blocks.total_bytes(s.shape) == Bytes(bytes));
    }
  }
}

TEST_CASE("without a pattern the block-sparse programs move the bytes of their dense ones, plus the pattern") {
  for (const auto& [sparse_name, dense] :
       {std::pair<std::string, std::string>{"block-sparse", "flash1"}, {"flash2-block-sparse", "flash2"}}) {
    Scenario s = sparse(sparse_name, "", 500, 64, 64);
    s.pass = Pass::forward_backward;
    const Totals hidden = simulate(s).totals;
    s.algorithm = dense;
    Totals plain = simulate(s).totals;
    plain.total += hidden.tensor(Tensor::mask_blocks);
    CHECK(hidden.total == plain.total);
    CHECK(hidden.matmul_flops == plain.matmul_flops);
    CHECK(hidden.exps == plain.exps);
  }
}

TEST_CASE("flash1 and flash2 with a pattern run their block-sparse programs, and next to those they run dense") {
  Dice dice(313);
  for (int n = 0; n < 100; ++n) {
    Scenario s = random_scenario(dice, {8192, 64, 64, 4, 4});
    const std::string name = n % 2 == 0 ? "flash1" : "flash2";
    const std::string sparse_name(find_program(name)->under_pattern);
    s.algorithm = sparse_name;
    s.shape.kv_shared = false;
    s.sram.reset();
    s.own.clear();
    s.pattern = random_pattern(dice, 8);
    INFO(describe(s));
    const std::string error_message = scenario_error(s);
    const Scenario asked = with_algorithm(s, name);
    CHECK(scenario_error(asked) == error_message);
    if (!error_message.empty()) continue;
    const Simulation alias = simulate(s), run = simulate(asked);
    CHECK(run.plan.program->name == name);
    CHECK(run.plan.code->name == sparse_name);
    CHECK(run.totals == alias.totals);
    CHECK(run.hbm == alias.hbm);
    CHECK(run.microseconds == alias.microseconds);
    std::vector<Scenario> both = {asked, s};
    share_pattern(both, s.pattern);
    CHECK_FALSE(both[0].pattern.any());
    CHECK(make_plan(both[0]).code->name == name);
    std::vector<Scenario> alone = {asked, with_algorithm(s, "standard")};
    share_pattern(alone, s.pattern);
    CHECK(make_plan(alone[0]).code->name == sparse_name);
    const Tiling tiles = make_plan(s).problem.tiling;
    CHECK(alone[1].pattern_tiles->br == tiles.br);
    CHECK(alone[1].pattern_tiles->bc == tiles.bc);
  }
}

TEST_CASE("a causal pattern of 1 x 1 blocks equals the causal mask") {
  for (const std::string name : {"block-sparse", "flash2-block-sparse"}) {
    Scenario s = sparse(name, "causal", 61, 1, 1);
    s.pass = Pass::forward_backward;
    const Simulation pattern = simulate(s);
    s.pattern = {};
    s.shape.mask.causal = true;
    CHECK(simulate(s).totals.total == pattern.totals.total);
  }
}

TEST_CASE("tile traffic under pictures is that of the closed forms and of walking every tile") {
  Dice dice(311);
  for (int n = 0; n < 600; ++n) {
    Scenario s = random_scenario(dice, {40, 8, 12, 2, 2});
    s.algorithm = takers[dice.between(0, 4)];
    s.shape.kv_shared = false;
    s.own.clear();
    s.pass = static_cast<Pass>(dice.between(0, 2));
    s.pattern = {};
    s.pattern = random_picture(dice, s, dice.near_an_end(0, 100));
    INFO(describe(s));
    const Plan plan = make_plan(s);
    Totals counted;
    for (const Trace& trace : count(plan)) add_to(counted, trace);
    REQUIRE(counted == count_by_brute_force(plan));
    Traffic closed;
    for (const TrafficTerm& term : closed_form_traffic(plan))
      closed += term.direction == Direction::read ? Traffic{term.bytes, {}} : Traffic{{}, term.bytes};
    REQUIRE(counted.total == closed);
  }
}

TEST_CASE("O and the gradients meet the numerics rule under every pattern", "[repeats]") {
  Dice dice(312);
  for (int n = 0; n < 120; ++n) {
    Scenario s;
    s.algorithm = takers[n % 5];
    s.pass = n % 10 < 5 ? Pass::forward : Pass::forward_backward;
    s.dtype = static_cast<Dtype>(dice.between(0, 2));
    s.shape = {1, 4, 2, dice.between(1, 150), dice.between(1, 150), 16, {}};
    if (dice.one_in(2)) s.shape.mask = random_mask(dice, s.shape.seqlen_k, 100);
    if (dice.one_in(4)) s.dropout = 0.2;
    s.br = 16 * dice.between(1, 3);
    s.bc = 16 * dice.between(1, 3);
    s.pattern = dice.one_in(3) ? random_picture(dice, s, dice.between(0, 60)) : random_pattern(dice, 5);
    s.seed = static_cast<std::uint64_t>(n);
    INFO(describe(s));
    check_values_by_rule(s, 11);
  }
}

TEST_CASE("a row whose pattern shows no key gives O = 0, L = -inf and no gradient") {
  for (const std::string name : takers) {
    Scenario s = sparse(name, "random:0", 70, 16, 16);
    s.pass = Pass::forward_backward;
    s.shape.head_dim = 8;
    const AttentionOutputs got = compute(make_plan(s), draw(s));
    INFO(name);
    for (const auto* values : {&got.o, &got.d_q, &got.d_k, &got.d_v}) {
      CHECK(std::all_of(values->begin(), values->end(), [](float x) { return x == 0; }));
    }
    for (const float value : got.log_sum_exp) CHECK(value == -INFINITY);
  }
}

TEST_CASE("standard attention masks the elements of the blocks that another program skips") {
  Scenario s = sparse("block-sparse", "butterfly", 200, 32, 16);
  s.shape.head_dim = 16;
  s.dtype = Dtype::fp32;
  std::vector<Scenario> compared = {with_algorithm(s, "standard"), s, with_algorithm(s, "flash2-block-sparse"),
                                    with_algorithm(s, "flash2")};
  for (Scenario& one : compared) one.br = one.bc = std::nullopt;
  compared[1].br = 32;
  compared[1].bc = 16;
  share_pattern(compared, s.pattern);
  CHECK_FALSE(compared[3].pattern.any());
  const AttentionInputs inputs = draw(s);
  const AttentionOutputs blocks = compute(make_plan(compared[1]), inputs);
  for (const std::size_t other : {std::size_t{0}, std::size_t{2}}) {
    const Plan plan = make_plan(compared[other]);
    CHECK(plan.problem.shape.mask.blocks->matrix() == BlockedMatrix{200, 200, 32, 16});
    const AttentionOutputs got = compute(plan, inputs);
    for (std::size_t n = 0; n < got.o.size(); ++n) REQUIRE(got.o[n] == Approx(blocks.o[n]).margin(1e-5));
  }
  CHECK(make_plan(compared[0]).problem.tiling.br == 128);
  CHECK(make_plan(standard_of(compared[1])).problem.shape.mask.blocks->matrix().br == 32);
  std::vector<Scenario> none = {with_algorithm(s, "flash1-q-outer")};
  CHECK_THROWS_WITH(share_pattern(none, s.pattern), Contains("none of the algorithms that are compared"));
}

TEST_CASE("a pattern is refused by programs that take none, and a picture of another size by all") {
  Scenario s = sparse("flash1-q-outer", "causal", 100, 16, 16);
  CHECK_THAT(scenario_error(s),
             Contains("pattern: is an option of standard, flash1, flash2, block-sparse, flash2-block-sparse; "
                      "flash1-q-outer has none"));
  s = sparse("block-sparse", "", 100, 16, 16);
  Dice dice(1);
  s.pattern = random_picture(dice, s, 50);
  CHECK(scenario_error(s).empty());
  s.br = 32;
  CHECK_THAT(scenario_error(s), Contains("pattern: drawn.pbm has 7 x 7 pixels, but there are 7 x 4 blocks"));
}

TEST_CASE("a replay with values shows the pattern that a program reads") {
  Scenario s = sparse("block-sparse", "butterfly", 48, 16, 16);
  s.shape.head_dim = 8;
  const Plan plan = make_plan(s);
  const AttentionInputs inputs = draw(s);
  const Trace trace = replay(plan, plan.launches[0], {}, &inputs);
  std::vector<std::vector<float>> columns;
  for (const Event& event : trace.events) {
    if (event.tensor == Tensor::mask_blocks)
      columns.push_back(trace.values[static_cast<std::size_t>(event.value)].values);
  }
  CHECK(columns == std::vector<std::vector<float>>{{1, 1, 1}, {1, 1, 0}, {1, 0, 1}});
}
