// Values of the programs against the reference in double, by the numerics rule.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include "sim/base/interrupt.h"
#include "sim/model/numerics_rule.h"
#include "sim/model/simulation.h"
#include "sim/programs/drawn_rows.h"
#include "tests/support/takes.h"

using namespace sim;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

Scenario scenario(const std::string& algorithm, std::int64_t n, std::int64_t d, Dtype dtype) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape.seqlen_q = s.shape.seqlen_k = n;
  s.shape.head_dim = d;
  s.dtype = dtype;
  return s;
}

/// Checks the numerics rule for one scenario on the given inputs.
void check_rule(const Scenario& s, const AttentionInputs& inputs) {
  if (!takes(s)) return;
  const Plan plan = make_plan(s);
  const double scale = static_cast<double>(plan.problem.scale);
  const AttentionReference reference = attention_reference(s.shape, scale, inputs);
  const double plain =
      check_values(attention_plain(s.shape, plan.problem.scale, s.dtype, inputs), reference.o).max_abs_error;
  const AttentionOutputs got = compute(plan, inputs);
  INFO(s.algorithm << " N " << s.shape.seqlen_q << " x " << s.shape.seqlen_k << " d " << s.shape.head_dim << ' '
                   << name_of(s.dtype));
  CHECK(check_values(got.o, reference.o).max_abs_error <= numerics::bound(2, plain, reference.o, s.dtype));
  if (!got.log_sum_exp.empty()) CHECK(check_values(got.log_sum_exp, reference.log_sum_exp, true).max_rel_error < 1e-5);
}

void check_rule(const Scenario& s) { check_rule(s, draw_inputs(s.shape, s.dtype, 7)); }

}  // namespace

TEST_CASE("O meets the numerics rule on every length and head dimension", "[repeats]") {
  for (const std::string& name : names_with_queries()) {
    for (const std::int64_t n : {1, 7, 64, 113, 128, 129, 257, 1000}) {
      for (const std::int64_t d : {16, 32, 64, 80, 128, 256}) {
        if (name == "memory-efficient" && n * d > 40000) continue;  // one row at a time: slow, and covered by the rest
        check_rule(scenario(name, n, d, n % 2 == 0 ? Dtype::fp16 : d % 32 == 0 ? Dtype::bf16 : Dtype::fp32));
      }
    }
  }
}

TEST_CASE("O meets the numerics rule in every dtype") {
  for (const std::string& name : names_with_queries()) {
    for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp32}) check_rule(scenario(name, 257, 64, dtype));
  }
}

TEST_CASE("O is as exact under every mask, with grouped heads and cross lengths", "[repeats]") {
  for (const std::string& name : names_with_queries()) {
    for (const auto& [nq, nk] :
         {std::pair<std::int64_t, std::int64_t>{1, 239}, {113, 203}, {203, 113}, {128, 217}, {239, 1}, {300, 300}}) {
      for (const Mask& mask :
           {Mask{true, 0, {}}, Mask{false, 1, {}}, Mask{true, 0, 50}, Mask{false, 0, 0}, Mask{true, 1, 17}}) {
        Scenario s = scenario(name, 1, 32, Dtype::fp32);
        s.shape = {2, 4, 2, nq, nk, 32, mask};
        check_rule(within_limits(s));
      }
    }
  }
}

TEST_CASE("extreme scores give the reference's values and never NaN") {
  for (const std::string& name : names_with_queries()) {
    for (const float size : {1e4f, -1e4f, 0.0f}) {
      Scenario s = scenario(name, 130, 16, Dtype::fp32);
      if (!takes(s)) continue;
      s.scale = 1;
      AttentionInputs inputs = draw_inputs(s.shape, s.dtype, 3);
      for (std::size_t n = 0; n < inputs.q.size(); ++n)
        inputs.q[n] = n % 16 == 0 ? size : 0.0f;  // scores: +-1e4 times k, or equal
      if (size != 0) {
        for (std::size_t n = 0; n < inputs.k.size(); n += 16) inputs.k[n] = n % 32 == 0 ? 1.0f : -1.0f;
      }
      const Plan plan = make_plan(s);
      const AttentionReference reference = attention_reference(s.shape, 1, inputs);
      const AttentionOutputs got = compute(plan, inputs);
      INFO(name << " scores of " << size);
      CHECK(check_values(got.o, reference.o).max_abs_error < 1e-5);
      for (const float value : got.o) REQUIRE(std::isfinite(value));
    }
  }
}

TEST_CASE("a score of -524288 for every key still gives the mean of V") {
  for (const std::string& name : names_with_queries()) {
    Scenario s = scenario(name, 20, 128, Dtype::fp32);
    if (!takes(s)) continue;
    if (find_program(name)->unified_max) s.range = ScoreRange{-100, 80};  // lower, exp(x - phi) is 0 for every key
    s.scale = 1;
    AttentionInputs inputs{std::vector<float>(20 * 128, 64.0f), std::vector<float>(20 * 128, -64.0f),
                           std::vector<float>(20 * 128, 1.0f)};
    for (const float value : compute(make_plan(s), inputs).o) CHECK(value == Approx(1.0f));
  }
}

