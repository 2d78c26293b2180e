// Sinks: worked values, bytes, gradients, packed heads, rows of the softmax, and what is refused.
#include "sim/base/sinks.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "sim/base/npy.h"
#include "sim/catalogue/options.h"
#include "sim/model/row_answer.h"
#include "sim/model/scheduled_replay.h"
#include "sim/model/simulation.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"
#include "tests/support/says.h"
#include "tests/support/values_rule.h"
#include "tests/support/worked_example.h"

namespace sim {
namespace {

using Catch::Contains;

Scenario with_sinks(Scenario s, std::vector<float> logits) {
  s.sinks = std::make_shared<const std::vector<float>>(std::move(logits));
  return s;
}

Totals counts_of(const Plan& plan) {
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  return totals;
}

/// Every built-in program that takes sinks.
std::vector<std::string> programs_with_sinks() {
  std::vector<std::string> names;
  for (const std::string& name : program_names()) {
    if (find_program(name)->sinks) names.push_back(name);
  }
  return names;
}

Scenario sunk_scenario(const std::string& algorithm, Shape shape, Dtype dtype = Dtype::fp32) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape = std::move(shape);
  s.dtype = algorithm == "flash3" ? Dtype::fp16 : dtype;
  if (find_program(algorithm)->pattern == PatternUse::of_tiles) s.pattern = read_pattern("window:9");
  return s;
}

std::string error_of(const OptionValues& options) {
  try {
    make_plan(scenario_from(options, [](const std::string& name) { return built_in_gpu(name); }));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Attention with sinks in double, from its equation: a weight exp(sink) without a value joins each sum.
class Equation {
 public:
  Equation(const Shape& shape, AttentionInputs inputs, std::vector<double> sinks)
      : shape_(shape), inputs_(std::move(inputs)), sinks_(std::move(sinks)) {}

  /// O of a row and column; with `column` = -1, L.
  double output(std::int64_t head, std::int64_t q, std::int64_t column) const {
    const std::int64_t d = shape_.head_dim, group = shape_.heads / shape_.kv_heads;
    const std::int64_t kv = head / shape_.heads * shape_.kv_heads + head % shape_.heads / group;
    double sum = std::exp(sinks_[static_cast<std::size_t>(head % shape_.heads) % sinks_.size()]), weighted = 0;
    for (std::int64_t k = 0; k < shape_.seqlen_k; ++k) {
      if (!shape_.visible(q, k)) continue;
      double s = 0;
      for (std::int64_t n = 0; n < d; ++n)
        s += at(inputs_.q, head * shape_.seqlen_q + q, n) * at(inputs_.k, kv * shape_.seqlen_k + k, n);
      const double weight = std::exp(s / std::sqrt(static_cast<double>(d)));
      sum += weight;
      if (column >= 0) weighted += weight * at(inputs_.v, kv * shape_.seqlen_k + k, column);
    }
    return column < 0 ? std::log(sum) : sum == 0 ? 0 : weighted / sum;
  }

  /// Derivative of sum(dO o O) by an element of an input.
  double gradient(std::vector<float> AttentionInputs::*of, std::size_t n) {
    return central_difference((inputs_.*of)[n], [&] { return loss(); });
  }

 private:
  double at(const std::vector<float>& values, std::int64_t row, std::int64_t column) const {
    return static_cast<double>(values[static_cast<std::size_t>(row * shape_.head_dim + column)]);
  }
  double loss() const {
    double sum = 0;
    for (std::int64_t head = 0; head < shape_.batch * shape_.heads; ++head) {
      for (std::int64_t q = 0; q < shape_.seqlen_q; ++q) {
        for (std::int64_t c = 0; c < shape_.head_dim; ++c)
          sum += at(inputs_.d_o, head * shape_.seqlen_q + q, c) * output(head, q, c);
      }
    }
    return sum;
  }
  Shape shape_;
  AttentionInputs inputs_;
  std::vector<double> sinks_;
};

const std::vector<float> four_logits = {0.5f, -1, 3, -std::numeric_limits<float>::infinity()};

std::vector<double> in_double(const std::vector<float>& logits) { return {logits.begin(), logits.end()}; }

void check_outputs_by_equation(const Scenario& s, const AttentionInputs& inputs, double close) {
  const Plan plan = make_plan(s);
  const AttentionOutputs got = compute(plan, inputs);
  const Equation equation(s.shape, inputs, in_double(*s.sinks));
  for (std::int64_t head = 0; head < s.shape.batch * s.shape.heads; ++head) {
    for (std::int64_t q = 0; q < s.shape.seqlen_q; ++q) {
      const std::int64_t row = head * s.shape.seqlen_q + q;
      CHECK(got.o[static_cast<std::size_t>(row * s.shape.head_dim)] ==
            Approx(equation.output(head, q, 0)).margin(close));
      if (!got.log_sum_exp.empty())
        CHECK(got.log_sum_exp[static_cast<std::size_t>(row)] == Approx(equation.output(head, q, -1)).margin(close));
    }
  }
}

}  // namespace

TEST_CASE("the worked example with a sink of 1 has its O and L in every program that takes sinks") {
  const double O[4][2] = {{0.939555, 1.118019}, {0.449505, 0.835693}, {0.985385, 1.675337}, {0.594724, 1.236006}};
  const double L[4] = {2.806018, 2.806018, 5.225720, 4.903187};
  CHECK(programs_with_sinks() ==
        std::vector<std::string>{"standard", "flash2", "flash3", "flash-decoding", "flash2-block-sparse"});
  for (const std::string& algorithm : programs_with_sinks()) {
    if (algorithm == "flash3") continue;  // has no fp32
    INFO(algorithm);
    const Plan plan = make_plan(with_sinks(example::scenario(algorithm.c_str(), 1), {1}));
    const AttentionInputs inputs = inputs_of(plan.scenario);
    const AttentionOutputs got = compute(plan, inputs);
    const auto exact = attention_reference(plan.problem.shape, 1, inputs, {}, nullptr, plan.problem.sinks.get());
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t col = 0; col < 2; ++col) CHECK(got.o[2 * row + col] == Approx(O[row][col]).margin(1.5e-6));
      if (!got.log_sum_exp.empty()) CHECK(got.log_sum_exp[row] == Approx(L[row]).margin(1.5e-6));
      CHECK(exact.log_sum_exp[row] == Approx(L[row]).margin(5e-7));
      CHECK(exact.o[2 * row] == Approx(O[row][0]).margin(5e-7));
    }
  }
}

