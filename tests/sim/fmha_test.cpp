// Fused attention of Apex: bytes, values, limits, and the published times compared with those of flash1.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/model/published.h"
#include "sim/model/simulation.h"
#include "tests/support/random_scenario.h"
#include "tests/support/values_rule.h"

using namespace sim;
using Catch::Contains;

namespace {

Scenario fmha(std::int64_t n, Pass pass = Pass::forward) {
  Scenario s;
  s.algorithm = "fmha";
  s.pass = pass;
  s.shape.seqlen_q = s.shape.seqlen_k = n;
  return s;
}

void check_values_of(const Scenario& s) {
  INFO(describe(s));
  check_values_by_rule(s, 7);
}

/// Milliseconds of both passes as published, of 64 x 16 heads.
double published(const std::string& algorithm, std::int64_t n) {
  for (const PublishedPoint& p : published_points()) {
    if (p.group == "fa1-paper-table7" && p.scenario.algorithm == algorithm && p.scenario.shape.seqlen_q == n &&
        p.scenario.pass == Pass::forward_backward)
      return p.value;
  }
  return 0;
}

}  // namespace

TEST_CASE("fmha writes P once and keeps no statistics: 4 Nd + N^2 forward, 7 Nd + 3 N^2 backward") {
  for (const std::int64_t n : {1, 100, 512}) {
    const Totals forward = simulate(fmha(n)).totals, backward = simulate(fmha(n, Pass::backward)).totals;
    CHECK(forward.total.total() == Bytes(2 * (4 * n * 64 + n * n)));
    CHECK(backward.total.total() == Bytes(2 * (7 * n * 64 + 3 * n * n)));
    CHECK(forward.bucket(Bucket::statistics).total() == Bytes{});
    CHECK(backward.exps == Exps(0));  // nothing is recomputed
    CHECK(backward.tensor(Tensor::P) == Traffic{Bytes(2 * n * n), Bytes{}});
    CHECK(backward.tensor(Tensor::dS) == Traffic{Bytes(2 * n * n), Bytes(2 * n * n)});
  }
}

TEST_CASE("the memory of fmha is quadratic, backward as well") {
  CHECK(simulate(fmha(512)).memory.extra_hbm == Bytes(2 * 512 * 512));
  CHECK(simulate(fmha(512, Pass::forward_backward)).memory.extra_hbm == Bytes(2 * 2 * 512 * 512));
}

TEST_CASE("fmha meets the numerics rule, with masks, dropout, grouped heads and cross lengths") {
  for (const auto& [nq, nk] :
       {std::pair<std::int64_t, std::int64_t>{1, 1}, {1, 239}, {113, 203}, {300, 17}, {97, 512}}) {
    for (const Mask& mask :
         {Mask{}, Mask{true, 0, {}}, Mask{false, nk / 2, {}}, Mask{true, 0, 20}, Mask{false, nk, {}}}) {
      Scenario s = fmha(1, Pass::forward_backward);
      s.shape = {1, 2, 1, nq, nk, 64, mask};
      s.dtype = nq % 2 == 0 ? Dtype::bf16 : Dtype::fp16;
      s.dropout = nk % 2 == 0 ? 0.1 : 0;
      check_values_of(s);
    }
  }
}

TEST_CASE("a query that sees nothing gets O = 0 of fmha, and leaves every gradient finite") {
  Scenario s = fmha(1, Pass::forward_backward);
  s.shape = {1, 1, 1, 70, 40, 64, {true, 0, {}}};
  AttentionInputs inputs = draw_inputs(s.shape, s.dtype, 1);
  inputs.d_o = draw_output_gradient(s.shape, s.dtype, 1);
  const AttentionOutputs got = compute(make_plan(s), inputs);
  for (std::size_t n = 0; n < 30 * 64; ++n) REQUIRE(got.o[n] == 0.0f);
  for (const auto* values : {&got.o, &got.d_q, &got.d_k, &got.d_v}) {
    for (const float value : *values) REQUIRE(std::isfinite(value));
  }
}

TEST_CASE("fmha of 512 keys fits on every device but the toy, both passes, with dropout") {
  for (const std::string& gpu : device_names()) {
    Scenario s = fmha(512, Pass::forward_backward);
    s.gpu = built_in_gpu(gpu);
    s.dropout = 0.1;
    INFO(gpu);
    if (gpu == "toy")
      CHECK_THROWS_WITH(simulate(s), Contains("K tile (512, 64) fp16 needs 64.0 KiB") || Contains("do not fit on toy"));
    else
      CHECK_NOTHROW(simulate(s));
  }
}

TEST_CASE("options that fmha lacks are refused with those it has") {
  const auto refused = [](auto change, const std::string& why) {
    Scenario s = fmha(512);
    change(s);
    CHECK_THROWS_WITH(make_plan(s), Contains(why));
  };
  refused([](Scenario& s) { s.shape.seqlen_q = 513; }, "seqlen-q: 513 is more than the 512 of fmha");
  refused([](Scenario& s) { s.shape.seqlen_k = 1024; }, "seqlen-k: 1024 is more than the 512 of fmha");
  refused([](Scenario& s) { s.shape.head_dim = 128; }, "head-dim: 128 is not the 64 of fmha");
  refused([](Scenario& s) { s.dtype = Dtype::fp32; }, "dtype: fp32 is not in fmha");
  refused([](Scenario& s) { s.bc = 64; }, "bc: 64 is not 512, all keys: the tiles of fmha are whole rows");
  Scenario all = fmha(300);
  all.bc = 300;
  CHECK(make_plan(all).problem.tiling.bc == 300);
}

TEST_CASE("the published FlashAttention-1 is 4 % slower than fmha at 128 tokens, 8 % and 5 % faster at 256 and 512") {
  const std::pair<std::int64_t, int> gains[] = {{128, -4}, {256, 8}, {512, 5}};
  for (const auto& [n, percent] : gains) {
    const double flash = published("flash1", n), apex = published("fmha", n);
    REQUIRE(flash > 0);
    CHECK(std::lround(100 * (apex / flash - 1)) == percent);
  }
}
