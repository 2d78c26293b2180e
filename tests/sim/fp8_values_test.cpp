// Values of flash3 in e4m3: the same bits in every schedule, the numerics rule, and the errors of quantised inputs.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "sim/catalogue/options.h"
#include "sim/model/softmax_row.h"
#include "sim/model/value_check.h"
#include "sim/programs/fp8.h"
#include "tests/support/random_scenario.h"

using namespace sim;

namespace {

Scenario e4m3_scenario(OptionValues values) {
  values.emplace("algorithm", "flash3");
  values.emplace("dtype", "e4m3");
  values.emplace("head-dim", "128");
  return scenario_from(values, built_in_gpu);
}

AttentionOutputs outputs_of(const Scenario& s) { return compute(make_plan(s), inputs_of(s)); }

/// Root mean square error of O against exact values.
double rmse_of(const Scenario& s, const AttentionInputs& inputs, const std::vector<double>& exact) {
  const std::vector<float> o = compute(make_plan(s), inputs).o;
  double sum = 0;
  for (std::size_t n = 0; n < o.size(); ++n) sum += std::pow(static_cast<double>(o[n]) - exact[n], 2);
  return std::sqrt(sum / static_cast<double>(o.size()));
}

struct Errors {
  double tensor = 0, block = 0, rotation = 0, both = 0;
};

/// Means over seeds of the errors of the four ways to quantise inputs with outliers.
Errors errors_of(OptionValues values, int seeds) {
  Errors errors;
  values["inputs"] = "outliers";
  for (int seed = 0; seed < seeds; ++seed) {
    values["seed"] = std::to_string(seed);
    const Problem p = make_plan(e4m3_scenario(values)).problem;
    const AttentionInputs inputs = inputs_of(e4m3_scenario(values));
    const std::vector<double> exact = attention_reference(p.shape, static_cast<double>(p.scale), inputs).o;
    const auto add = [&](double& mean, const char* scales, const char* rotate) {
      values["fp8-scales"] = scales;
      values["rotate"] = rotate;
      mean += rmse_of(e4m3_scenario(values), inputs, exact) / seeds;
    };
    add(errors.tensor, "tensor", "0");
    add(errors.block, "block", "0");
    add(errors.rotation, "tensor", "1");
    add(errors.both, "block", "1");
  }
  return errors;
}

TEST_CASE("the error against inputs before they were quantised is reported of e4m3 alone") {
  const Scenario s = e4m3_scenario({{"seqlen", "300"}, {"heads", "2"}, {"inputs", "outliers"}});
  const Plan plan = make_plan(s);
  const AttentionInputs inputs = inputs_of(s);
  const ValueChecks checks = check_outputs(plan, inputs, compute(plan, inputs));
  const std::vector<double> exact =
      attention_reference(plan.problem.shape, static_cast<double>(plan.problem.scale), inputs).o;
  REQUIRE(checks.of_unquantised);
  CHECK(checks.of_unquantised->root_mean() == Approx(rmse_of(s, inputs, exact)));
  const Scenario wide = e4m3_scenario({{"seqlen", "300"}, {"dtype", "bf16"}});
  CHECK_FALSE(check_outputs(make_plan(wide), inputs_of(wide), outputs_of(wide)).of_unquantised);
}

const OptionValues value_cases[] = {
    {{"seqlen", "500"}, {"causal", "1"}},
    {{"seqlen", "333"}, {"head-dim", "96"}, {"heads", "4"}, {"kv-heads", "2"}},
    {{"seqlen", "400"}, {"head-dim", "64"}, {"heads", "2"}, {"fp8-scales", "tensor"}},
    {{"seqlen-q", "200"}, {"seqlen-k", "700"}, {"fp8-scales", "head"}, {"heads", "4"}, {"kv-heads", "2"}},
    {{"seqlen", "600"}, {"head-dim", "192"}, {"head-dim-v", "128"}, {"window", "150"}},
    {{"seqlen", "300"}, {"head-dim", "256"}, {"sink", "0.5"}, {"softcap", "20"}},
    {{"seqlen-q", "300"}, {"seqlen-k", "100"}, {"causal", "1"}, {"head-dim", "64"}}};  // rows that see nothing

}  // namespace

