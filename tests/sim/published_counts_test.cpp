// Counts that the papers and the blogs print, or that follow from their formulas at the sizes they use.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/programs/run.h"

namespace sim {
namespace {

constexpr std::int64_t kib = 1024;

/// N x N attention of one fp16 head.
Scenario scenario(const std::string& algorithm, std::int64_t n, std::int64_t d) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape.seqlen_q = s.shape.seqlen_k = n;
  s.shape.head_dim = d;
  s.gpu = built_in_gpu("a100-sxm-40gb");
  return s;
}

Scenario with_tiles(Scenario s, std::int64_t br, std::int64_t bc) {
  s.tiling = TilingRule::paper;  // allows any tile
  s.br = br;
  s.bc = bc;
  return s;
}

/// Puts the scenario on the papers' two-level model (no L2) with `sram` bytes.
Scenario on_paper(Scenario s, std::optional<std::int64_t> sram = {}) {
  s.tiling = TilingRule::paper;
  s.sram = sram;
  return s;
}

Totals totals_of(const Scenario& s) {
  Totals totals;
  for (const Trace& trace : count(make_plan(s))) add_to(totals, trace);
  return totals;
}

std::int64_t matrix_elements(const Scenario& s) {
  return totals_of(s).bucket(Bucket::matrix).total().count() / size_of(s.dtype);
}

std::int64_t statistics_elements(const Scenario& s) {
  return totals_of(s).bucket(Bucket::statistics).total().count() / 4;
}

/// Matrix traffic in passes over one N x d matrix.
double passes(const Scenario& s) {
  return static_cast<double>(matrix_elements(s)) / static_cast<double>(s.shape.seqlen_q * s.shape.head_dim);
}

/// Sums `amount` of the events of one verb and tensor over the grid.
template <class Amount>
std::int64_t sum_of(const Scenario& s, Verb verb, Tensor tensor, Amount amount) {
  std::int64_t sum = 0;
  for (const Trace& trace : count(make_plan(s))) {
    for (const Event& e : trace.events) {
      if (e.verb == verb && e.tensor == tensor) sum += amount(e) * e.times;
    }
  }
  return sum;
}

std::int64_t score_tiles(const Scenario& s) {
  return sum_of(s, Verb::gemm, Tensor::S, [](const Event&) { return std::int64_t{1}; });
}

std::int64_t flops_on_output(const Scenario& s, Verb verb) {
  return sum_of(s, verb, Tensor::O, [](const Event& e) { return e.other_flops; });
}

TEST_CASE("standard attention makes eight matrix HBM operations, 4 N d + 4 N^2 when one tile covers everything") {
  const Plan plan = make_plan(with_tiles(scenario("standard", 128, 64), 128, 128));
  std::int64_t operations = 0;
  for (const Launch& launch : plan.launches) {
    Totals totals;
    add_to(totals, count(plan, launch));
    for (const auto& [tensor, traffic] : totals.by_tensor) {
      operations += (traffic.read.count() > 0) + (traffic.written.count() > 0);
    }
  }
  CHECK(operations == 8);
  CHECK(matrix_elements(plan.scenario) == 4 * 128 * 64 + 4 * 128 * 128);
}

TEST_CASE("standard attention in 128 x 128 tiles reads Q, K and V once per block: 25 N d + 4 N^2 at N = 1024") {
  const Scenario s = with_tiles(scenario("standard", 1024, 64), 128, 128);
  const Totals totals = totals_of(s);
  constexpr std::int64_t pass = 1024 * 64 * 2;
  for (const Tensor tensor : {Tensor::Q, Tensor::K, Tensor::V}) CHECK(totals.tensor(tensor).read == Bytes(8 * pass));
  CHECK(matrix_elements(s) == 25 * 1024 * 64 + 4 * 1024 * 1024);
}

TEST_CASE("memory-efficient attention moves 3 N^2 d + 2 N d + 2 N elements, 45.2 times the standard 4 N d + 4 N^2") {
  const Scenario s = scenario("memory-efficient", 1024, 64);
  const std::int64_t elements = matrix_elements(s) + statistics_elements(s);
  CHECK(elements == 3 * 1024 * 1024 * 64 + 2 * 1024 * 64 + 2 * 1024);
  CHECK(static_cast<double>(elements) / (4 * 1024 * 64 + 4 * 1024 * 1024) == Approx(45.2).margin(0.05));
}

TEST_CASE("flash1 moves 2 N d + 3 Tc N d + 4 Tc N elements after initialising N d + 2 N") {
  const Scenario s = with_tiles(scenario("flash1", 1024, 64), 64, 128);
  CHECK(matrix_elements(s) == (2 + 3 * 8) * 1024 * 64);
  CHECK(statistics_elements(s) == 4 * 8 * 1024);
  CHECK(totals_of(s).bucket(Bucket::initialisation) == Traffic{Bytes(0), Bytes(1024 * 64 * 2 + 2 * 1024 * 4)});
}

TEST_CASE("flash2 moves 2 N d + 2 Tr N d + N elements and initialises nothing") {
  const Scenario s = with_tiles(scenario("flash2", 1024, 64), 64, 128);
  CHECK(matrix_elements(s) == (2 + 2 * 16) * 1024 * 64);
  CHECK(statistics_elements(s) == 1024);
  CHECK(totals_of(s).bucket(Bucket::initialisation) == Traffic{});
}

TEST_CASE("at the papers' blocks flash1 makes 11 passes over N d at N = 1024, d = 64, and flash2 18") {
  const Scenario flash1 = on_paper(scenario("flash1", 1024, 64));
  const Tiling tiling = make_plan(flash1).problem.tiling;
  CHECK(tiling.bc == 384);
  CHECK(tiling.br == 64);
  CHECK(passes(flash1) == 11);
  CHECK(passes(with_tiles(scenario("flash2", 1024, 64), 128, 128)) == 18);
}

TEST_CASE("with equal blocks flash2 moves a third less than flash1 in the limit") {
  const double n = 65536;
  const Scenario flash1 = with_tiles(scenario("flash1", 65536, 64), 128, 128);
  const Scenario flash2 = with_tiles(scenario("flash2", 65536, 64), 128, 128);
  CHECK(passes(flash1) == 2 + 3 * n / 128);
  CHECK(passes(flash2) == 2 + 2 * n / 128);
  CHECK(passes(flash2) / passes(flash1) == Approx(2.0 / 3).epsilon(0.001));
}

TEST_CASE("flash1 writes O once per column block: line 12 of Algorithm 1 is Tc N d, not N d") {
  const Scenario s = on_paper(scenario("flash1", 1024, 64));
  const auto elements = [](const Event& e) { return e.bytes / 2; };
  CHECK(sum_of(s, Verb::store, Tensor::O, elements) == 196'608);
  CHECK(sum_of(s, Verb::fill, Tensor::O, elements) == 65'536);
}

struct PaperBlocks {
  std::int64_t sram, d;
  Dtype dtype;
  std::int64_t bc, br;
};

TEST_CASE("the papers' block sizes are Bc = ceil(M / 4d), Br = min(Bc, d) with M in elements") {
  const auto [sram, d, dtype, bc, br] =
      GENERATE(PaperBlocks{192 * kib, 64, Dtype::fp16, 384, 64}, PaperBlocks{192 * kib, 64, Dtype::fp32, 192, 64},
               PaperBlocks{192 * kib, 128, Dtype::fp16, 192, 128}, PaperBlocks{100 * kib, 64, Dtype::fp16, 200, 64},
               PaperBlocks{100 * kib, 128, Dtype::fp16, 100, 100}, PaperBlocks{64 * kib, 64, Dtype::fp16, 128, 64},
               PaperBlocks{64 * kib, 128, Dtype::fp16, 64, 64});
  Scenario s = on_paper(scenario("flash1", 1024, d), sram);
  s.dtype = dtype;
  const Tiling tiling = make_plan(s).problem.tiling;
  CHECK(tiling.bc == bc);
  CHECK(tiling.br == br);
}

struct Fill {
  std::int64_t sram, d;
  double percent;
};

TEST_CASE("at the papers' blocks S comes on top of K, V, Q and O: 83.3 % of the SRAM at d = 64, overflow at d = 128") {
  const auto [sram, d, percent] = GENERATE(Fill{192 * kib, 64, 83.3}, Fill{192 * kib, 128, 108.3},
                                           Fill{64 * kib, 128, 112.5}, Fill{100 * kib, 128, 119.5});
  const Plan plan = make_plan(on_paper(scenario("flash1", 4096, d), sram));
  CHECK(plan.capacity.smem == Bytes(sram));
  const std::int64_t held = count(plan).front().peak_smem.count();
  CHECK(100.0 * static_cast<double>(held) / static_cast<double>(sram) == Approx(percent).margin(0.05));
}

TEST_CASE("exact attention is 4 N^2 d FLOPs of matrix products and N^2 exponentials, whatever the algorithm or block") {
  constexpr std::int64_t n = 1024, d = 64;
  for (const char* algorithm : {"standard", "flash1", "flash2"}) {
    for (const std::int64_t bc : {32, 64, 100, 128, 256, 384, 1024}) {
      const Totals totals = totals_of(with_tiles(scenario(algorithm, n, d), 64, bc));
      INFO(algorithm << " bc " << bc);
      CHECK(totals.matmul_flops == Flops(4 * n * n * d));
      if (std::string(algorithm) != "standard") CHECK(totals.exps == Exps(n * n));
    }
  }
}

TEST_CASE("the traffic of flash1 over Bc at batch 64 and 16 heads falls from 6.71 to 1.07 GB") {
  const std::vector<std::pair<std::int64_t, double>> sweep = {
      {64, 6.71}, {128, 3.49}, {256, 1.88}, {384, 1.48}, {512, 1.07}};
  for (const auto& [bc, gigabytes] : sweep) {
    Scenario s = with_tiles(scenario("flash1", 1024, 64), 64, bc);
    s.shape.batch = 64;
    s.shape.heads = s.shape.kv_heads = 16;
    const Traffic matrix = totals_of(s).bucket(Bucket::matrix);
    CHECK(static_cast<double>(matrix.total().count()) * 1e-9 == Approx(gigabytes).margin(0.005));
  }
}

TEST_CASE("beyond K and V, flash1 moves half as much with twice the SRAM, down to 5 N d with one column block") {
  constexpr std::int64_t n = 4096, d = 64;
  for (std::int64_t sram = 32 * kib; sram < 4 * n * d * 2; sram *= 2) {
    const double once = passes(on_paper(scenario("flash1", n, d), sram)) - 2;
    const double twice = passes(on_paper(scenario("flash1", n, d), 2 * sram)) - 2;
    CHECK(once == 2 * twice);
  }
  CHECK(passes(on_paper(scenario("flash1", n, d), 4 * n * d * 2)) == 5);
}

TEST_CASE(
    "twice the sequence at the same SRAM is four times the traffic of flash1: Theta(N^2 d^2 / M), not Theta(N d)") {
  const double once = static_cast<double>(matrix_elements(on_paper(scenario("flash1", 196'608, 64))));
  const double twice = static_cast<double>(matrix_elements(on_paper(scenario("flash1", 393'216, 64))));
  CHECK(twice / once == Approx(4).epsilon(0.001));
}

TEST_CASE("flash1 moves 3 d^2 / M of the traffic of standard attention in the limit: 0.24 at d = 64, 0.96 at d = 128") {
  const double n = 409'600;
  for (const auto& [d, ratio] : {std::pair{64, 0.24}, std::pair{128, 0.96}}) {
    const Scenario s = on_paper(scenario("flash1", 409'600, d), 100 * kib);
    CHECK(static_cast<double>(matrix_elements(s)) / (4 * n * d + 4 * n * n) == Approx(ratio).epsilon(0.002));
  }
}

TEST_CASE("flash2 rescales O with (Tc + 1) N d multiplications, 2.9 times fewer than the 3 Tc N d of flash1") {
  constexpr std::int64_t pass = 4096 * 64, tc = 32;
  const Scenario flash1 = with_tiles(scenario("flash1", 4096, 64), 64, 128);
  const Scenario flash2 = with_tiles(scenario("flash2", 4096, 64), 64, 128);
  const std::int64_t many = flops_on_output(flash1, Verb::rescale);
  const std::int64_t few = flops_on_output(flash2, Verb::rescale) + flops_on_output(flash2, Verb::divide);
  CHECK(many == 3 * tc * pass);
  CHECK(few == (tc + 1) * pass);
  CHECK(static_cast<double>(many) / static_cast<double>(few) == Approx(2.91).margin(0.005));
}

TEST_CASE("a causal mask leaves T (T + 1) / 2 of T^2 square tiles: 36 of 64, 136 of 256") {
  for (const auto& [blocks, live] : {std::pair{8, 36}, std::pair{16, 136}}) {
    for (const char* algorithm : {"flash1", "flash2"}) {
      Scenario s = with_tiles(scenario(algorithm, blocks * 128, 64), 128, 128);
      CHECK(score_tiles(s) == blocks * blocks);
      s.shape.mask.causal = true;
      CHECK(score_tiles(s) == live);
    }
  }
}

TEST_CASE("flash1 launches a CTA per head, flash2 one per head and row block: 32 and 4096 for 16k tokens") {
  for (const auto& [algorithm, ctas] : {std::pair{"flash1", 32}, std::pair{"flash2", 4096}}) {
    Scenario s = with_tiles(scenario(algorithm, 16'384, 64), 128, 128);
    s.shape.heads = s.shape.kv_heads = 32;
    CHECK(make_grid(s.shape, make_plan(s).launches.front().grid).ctas() == ctas);
  }
}

TEST_CASE("the worked example n = 4, d = 2 in 2 x 2 blocks") {
  const auto example = [](const char* algorithm) { return with_tiles(scenario(algorithm, 4, 2), 2, 2); };
  CHECK(matrix_elements(with_tiles(scenario("standard", 4, 2), 4, 4)) == 96);
  CHECK(matrix_elements(example("flash1")) == 64);
  CHECK(statistics_elements(example("flash1")) == 32);
  CHECK(totals_of(example("flash1")).bucket(Bucket::initialisation).written == Bytes(8 * 2 + 8 * 4));
  CHECK(matrix_elements(example("flash2")) == 48);
  CHECK(statistics_elements(example("flash2")) == 4);
  Scenario causal = example("flash2");
  causal.shape.mask.causal = true;
  CHECK(matrix_elements(causal) == 40);
  CHECK(statistics_elements(causal) == 4);
}

}  // namespace
}  // namespace sim
