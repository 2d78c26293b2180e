// Values of a ragged batch: every entry has the values of a separate attention.
#include <catch2/catch.hpp>

#include "sim/model/softmax_row.h"
#include "sim/model/value_check.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/ragged.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

Scenario scenario_of(const std::string& algorithm, SequenceClasses classes) {
  Scenario s;
  s.algorithm = algorithm;
  if (algorithm != "flash-decoding") s.pass = Pass::forward_backward;
  s.shape.heads = 4;
  s.shape.kv_heads = 2;
  s.shape.head_dim = 16;
  s.shape.mask.causal = true;
  s.br = s.bc = 16;
  s.seed = 7;
  s.sequences = std::make_shared<const SequenceClasses>(std::move(classes));
  return s;
}

/// O and the gradients of all classes, concatenated.
std::vector<float> values_of(const Plan& plan, const AttentionInputs& inputs) {
  std::vector<float> all;
  for (const Plan& c : classes_of(plan)) {
    const AttentionInputs own = plan.classes == nullptr ? inputs : inputs_of_class(plan, inputs, c);
    const AttentionOutputs out = compute(c, own);
    CHECK(check_outputs(c, own, out).worst().max_abs_error < 0.05);
    for (const auto* values : {&out.o, &out.log_sum_exp, &out.d_q, &out.d_k, &out.d_v})
      all.insert(all.end(), values->begin(), values->end());
  }
  return all;
}

constexpr const char* programs_that_take_them[] = {"flash1", "flash2", "flash-decoding"};

}  // namespace

TEST_CASE("an entry of a ragged batch has the values of a separate attention, and its inputs follow those before it") {
  for (const char* algorithm : programs_that_take_them) {
    const Scenario s = scenario_of(algorithm, {{2, 20, 33}, {1, 7, 50}});
    const Plan plan = make_plan(s);
    const AttentionInputs all = inputs_of(s);
    CHECK(all.q.size() == 16U * 4 * (2 * 20 + 7));
    CHECK(all.v.size() == 16U * 2 * (2 * 33 + 50));
    const std::vector<float> together = values_of(plan, all);
    std::vector<float> apart;
    for (std::size_t n = 0; n < 2; ++n) {
      Scenario alone = s;
      alone.sequences = nullptr;
      alone.shape = shape_of(s, (*s.sequences)[n]);
      const auto own = values_of(make_plan(alone), inputs_of_class(plan, all, classes_of(plan)[n]));
      apart.insert(apart.end(), own.begin(), own.end());
    }
    INFO(algorithm);
    CHECK(together == apart);
  }
}

TEST_CASE("classes of the same lengths have the values of one batch, dropout among them") {
  for (const char* algorithm : programs_that_take_them) {
    Scenario s = scenario_of(algorithm, {{3, 20, 33}});
    s.pass = Pass::forward;
    s.dropout = 0.3;
    Scenario split = s;
    split.sequences = std::make_shared<const SequenceClasses>(SequenceClasses{{2, 20, 33}, {1, 20, 33}});
    Scenario plain = s;
    plain.sequences = nullptr;
    plain.shape = shape_of(s, s.sequences->front());
    const auto o_of = [](const Scenario& scenario) {
      const Plan plan = make_plan(scenario);
      std::vector<float> o;
      for (const Plan& c : classes_of(plan)) {
        const std::vector<float> own = compute(c, inputs_of_class(plan, inputs_of(scenario), c)).o;
        o.insert(o.end(), own.begin(), own.end());
      }
      return o;
    };
    INFO(algorithm);
    CHECK(o_of(split) == o_of(s));
    CHECK(o_of(s) == o_of(plain));
  }
}

TEST_CASE("a softmax row of a ragged batch is that of its entry") {
  for (const char* algorithm : programs_that_take_them) {
    Scenario s = scenario_of(algorithm, {{2, 20, 33}, {2, 7, 50}});
    s.pass = Pass::forward;
    const auto plan = std::make_shared<const Plan>(make_plan(s));
    const Plan& second = classes_of(*plan)[1];
    const std::vector<float> o = compute(second, inputs_of_class(*plan, inputs_of(s), second)).o;
    const std::int64_t head = 3 * 4 + 1, query = 6;  // head 1 of the last entry
    SoftmaxRow row(plan, head, query);
    row.finish();
    INFO(algorithm);
    CHECK(row.head() == head);
    const auto first = o.begin() + ((1 * 4 + 1) * 7 + query) * 16;
    CHECK(row.O() == std::vector<float>(first, first + 16));
    CHECK_THROWS_WITH(SoftmaxRow(plan, head, 7), Catch::Matchers::Contains("not a query from 0 to 6"));
    CHECK_THROWS_WITH(SoftmaxRow(plan, 16, 0), Catch::Matchers::Contains("not a query head from 0 to 15"));
  }
}

}  // namespace sim
