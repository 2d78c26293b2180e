// Programs with score steps: worked values, counts, gradients, packed heads, and what is refused.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/model/simulation.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"
#include "tests/support/says.h"
#include "tests/support/values_rule.h"
#include "tests/support/worked_example.h"

using namespace sim;
using Catch::Contains;

namespace {

using Steps = std::map<std::string, std::string, std::less<>>;

Scenario with_steps(Scenario s, Steps steps) {
  s.score_steps = std::move(steps);
  return s;
}

/// Every program that takes score steps, with its published code.
std::vector<std::string> takers() {
  std::vector<std::string> names;
  for (const std::string& name : program_names()) {
    const auto program = find_program(name);
    if (program->score_steps && program->kv_shared != SharedKv::always) names.push_back(name);  // V of its own
  }
  return names;
}

struct Expected {
  std::vector<std::array<double, 2>> O;
  std::vector<double> L;
};

void check_worked(const Steps& steps, const Expected& want) {
  for (const std::string& algorithm : takers()) {
    if (algorithm == "flash3") continue;  // has no fp32
    INFO(algorithm);
    const Plan plan = make_plan(with_steps(example::scenario(algorithm.c_str(), 1), steps));
    const AttentionInputs inputs = inputs_of(plan.scenario);
    const AttentionOutputs got = compute(plan, inputs);
    for (std::size_t row = 0; row < want.O.size(); ++row) {
      for (std::size_t col = 0; col < 2; ++col) CHECK(got.o[2 * row + col] == Approx(want.O[row][col]).margin(2e-6));
    }
    for (std::size_t row = 0; row < want.L.size() && !got.log_sum_exp.empty(); ++row)
      CHECK(got.log_sum_exp[row] == Approx(want.L[row]).margin(2e-6));
    const auto exact = attention_reference(plan.problem.shape, 1, inputs, {}, plan.problem.score_steps.get());
    for (std::size_t row = 0; row < want.L.size(); ++row)
      CHECK(exact.log_sum_exp[row] == Approx(want.L[row]).margin(1e-6));
  }
}

Totals totals_of(const Plan& plan) {
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  return totals;
}

Scenario wide(const std::string& algorithm, Pass pass = Pass::forward) {
  Scenario s;
  s.algorithm = algorithm;
  s.pass = pass;
  s.shape.heads = s.shape.kv_heads = 32;
  s.shape.seqlen_q = s.shape.seqlen_k = 4096;
  return s;
}

/// Attention of one head in double, written down from its equation; gradient of sum(dO o O) by central differences.
class Written {
 public:
  using Score = double (*)(double s, std::int64_t q, std::int64_t k, std::int64_t h);
  Written(const Shape& shape, AttentionInputs inputs, Score score)
      : shape_(shape), inputs_(std::move(inputs)), score_(score) {}

  double output(std::int64_t head, std::int64_t q, std::int64_t c) const {
    const std::int64_t d = shape_.head_dim, kv = kv_of(head);
    double sum = 0, weighted = 0;
    for (std::int64_t k = 0; k < shape_.seqlen_k; ++k) {
      if (!shape_.visible(q, k)) continue;
      double s = 0;
      for (std::int64_t n = 0; n < d; ++n)
        s += at(inputs_.q, head, shape_.seqlen_q, q, n) * at(inputs_.k, kv, shape_.seqlen_k, k, n);
      const double weight = std::exp(score_(s / std::sqrt(static_cast<double>(d)), q, k, head % shape_.heads));
      sum += weight;
      weighted += weight * at(inputs_.v, kv, shape_.seqlen_k, k, c);
    }
    return sum == 0 ? 0 : weighted / sum;
  }

  /// Derivative of sum(dO o O) by an element of an input.
  double gradient(std::vector<float> AttentionInputs::*of, std::size_t n) {
    return central_difference((inputs_.*of)[n], [&] { return loss(); });
  }