TEST_CASE("every schedule of flash3 computes the same bits in e4m3, in whatever order its roles are resumed") {
  for (OptionValues values : value_cases) {
    const AttentionOutputs expected = outputs_of(e4m3_scenario(values));
    for (const std::string schedule : {"ping-pong", "warp-specialised", "serial"}) {
      values["schedule"] = schedule;
      const AttentionOutputs other = outputs_of(e4m3_scenario(values));
      INFO(schedule);
      CHECK(other.o == expected.o);
      CHECK(other.log_sum_exp == expected.log_sum_exp);
    }
  }
  for (const std::string schedule : {"overlapped", "serial"}) {
    const Scenario s = e4m3_scenario({{"seqlen", "900"}, {"head-dim", "64"}, {"schedule", schedule}});
    Plan plan = make_plan(s);
    const AttentionInputs inputs = inputs_of(s);
    const AttentionOutputs expected = compute(plan, inputs);
    for (plan.resume_seed = 1; plan.resume_seed <= 6; ++plan.resume_seed) CHECK(compute(plan, inputs).o == expected.o);
  }
}

TEST_CASE("O in e4m3 passes the numerics rule of bf16 against plain attention on the same quantised inputs") {
  for (const OptionValues& values : value_cases) {
    const Scenario s = e4m3_scenario(values);
    const Plan plan = make_plan(s);
    const AttentionInputs inputs = inputs_of(s);
    const Judged judged = judge_outputs(plan, inputs, nullptr);
    const std::vector<ValueCheck> heads = check_heads(judged.outputs.front(), compute(plan, inputs).o);
    for (std::size_t n = 0; n < heads.size(); ++n) {
      INFO("d " << s.shape.head_dim << ", head " << n << ": " << heads[n].max_abs_error << " of "
                << judged.outputs.front().allowed[n]);
      CHECK(agrees(heads[n], judged.outputs.front().allowed[n]));
    }
  }
}

TEST_CASE("a kernel that forgets a scale of V fails the rule") {
  const Scenario s = e4m3_scenario({{"seqlen", "900"}, {"inputs", "outliers"}});
  const Plan plan = make_plan(s);
  const AttentionInputs inputs = inputs_of(s);
  const Judged judged = judge_outputs(plan, inputs, nullptr);
  AttentionOutputs outputs = compute(plan, inputs);
  for (float& x : outputs.o) x *= 1.1f;  // as a tile with a scale of its own would be
  CHECK_FALSE(agrees(check_heads(judged.outputs.front(), outputs.o).front(), judged.outputs.front().allowed.front()));
}

TEST_CASE("scales of blocks, heads and tensors are the largest magnitudes of their rows / 448") {
  for (const std::string scales : {"block", "head", "tensor"}) {
    const Scenario s =
        e4m3_scenario({{"seqlen", "300"}, {"heads", "4"}, {"kv-heads", "2"}, {"rotate", "0"}, {"fp8-scales", scales}});
    const Plan plan = make_plan(s);
    const AttentionInputs inputs = inputs_of(s);
    const Fp8Inputs fp8 = quantised(plan, inputs);
    const std::int64_t row_blocks = 3, col_blocks = 2, d = 128;
    CHECK(std::ssize(fp8.q_scale) == 4 * (scales == "block" ? row_blocks : 1));
    CHECK(std::ssize(fp8.k_scale) == 2 * (scales == "block" ? col_blocks : 1));
    const auto largest = [&](const std::vector<float>& values, std::int64_t first, std::int64_t rows) {
      float most = 0;
      for (std::int64_t n = first * d; n < (first + rows) * d; ++n)
        most = std::max(most, std::abs(values[static_cast<std::size_t>(n)]));
      return most / 448;
    };
    if (scales == "block") CHECK(fp8.q_scale[5] == largest(inputs.q, 300 + 256, 44));
    if (scales == "block") CHECK(fp8.v_scale[3] == largest(inputs.v, 300 + 224, 76));
    if (scales == "head") CHECK(fp8.q_scale[3] == largest(inputs.q, 600, 600));  // both query heads of the KV head
    if (scales == "head") CHECK(fp8.k_scale[1] == largest(inputs.k, 300, 300));
    if (scales == "tensor") CHECK(fp8.q_scale[2] == largest(inputs.q, 0, 1200));
    if (scales == "tensor") CHECK(fp8.v_scale[0] == largest(inputs.v, 0, 600));
    for (const float x : fp8.x8.k) REQUIRE(round_to(Dtype::e4m3, x) == x);
  }
}

TEST_CASE("a window of a few rows reads the same scales, and computes the bits of a whole run") {
  for (OptionValues values : value_cases) {
    values.insert({{"inputs", "outliers"}, {"batch", "2"}, {"seed", "3"}});
    const Scenario s = e4m3_scenario(values);
    const auto plan = std::make_shared<const Plan>(make_plan(s));
    const AttentionOutputs all = compute(*plan, inputs_of(s));
    const std::int64_t head = s.shape.heads, dv = s.shape.value_dim(), query = s.shape.seqlen_q / 2;
    SoftmaxRow row(plan, head, query);
    row.finish();
    const auto first = all.o.begin() + (head * s.shape.seqlen_q + query) * dv;
    CHECK(std::vector<float>(first, first + dv) == row.O());
    if (row.tiles().empty()) continue;
    const SoftmaxTile& last = row.tiles().back();  // its O, before the division by l, is in units of values
    for (std::int64_t c = 0; c < dv; ++c) {
      const double o = static_cast<double>(last.O[static_cast<std::size_t>(c)]) / static_cast<double>(last.l);
      CHECK(o == Approx(static_cast<double>(row.O()[static_cast<std::size_t>(c)])).epsilon(0.005).margin(1e-4));
    }
  }
}

