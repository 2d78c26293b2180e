// flash1 with the loop over Q outside: the order of the loops changes the traffic, not the values.
#include <catch2/catch.hpp>

#include "sim/model/simulation.h"

using namespace sim;

namespace {

Scenario scenario(const std::string& algorithm, Dtype dtype = Dtype::fp16) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape = {2, 4, 2, 200, 230, 32, {true, 9, {}}};
  s.br = 32;
  s.bc = 48;
  s.dtype = dtype;
  return s;
}

}  // namespace

TEST_CASE("flash1 gives the same O, bit for bit in fp32, whichever loop is outside") {
  for (const double dropout : {0.0, 0.2}) {
    Scenario inner = scenario("flash1", Dtype::fp32), outer = scenario("flash1-q-outer", Dtype::fp32);
    inner.dropout = outer.dropout = dropout;
    const AttentionInputs inputs = draw_inputs(inner.shape, inner.dtype, 5);
    CHECK(compute(make_plan(outer), inputs).o == compute(make_plan(inner), inputs).o);
  }
}

TEST_CASE("with Q outside flash1 moves the matrices of flash2 and no statistics") {
  const Totals one = simulate(scenario("flash1-q-outer")).totals, two = simulate(scenario("flash2")).totals;
  for (const Tensor matrix : {Tensor::Q, Tensor::K, Tensor::V, Tensor::O}) {
    CHECK(one.tensor(matrix) == two.tensor(matrix));
  }
  CHECK(one.bucket(Bucket::statistics).total() == Bytes{});
  CHECK(one.matmul_flops == two.matmul_flops);
  CHECK(one.other_flops > two.other_flops);  // O is divided in each iteration
}

TEST_CASE("Nd + 2 Tr Nd + Nd elements without a mask") {
  Scenario s;
  s.algorithm = "flash1-q-outer";
  CHECK(simulate(s).totals.total.total() == Bytes((2 + 2 * 1024 / 64) * 1024 * 64 * 2));
}

TEST_CASE("flash1 with Q outside has no backward pass: it keeps no statistics") {
  Scenario s = scenario("flash1-q-outer");
  s.pass = Pass::backward;
  CHECK_THROWS_WITH(make_plan(s), "pass: flash1-q-outer has no backward pass: forward");
}