TEST_CASE("a sink of -inf gives every bit of attention without sinks") {
  for (const std::string& algorithm : programs_with_sinks()) {
    for (const Dtype dtype : {Dtype::fp16, Dtype::fp32}) {
      INFO(algorithm);
      Scenario s = sunk_scenario(algorithm, {1, 2, 1, 70, 50, 16, {}}, dtype);
      s.shape.mask.causal = true;  // 20 rows see no key
      s.pass = all_passes(algorithm);
      s = within_limits(s);
      const AttentionInputs inputs = draw_with_gradient(s, 3);
      const AttentionOutputs plain = compute(make_plan(s), inputs),
                             sunk =
                                 compute(make_plan(with_sinks(s, {-std::numeric_limits<float>::infinity()})), inputs);
      CHECK(sunk.o == plain.o);
      CHECK(sunk.log_sum_exp == plain.log_sum_exp);
      CHECK(sunk.d_q == plain.d_q);
      CHECK(sunk.d_k == plain.d_k);
      CHECK(sunk.d_v == plain.d_v);
    }
  }
}

TEST_CASE("a sink of 100 takes all weight from the keys, and nothing is infinite") {
  for (const std::string& algorithm : programs_with_sinks()) {
    INFO(algorithm);
    const Scenario s = with_sinks(sunk_scenario(algorithm, {1, 1, 1, 9, 40, 16, {}}), {100});
    const AttentionOutputs got = compute(make_plan(s), draw_with_gradient(s, 5));
    for (const float o : got.o) CHECK(std::abs(o) < 1e-6f);
    for (const float L : got.log_sum_exp) CHECK(L == Approx(100));
  }
}

TEST_CASE("programs with a sink per query head agree with the equation in double, also for rows that see no key") {
  for (const std::string& algorithm : programs_with_sinks()) {
    INFO(algorithm);
    Scenario s = with_sinks(sunk_scenario(algorithm, {2, 4, 2, 21, 19, 8, {}}), four_logits);
    s.shape.mask.causal = true;
    s = within_limits(s);
    check_outputs_by_equation(s, draw_with_gradient(s, 7), algorithm == "flash3" ? 3e-3 : 5e-6);
  }
}

