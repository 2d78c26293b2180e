#include "sim/model/closed_form.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/support/independent_backward.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

Plan plan_of(const std::string& algorithm, const Mask& mask) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape = {2, 3, 1, 300, 400, 8, mask};
  s.br = 64;
  s.bc = 32;
  return make_plan(s);
}

std::string equation(const Plan& plan, Tensor tensor, Direction direction) {
  for (const TrafficTerm& term : closed_form_traffic(plan)) {
    if (term.tensor == tensor && term.direction == direction) return term.equation;
  }
  return "";
}

/// The product that an equation prints; takes the values of its symbols from `values` in order.
std::int64_t spelled_product(const std::string& equation, SymbolValues values) {
  std::istringstream factors(equation);
  std::int64_t result = 1;
  for (std::string factor; factors >> factor;) {
    if (std::isdigit(static_cast<unsigned char>(factor.front())) != 0) {
      result *= std::stoll(factor);
      continue;
    }
    require(!values.empty() && values.front().first == factor, "no value for ", factor);
    result *= values.front().second;
    values.erase(values.begin());
  }
  require(values.empty(), "more values than symbols");
  return result;
}

TEST_CASE("every program moves and computes what its closed forms give") {
  Dice dice(1);
  for (int i = 0; i < 4000; ++i) {
    const Scenario s = random_scenario(dice, {200, 24, 40, 3, 3});
    INFO(describe(s));
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
  }
}