TEST_CASE("a row that sees nothing gives O = 0 and L = -inf") {
  for (const std::string& name : names_with_queries()) {
    for (const Mask& mask : {Mask{true, 0, {}}, Mask{true, 30, 3}, Mask{false, 40, {}}}) {
      Scenario s = scenario(name, 1, 8, Dtype::fp32);
      s.shape = {1, 1, 1, 70, 40, 8, mask};
      s.br = 16;
      s.bc = 8;
      s = within_limits(s);
      const auto d = static_cast<std::size_t>(s.shape.head_dim);
      const AttentionOutputs got = compute(make_plan(s), draw_inputs(s.shape, s.dtype, 1));
      for (std::int64_t q = 0; q < 70; ++q) {
        const bool sees = !s.shape.visible_keys(q).empty();
        const std::size_t row = static_cast<std::size_t>(q);
        INFO(name << " row " << q);
        REQUIRE(std::isfinite(got.o[row * d]));
        if (!sees) CHECK(got.o[row * d] == 0.0f);
        if (!got.log_sum_exp.empty()) CHECK((got.log_sum_exp[row] == -infinity) == !sees);
      }
    }
  }
}

TEST_CASE("a row whose visible scores are all -inf gives O = 0") {
  for (const std::string& name : names_with_queries()) {
    Scenario s = scenario(name, 33, 1, Dtype::fp32);
    if (!takes(s)) continue;
    AttentionInputs inputs = draw_inputs(s.shape, s.dtype, 5);
    for (float& k : inputs.k) k = std::abs(k) + 0.1f;
    inputs.q[4] = -infinity;
    const AttentionOutputs got = compute(make_plan(s), inputs);
    CHECK(got.o[4] == 0.0f);
    CHECK(std::isfinite(got.o[3]));
  }
}

TEST_CASE("NaN and infinity in the inputs appear in the outputs wherever they do in the reference") {
  for (const std::string& name : names_with_queries()) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), infinity}) {
      for (const int which : {0, 1, 2}) {
        Scenario s = scenario(name, 90, 8, Dtype::fp32);
        if (!takes(s)) continue;
        s.shape.mask.causal = true;
        AttentionInputs inputs = draw_inputs(s.shape, s.dtype, 2);
        (which == 0 ? inputs.q : which == 1 ? inputs.k : inputs.v)[8 * 50 + 3] = bad;
        const Plan plan = make_plan(s);
        const AttentionReference reference =
            attention_reference(s.shape, static_cast<double>(plan.problem.scale), inputs);
        INFO(name << " input " << which << " bad " << bad);
        CHECK(check_values(compute(plan, inputs).o, reference.o).max_abs_error < 1e-5);
      }
    }
  }
}

TEST_CASE("unusual tiles give the same values") {
  for (const auto& [br, bc] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {3, 5}, {64, 16}, {16, 64}}) {
    for (const std::string name : {"flash1", "flash2", "standard"}) {
      Scenario s = scenario(name, 67, 24, Dtype::fp32);
      s.shape.mask = {true, 3, 20};
      s.br = br;
      s.bc = bc;
      check_rule(s);
    }
  }
}

TEST_CASE("standard gives the same O when a row of scores does not fit SMEM") {
  Scenario s = scenario("standard", 1000, 16, Dtype::fp32);
  s.br = s.bc = 8;
  s.sram = 4096;
  CHECK(make_plan(s).launches[1].grid.bc == 1000);
  check_rule(s);
  s.sram = 3072;  // 1000 x 4 bytes do not fit: softmax reads S twice
  CHECK(make_plan(s).launches[1].grid.bc == 8);
  check_rule(s);
}

TEST_CASE("the same inputs give the same bits twice") {
  const Scenario s = scenario("flash2", 200, 32, Dtype::fp16);
  const AttentionInputs inputs = draw_inputs(s.shape, s.dtype, 11);
  CHECK(compute(make_plan(s), inputs).o == compute(make_plan(s), inputs).o);
}

TEST_CASE("an error is relative to the largest value, and the largest error of all tensors counts") {
  const ValueCheck check = check_values({1, 2.5F, -4}, {1, 2, -4});
  CHECK(check.max_abs_error == 0.5);
  CHECK(check.max_rel_error == 0.125);
  const ValueChecks checks{{{Tensor::O, {0.5, 0.125}}, {Tensor::dQ, {0.25, 0.75}}}};
  CHECK(checks.worst().max_abs_error == 0.5);
  CHECK(checks.worst().max_rel_error == 0.75);
}

namespace {

/// Thrown by the interrupts of these tests.
struct Ended {};
thread_local int steps_left = 0;

void end_after_some_steps() {
  if (steps_left-- == 0) throw Ended();
}

/// The number of steps at which work can be interrupted.
template <class Work>
int steps_of(Work work) {
  constexpr int most = 1 << 30;
  steps_left = most;
  const Interruptible interruptible(end_after_some_steps);
  work();
  return most - steps_left;
}

}  // namespace

TEST_CASE("work on values can be interrupted at any of its steps, and is complete without an interrupt") {
  Scenario s = scenario("flash1", 200, 16, Dtype::fp16);
  s.pass = Pass::forward_backward;
  const Plan plan = make_plan(s);
  const AttentionInputs inputs = inputs_of(s);
  const std::array<std::function<void()>, 4> each = {
      [&] { attention_plain_backward(s.shape, 1.0f, Dtype::fp16, inputs); },
      [&] { attention_reference_backward(s.shape, 1.0, inputs); },
      [&] { compute(plan, inputs); },
      [&] { draw_inputs(s.shape, Dtype::fp16, 1); },
  };
  for (const std::function<void()>& work : each) {
    const int steps = steps_of(work);
    CHECK(steps > 2);
    for (const int step : {0, 1, steps / 2, steps - 1}) {
      steps_left = step;
      const Interruptible interruptible(end_after_some_steps);
      CHECK_THROWS_AS(work(), Ended);
    }
    CHECK_NOTHROW(work());  // this thread is no longer interruptible
  }
}
