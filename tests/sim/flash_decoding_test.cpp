// Flash-Decoding: the number of parts, their partial results, and their cost.
#include <catch2/catch.hpp>

#include "sim/model/simulation.h"
#include "tests/support/random_scenario.h"
#include "tests/support/takes.h"
#include "tests/support/worked_example.h"

using namespace sim;
using Catch::Contains;

namespace {

Scenario decoding(std::int64_t heads, std::int64_t keys, std::int64_t d) {
  Scenario s;
  s.algorithm = "flash-decoding";
  s.gpu = built_in_gpu("a100-sxm-40gb");
  s.shape = {1, heads, heads, 1, keys, d, {}};
  return s;
}

std::int64_t splits_of(const Scenario& s) { return std::max<std::int64_t>(1, make_plan(s).problem.parts); }

}  // namespace

TEST_CASE("nine parts of twelve heads are 108 CTAs: one for each SM of an A100") {
  Scenario s = decoding(12, 65'536, 256);
  s.own["splits"] = 9;
  const Simulation run = simulate(s);
  REQUIRE(run.kernels.size() == 2);
  CHECK(run.kernels[0].ctas == 108);
  CHECK(run.kernels[0].time.sms_busy == 108);
  CHECK(run.kernels[0].waves * static_cast<double>(run.kernels[0].ctas_per_sm) == Approx(1.0));
}

TEST_CASE("auto takes the fewest parts that fill the waves of twice the SMs to 85 percent of the best") {
  Scenario s = decoding(12, 65'536, 128);
  CHECK(make_plan(s).problem.tiling.bc == 128);
  CHECK(splits_of(s) == 16);
  CHECK(splits_of(decoding(173, 65'536, 128)) == 1);  // 0.8 x 216 CTAs are enough
  CHECK(splits_of(decoding(172, 65'536, 128)) > 1);
  CHECK(splits_of(decoding(1, 256, 128)) == 2);  // at most the number of key blocks
  CHECK(simulate(decoding(173, 65'536, 128)).kernels.size() == 1);
}

TEST_CASE("splits 1 runs both kernels, a single part chosen automatically runs one") {
  Scenario s = decoding(173, 1024, 128);
  CHECK(simulate(s).totals.by_tensor.count(Tensor::O_part) == 0);
  s.own["splits"] = 1;
  const Simulation run = simulate(s);
  CHECK(run.kernels.size() == 2);
  CHECK(run.totals.tensor(Tensor::O_part) == Traffic{Bytes(173 * 128 * 4), Bytes(173 * 128 * 4)});
}

TEST_CASE("the parts of 64K keys and 32 heads add 0.025 percent to the bytes of K and V") {
  Scenario s = decoding(32, 65'536, 128);
  s.own["splits"] = 8;
  const Totals moved = simulate(s).totals;
  const Traffic parts = moved.tensor(Tensor::O_part), rows = moved.tensor(Tensor::L_part);
  CHECK(parts.total() + rows.total() == Bytes(2 * 8 * 32 * (128 + 1) * 4));
  const double kv = static_cast<double>((moved.tensor(Tensor::K).read + moved.tensor(Tensor::V).read).count());
  CHECK(100 * static_cast<double>((parts.total() + rows.total()).count()) / kv == Approx(0.025).epsilon(0.02));
}

TEST_CASE("with one query the heads of a KV head are rows of one tile and read K and V once") {
  Scenario s = decoding(16, 8192, 128);
  s.shape.kv_heads = 2;
  const Bytes once(2 * 8192 * 128 * 2);
  CHECK(simulate(s).totals.tensor(Tensor::K).read == once);
  CHECK(splits_of(s) == splits_of(decoding(2, 8192, 128)));  // the rule counts KV heads
  s.own["pack"] = 0;
  CHECK(simulate(s).totals.tensor(Tensor::K).read == once * 8);
  s.own.erase("pack");
  s.shape.seqlen_q = 2;
  CHECK(simulate(s).totals.tensor(Tensor::K).read == once * 8);
}

TEST_CASE("packed or not, split or not, the values are those of flash2 on the same inputs") {
  Scenario s = decoding(6, 200, 16);
  s.shape.kv_heads = 2;
  s.shape.batch = 2;
  s.shape.mask = {true, 7, {}};
  s.dtype = Dtype::fp32;
  const AttentionInputs inputs = inputs_of(s);
  Scenario whole = with_algorithm(s, "flash2");
  const AttentionOutputs expected = compute(make_plan(whole), inputs);
  for (const std::int64_t pack : {0, 1}) {
    for (const std::int64_t splits : {1, 2, 5, 7}) {
      s.own = {{"pack", pack}, {"splits", splits}};
      const AttentionOutputs found = compute(make_plan(s), inputs);
      INFO("pack " << pack << ", splits " << splits);
      REQUIRE(found.o.size() == expected.o.size());
      for (std::size_t n = 0; n < found.o.size(); ++n) CHECK(found.o[n] == Approx(expected.o[n]).margin(1e-5));
      for (std::size_t n = 0; n < found.log_sum_exp.size(); ++n)
        CHECK(found.log_sum_exp[n] == Approx(expected.log_sum_exp[n]).margin(1e-5));
    }
  }
}

TEST_CASE("an empty part and a row that sees nothing leave 0 and minus infinity") {
  Scenario s = decoding(1, 5 * 32, 8);
  s.dtype = Dtype::fp32;
  s.own["splits"] = 4;  // two blocks each: the last part is empty
  const AttentionInputs inputs = inputs_of(s);
  const Plan plan = make_plan(s);
  const Trace trace = replay(plan, plan.launches[0], {0, 0, 0, 3}, &inputs);
  const auto O = example::values_of(trace, Verb::store, Tensor::O_part);
  const auto L = example::values_of(trace, Verb::store, Tensor::L_part);
  REQUIRE(O.size() == 1);
  CHECK(O[0] == example::Matrix{std::vector<double>(8, 0.0)});
  CHECK(L[0][0][0] == -std::numeric_limits<double>::infinity());
  s.shape.mask.padding = s.shape.seqlen_k;
  const AttentionOutputs nothing = compute(make_plan(s), inputs);
  CHECK(nothing.o == std::vector<float>(8, 0.0F));
  CHECK(nothing.log_sum_exp[0] == -std::numeric_limits<float>::infinity());
}

TEST_CASE("the parts of the worked example have the expected O and L, and combine to the whole") {
  Scenario s = example::scenario("flash-decoding", 1);
  s.own["splits"] = 2;
  const AttentionInputs inputs = inputs_of(s);
  const Plan plan = make_plan(s);
  const std::vector<double> L[] = {{1.313262, 2.313262, 3.313262, 4.313262}, {2.313262, 1.313262, 5.048587, 4.048587}};
  const double O[] = {0.268941, 1.731059, 1.731059, 1.952574};  // the second column of rows 0 and 2, part by part
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t part = 0; part < 2; ++part) {
      const Trace trace = replay(plan, plan.launches[0], {0, 0, i, part}, &inputs);
      const auto left = example::values_of(trace, Verb::store, Tensor::L_part);
      const auto of = static_cast<std::size_t>(2 * i);
      CHECK(left[0][0][0] == Approx(L[part][of]).margin(1e-6));
      CHECK(left[0][1][0] == Approx(L[part][of + 1]).margin(1e-6));
      const auto out = example::values_of(trace, Verb::store, Tensor::O_part);
      if (part == 1) CHECK(out[0][0][1] == Approx(O[i == 0 ? 1 : 3]).margin(1e-6));
      if (part == 0) CHECK(out[0][0][1] == Approx(O[0]).margin(1e-6));
    }
  }
  const AttentionOutputs all = compute(plan, inputs);
  CHECK(all.o[0] == Approx(1.124282).margin(1e-6));
  CHECK(all.log_sum_exp[2] == Approx(5.210998).margin(1e-6));
}

TEST_CASE("few queries have small tiles, and the combine kernel of 264 kB is not charged 128 rows for each") {
  CHECK(make_plan(decoding(32, 65'536, 128)).problem.tiling.br == 16);
  Scenario many = decoding(32, 65'536, 128);
  many.shape.seqlen_q = 4096;
  CHECK(make_plan(many).problem.tiling.br == 64);
  Scenario s = decoding(32, 65'536, 128);
  s.own["splits"] = 16;
  const Simulation run = simulate(s);
  CHECK(run.kernels[1].totals.tensor(Tensor::O_part).read + run.kernels[1].totals.tensor(Tensor::L_part).read ==
        Bytes(264'192));
  CHECK(run.kernels[1].time.microseconds < 12);
}

TEST_CASE("from 16 batch entries on one more never makes decoding faster, and costs at most 15 percent") {
  Scenario s = decoding(32, 8192, 128);
  s.gpu = built_in_gpu("h100-sxm");
  s.shape.kv_heads = 8;
  double before = 0;
  for (std::int64_t batch = 16; batch <= 80; ++batch) {
    s.shape.batch = batch;
    const double time = simulate(s).microseconds;
    INFO(batch << " entries: " << time << " us after " << before);
    if (before > 0) {
      CHECK(time >= before);
      CHECK(time <= 1.15 * before);
    }
    before = time;
  }
}

TEST_CASE("decoding is not faster on a GPU with fewer SMs") {
  Scenario s = decoding(16, 2048, 32);
  s.shape.batch = 8;
  const auto time_on = [&](std::int64_t sms) {
    DeviceSpec gpu = *built_in_gpu("l4");
    gpu.sm_count = sms;
    s.gpu = std::make_shared<const DeviceSpec>(gpu);
    return simulate(s).microseconds;
  };
  const double on_all = time_on(58);
  for (const std::int64_t sms : {50, 40, 29, 20, 10}) {
    INFO(sms << " SMs");
    CHECK(time_on(sms) >= on_all);
  }
}

TEST_CASE("each group of CTAs of a split grid has one of them as its representative, which sees keys if they do") {
  Dice dice(23);
  int without_keys = 0;
  for (int n = 0; n < 2000; ++n) {
    Scenario s = random_scenario(dice, {200, 16, 16, 2, 2});
    s.algorithm = "flash-decoding";
    const std::int64_t blocks = ceil_div(s.shape.seqlen_k, 16), splits = dice.between(1, blocks);
    const GridShape grid = GridShape::split(16, 16, ceil_div(blocks, splits), splits);
    std::int64_t ctas = 0;
    for (const CtaGroup& group : cta_groups(s.shape, grid)) {
      INFO(describe(s) << " splits " << splits << ": CTA " << group.row.index() << ", " << group.col.index());
      REQUIRE(group.row.members.contains({group.row.index(), group.row.index() + 1}));
      REQUIRE(group.col.members.contains({group.col.index(), group.col.index() + 1}));
      const Interval live = live_splits(s.shape, grid, group.row.index());
      const bool sees = live.contains({group.col.index(), group.col.index() + 1});
      std::int64_t alike = 0;  // CTAs of its row blocks and all parts
      for (std::int64_t i = group.row.members.begin; i < group.row.members.end; ++i) {
        const std::int64_t seen = live_splits(s.shape, grid, i).size();
        alike += sees ? seen : splits - seen;
      }
      CHECK(group.times == alike * grid.repeats(s.shape));
      without_keys += sees ? 0 : 1;
      ctas += group.times;
    }
    CHECK(ctas == make_grid(s.shape, grid).ctas());
  }
  CHECK(without_keys > 100);
}

TEST_CASE("impossible splits are refused with the remedy") {
  Scenario s = decoding(1, 1000, 128);
  s.own["splits"] = 9;
  CHECK_THAT(scenario_error(s), Contains("splits: 9 is more than the 8 key blocks of 128 keys: use --splits 1 to 8"));
  s.own["splits"] = 0;
  CHECK_THAT(scenario_error(s), Contains("splits: 0 is not in 1.."));
  s.own["splits"] = 2;
  s.pass = Pass::backward;
  CHECK_THAT(scenario_error(s), Contains("pass: flash-decoding has no backward pass: forward"));
  s.pass = Pass::forward;
  s.algorithm = "flash2";
  CHECK_THAT(scenario_error(s),
             Contains("splits: is an option of flash-decoding, flash-decoding-plus, mla-decode; flash2 has none"));
}

TEST_CASE("a warning reports by how much half of the published rule's parts are faster") {
  Scenario s;
  s.algorithm = "flash-decoding";
  s.gpu = built_in_gpu("h200-nvl");
  s.shape.heads = s.shape.kv_heads = 4;
  s.shape.seqlen_q = 1;
  for (const std::int64_t seqlen_k : {256, 2048, 11'392, 65'536}) {
    s.shape.seqlen_k = seqlen_k;
    const Simulation by_rule = simulate(s);
    if (by_rule.plan.problem.parts < 2) continue;
    Scenario halved = s;
    halved.own["splits"] = by_rule.plan.problem.parts / 2;
    const Simulation half = simulate(halved);
    INFO(seqlen_k << " keys, " << by_rule.plan.problem.parts << " parts");
    CHECK(half.warnings.empty());
    CHECK(by_rule.warnings.size() == (half.microseconds <= 0.99 * by_rule.microseconds ? 1 : 0));
  }
  s.shape.seqlen_k = 11'392;
  CHECK_THAT(simulate(s).warnings.at(0), Catch::Contains("takes 45 parts") && Catch::Contains("--splits 22"));
}