TEST_CASE("standard attention whose rows do not fit in shared memory adds the sink in its first pass") {
  Scenario s = with_sinks(sunk_scenario("standard", {1, 4, 4, 5, 300, 8, {}}), four_logits);
  s.sram = 600;
  s.tiling = TilingRule::paper;
  check_outputs_by_equation(s, draw_with_gradient(s, 7), 5e-6);
}

TEST_CASE("flash-decoding adds sinks once, in one part or several, with packed heads or without") {
  for (const std::int64_t queries : {1, 3}) {
    Scenario s = with_sinks(sunk_scenario("flash-decoding", {2, 12, 3, queries, 300, 16, {}}), {});
    std::vector<float> logits;
    for (int head = 0; head < 12; ++head) logits.push_back(0.5f * static_cast<float>(head) - 1);
    s = with_sinks(s, logits);
    for (const std::int64_t splits : {1, 4}) {
      for (const std::int64_t pack : {0, 1}) {
        INFO(queries << " queries, " << splits << " parts, pack " << pack);
        s.own = {{"splits", splits}, {"pack", pack}};
        check_outputs_by_equation(s, draw_with_gradient(s, 11), 5e-6);
        const Totals totals = counts_of(make_plan(s));
        if (queries == 1) CHECK(totals.tensor(Tensor::sinks).read == Bytes(4 * 2 * 12));
      }
    }
  }
}

TEST_CASE("flash-decoding with enough CTAs adds sinks in its only kernel, with packed heads or without") {
  for (const std::int64_t queries : {1, 20}) {
    for (const std::int64_t pack : {0, 1}) {
      INFO(queries << " queries, pack " << pack);
      Scenario s = with_sinks(sunk_scenario("flash-decoding", {140, 4, 2, queries, 33, 8, {}}), four_logits);
      s.own = {{"pack", pack}};
      REQUIRE(make_plan(s).launches.size() == 1);
      check_outputs_by_equation(s, draw_with_gradient(s, 13), 5e-6);
      CHECK(counts_of(make_plan(s)).tensor(Tensor::sinks).read == Bytes(4 * 140 * 4));
    }
  }
}