TEST_CASE("large shapes move and compute what the closed forms give") {
  Dice dice(2);
  for (int i = 0; i < 300; ++i) {
    const Scenario s = random_scenario(dice, {20'000, 256, 300, 8, 8});
    INFO(describe(s));
    Scenario paper = s;  // its rule allows any tile
    paper.tiling = TilingRule::paper;
    paper = within_limits(paper);
    paper.own.erase("splits");  // drawn for the tiles of the other rule
    const Plan plan = make_plan(paper);
    REQUIRE(counted(plan) == closed_form(plan));
  }
}

TEST_CASE("the closed forms agree with plain loops that test every pair for visibility") {
  Dice dice(3);
  for (int i = 0; i < 1500; ++i) {
    const Scenario s = random_scenario(dice, {24, 6, 9, 2, 2});
    INFO(describe(s));
    const Plan plan = make_plan(s);
    REQUIRE(IndependentBackwardCount(plan).ledger() == closed_form(plan));
  }
}

namespace {

/// Draws scenarios with right windows, prefixes, documents and the other corner, and calls check(scenario) on those
/// that their programs take. Returns their number.
template <class Check>
int with_more_masks(std::uint64_t seed, int number, const Limits& most, Check check) {
  Dice dice(seed);
  int taken = 0;
  for (int i = 0; i < number; ++i) {
    Scenario s = random_scenario(dice, most);
    draw_more_masks(dice, s.shape);
    if (!scenario_error(s).empty()) continue;
    INFO(describe(s));
    check(s);
    ++taken;
  }
  return taken;
}

}  // namespace

TEST_CASE("right windows, prefixes, documents and a diagonal from the top left agree with plain loops over pairs") {
  CHECK(with_more_masks(61, 1500, {24, 6, 9, 2, 2}, [](const Scenario& s) {
          const Plan plan = make_plan(s);
          const Ledger closed = closed_form(plan);
          REQUIRE(IndependentBackwardCount(plan).ledger() == closed);
          REQUIRE(counted(plan) == closed);
        }) > 1400);
}

TEST_CASE("right windows, prefixes, documents and a diagonal from the top left follow the closed forms on any shape") {
  CHECK(with_more_masks(62, 3000, {200, 24, 40, 3, 3}, [](const Scenario& s) {
          const Plan plan = make_plan(s);
          REQUIRE(counted(plan) == closed_form(plan));
        }) > 2800);
}

TEST_CASE("when window and padding together hide every key, no program that skips tiles computes a score") {
  Dice dice(5);
  for (int i = 0; i < 600; ++i) {
    Scenario s = random_scenario(dice, {12, 4, 6, 2, 2});
    if (!skips_tiles(s)) continue;
    s.shape.mask.window = dice.between(0, 3);
    s.shape.mask.padding = s.shape.seqlen_q + *s.shape.mask.window + dice.between(0, 2);  // the window starts in it
    s.shape.seqlen_k = s.shape.mask.padding + dice.between(0, 9);
    s.own.erase("splits");
    INFO(describe(s));
    const Plan plan = make_plan(s);
    const Ledger closed = closed_form(plan);
    REQUIRE(closed.work.count({plan.launches.front().name, "exp_count"}) == 0);
    REQUIRE(IndependentBackwardCount(plan).ledger() == closed);
    REQUIRE(counted(plan) == closed);
  }
}

TEST_CASE("random scenarios reach both softmax kernels, dead row blocks and tiles with a mask inside") {
  Dice dice(1);
  int one_pass = 0, two_passes = 0, dead_rows = 0, skipped = 0;
  const std::size_t draws =
      400 * names_with_queries().size();  // each program is drawn as often, however many there are
  for (std::size_t i = 0; i < draws; ++i) {
    const Plan plan = make_plan(random_scenario(dice, {200, 24, 40, 3, 3}));
    const Shape& shape = plan.problem.shape;
    const bool row_fits = shape.seqlen_k * size_of(plan.problem.dtype) <= plan.problem.row_capacity.count();
    if (plan.program->name == "standard") ++(row_fits ? one_pass : two_passes);
    if (plan.program->name != "flash2" || !shape.mask.any()) continue;
    const Ledger ledger = closed_form(plan);
    const auto moved = [&](Tensor tensor, Direction direction) {
      const auto found = ledger.bytes.find({plan.launches.front().name, tensor, direction, Bucket::matrix});
      return found == ledger.bytes.end() ? 0 : found->second;
    };
    const std::int64_t row_blocks = ceil_div(shape.seqlen_q, plan.problem.tiling.br);
    const std::int64_t all_keys =
        product(shape.batch, shape.heads, row_blocks, shape.seqlen_k, shape.head_dim, size_of(plan.problem.dtype));
    if (moved(Tensor::Q, Direction::read) < moved(Tensor::O, Direction::write)) ++dead_rows;
    if (moved(Tensor::K, Direction::read) < all_keys) ++skipped;
  }
  CHECK(one_pass > 20);
  CHECK(two_passes > 20);
  CHECK(dead_rows > 20);
  CHECK(skipped > 20);
}

TEST_CASE("the factors of an equation multiply to the value of its term") {
  Dice dice(4);
  for (int i = 0; i < 200; ++i) {
    const Plan plan = make_plan(random_scenario(dice, {200, 24, 40, 3, 3}));
    for (const TrafficTerm& t : closed_form_traffic(plan)) {
      CHECK(spelled_product(t.equation, t.values) == t.bytes.count());
    }
    for (const WorkTerm& t : closed_form_work(plan)) CHECK(spelled_product(t.equation, t.values) == t.count);
  }
}

TEST_CASE("without a mask the equations name sizes and numbers of tiles, with one the sums over live tiles") {
  Mask causal;
  causal.causal = true;
  CHECK(equation(plan_of("flash2", {}), Tensor::K, Direction::read) == "B H Tr Nk d e");
  CHECK(equation(plan_of("flash2", causal), Tensor::K, Direction::read) == "B H Ak d e");
  CHECK(equation(plan_of("flash1", {}), Tensor::Q, Direction::read) == "B H Tc Nq d e");
  CHECK(equation(plan_of("flash1", causal), Tensor::Q, Direction::read) == "B H Aq d e");
  CHECK(equation(plan_of("memory-efficient", {}), Tensor::K, Direction::read) == "2 B H Tr Nk d e");
  CHECK(equation(plan_of("standard", causal), Tensor::Q, Direction::read) == "B H Tc Nq d e");
}

TEST_CASE("a kernel without equations is an error that names it") {
  Plan plan = plan_of("flash2", {});
  plan.launches.front().name = "flash9_forward";
  CHECK_THROWS_WITH(closed_form_traffic(plan), "closed form: kernel flash9_forward has no equations yet");
  CHECK_THROWS_AS(closed_form_work(plan), Error);
}

}  // namespace
}  // namespace sim