TEST_CASE("a block of zeros has a scale of 1, and infinity and NaN in a block reach the rows that see it") {
  const Scenario s = e4m3_scenario({{"seqlen", "672"}, {"causal", "1"}, {"rotate", "0"}});
  const Plan plan = make_plan(s);
  AttentionInputs inputs = inputs_of(s);
  std::fill(inputs.v.begin() + 224 * 128, inputs.v.begin() + 448 * 128, 0.0f);
  std::fill(inputs.k.begin(), inputs.k.begin() + 224 * 128, 0.0f);
  const Fp8Inputs zeros = quantised(plan, inputs);
  CHECK(zeros.v_scale[1] == 1);
  CHECK(zeros.k_scale[0] == 1);
  for (const float x : compute(plan, inputs).o) REQUIRE(std::isfinite(x));
  for (const float wrong : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    AttentionInputs bad = inputs;
    bad.v[500 * 128 + 7] = wrong;
    const std::vector<float> o = compute(plan, bad).o;
    CHECK(std::isfinite(o[100 * 128]));        // sees no key of that block
    CHECK_FALSE(std::isfinite(o[600 * 128]));  // sees the block
    CHECK_FALSE(std::isfinite(o[600 * 128 + 7]));
  }
}

TEST_CASE("at 1,024 keys scales per tensor cost 1.25 to 2.3 times the error of block scales and a rotation") {
  const Errors errors = errors_of({{"seqlen", "1024"}}, 6);
  INFO(errors.tensor << " " << errors.block << " " << errors.rotation << " " << errors.both);
  CHECK(errors.tensor / errors.both > 1.25);
  CHECK(errors.tensor / errors.both < 2.3);
  CHECK(errors.tensor == Approx(1.37e-2).epsilon(0.25));  // means over other random numbers, from the reference
  CHECK(errors.both == Approx(7.98e-3).epsilon(0.25));
  CHECK(errors.rotation < 0.8 * errors.tensor);  // rotation does nearly all of it
  CHECK(errors.block > 0.75 * errors.tensor);
}

TEST_CASE("at 8,192 keys scales per tensor cost 2.0 to 4.2 times the error of block scales and a rotation", "[slow]") {
  const Errors errors = errors_of({{"seqlen-q", "512"}, {"seqlen-k", "8192"}}, 2);
  INFO(errors.tensor << " " << errors.block << " " << errors.rotation << " " << errors.both);
  CHECK(errors.tensor / errors.both > 2.0);
  CHECK(errors.tensor / errors.both < 4.2);
}

TEST_CASE("a rotation makes the largest error of a score smaller, not the mean one") {
  double largest[2] = {0, 0}, mean[2] = {0, 0};
  for (const int rotate : {0, 1}) {
    for (int seed = 0; seed < 6; ++seed) {
      const Scenario s = e4m3_scenario({{"seqlen", "224"},
                                        {"inputs", "outliers"},
                                        {"seed", std::to_string(seed)},
                                        {"rotate", std::to_string(rotate)}});
      const Plan plan = make_plan(s);
      const AttentionInputs exact = inputs_of(s);
      AttentionInputs room;
      const AttentionInputs& read = as_read(plan, exact, room);
      const auto score = [](const AttentionInputs& inputs, std::size_t i, std::size_t j) {
        double sum = 0;
        for (std::size_t c = 0; c < 128; ++c)
          sum += static_cast<double>(inputs.q[i * 128 + c]) * static_cast<double>(inputs.k[j * 128 + c]);
        return sum / std::sqrt(128.0);
      };
      for (std::size_t i = 0; i < 128; ++i) {
        for (std::size_t j = 0; j < 224; ++j) {
          const double error = std::abs(score(read, i, j) - score(exact, i, j));
          largest[rotate] = std::max(largest[rotate], error);
          mean[rotate] += error / (6 * 128 * 224);
        }
      }
    }
  }
  INFO(largest[0] << " " << largest[1] << ", " << mean[0] << " " << mean[1]);
  CHECK(largest[1] < 0.85 * largest[0]);
  CHECK(mean[1] > 0.9 * mean[0]);
  CHECK(mean[1] < 1.1 * mean[0]);
}