TEST_CASE("a CTA reads 4 bytes of sinks for each query head that it holds, and nothing else is counted") {
  Scenario s;
  s.shape.heads = s.shape.kv_heads = 32;
  s.shape.seqlen_q = s.shape.seqlen_k = 4096;
  for (const char* algorithm : {"flash2", "flash3", "standard", "flash-decoding"}) {
    INFO(algorithm);
    s.algorithm = algorithm;
    const Totals plain = counts_of(make_plan(s)), sunk = counts_of(make_plan(with_sinks(s, {1})));
    const Plan plan = make_plan(with_sinks(s, {1}));
    const bool rows = std::string(algorithm) == "standard";
    const std::int64_t row_blocks = rows ? 4096 : ceil_div(4096, plan.launches.back().grid.br);
    CHECK(sunk.tensor(Tensor::sinks).read == Bytes(4 * 32 * row_blocks));
    CHECK(sunk.total.read - plain.total.read == Bytes(4 * 32 * row_blocks));
    CHECK(sunk.total.written == plain.total.written);
    CHECK(sunk.other_flops == plain.other_flops);
    CHECK(sunk.exps == plain.exps);
    CHECK(counted(plan) == closed_form(plan));
  }
  s.algorithm = "flash2";
  s.br = 128;
  CHECK(counts_of(make_plan(with_sinks(s, {1}))).tensor(Tensor::sinks).read == Bytes(4'096));
}

TEST_CASE("sinks are read once by each entry of a ragged batch, and a backward pass reads none") {
  Scenario s = with_sinks({}, {1, 2});
  s.shape.heads = s.shape.kv_heads = 2;
  s.sequences = std::make_shared<const SequenceClasses>(read_sequences("1 64 64, 2 32 96"));
  s.br = 64;
  const Plan plan = make_plan(s);
  CHECK(counted(plan) == closed_form(plan));
  CHECK(counts_of(plan).tensor(Tensor::sinks).read == Bytes(4 * 2 * 3));
  s.pass = Pass::backward;
  CHECK(counts_of(make_plan(s)).tensor(Tensor::sinks).read == Bytes(0));
}

TEST_CASE("counts, closed forms and a walk of every tile agree in random scenarios with sinks") {
  Dice dice(23);
  int with = 0;
  while (with < 400) {
    Scenario s = random_scenario(dice, {60, 24, 40, 3, 3});
    if (dice.one_in(2)) draw_more_masks(dice, s.shape);
    draw_sinks(dice, s);
    if (s.sinks == nullptr || !scenario_error(s).empty()) continue;
    INFO(describe(s));
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
    REQUIRE(counts_of(plan) == count_by_brute_force(plan));
    ++with;
  }
}

TEST_CASE("gradients with sinks agree with central differences of the equation in double") {
  for (const char* algorithm : {"flash2", "standard"}) {
    INFO(algorithm);
    Scenario s = with_sinks(sunk_scenario(algorithm, {2, 4, 2, 5, 7, 3, {}}), four_logits);
    s.pass = Pass::forward_backward;
    s.shape.mask.causal = true;
    s.br = 2;
    s.bc = 3;
    const Plan plan = make_plan(s);
    const Problem& p = plan.problem;
    const AttentionInputs inputs = draw_with_gradient(s, 5);
    const AttentionOutputs got = compute(plan, inputs);
    const auto exact =
        attention_reference_backward(p.shape, static_cast<double>(p.scale), inputs, {}, nullptr, p.sinks.get());
    Equation equation(s.shape, inputs, in_double(four_logits));
    const std::tuple<std::vector<float> AttentionInputs::*, const std::vector<double>*, const std::vector<float>*>
        all[] = {{&AttentionInputs::q, &exact.d_q, &got.d_q},
                 {&AttentionInputs::k, &exact.d_k, &got.d_k},
                 {&AttentionInputs::v, &exact.d_v, &got.d_v}};
    for (const auto& [input, gradient, of_program] : all) {
      for (std::size_t n = 0; n < gradient->size(); n += 5) {
        const double difference = equation.gradient(input, n);
        CHECK((*gradient)[n] == Approx(difference).margin(2e-4));
        CHECK((*of_program)[n] == Approx(difference).margin(2e-4));
      }
    }
  }
}

TEST_CASE("values and gradients of every program with sinks keep the rule of numerics, with dropout too") {
  for (const std::string& algorithm : programs_with_sinks()) {
    for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp32}) {
      for (const double dropout : {0.0, 0.2}) {
        INFO(algorithm << ' ' << name_of(dtype) << ' ' << dropout);
        Scenario s = with_sinks(sunk_scenario(algorithm, {1, 4, 2, 90, 90, 16, {}}, dtype), four_logits);
        if (algorithm == "flash3" && dtype == Dtype::bf16) s.dtype = dtype;
        s.dropout = dropout;
        s.pass = all_passes(algorithm);
        s = within_limits(s);
        if (scenario_error(s).empty()) check_values_by_rule(s, 7);
      }
    }
  }
}

TEST_CASE("a row of the softmax begins with its sink and ends with the stored O") {
  for (const std::string& algorithm : programs_with_sinks()) {
    for (const std::int64_t splits : {0, 3}) {
      if (splits > 0 && algorithm != "flash-decoding") continue;
      INFO(algorithm << ' ' << splits);
      Scenario s = with_sinks(sunk_scenario(algorithm, {1, 2, 2, 30, 400, 8, {}}), {0.5f, 2});
      if (splits > 0) s.own["splits"] = splits;
      s.bc = algorithm == "standard" ? std::optional<std::int64_t>() : 64;
      SoftmaxRow row(std::make_shared<const Plan>(make_plan(s)), 1, 17);
      row.finish();
      const SoftmaxTile& last = row.tiles().back();
      CHECK(last.sink == 2);
      const double close = algorithm == "flash3" ? 3e-3 : 1e-5;
      const Equation equation(s.shape, inputs_of(s), {0.5, 2});
      CHECK(last.m + std::log(last.l) == Approx(equation.output(1, 17, -1)).margin(close));
      const RowAnswer answer = answer_of(row.tiles(), row.tiles().size(), Rescaling::kept);
      for (std::int64_t c = 0; c < 8; ++c) {
        CHECK(row.O()[static_cast<std::size_t>(c)] == Approx(equation.output(1, 17, c)).margin(close));
        CHECK(answer.O[static_cast<std::size_t>(c)] == Approx(equation.output(1, 17, c)).margin(close));
      }
    }
  }
}