 private:
  std::int64_t kv_of(std::int64_t head) const {
    return head / shape_.heads * shape_.kv_heads + head % shape_.heads / (shape_.heads / shape_.kv_heads);
  }
  double at(const std::vector<float>& values, std::int64_t head, std::int64_t rows, std::int64_t row,
            std::int64_t col) const {
    return static_cast<double>(values[static_cast<std::size_t>((head * rows + row) * shape_.head_dim + col)]);
  }
  double loss() const {
    double sum = 0;
    for (std::int64_t head = 0; head < shape_.batch * shape_.heads; ++head) {
      for (std::int64_t q = 0; q < shape_.seqlen_q; ++q) {
        for (std::int64_t c = 0; c < shape_.head_dim; ++c)
          sum += at(inputs_.d_o, head, shape_.seqlen_q, q, c) * output(head, q, c);
      }
    }
    return sum;
  }
  Shape shape_;
  AttentionInputs inputs_;
  Score score_;
};

struct GradientCase {
  Steps steps;
  Written::Score score;
};

const GradientCase gradient_cases[] = {
    {{{"softcap", "1.5"}}, [](double s, std::int64_t, std::int64_t, std::int64_t) { return 1.5 * std::tanh(s / 1.5); }},
    {{{"alibi", "1"}},
     [](double s, std::int64_t q, std::int64_t k, std::int64_t h) {
       return s - std::exp2(-2.0 * static_cast<double>(h + 1)) * std::abs(static_cast<double>(q + 7 - 5 - k));
     }},
    {{{"softcap", "2"}, {"alibi", "1"}, {"score", "s+0.1*s^3;s/(q+Nk-Nq-k+1)*(1+h)"}},
     [](double s, std::int64_t q, std::int64_t k, std::int64_t h) {
       const double distance = static_cast<double>(q + 7 - 5 - k);
       const double t = 2 * std::tanh(s / 2) - std::exp2(-2.0 * static_cast<double>(h + 1)) * std::abs(distance);
       return (t + 0.1 * t * t * t) / (distance + 1) * static_cast<double>(1 + h);
     }}};

Scenario small_causal() {
  Scenario s;
  s.pass = Pass::forward_backward;
  s.dtype = Dtype::fp32;
  s.shape = {2, 4, 2, 5, 7, 3, {}};
  s.shape.mask.causal = true;
  s.br = 2;
  s.bc = 3;
  return s;
}

}  // namespace

TEST_CASE("the worked example with softcap and ALiBi has its values in every program") {
  const Expected softcap = {{{1.143030, 1.194499}, {0.662470, 1}, {1, 1.048115}, {0.805392, 1.034125}},
                            {2.363370, 2.363370, 3.112616, 3.108366}};
  check_worked({{"softcap", "2"}}, softcap);
  check_worked({{"score", "2*tanh(s/2)"}}, softcap);
  check_worked({{"score", "s-0.5*abs(q-k)"}},
               {{{1.065869, 0.820950}, {0.362803, 0.939055}, {1.026605, 1.756135}, {0.771861, 1.620145}},
                {1.787339, 2.365025, 4.693885, 4.392151}});
}

TEST_CASE("score steps run in their order: softcap, ALiBi, then the formulas as written") {
  check_worked({{"score", "s-0.25*abs(q+Nk-Nq-k);2*tanh(s/2)"}}, {{}, {2.074897, 2.202365, 3.057244, 3.022443}});
  check_worked({{"score", "2*tanh(s/2);s-0.25*abs(q+Nk-Nq-k)"}}, {{}, {1.945027, 2.181160, 2.860423, 2.766097}});
  const Scenario s = with_steps({}, {{"score", "s+1;s*2"}, {"alibi", "1"}, {"softcap", "3"}});
  CHECK(score_formulas(s) == std::vector<std::string>{"3*tanh(s/3)", "s-slope*abs(q+Nk-Nq-k)", "s+1", "s*2"});
  Scenario from_first = s;
  from_first.shape.mask.diagonal = DiagonalFrom::top_left;
  CHECK(score_formulas(from_first)[1] == "s-slope*abs(q-k)");
}

