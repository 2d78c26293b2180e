// Attention after Rabe and Staats: a copy of O kept by each chunk, against the single one of flash1.
#include <catch2/catch.hpp>

#include "sim/model/simulation.h"
#include "tests/support/worked_example.h"

using namespace sim;
using Catch::Contains;

namespace {

Scenario rabe_staats(std::int64_t seqlen, std::int64_t chunk) {
  Scenario s;
  s.algorithm = "rabe-staats";
  s.shape.seqlen_q = s.shape.seqlen_k = seqlen;
  s.own["chunk"] = chunk;
  return s;
}

std::string message_of(const Scenario& s) {
  try {
    make_plan(s);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("each chunk keeps a copy of O and its statistics: Tc (Nd + 2N), not Nd + 2N") {
  const Scenario s = rabe_staats(4096, 256);
  const Plan plan = make_plan(s);
  const HbmTensor &parts = plan.problem.hbm.O_part, &one = plan.problem.hbm.O;
  CHECK(plan.problem.tiling.bc == 256);
  CHECK(plan.problem.parts == 16);
  CHECK(parts.elements() == 4'194'304);
  CHECK(one.elements() == 262'144);
  const std::int64_t statistics = 4 * 4096;
  CHECK(simulate(s).memory.extra_hbm.count() == 4 * 16 * (4096 * 64 + 2 * 4096) + statistics);
}

TEST_CASE("the parts are written once and read once, K and V are read once and Q once per chunk") {
  Scenario s = rabe_staats(1024, 128);
  s.shape.heads = s.shape.kv_heads = 4;
  const Totals moved = simulate(s).totals;
  const Bytes q(4 * 1024 * 64 * 2), part(8 * 4 * 1024 * 64 * 4), rows(8 * 4 * 1024 * 4);
  CHECK(moved.tensor(Tensor::K) == Traffic{q, Bytes{}});
  CHECK(moved.tensor(Tensor::Q) == Traffic{q * 8, Bytes{}});
  CHECK(moved.tensor(Tensor::O_part) == Traffic{part, part});
  CHECK(moved.tensor(Tensor::m_part) == Traffic{rows, rows});
  CHECK(moved.bucket(Bucket::statistics).total() == rows * 4 + Bytes(4 * 1024 * 4));
}

TEST_CASE("query heads of a KV head share its chunk: K and V once per KV head") {
  Scenario s = rabe_staats(512, 128);
  s.shape.heads = 8;
  s.shape.kv_heads = 2;
  CHECK(simulate(s).totals.tensor(Tensor::K).read == Bytes(2 * 512 * 64 * 2));
}

TEST_CASE("at 16,384 tokens and 8 heads the parts go through HBM: 8.9 GB") {
  Scenario s = rabe_staats(16'384, 128);
  s.shape.heads = s.shape.kv_heads = 8;
  const Simulation found = simulate(s);
  CHECK(static_cast<double>(found.hbm.total().count()) == Approx(8.94e9).epsilon(0.01));
}

TEST_CASE("the worked example in two chunks has the O and L of flash2") {
  Scenario s = example::scenario("rabe-staats", 1);
  const AttentionInputs inputs = inputs_of(s);
  const AttentionOutputs parts = compute(make_plan(s), inputs);
  const std::vector<float> O = {1.124282F, 1.337835F, 0.537883F, 1, 1, 1.700185F, 0.606971F, 1.261459F};
  const std::vector<float> L = {2.626523F, 2.626523F, 5.210998F, 4.882803F};
  REQUIRE(parts.o.size() == O.size());
  for (std::size_t n = 0; n < O.size(); ++n) CHECK(parts.o[n] == Approx(O[n]).margin(1e-6));
  for (std::size_t n = 0; n < L.size(); ++n) CHECK(parts.log_sum_exp[n] == Approx(L[n]).margin(1e-6));
}

TEST_CASE("a chunk that does not fit is answered with the largest keys and rows that do") {
  Scenario s = rabe_staats(4096, 1024);
  CHECK_THROWS_WITH(simulate(s), Contains("tiles (br 128, bc 1024) do not fit on h100-sxm") &&
                                     Contains("with --br 128 the largest --bc is") && !Contains("same size"));
}

TEST_CASE("chunk sets the Bc of rabe-staats and no other program takes it") {
  Scenario s = rabe_staats(1024, 64);
  s.bc = 64;
  CHECK(message_of(s).empty());
  s.bc = 32;
  CHECK_THAT(message_of(s), Contains("chunk: 64 and --bc 32 are the same size of rabe-staats: give one of them"));
  s.bc.reset();
  s.algorithm = "flash2";
  CHECK_THAT(
      message_of(s),
      Contains("chunk: is an option of rabe-staats; flash2 has none: add --algorithm rabe-staats, or leave it out"));
}

TEST_CASE("backward, a checkpointed chunk recomputes its S and its part of O: 12 N^2 d FLOPs and N^2 exponentials") {
  Scenario s = rabe_staats(1024, 128);
  s.pass = Pass::backward;
  const Totals moved = simulate(s).totals;
  CHECK(moved.matmul_flops == Flops(12 * 1024 * 1024 * 64));
  CHECK(moved.exps == Exps(1024 * 1024));
  const Bytes q(1024 * 64 * 2), accumulated(1024 * 64 * 4);
  CHECK(moved.tensor(Tensor::Q) == Traffic{q * 8, Bytes{}});
  CHECK(moved.tensor(Tensor::K) == Traffic{q, Bytes{}});
  CHECK(moved.tensor(Tensor::dQ_acc) == Traffic{accumulated * 9, accumulated * 9});
  Scenario two = s;
  two.algorithm = "flash2";
  two.own.clear();
  CHECK(moved.matmul_flops.count() * 10 == simulate(two).totals.matmul_flops.count() * 12);
}

TEST_CASE("both passes cut the keys into the same chunks on every device and head dimension") {
  for (const std::string& gpu : device_names()) {
    for (const std::int64_t d : {16, 64, 128, 256}) {
      for (const Dtype dtype : {Dtype::fp16, Dtype::fp32}) {
        Scenario s;
        s.algorithm = "rabe-staats";
        s.pass = Pass::forward_backward;
        s.shape.head_dim = d;
        s.dtype = dtype;
        s.dropout = 0.1;
        s.gpu = built_in_gpu(gpu);
        if (gpu == "toy" && d > 64) continue;  // no tiles of rabe-staats fit
        INFO(gpu << " d " << d << " " << name_of(dtype));
        const Plan plan = make_plan(s);
        CHECK(plan.launches.front().tiling.bc == plan.launches.back().tiling.bc);
        CHECK_NOTHROW(simulate(s));
      }
    }
  }
}
