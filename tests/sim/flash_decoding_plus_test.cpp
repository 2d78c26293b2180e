// FlashDecoding++: counts against closed forms and walks, the reference's numbers, values, and row blocks out of range.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/catalogue/options.h"
#include "sim/model/simulation.h"
#include "sim/model/softmax_row.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"
#include "tests/support/takes.h"
#include "tests/support/worked_example.h"

namespace sim {
namespace {

using Catch::Contains;

constexpr double no_bound = std::numeric_limits<double>::infinity();

Scenario plus(std::int64_t heads, std::int64_t keys, std::int64_t d, const char* algorithm = "flash-decoding-plus") {
  Scenario s;
  s.algorithm = algorithm;
  s.gpu = built_in_gpu("a100-sxm-40gb");
  s.shape = {1, heads, heads, 1, keys, d, {}};
  return s;
}

/// The reference's example: 65,536 keys, 32 heads, d 128, 8 parts.
Scenario reference_example(const char* algorithm) {
  Scenario s = plus(32, 65'536, 128, algorithm);
  s.own["splits"] = 8;
  return s;
}

Totals counted_totals(const Plan& plan) {
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  return totals;
}

/// Queries and keys of one head, d 1: the score of key j is keys[j].
AttentionInputs scores_of(const std::vector<float>& keys) {
  return {{1}, keys, std::vector<float>(keys.size(), 1), {}};
}

/// A run of scores x with phi 6 and the range (-3, 3), as one row.
Scenario example_of_range(std::int64_t keys) {
  Scenario s = plus(1, keys, 1);
  s.dtype = Dtype::fp32;
  s.scale = 1;
  s.phi = 6;
  s.range = ScoreRange{-3, 3};
  s.own["splits"] = 1;
  return s;
}

/// A scenario in the sizes that people type: many heads, grouped or packed, masks, parts, and a share that falls back.
Scenario random_typed(Dice& dice) {
  Scenario s;
  s.algorithm = "flash-decoding-plus";
  s.dtype = static_cast<Dtype>(dice.between(0, 2));
  s.shape.batch = dice.between(1, 64);
  s.shape.kv_heads = std::int64_t{1} << dice.between(0, 4);
  s.shape.heads = s.shape.kv_heads * (std::int64_t{1} << dice.between(0, 3));
  s.shape.seqlen_q = dice.one_in(2) ? 1 : dice.between(1, 4096);
  s.shape.seqlen_k = dice.one_in(2) ? std::int64_t{1} << dice.between(7, 17) : dice.between(1, 131'072);
  s.shape.head_dim = 32 * dice.between(1, 4);
  s.shape.mask = random_mask(dice, s.shape.seqlen_k, s.shape.seqlen_k);
  if (dice.one_in(3)) draw_more_masks(dice, s.shape);
  if (dice.one_in(4)) s.own["pack"] = 0;
  const std::int64_t most_parts =
      std::min<std::int64_t>(128, ceil_div(s.shape.seqlen_k, make_plan(s).problem.tiling.bc));
  if (dice.one_in(2)) s.own["splits"] = dice.near_an_end(1, most_parts);
  if (dice.one_in(3)) s.score_steps["softcap"] = "20";
  if (dice.one_in(3)) s.score_steps["alibi"] = "";
  if (!dice.one_in(3)) s.fallback = static_cast<double>(dice.near_an_end(0, 1000)) / 1000;
  return s;
}

/// The warning of a run that names the option range; "" if there is none.
std::string about_range(const Scenario& s) {
  for (const std::string& warning : simulate(s).warnings) {
    if (warning.starts_with("range: ")) return warning;
  }
  return "";
}

SequenceClasses random_classes(Dice& dice, std::int64_t longest) {
  SequenceClasses classes;
  const bool one_query = dice.one_in(3);
  for (std::int64_t n = dice.between(1, 4); n > 0; --n)
    classes.push_back({dice.between(1, 3), one_query ? 1 : dice.near_an_end(1, longest), dice.near_an_end(1, longest)});
  return classes;
}

TEST_CASE("8 parts of 65,536 keys compute 8,425,472 other FLOPs, flash-decoding's 10,616,832, and move equal bytes") {
  const Totals own = simulate(reference_example("flash-decoding-plus")).totals,
               other = simulate(reference_example("flash-decoding")).totals;
  CHECK(own.other_flops == Flops(8'425'472));
  CHECK(other.other_flops == Flops(10'616'832));
  CHECK(own.matmul_flops == other.matmul_flops);
  CHECK(own.exps == other.exps);
  CHECK(own.total == other.total);
  for (const auto& [tensor, moved] : other.by_tensor) {
    INFO(name_of(tensor));
    CHECK(own.tensor(tensor == Tensor::L_part ? Tensor::l_part : tensor) == moved);
  }
  const Traffic parts = own.tensor(Tensor::O_part), sums = own.tensor(Tensor::l_part);
  const auto of_parts = static_cast<double>((parts.total() + sums.total()).count());
  const auto of_keys = static_cast<double>((own.tensor(Tensor::K).read + own.tensor(Tensor::V).read).count());
  CHECK(100 * of_parts / of_keys == Approx(0.0246).margin(5e-5));
}

TEST_CASE("with phi 6 and the range -3 to 3, scores of 4 to 7 pass, 3 and 9 do not, 3.0001 and 8.9999 do") {
  const auto recomputed = [](const std::vector<float>& scores) {
    const Scenario s = example_of_range(std::ssize(scores));
    return compute(make_plan(s), scores_of(scores)).recomputed_blocks;
  };
  CHECK(recomputed({4, 5, 6, 7}) == 0);
  CHECK(recomputed({3, 6, 9, 6}) == 1);
  CHECK(recomputed({3, 6, 6, 6}) == 1);
  CHECK(recomputed({6, 6, 9, 6}) == 1);
  CHECK(recomputed({3.0001f, 8.9999f}) == 0);
  const AttentionInputs inputs = scores_of({4, 5, 6, 7});
  const Plan plan = make_plan(example_of_range(4));
  const Trace trace = replay(plan, plan.launches[0], {}, &inputs);
  const double exps[] = {0.135335, 0.367879, 1, 2.718282};
  for (std::size_t n = 0; n < 4; ++n)
    CHECK(example::values_of(trace, Verb::exp, Tensor::P)[0][0][n] == Approx(exps[n]).margin(1e-6));
}

TEST_CASE("the worked example has the reference's sums for phi 2 and 0, and O and L of attention for every phi") {
  const std::vector<std::pair<double, std::vector<double>>> sums = {
      {2, {1.871094, 1.871094, 24.803819, 17.864273}}, {0, {13.825620, 13.825620, 183.276808, 132.000119}}, {-10, {}}};
  for (const auto& [phi, l] : sums) {
    Scenario s = example::scenario("flash-decoding-plus", 1);
    s.phi = phi;
    s.own["splits"] = 1;
    const AttentionInputs inputs = inputs_of(s);
    const Plan plan = make_plan(s);
    INFO("phi " << phi);
    for (std::int64_t i = 0; i < 2 && !l.empty(); ++i) {
      const auto stored =
          example::values_of(replay(plan, plan.launches[0], {0, 0, i, 0}, &inputs), Verb::store, Tensor::l_part);
      for (std::size_t r = 0; r < 2; ++r)
        CHECK(stored[0][r][0] == Approx(l[static_cast<std::size_t>(2 * i) + r]).epsilon(1e-6));
    }
    const AttentionOutputs all = compute(plan, inputs);
    for (std::size_t r = 0; r < 4; ++r) {
      CHECK(all.log_sum_exp[r] == Approx(example::golden[0].L[r]).margin(2e-6));
      for (std::size_t c = 0; c < 2; ++c) CHECK(all.o[2 * r + c] == Approx(example::golden[0].O[r][c]).margin(2e-6));
    }
  }
}

TEST_CASE("two parts of the worked example with phi 2 keep the reference's sums and the O that is not normalised") {
  Scenario s = example::scenario("flash-decoding-plus", 1);
  s.phi = 2;
  s.own["splits"] = 2;
  const AttentionInputs inputs = inputs_of(s);
  const Plan plan = make_plan(s);
  const double sums[4][2] = {{0.503215, 1.367879}, {1.367879, 0.503215}, {3.718282, 21.085537}, {10.107338, 7.756936}};
  const double first_row[2][2] = {{0.367879, 0.135335}, {1.735759, 2.367879}};
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t part = 0; part < 2; ++part) {
      const auto of = static_cast<std::size_t>(part);
      const Trace trace = replay(plan, plan.launches[0], {0, 0, i, part}, &inputs);
      const auto l = example::values_of(trace, Verb::store, Tensor::l_part);
      for (std::size_t r = 0; r < 2; ++r)
        CHECK(l[0][r][0] == Approx(sums[static_cast<std::size_t>(2 * i) + r][of]).margin(2e-6));
      const auto O = example::values_of(trace, Verb::store, Tensor::O_part);
      for (std::size_t c = 0; c < 2 && i == 0; ++c) CHECK(O[0][0][c] == Approx(first_row[of][c]).margin(2e-6));
    }
  }
}

TEST_CASE("counts, walks and closed forms are equal in the sizes that people type, with row blocks that fall back") {
  Dice dice(61);
  int pieces = 0, walked = 0;
  for (int n = 0; n < 400; ++n) {
    const Scenario s = random_typed(dice);
    INFO(describe(s) << " fallback " << s.fallback.value_or(0));
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
    for (const Launch& launch : plan.launches) pieces += launch.pieces == nullptr ? 0 : 1;
  }
  for (int n = 0; n < 600; ++n) {
    Scenario s = random_scenario(dice, {90, 8, 20, 3, 3});
    if (s.algorithm != "flash-decoding" && s.algorithm != "flash-decoding-plus") continue;
    s.algorithm = "flash-decoding-plus";
    s.shape.kv_shared = false;
    s.fallback = static_cast<double>(dice.near_an_end(0, 100)) / 100;
    if (dice.one_in(2)) draw_more_masks(dice, s.shape);
    if (!scenario_error(s).empty()) continue;
    INFO(describe(s) << " fallback " << *s.fallback);
    const Plan plan = make_plan(s);
    REQUIRE(counted_totals(plan) == count_by_brute_force(plan));
    REQUIRE(counted(plan) == closed_form(plan));
    ++walked;
  }
  CHECK(pieces > 100);
  CHECK(walked > 60);
}

TEST_CASE("ragged batches count what they walk and what the closed forms give, with row blocks that fall back") {
  Dice dice(62);
  for (int n = 0; n < 150; ++n) {
    Scenario s;
    s.algorithm = "flash-decoding-plus";
    s.shape.kv_heads = dice.between(1, 3);
    s.shape.heads = s.shape.kv_heads * dice.between(1, 3);
    s.shape.head_dim = 16;
    s.shape.mask.causal = dice.one_in(2);
    s.br = dice.between(4, 20);
    s.bc = dice.between(8, 40);
    s.sequences = std::make_shared<const SequenceClasses>(random_classes(dice, n < 100 ? 90 : 20'000));
    if (dice.one_in(2)) s.fallback = static_cast<double>(dice.near_an_end(0, 100)) / 100;
    INFO(describe(s) << " seqlens " << text_of(*s.sequences) << " fallback " << s.fallback.value_or(0));
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
    if (n < 100) REQUIRE(counted_totals(plan) == count_by_brute_force(plan));
  }
}

TEST_CASE("a share of 0.0001 of 32 row blocks is one, shares round up, and a share of 1 is flash-decoding itself") {
  Scenario s = reference_example("flash-decoding-plus");
  s.fallback = 0.0001;
  const Simulation one = simulate(s), before = simulate(reference_example("flash-decoding-plus")),
                   other = simulate(reference_example("flash-decoding"));
  REQUIRE(one.kernels.size() == 4);
  CHECK(one.plan.problem.fallback_blocks == 1);
  CHECK(one.kernels[2].ctas == 8);
  CHECK(one.kernels[3].ctas == 1);
  CHECK(one.totals.tensor(Tensor::K).read - before.totals.tensor(Tensor::K).read == Bytes(65'536 * 128 * 2));
  CHECK(one.microseconds > before.microseconds);
  s.fallback = 1;
  const Simulation all = simulate(s);
  CHECK(all.totals.total.total() == before.totals.total.total() + other.totals.total.total());
  CHECK(all.totals.other_flops == Flops(8'425'472 + 10'616'832));
  CHECK(all.kernels[2].time.microseconds == Approx(other.kernels[0].time.microseconds));
  const auto blocks = [&](std::int64_t heads, double share) {
    Scenario some = plus(heads, 4096, 64);
    some.fallback = share;
    return make_plan(some).problem.fallback_blocks;
  };
  CHECK(blocks(100, 0.07) == 7);  // not 8: 0.07 x 100 is 7.000000000000001 in double
  CHECK(blocks(100, 0.071) == 8);
  CHECK(blocks(32, 0) == 0);
}

TEST_CASE("a launch for the first row blocks is a sum of whole entries, groups, heads and rows") {
  Scenario s = plus(8, 4096, 64);
  s.shape = {3, 8, 4, 100, 4096, 64, {}};
  s.own["splits"] = 2;
  s.br = 16;  // 7 row blocks of a head, 56 of an entry
  s.fallback = (56 + 2 * 7 * 2 + 7 + 3) / 168.0;
  const Plan plan = make_plan(s);
  const std::vector<Plan>& pieces = *plan.launches[2].pieces;
  REQUIRE(pieces.size() == 4);
  const std::int64_t expected[4][4] = {{1, 8, 4, 0}, {1, 4, 2, 0}, {1, 1, 1, 0}, {1, 1, 1, 48}};
  for (std::size_t n = 0; n < 4; ++n) {
    const Shape& shape = pieces[n].problem.shape;
    CHECK(shape.batch == expected[n][0]);
    CHECK(shape.heads == expected[n][1]);
    CHECK(shape.kv_heads == expected[n][2]);
    CHECK(launch_of(pieces[n], plan.launches[2]).grid.queries == expected[n][3]);
  }
  CHECK(simulate(s).kernels[2].ctas == 2 * 94);
}

TEST_CASE("rows within the range have the values of attention, packed or not, split or not, masked and with dropout") {
  Scenario s = plus(6, 200, 16);
  s.shape.kv_heads = 2;
  s.shape.batch = 2;
  s.dtype = Dtype::fp32;
  s.phi = 1.5;
  for (const Mask& mask : {Mask{}, Mask{true, 7, {}}, Mask{true, 0, 50}}) {
    for (const std::int64_t queries : {1, 37}) {
      s.shape.mask = mask;
      s.shape.seqlen_q = queries;
      s.dropout = queries == 37 ? 0.2 : 0;
      s.score_steps = {{"softcap", "3"}};
      const AttentionInputs inputs = inputs_of(s);
      for (const std::int64_t splits : {0, 1, 4}) {
        s.own = {{"pack", splits % 4 == 0 ? 1 : 0}};
        if (splits > 0) s.own["splits"] = splits;
        const Plan plan = make_plan(s);
        const AttentionOutputs found = compute(plan, inputs);
        INFO(describe(s) << " splits " << splits);
        CHECK(found.recomputed_blocks == 0);
        CHECK(check_outputs(plan, inputs, found).worst().max_abs_error < 1e-5);
      }
    }
  }
}

TEST_CASE("row blocks out of range have the bits of flash-decoding, the others those of the unified maximum") {
  for (const std::int64_t splits : {0, 1, 3}) {
    for (const Dtype dtype : {Dtype::fp16, Dtype::fp32}) {
      Scenario s = plus(3, 300, 16);
      s.shape.seqlen_q = 75;  // with Br 30 three row blocks, which 4 rows of the combine kernel do not divide
      s.br = 30;
      s.bc = 32;
      s.dtype = dtype;
      s.shape.mask.causal = true;
      if (splits > 0) s.own["splits"] = splits;
      if (splits == 0) s.shape.heads = s.shape.kv_heads = 300;  // enough row blocks for one part
      AttentionInputs inputs = inputs_of(s);
      const std::size_t row = 75 + 35;  // of head 1, in its second row block
      for (std::size_t c = 0; c < 16; ++c) inputs.q[16 * row + c] *= 8;
      s.range = ScoreRange{-12, 12};
      const AttentionOutputs found = compute(make_plan(s), inputs);
      Scenario unbounded = s;
      unbounded.range = ScoreRange{-no_bound, no_bound};
      const AttentionOutputs unified = compute(make_plan(unbounded), inputs),
                             synchronised = compute(make_plan(with_algorithm(s, "flash-decoding")), inputs);
      INFO("splits " << splits << " " << name_of(dtype));
      CHECK(found.recomputed_blocks == 1);
      CHECK(unified.recomputed_blocks == 0);
      for (std::size_t r = 0; r < found.log_sum_exp.size(); ++r) {
        const bool again = 75 + 30 <= r && r < 75 + 60;
        const AttentionOutputs& expected = again ? synchronised : unified;
        REQUIRE(found.log_sum_exp[r] == expected.log_sum_exp[r]);
        for (std::size_t c = 0; c < 16; ++c) REQUIRE(found.o[16 * r + c] == expected.o[16 * r + c]);
      }
    }
  }
}

TEST_CASE(
    "without a range, P of fp16 overflows for x - phi above 11.09 and O is not a number, and the range finds it") {
  Scenario s = plus(1, 64, 1);
  s.scale = 1;
  s.own["splits"] = 1;
  std::vector<float> keys(64, 0);
  keys[3] = 12;
  keys[4] = 12;
  AttentionInputs inputs = scores_of(keys);
  inputs.v[4] = -1;
  s.range = ScoreRange{-no_bound, no_bound};
  CHECK(std::isnan(compute(make_plan(s), inputs).o[0]));
  CHECK_THAT(about_range(s), Contains("range: P of fp16 is infinite where x - phi > 11.09, which -inf,inf lets pass"));
  s.range.reset();  // -16.8 to 6.5
  const AttentionOutputs found = compute(make_plan(s), inputs);
  CHECK(found.recomputed_blocks == 1);
  CHECK(std::isfinite(found.o[0]));
  CHECK(about_range(s).empty());
  s.dtype = Dtype::fp32;
  CHECK(about_range(s).empty());
}

TEST_CASE("a sum that overflows, and a score that is not a number, are computed again as well") {
  Scenario s = plus(1, 64, 1);
  s.scale = 1;
  s.dtype = Dtype::fp32;
  std::vector<float> keys(64, 0);
  keys[3] = 90;
  const AttentionOutputs overflowing = compute(make_plan(s), scores_of(keys));
  CHECK(overflowing.recomputed_blocks == 1);
  CHECK(overflowing.log_sum_exp[0] == Approx(90));
  keys[3] = std::numeric_limits<float>::quiet_NaN();
  CHECK(compute(make_plan(s), scores_of(keys)).recomputed_blocks == 1);
}

TEST_CASE("half kernels have the published range and fp32 has none") {
  Scenario s = plus(1, 64, 64);
  for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp32}) {
    s.dtype = dtype;
    const Problem p = make_plan(s).problem;
    CHECK(p.phi == 0);
    CHECK(p.low == (dtype == Dtype::fp32 ? -std::numeric_limits<float>::infinity() : -16.8f));
    CHECK(p.high == (dtype == Dtype::fp32 ? std::numeric_limits<float>::infinity() : 6.5f));
  }
}

TEST_CASE("options of the unified maximum are read back as they are written") {
  const Scenario s = scenario_from(
      {{"algorithm", "flash-decoding-plus"}, {"phi", "-2.5"}, {"range", "-inf,6.5"}, {"fallback", "0.25"}},
      built_in_gpu);
  CHECK(s.phi == -2.5);
  CHECK(s.range == ScoreRange{-no_bound, 6.5});
  CHECK(s.fallback == 0.25);
  for (const auto& [name, value] :
       {std::pair{"phi", "-2.5"}, std::pair{"range", "-inf,6.5"}, std::pair{"fallback", "0.25"}}) {
    CHECK(text_of(option_called(name).asked(s)) == value);
    CHECK(text_of(option_called(name).resolved(make_plan(s))) == value);
  }
  CHECK(text_of(option_called("range").resolved(make_plan(plus(1, 64, 64)))) == "-16.8,6.5");
  CHECK(text_of(option_called("phi").resolved(make_plan(plus(1, 64, 64, "flash2")))).empty());
}

TEST_CASE("options of the unified maximum that are out of range or of another program are refused") {
  const auto error_of = [](const char* name, const char* value, const char* algorithm = "flash-decoding-plus") {
    try {
      make_plan(scenario_from({{"algorithm", algorithm}, {name, value}}, built_in_gpu));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(error_of("phi", "nan") == "phi: \"nan\" is not a finite number");
  CHECK(error_of("phi", "inf") == "phi: \"inf\" is not a finite number");
  CHECK_THAT(error_of("phi", "1e300"), Contains("phi: 1e+300 is not a number from -"));
  CHECK(error_of("range", "3,-3") == "range: \"3,-3\" is not A,B with A < B, the bounds of x - phi");
  CHECK(error_of("range", "3,3") == "range: \"3,3\" is not A,B with A < B, the bounds of x - phi");
  for (const char* value : {"3", "nan,3", "1,2,3", "a,b", ","})
    CHECK_THAT(error_of("range", value), Contains("is not A,B: two numbers with A < B, bounds of x - phi"));
  CHECK(error_of("fallback", "1.5") == "fallback: 1.5 is not in [0, 1], the share of row blocks");
  CHECK(error_of("fallback", "-0.1") == "fallback: -0.1 is not in [0, 1], the share of row blocks");
  CHECK(error_of("phi", "1", "flash2") ==
        "phi: is an option of flash-decoding-plus; flash2 has none: add --algorithm flash-decoding-plus, or leave it "
        "out");
  CHECK_THAT(error_of("range", "-3,3", "flash-decoding"), Contains("range: is an option of flash-decoding-plus"));
  CHECK_THAT(error_of("fallback", "0.1", "flash2"), Contains("fallback: is an option of flash-decoding-plus"));
  CHECK(error_of("pass", "backward") == "pass: flash-decoding-plus has no backward pass: forward");
  CHECK_THAT(error_of("sink", "1"), Contains("flash-decoding-plus has none"));
  Scenario s = plus(1, 64, 64);
  s.fallback = 0.5;
  const AttentionInputs inputs = inputs_of(s);
  CHECK_THROWS_WITH(compute(make_plan(s), inputs),
                    "fallback: 0.5 counts row blocks without values; with values those out of --range are found: leave "
                    "it out");
}

TEST_CASE("decoding over steps counts the sum over every step, and takes no share that falls back") {
  for (const std::int64_t splits : {0, 2}) {
    Scenario s = plus(8, 760, 64);
    s.shape.kv_heads = 2;
    s.steps = 60;
    if (splits > 0) s.own["splits"] = splits;
    const Plan plan = make_plan(s);
    std::vector<Trace> steps;
    for (std::int64_t t = 1; t <= s.steps; ++t) {
      for (Trace& kernel : count(with_keys(plan, s.cached_keys() + t))) steps.push_back(std::move(kernel));
    }
    CHECK(counted(steps) == closed_form(plan));
    CHECK(simulate(s).totals.tensor(Tensor::K).read == Bytes(2 * (60 * 700 + 60 * 61 / 2) * 64 * 2));
    s.fallback = 0.5;
    CHECK(scenario_error(s) == "fallback: 0.5 is a share of the row blocks of one run: leave it out, or --steps");
  }
}

TEST_CASE("a row of a program with one maximum for all rows is not followed, with a reason") {
  const auto plan = std::make_shared<const Plan>(make_plan(plus(1, 64, 64)));
  CHECK_FALSE(has_softmax_row(*plan));
  CHECK_THROWS_WITH(SoftmaxRow(plan, 0, 0), Contains("row: flash-decoding-plus has one maximum for all rows"));
}

TEST_CASE("in decode the unified maximum saves next to no time, since HBM bounds both") {
  const double own = simulate(reference_example("flash-decoding-plus")).microseconds,
               other = simulate(reference_example("flash-decoding")).microseconds;
  CHECK(own <= other * 1.001);
  CHECK(own >= other * 0.97);
}

}  // namespace
}  // namespace sim