TEST_CASE("softcap as an option and as a formula are equal in every bit and count") {
  for (const std::string& algorithm : takers()) {
    INFO(algorithm);
    Scenario s = small_causal();
    s.algorithm = algorithm;
    s.pass = Pass::forward;
    s = within_limits(s);
    if (algorithm == "flash3") s.dtype = Dtype::fp16;
    const Plan option = make_plan(with_steps(s, {{"softcap", "2"}}));
    const Plan formula = make_plan(with_steps(s, {{"score", "2*tanh(s/2)"}}));
    CHECK(totals_of(option) == totals_of(formula));
    const AttentionInputs inputs = draw_with_gradient(s, 3);
    CHECK(compute(option, inputs).o == compute(formula, inputs).o);
  }
}

TEST_CASE("softcap costs a tanh and two operations a score, ALiBi two and the slopes") {
  const Scenario s = wide("flash2");
  const Totals plain = totals_of(make_plan(s)), capped = totals_of(make_plan(with_steps(s, {{"softcap", "30"}}))),
               sloped = totals_of(make_plan(with_steps(s, {{"alibi", "1"}})));
  CHECK(plain.tanhs == Exps(0));
  CHECK(capped.tanhs == Exps(536'870'912));
  CHECK(capped.exps == plain.exps);
  CHECK(capped.other_flops - plain.other_flops == Flops(1'073'741'824));
  CHECK(capped.total == plain.total);
  CHECK(sloped.tanhs == Exps(0));
  CHECK(sloped.other_flops - plain.other_flops == Flops(1'073'741'824));
  CHECK(sloped.tensor(Tensor::slopes).read == Bytes(4'096));
  CHECK(sloped.total.read - plain.total.read == Bytes(4'096));
}

TEST_CASE("a backward pass computes the score again, its derivative, and a product with dS") {
  const Scenario s = wide("flash2", Pass::backward);
  const Totals plain = totals_of(make_plan(s));
  const auto more = [&](const Steps& steps) {
    const Totals with = totals_of(make_plan(with_steps(s, steps)));
    return std::pair((with.other_flops - plain.other_flops).count() / 536'870'912, with.tanhs.count() / 536'870'912);
  };
  CHECK(more({{"softcap", "30"}}) == std::pair<std::int64_t, std::int64_t>(5, 1));
  CHECK(more({{"softcap", "49"}}) == std::pair<std::int64_t, std::int64_t>(5, 1));
  CHECK(more({{"alibi", "1"}}) == std::pair<std::int64_t, std::int64_t>(2, 0));
}

TEST_CASE("functions of a formula other than tanh are exponentials of the count") {
  const Scenario s = wide("flash2");
  const Totals plain = totals_of(make_plan(s)),
               with = totals_of(make_plan(with_steps(s, {{"score", "log(exp(s)+1)"}})));
  CHECK(with.exps.count() == 3 * plain.exps.count());
  CHECK(with.tanhs == Exps(0));
}

TEST_CASE("standard attention has a kernel for each score step, and reads no matrix of biases") {
  Scenario s = wide("standard");
  s.shape.heads = s.shape.kv_heads = 1;
  const std::int64_t matrix = std::int64_t{2} * 4096 * 4096;
  const Totals plain = totals_of(make_plan(s));
  const Plan plan = make_plan(with_steps(s, {{"softcap", "30"}, {"alibi", "1"}}));
  const Totals with = totals_of(plan);
  CHECK(plan.launches[1].name == "modify");
  CHECK(plan.launches[2].name == "modify_2");
  CHECK(with.total.read - plain.total.read == Bytes(2 * matrix + 4 * 32 * 32));
  CHECK(with.total.written - plain.total.written == Bytes(2 * matrix));
}

TEST_CASE("gradients of programs and of the reference with score steps agree with central differences") {
  for (const GradientCase& of : gradient_cases) {
    const Scenario s = with_steps(small_causal(), of.steps);
    const Plan plan = make_plan(s);
    const Problem& p = plan.problem;
    const AttentionInputs inputs = draw_with_gradient(s, 5);
    const auto exact =
        attention_reference_backward(p.shape, static_cast<double>(p.scale), inputs, {}, p.score_steps.get());
    Written written(p.shape, inputs, of.score);
    const std::pair<std::vector<float> AttentionInputs::*, const std::vector<double>*> all[] = {
        {&AttentionInputs::q, &exact.d_q}, {&AttentionInputs::k, &exact.d_k}, {&AttentionInputs::v, &exact.d_v}};
    for (const auto& [input, gradient] : all) {
      for (std::size_t n = 0; n < gradient->size(); n += 7)
        CHECK((*gradient)[n] == Approx(written.gradient(input, n)).margin(2e-4));
    }
    const auto reference = attention_reference(p.shape, static_cast<double>(p.scale), inputs, {}, p.score_steps.get());
    for (std::int64_t head = 0; head < 8; ++head) {
      for (std::int64_t q = 0; q < 5; ++q)
        CHECK(reference.o[static_cast<std::size_t>((head * 5 + q) * 3)] ==
              Approx(written.output(head, q, 0)).margin(1e-6));
    }
  }
}

TEST_CASE("values and gradients of every program with score steps keep the rule of numerics") {
  for (const std::string& algorithm : takers()) {
    for (const GradientCase& of : gradient_cases) {
      for (const Dtype dtype : {Dtype::fp16, Dtype::fp32}) {
        Scenario s = small_causal();
        s.algorithm = algorithm;
        s.dtype = dtype;
        s.shape.head_dim = 8;
        const bool sloped = !of.steps.count("alibi") || of.steps.size() > 1;
        if (!has_backward(s) || (algorithm == "standard" && sloped)) s.pass = Pass::forward;
        if (find_program(algorithm)->pattern == PatternUse::of_tiles) s.pattern = read_pattern("window:2");
        INFO(algorithm << ' ' << of.steps.begin()->first);
        check_values_by_rule(within_limits(with_steps(s, of.steps)), 7);
      }
    }
  }
}

TEST_CASE("the published code of flash1 and flash2 keeps the rule of numerics with score steps") {
  for (const char* algorithm : {"flash1", "flash2"}) {
    Scenario s = with_steps({}, {{"softcap", "2"}, {"alibi", "1"}});
    s.algorithm = algorithm;
    s.tiling = TilingRule::released;
    s.pass = Pass::forward_backward;
    s.shape = {1, 3, 3, 70, 300, 32, {}};
    check_values_by_rule(s, 9);
  }
}

TEST_CASE("packed and unpacked heads of flash-decoding have the same heads, queries and slopes") {
  Scenario s;
  s.algorithm = "flash-decoding";
  s.dtype = Dtype::fp32;
  s.shape = {2, 12, 3, 1, 300, 16, {}};
  s = with_steps(s, {{"alibi", "1"}, {"score", "s+0.1*h-0.2*q+0.01*Nq"}});
  const AttentionInputs inputs = draw_with_gradient(s, 11);
  for (const std::int64_t splits : {1, 4}) {
    s.own = {{"splits", splits}, {"pack", 0}};
    const Plan alone = make_plan(s);
    s.own["pack"] = 1;
    const Plan packed = make_plan(s);
    CHECK(packed.problem.heads_in_rows == 4);
    const std::vector<float> a = compute(alone, inputs).o, b = compute(packed, inputs).o;
    for (std::size_t n = 0; n < a.size(); ++n) CHECK(b[n] == Approx(a[n]).margin(2e-6));
    CHECK(totals_of(alone).tensor(Tensor::slopes).read == Bytes(96 * splits));
    CHECK(totals_of(packed).tensor(Tensor::slopes).read == Bytes(96 * splits));
    check_values_by_rule(s, 11);
  }
}

TEST_CASE("counts, closed forms and a walk of every tile agree with random widths, masks, score steps and sinks") {
  const Steps choices[] = {{{"softcap", "30"}},
                           {{"alibi", "1"}},
                           {{"score", "s+0.01*s^3"}},
                           {{"softcap", "7"}, {"alibi", "1"}, {"score", "s*2;exp(s/9)"}},
                           {{"score", "s-slope*(q-k)^2;log(s*s+1);s"}}};
  Dice dice(17);
  int counted_scenarios = 0;
  while (counted_scenarios < 2000) {
    Scenario s = random_scenario(dice, {60, 24, 40, 3, 3});
    s.score_steps = choices[dice.between(0, 4)];
    if (dice.one_in(2)) s.shape.head_dim_v = dice.between(1, 24);
    if (dice.one_in(2)) draw_more_masks(dice, s.shape);
    draw_sinks(dice, s);
    if (!program_of(s)->score_steps || !scenario_error(s).empty()) continue;
    INFO(describe(s) << " dv " << s.shape.value_dim() << ' ' << joined(score_formulas(s), ";"));
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
    REQUIRE(totals_of(plan) == count_by_brute_force(plan));
    ++counted_scenarios;
  }
}

TEST_CASE("entries of a ragged batch have score steps of their own lengths") {
  Scenario s = with_steps({}, {{"score", "s+0.01*Nk*(q+Nk-Nq-k)"}, {"alibi", "1"}});
  s.shape.heads = s.shape.kv_heads = 2;
  s.sequences = std::make_shared<const SequenceClasses>(read_sequences("1 64 64, 2 32 96"));
  const Plan plan = make_plan(s);
  REQUIRE(plan.classes->size() == 2);
  CHECK((*plan.classes)[0].problem.score_steps->frame().seqlen_k == 64);
  CHECK((*plan.classes)[1].problem.score_steps->frame().seqlen_k == 96);
  CHECK(counted(plan) == closed_form(plan));
}

TEST_CASE("a score that a query sees must be finite, a hidden one need not be") {
  Scenario s = small_causal();
  const AttentionInputs inputs = draw_with_gradient(s, 5);
  s = with_steps(s, {{"score", "s/(q+Nk-Nq-k+1)"}});  // divides by 0 only where a pair is hidden
  CHECK_NOTHROW(compute(make_plan(s), inputs));
  s = with_steps(s, {{"score", "s/(q-3)"}});
  CHECK_THROWS_MATCHES(compute(make_plan(s), inputs), Error, Says("score: is {} where s = {} at {}: every score"));
  CHECK_THROWS_WITH(compute(make_plan(s), inputs), Contains("at q 3, k 0, h 0"));
  s = with_steps(s, {{"score", "s+1/(h-2)"}});
  CHECK_THROWS_WITH(compute(make_plan(s), inputs), Contains("inf") && Contains("at q 0, k 0, h 2"));
}

TEST_CASE("programs and passes that cannot have score steps refuse them by name") {
  Scenario s = with_steps({}, {{"softcap", "30"}});
  s.algorithm = "fmha";
  CHECK_THAT(scenario_error(s), Contains("softcap: is an option of ") && Contains("; fmha has none: leave it out"));
  s.algorithm = "standard";
  s.tiling = TilingRule::released;
  CHECK_THAT(scenario_error(s), Contains("softcap: ") && Contains("standard-pytorch has none"));
  s.tiling = TilingRule::kernel;
  s.pass = Pass::forward_backward;
  CHECK_THAT(scenario_error(s), Contains("standard keeps P and not the scores") && Contains("30*tanh(s/30)"));
  CHECK(scenario_error(with_steps(s, {{"alibi", "1"}})).empty());
  s.algorithm = "flash2";
  CHECK_THAT(scenario_error(with_steps(s, {{"score", "q+floor(2*s)"}})), Contains("at column 3 rounds s"));
  s.pass = Pass::forward;
  CHECK(scenario_error(with_steps(s, {{"score", "q+floor(2*s)"}})).empty());
}

TEST_CASE("another algorithm without score steps drops them") {
  const Scenario s = with_steps(wide("flash2"), {{"softcap", "30"}});
  CHECK(with_algorithm(s, "fmha").score_steps.empty());
  CHECK(with_algorithm(s, "flash3").score_steps.size() == 1);
}

TEST_CASE("score steps take time, of which no point tells how much, and none is saved") {
  for (const char* algorithm : {"flash2", "flash3", "flash1", "standard"}) {
    for (const std::int64_t d : {64, 128}) {
      INFO(algorithm << " d " << d);
      Scenario s = wide(algorithm);
      s.shape.head_dim = d;
      const Simulation plain = simulate(s), capped = simulate(with_steps(s, {{"softcap", "30"}})),
                       both = simulate(with_steps(s, {{"softcap", "30"}, {"alibi", "1"}}));
      CHECK(capped.microseconds > plain.microseconds);
      CHECK(both.microseconds > 0.99 * capped.microseconds);
      CHECK_FALSE(capped.accuracy.validated);
    }
  }
}