TEST_CASE("a sink changes the predicted time by less than a hundredth, and a CTA with one has a timeline") {
  for (const char* algorithm : {"flash2", "flash3", "flash-decoding", "standard"}) {
    for (const std::int64_t queries : {1, 2048}) {
      INFO(algorithm << ' ' << queries);
      Scenario s;
      s.algorithm = algorithm;
      s.shape.heads = s.shape.kv_heads = 32;
      s.shape.seqlen_q = queries;
      s.shape.seqlen_k = 2048;
      const Simulation plain = simulate(s), sunk = simulate(with_sinks(s, {1}));
      CHECK(sunk.microseconds == Approx(plain.microseconds).epsilon(0.01));
      CHECK_FALSE(sunk.accuracy.validated);
      for (const Launch& launch : sunk.plan.launches) {
        const Trace trace = scheduled_replay(sunk.plan, launch, {});
        const auto of_sinks = std::count_if(trace.events.begin(), trace.events.end(),
                                            [](const Event& e) { return e.tensor == Tensor::sinks; });
        CHECK(of_sinks == (launch.reads(Tensor::sinks) ? 1 : 0));
      }
    }
  }
}

TEST_CASE("sinks are read from numbers and .npy files, and their text is read back") {
  CHECK(read_sinks("1") == std::vector<float>{1});
  CHECK(read_sinks(" 0.5, -inf,2e1") == std::vector<float>{0.5f, -INFINITY, 20});
  for (const char* same : {"1", "0.5,-inf,2", "0.1,0.100000001", "-1.17549435e-38"}) {
    const std::vector<float> logits = read_sinks(same);
    CHECK(read_sinks(text_of_sinks(logits)) == logits);
  }
  CHECK(text_of_sinks({0.5f, -INFINITY, 0.1f}) == "0.5,-inf,0.1");
  const auto file = std::filesystem::temp_directory_path() / "flashscope_sinks_test.npy";
  const auto put = [&](const std::vector<std::int64_t>& shape, const std::vector<float>& values) {
    const std::vector<std::byte> bytes = format_npy(shape, values, "f4");
    std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
  };
  put({4}, four_logits);
  CHECK(read_sinks(file.string()) == four_logits);
  put({2, 2}, four_logits);
  CHECK_THROWS_WITH(read_sinks(file.string()), Contains("sink: ") && Contains("has 2 axes, allowed is one"));
  put({2}, {1, NAN});
  CHECK_THROWS_WITH(read_sinks(file.string()), Contains("nan is not a logit"));
  put({2}, {1, INFINITY});
  CHECK_THROWS_WITH(read_sinks(file.string()), Contains("inf is not a logit"));
  std::filesystem::remove(file);
  CHECK_THROWS_WITH(read_sinks(file.string()), Contains("sink: ") && Contains("flashscope_sinks_test.npy"));
}

TEST_CASE("a sink that is not a logit, another number of them, and programs without sinks are refused by name") {
  CHECK_THAT(error_of({{"sink", "nan"}}), Contains("sink: nan is not a logit: allowed are numbers of fp32, and -inf"));
  CHECK_THAT(error_of({{"sink", "inf"}}), Contains("sink: inf is not a logit"));
  CHECK_THAT(error_of({{"sink", "1e39"}}), Contains("sink: 1e39 is not a logit"));
  CHECK_THAT(error_of({{"sink", "-1e39"}}), Contains("sink: -1e39 is not a logit"));
  CHECK_THAT(error_of({{"sink", "one"}}), Contains("sink: \"one\" is not a number"));
  CHECK_THAT(error_of({{"sink", "1,,2"}}), Contains("sink: \"\" is not a number"));
  CHECK_THAT(error_of({{"sink", "1,2,3"}, {"heads", "4"}}),
             Contains("sink: 3 numbers for 4 query heads: allowed are one for all heads, and one for each"));
  CHECK(error_of({{"sink", "1,2,3,4"}, {"heads", "4"}, {"kv-heads", "2"}}).empty());
  for (const char* algorithm : {"flash1", "fmha", "memory-efficient"})
    CHECK_THAT(error_of({{"algorithm", algorithm}, {"sink", "1"}}),
               Contains("sink: is an option of standard, flash2, flash3, flash-decoding") && Contains(" has none"));
  for (const char* algorithm : {"flash2", "standard"})
    CHECK_THAT(error_of({{"algorithm", algorithm}, {"tiling", "released"}, {"sink", "1"}}), Contains(" has none"));
  CHECK(with_algorithm(with_sinks({}, {1}), "flash1").sinks == nullptr);
  CHECK(with_algorithm(with_sinks({}, {1}), "flash3").sinks != nullptr);
}

}  // namespace sim
