// Score steps by themselves: values and derivatives against formulas in C++, costs, slopes of ALiBi, refusals.
#include "sim/base/score.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/check.h"
#include "sim/base/named_steps.h"
#include "tests/support/says.h"

namespace sim {
namespace {

struct Place {
  double q, k, h, Nq, Nk, d, slope;
};
using Written = double (*)(double s, const Place& at);

struct Row {
  const char* formula;
  Written value;
  ScoreCost cost, slope_cost;
};

/// Formulas, the same in C++, their cost, and that of their derivative. Counted by hand.
const Row rows[] = {
    {"2*tanh(s/2)", [](double s, const Place&) { return 2 * std::tanh(s / 2); }, {2, 1, 0}, {2, 0, 0}},
    {"49*tanh(s/49)", [](double s, const Place&) { return 49 * std::tanh(s / 49); }, {2, 1, 0}, {2, 0, 0}},
    {"s-slope*abs(q+Nk-Nq-k)",
     [](double s, const Place& p) { return s - p.slope * std::abs(p.q + p.Nk - p.Nq - p.k); },
     {2, 0, 0},
     {0, 0, 0}},
    {"s-0.5*abs(q-k)", [](double s, const Place& p) { return s - 0.5 * std::abs(p.q - p.k); }, {1, 0, 0}, {0, 0, 0}},
    {"-slope*abs(q-k)+s", [](double s, const Place& p) { return s - p.slope * std::abs(p.q - p.k); }, {2, 0, 0}, {}},
    {"s+0.01*s^3", [](double s, const Place&) { return s + 0.01 * s * s * s; }, {4, 0, 0}, {3, 0, 0}},
    {"s*(1+s*(0.5+s*0.01))",
     [](double s, const Place&) { return s + 0.5 * s * s + 0.01 * s * s * s; },
     {5, 0, 0},
     {3, 0, 0}},
    {"s/(q+Nk-Nq-k+40)", [](double s, const Place& p) { return s / (p.q + p.Nk - p.Nq - p.k + 40); }, {1, 0, 0}, {}},
    {"s+exp(q-k)", [](double s, const Place& p) { return s + std::exp(p.q - p.k); }, {1, 0, 0}, {0, 0, 0}},
    {"exp(s/8)*log(s*s+1)",
     [](double s, const Place&) { return std::exp(s / 8) * std::log(s * s + 1); },
     {4, 0, 2},
     {5, 0, 0}},
    {"exp2(s/4)+log2(s*s+3)",
     [](double s, const Place&) { return std::exp2(s / 4) + std::log2(s * s + 3); },
     {4, 0, 2},
     {5, 0, 0}},
    {"sqrt(s*s+1)", [](double s, const Place&) { return std::sqrt(s * s + 1); }, {2, 0, 1}, {3, 0, 0}},
    {"abs(s)", [](double s, const Place&) { return std::abs(s); }, {0, 0, 0}, {1, 0, 0}},
    {"-s", [](double s, const Place&) { return -s; }, {0, 0, 0}, {0, 0, 0}},
    {"min(s,1)+max(s,-0.3,h)",
     [](double s, const Place& p) {
       return std::min(s, 1.0) + std::max({s, -0.3, p.h});
     },
     {4, 0, 0},
     {7, 0, 0}},
    {"(s*s+1)^2.5", [](double s, const Place&) { return std::pow(s * s + 1, 2.5); }, {3, 0, 2}, {4, 0, 2}},
    {"2^s", [](double s, const Place&) { return std::pow(2, s); }, {1, 0, 2}, {1, 0, 0}},
    {"s^1+s^0", [](double s, const Place&) { return s + 1; }, {1, 0, 0}, {0, 0, 0}},
    {"d*h", [](double, const Place& p) { return p.d * p.h; }, {0, 0, 0}, {0, 0, 0}},
    {"s^2/(1+s^2)", [](double s, const Place&) { return s * s / (1 + s * s); }, {4, 0, 0}, {5, 0, 0}}};

constexpr ScoreFrame frame{6, 9, 11, 16, 1};

Place place(std::int64_t q, std::int64_t k, std::int64_t h) {
  return {static_cast<double>(q), static_cast<double>(k), static_cast<double>(h), 9, 11, 16, alibi_slope(h, 6)};
}

/// Scores of a row, none of them where a formula of the table has no derivative.
std::vector<double> scores_of_row(std::int64_t q) {
  std::vector<double> scores;
  for (std::int64_t k = 0; k < 11; ++k) scores.push_back(std::sin(static_cast<double>(3 * q + k)) * 2.1 + 0.013);
  return scores;
}

std::vector<std::string> formulas_of(std::string_view option, std::string_view value) {
  for (const NamedStep& step : named_steps()) {
    if (step.name == option) return step.formulas(value, DiagonalFrom::bottom_right);
  }
  throw Error("no such step");
}

}  // namespace

TEST_CASE("a score step gives the values of its formula written in C++") {
  for (const Row& row : rows) {
    INFO(row.formula);
    const ScoreSteps steps({row.formula}, frame);
    for (const std::int64_t head : {0, 5, 13}) {  // 13: head 1 of the third batch entry
      for (std::int64_t q = 0; q < 9; ++q) {
        const std::vector<double> before = scores_of_row(q);
        std::vector<double> after = before;
        steps.modify<double>(head, q, {0, 11}, after.data(), nullptr);
        for (std::size_t k = 0; k < 11; ++k) {
          const double want = row.value(before[k], place(q, static_cast<std::int64_t>(k), head % 6));
          CHECK(after[k] == Approx(want).epsilon(1e-14).margin(1e-14));
        }
      }
    }
  }
}

TEST_CASE("the derivative of a score step agrees with central differences") {
  constexpr double h = 1e-5;
  for (const Row& row : rows) {
    INFO(row.formula);
    const ScoreSteps steps({row.formula}, frame);
    for (std::int64_t q = 0; q < 9; ++q) {
      const std::vector<double> s = scores_of_row(q);
      std::vector<double> value = s, slopes(11);
      steps.modify(3, q, {0, 11}, value.data(), slopes.data());
      for (std::size_t k = 0; k < 11; ++k) {
        const Place at = place(q, static_cast<std::int64_t>(k), 3);
        const double want = (row.value(s[k] + h, at) - row.value(s[k] - h, at)) / (2 * h);
        CHECK(slopes[k] == Approx(want).margin(2e-8).epsilon(1e-7));
      }
    }
  }
}

TEST_CASE("operators on scores and slopes cost, those on indices and numbers do not") {
  for (const Row& row : rows) {
    INFO(row.formula);
    const ScoreStep step = ScoreStep::parse(row.formula);
    CHECK(step.cost().operations == row.cost.operations);
    CHECK(step.cost().tanhs == row.cost.tanhs);
    CHECK(step.cost().exps == row.cost.exps);
    CHECK(step.slope_cost().operations == row.slope_cost.operations);
    CHECK(step.slope_cost().tanhs == row.slope_cost.tanhs);
    CHECK(step.slope_cost().exps == row.slope_cost.exps);
  }
}

TEST_CASE("the derivative of softcap costs two operations whatever its number") {
  for (int cap = 1; cap <= 100; ++cap) {
    const ScoreStep step = ScoreStep::parse(formulas_of("softcap", std::to_string(0.1 * cap)).front());
    CHECK(step.cost() == ScoreCost{2, 1, 0});
    CHECK(step.slope_cost() == ScoreCost{2, 0, 0});
    CHECK(step.has_slope());
  }
}

TEST_CASE("numbers of a formula that overflow when multiplied out stay as they are") {
  for (const char* formula : {"1e300*(1e300*s)", "1e300*s+1e308*s+1e308*s", "s/1e-300/1e-300", "0*(1e300*(1e300*s))"}) {
    INFO(formula);
    const ScoreSteps steps({formula}, frame);
    std::vector<double> score = {0}, slope = {0};
    CHECK_NOTHROW(steps.modify(0, 0, {0, 1}, score.data(), slope.data()));
    CHECK(score[0] == 0);
  }
}

TEST_CASE("a step whose derivative is 1 has no slope, and several slopes are multiplied") {
  CHECK_FALSE(ScoreStep::parse("s-slope*abs(q-k)").has_slope());
  CHECK_FALSE(ScoreStep::parse("2*(s/2)+h").has_slope());
  CHECK(ScoreStep::parse("s/2").has_slope());
  CHECK(ScoreStep::parse("k").has_slope());
  const ScoreSteps three({"2*tanh(s/2)", "s+k", "3*tanh(s/3)"}, frame);
  CHECK(three.cost() == ScoreCost{5, 2, 0});
  CHECK(three.slope_cost() == ScoreCost{5, 0, 0});
  CHECK(three.has_slope());
  CHECK_FALSE(three.reads_slopes());
  CHECK(three.only(1).cost() == ScoreCost{1, 0, 0});
}

TEST_CASE("whole powers up to 64 cost multiplications, others two functions") {
  const auto cost = [](const char* formula) { return ScoreStep::parse(formula).cost(); };
  CHECK(cost("s^2") == ScoreCost{1, 0, 0});
  CHECK(cost("s^3") == ScoreCost{2, 0, 0});
  CHECK(cost("s^7") == ScoreCost{4, 0, 0});
  CHECK(cost("s^64") == ScoreCost{6, 0, 0});
  CHECK(cost("s^65") == ScoreCost{1, 0, 2});
  CHECK(cost("s^0.5") == ScoreCost{1, 0, 2});
  CHECK(cost("s^-1") == ScoreCost{1, 0, 2});
  CHECK(cost("k^2.5*q") == ScoreCost{0, 0, 0});
}

TEST_CASE("the slopes of ALiBi halve from head to head, with others between them if heads are not a power of two") {
  for (std::int64_t h = 0; h < 8; ++h) CHECK(alibi_slope(h, 8) == std::exp2(-(static_cast<double>(h) + 1)));
  CHECK(alibi_slope(0, 16) == Approx(std::exp2(-0.5)));
  CHECK(alibi_slope(15, 16) == std::exp2(-8.0));
  for (std::int64_t h = 0; h < 4; ++h) {  // 12 heads: those of 8, and of 16 heads the first, third, fifth and seventh
    CHECK(alibi_slope(h, 12) == alibi_slope(h, 8));
    CHECK(alibi_slope(8 + h, 12) == alibi_slope(2 * h, 16));
  }
  CHECK(alibi_slope(0, 1) == std::exp2(-8.0));
}

TEST_CASE("rows of a packed program keep the heads and the query of their caller") {
  const ScoreSteps steps({"s+100*h+10*q+Nq"}, {12, 1, 64, 16, 4});
  std::vector<float> score = {0};
  steps.modify<float>(5, 3, {7, 8}, score.data(), nullptr);  // KV head 2 of the second batch entry, its last query head
  CHECK(score[0] == 100 * 11 + 1);
  CHECK(steps.slope_of(5, 3) == alibi_slope(11, 12));
  CHECK(steps.place(5, 3, 7) == "q 0, k 7, h 11");
}

TEST_CASE("a formula of scores that cannot be read is refused with its column") {
  using Catch::Contains;
  CHECK_THROWS_WITH(ScoreStep::parse("30*tan(s/30)"), Contains("unknown function \"tan\" at column 4"));
  CHECK_THROWS_WITH(ScoreStep::parse("s-t"), Contains("unknown name \"t\" at column 3") && Contains("Nk, d, slope"));
  CHECK_THROWS_WITH(formulas_of("score", "s;s*"), Contains("formula: expected a number") && Contains("at column 3"));
  CHECK_THROWS_WITH(formulas_of("score", "s;"), Contains("formula: is empty"));
  CHECK(ScoreStep::parse("q+ceil(s)").no_derivative() == 3);
  CHECK(ScoreStep::parse("s+floor(q/2)").no_derivative() == 0);
}

TEST_CASE("softcap takes numbers above 0") {
  CHECK(formulas_of("softcap", "30") == std::vector<std::string>{"30*tanh(s/30)"});
  for (const char* value : {"0", "-1", "nan", "inf", ""})
    CHECK_THROWS_MATCHES(formulas_of("softcap", value), Error, Says("softcap: {} is not a number above 0", value));
}

}  // namespace sim
