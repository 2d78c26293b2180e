// Counts of backward passes that the papers print, or that follow from their formulas.
#include <catch2/catch.hpp>

#include "sim/model/simulation.h"

namespace sim {
namespace {

/// One pass over the N x d and the N x N matrices of all heads of GPT-2 medium with batch 64, in fp16.
constexpr std::int64_t gpt2_heads = 64 * 16, nd = gpt2_heads * 1024 * 64 * 2, nn = gpt2_heads * 1024 * 1024 * 2;

Scenario gpt2_medium(const std::string& algorithm) {
  Scenario s;
  s.algorithm = algorithm;
  s.pass = Pass::forward_backward;
  s.shape.batch = 64;
  s.shape.heads = s.shape.kv_heads = 16;
  return s;
}

/// N x N backward of one head with tiles of any size.
Scenario backward(const std::string& algorithm, std::int64_t n, std::int64_t d, std::int64_t br, std::int64_t bc) {
  Scenario s;
  s.algorithm = algorithm;
  s.pass = Pass::backward;
  s.shape.seqlen_q = s.shape.seqlen_k = n;
  s.shape.head_dim = d;
  s.tiling = TilingRule::paper;
  s.br = br;
  s.bc = bc;
  return s;
}

std::int64_t elements(const Scenario& s, Bucket bucket, std::int64_t size) {
  return simulate(s).totals.bucket(bucket).total().count() / size;
}

TEST_CASE(
    "standard attention with causal mask and dropout has 18 N^2 + 12 Nd of compulsory traffic: 40.3 GB published") {
  Scenario s = gpt2_medium("standard");
  s.shape.mask.causal = true;
  s.dropout = 0.1;
  const std::int64_t bytes = simulate(s).compulsory.total().count();
  CHECK(bytes == 18 * nn + 12 * nd);
  CHECK(bytes == 40'265'318'400);
  s.pass = Pass::forward;
  CHECK(2 * simulate(s).compulsory.total().count() == 17 * nn + 8 * nd);  // 8.5 N^2 + 4 Nd
  s.pass = Pass::backward;
  CHECK(2 * simulate(s).compulsory.total().count() == 19 * nn + 16 * nd);  // 9.5 N^2 + 8 Nd
}

TEST_CASE("standard attention without mask and dropout has 11 N^2 + 12 Nd, as Algorithms 0 and 3 literally") {
  const std::int64_t bytes = simulate(gpt2_medium("standard")).compulsory.total().count();
  CHECK(bytes == 11 * nn + 12 * nd);
  CHECK(bytes == 25'232'932'864);
}

TEST_CASE("flash1 with the papers' tiles at 192 KiB moves 4.0 to 4.7 GB, 4.4 published, and overflows") {
  Scenario s = gpt2_medium("flash1");
  s.tiling = TilingRule::paper;
  s.sram = 192 * 1024;
  const Simulation result = simulate(s);
  CHECK(result.totals.bucket(Bucket::matrix).total().count() == 30 * nd);  // (2 + 3 Tc) + (4 + 5 Tc), Tc = 3
  CHECK(result.totals.total.total().count() >= 4'000'000'000);
  CHECK(result.totals.total.total().count() <= 4'700'000'000);
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0].find("166.7 % of the 196608 bytes of on-chip memory: they overflow") != std::string::npos);
}

TEST_CASE("the literal backward of flash1 is 4 Nd + 5 Tc Nd, 2 Tc N statistics and 3 Nd of initialisation") {
  for (const std::int64_t bc : {32, 100, 128, 512}) {
    const Scenario s = backward("flash1", 512, 32, 64, bc);
    const std::int64_t tc = ceil_div(512, bc), one = 512 * 32;
    CHECK(elements(s, Bucket::matrix, 2) == 4 * one + 5 * tc * one);
    CHECK(elements(s, Bucket::statistics, 4) == 2 * tc * 512);
    CHECK(elements(s, Bucket::initialisation, 2) == 3 * one);
  }
}

TEST_CASE("the worked example's backward moves 112 elements and 16 statistics in flash1, 176 compulsory in standard") {
  const Scenario flash1 = backward("flash1", 4, 2, 2, 2);
  CHECK(elements(flash1, Bucket::matrix, 2) == 112);
  CHECK(elements(flash1, Bucket::statistics, 4) == 16);
  CHECK(elements(flash1, Bucket::initialisation, 2) == 24);
  CHECK(simulate(backward("standard", 4, 2, 2, 2)).compulsory.total().count() == 176 * 2);
}

TEST_CASE("flash2's backward is 2 Nd + 2 Tc Nd in the dtype, fp32 dQ_acc per column block, and its two small kernels") {
  const std::int64_t n = 1024, d = 64, tc = 8, one = n * d;
  const Simulation s = simulate(backward("flash2", n, d, 64, 128));
  const auto total = [&](Tensor tensor) { return s.totals.tensor(tensor).total().count(); };
  CHECK(total(Tensor::K) + total(Tensor::V) + total(Tensor::dK) + total(Tensor::dV) == 4 * one * 2);
  CHECK(total(Tensor::Q) == tc * one * 2);
  CHECK(total(Tensor::dO) == (tc + 1) * one * 2);  // once more for D
  CHECK(total(Tensor::dQ_acc) == (2 * tc + 2) * one * 4);
  CHECK(s.totals.atomic.count() == tc * one * 4);
  CHECK(total(Tensor::D) == (tc + 1) * n * 4);
}

TEST_CASE("a backward pass has 8 N^2 d matrix FLOPs in standard attention, 10 when S is computed again") {
  const std::int64_t n = 256, d = 32;
  const auto flops = [&](const char* name) {
    return simulate(backward(name, n, d, 64, 64)).totals.matmul_flops.count();
  };
  CHECK(flops("standard") == 8 * n * n * d);
  CHECK(flops("flash1") == 10 * n * n * d);
  CHECK(flops("flash2") == 10 * n * n * d);
  CHECK(flops("memory-efficient") == 16 * n * n * d);  // S three times, dP twice, one product each
}

TEST_CASE("GPT-2 medium's passes have 12 and 14 N^2 d matrix FLOPs: 824.6 and 962.1 GFLOP") {
  CHECK(simulate(gpt2_medium("standard")).totals.matmul_flops.count() == 824'633'720'832);
  CHECK(simulate(gpt2_medium("flash1")).totals.matmul_flops.count() == 962'072'674'304);
}

TEST_CASE("memory of both passes is linear in N for the flash programs and quadratic for standard attention") {
  const auto extra = [](const std::string& algorithm, std::int64_t n, double dropout) {
    Scenario s;
    s.algorithm = algorithm;
    s.pass = Pass::forward_backward;
    s.shape.seqlen_q = s.shape.seqlen_k = n;
    s.dropout = dropout;
    return simulate(s).memory.extra_hbm.count();
  };
  for (const std::int64_t n : {512, 1024, 4096}) {
    CHECK(extra("standard", n, 0) == 3 * n * n * 2);            // P, dP and dS
    CHECK(extra("standard", n, 0.1) == 3 * n * n * 2 + n * n);  // P, dP_dropped, dP and the mask
    CHECK(extra("flash1", n, 0.1) == 2 * n * 4);                // l and m
    CHECK(extra("flash2", n, 0.1) == n * 64 * 4);               // dQ_acc; L and D are gone when dQ appears
    CHECK(extra("memory-efficient", n, 0) == 2 * n * 4);        // L and D
  }
}

TEST_CASE("dO is there from the backward pass on, gradients from the kernel that writes them to the end") {
  Scenario s;
  s.algorithm = "standard";
  s.pass = Pass::forward_backward;
  const auto over_time = memory_over_time(make_plan(s));
  const auto live = [&](std::size_t kernel, Tensor tensor) {
    const auto& tensors = over_time.at(kernel).tensors;
    return std::find(tensors.begin(), tensors.end(), tensor) != tensors.end();
  };
  REQUIRE(over_time.size() == 8);  // qk, softmax, pv | dv, dp, softmax_backward, dq, dk
  CHECK_FALSE(live(2, Tensor::dO));
  CHECK(live(3, Tensor::dO));
  CHECK(live(7, Tensor::dO));
  CHECK(live(1, Tensor::S));
  CHECK_FALSE(live(2, Tensor::S));
  CHECK(live(5, Tensor::P));
  CHECK_FALSE(live(6, Tensor::P));
  CHECK_FALSE(live(2, Tensor::dV));
  CHECK(live(3, Tensor::dV));
  CHECK(live(7, Tensor::dV));
}

}  // namespace
}  // namespace sim
