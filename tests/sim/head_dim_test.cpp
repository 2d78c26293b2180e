// Head dimensions between those that kernels exist for: the kernel of the next one runs, and moves the bytes of d.
#include <catch2/catch.hpp>

#include "sim/model/compiled_kernels.h"
#include "sim/model/scheduled_replay.h"
#include "tests/support/time_laws.h"

using namespace sim;

namespace {

Scenario of(const std::string& algorithm, std::int64_t d, const char* gpu = "h100-sxm") {
  Scenario s;
  s.algorithm = algorithm;
  s.gpu = built_in_gpu(gpu);
  s.shape = {.batch = 1, .heads = 128, .kv_heads = 128, .seqlen_q = 1024, .seqlen_k = 1024, .head_dim = d};
  return s;
}

std::int64_t kernel_d(const Scenario& s) { return make_plan(s).problem.kernel_dims.qk; }

/// Draws a scenario of the sizes that users type, with any d.
Scenario draw(Dice& dice) {
  Scenario s = time_laws::draw(dice);
  if (s.tiling == TilingRule::paper) s.tiling = TilingRule::kernel;  // its tiles follow d
  s.shape.head_dim = dice.one_in(2) ? dice.between(1, 320) : 32 * dice.between(1, 9);
  return within_limits(s);
}

}  // namespace

TEST_CASE("d between two compiled ones runs the kernel of the next, and above the last the next multiple of 64") {
  CHECK(kernel_d(of("flash2", 1)) == 32);
  CHECK(kernel_d(of("flash2", 32)) == 32);
  CHECK(kernel_d(of("flash2", 33)) == 64);
  CHECK(kernel_d(of("flash2", 80)) == 96);
  CHECK(kernel_d(of("flash2", 129)) == 192);
  CHECK(kernel_d(of("flash2", 193)) == 256);
  CHECK(kernel_d(of("flash2", 257)) == 320);
  CHECK(kernel_d(of("flash3", 1)) == 64);
  CHECK(kernel_d(of("flash3", 97)) == 128);
  CHECK(kernel_d(of("flash-decoding", 72)) == 96);
  CHECK(kernel_d(of("flash1", 33)) == 33);    // its kernels take any d
  CHECK(kernel_d(of("standard", 33)) == 33);  // GEMMs
  Scenario other = of("flash2", 33);
  other.dtype = Dtype::fp32;
  CHECK(kernel_d(other) == 33);  // the teaching kernel
  other = of("flash2", 33);
  other.tiling = TilingRule::paper;
  CHECK(kernel_d(other) == 33);
  CHECK(kernel_d(of("flash2", 33, "toy")) == 33);
}

TEST_CASE("a kernel for a wider head has its tiles, registers and occupancy, and moves the bytes of d") {
  for (const std::string algorithm : {"flash2", "flash3"}) {
    const Simulation narrow = simulate(of(algorithm, 100)), wide = simulate(of(algorithm, 128));
    const Tiling &a = narrow.plan.problem.tiling, &b = wide.plan.problem.tiling;
    CHECK(std::pair(a.br, a.bc) == std::pair(b.br, b.bc));
    CHECK(narrow.kernels[0].needs.smem == wide.kernels[0].needs.smem);
    CHECK(narrow.kernels[0].needs.registers == wide.kernels[0].needs.registers);
    CHECK(narrow.kernels[0].ctas_per_sm == wide.kernels[0].ctas_per_sm);
    const std::int64_t tensor = std::int64_t{128} * 1024 * 100 * 2;  // bytes of Q: heads, N, d, fp16
    CHECK(narrow.totals.by_tensor.at(Tensor::Q).read.count() == tensor);
    CHECK(narrow.totals.by_tensor.at(Tensor::O).written.count() == tensor);
    CHECK(narrow.totals.matmul_flops.count() == std::int64_t{4} * 128 * 1024 * 1024 * 100);
    // All but the copies takes as long as at d 128.
    CHECK(narrow.microseconds <= wide.microseconds);
    CHECK(narrow.microseconds > 0.95 * wide.microseconds);
    REQUIRE(narrow.warnings.size() == 1);
    CHECK_THAT(narrow.warnings[0],
               Catch::StartsWith("head-dim: " + algorithm + " has no tensor-core kernel for 100: tiles, "));
    CHECK(wide.warnings.empty());
  }
}

TEST_CASE("one element more of d is not faster where the list of compiled ones has a step") {
  // The first of each pair is compiled; estimated as a kernel of its own, the second once was up to 13 % faster.
  for (const auto& [algorithm, d] : std::vector<std::pair<std::string, std::int64_t>>{{"flash2", 32},
                                                                                      {"flash2", 64},
                                                                                      {"flash2", 96},
                                                                                      {"flash2", 128},
                                                                                      {"flash2", 192},
                                                                                      {"flash2", 256},
                                                                                      {"flash3", 64},
                                                                                      {"flash3", 96},
                                                                                      {"flash3", 128},
                                                                                      {"flash3", 192}}) {
    INFO(algorithm << " d " << d);
    const double time = simulate(of(algorithm, d)).microseconds, more = simulate(of(algorithm, d + 1)).microseconds;
    CHECK(more > time);
  }
}

TEST_CASE("no error of time is stated where instructions are estimated for d or for tiles") {
  const auto estimated = [](const Scenario& s) {
    const Simulation run = simulate(s);
    CHECK(is_estimated(run.plan) == !why_estimated(run.plan).empty());
    return is_estimated(run.plan) && !run.accuracy.validated;
  };
  CHECK_FALSE(estimated(of("flash2", 33)));  // the kernel for 64 is known
  CHECK(simulate(of("flash2", 64)).accuracy.validated);
  CHECK(simulate(of("flash2", 33)).accuracy.validated);
  CHECK(estimated(of("flash2", 192)));  // not compiled in this tree
  CHECK(estimated(of("flash2", 160)));
  CHECK(estimated(of("flash2", 257)));
  Scenario tiles = of("flash2", 64);
  tiles.br = 48;
  CHECK(estimated(tiles));
  CHECK(why_estimated(make_plan(of("flash-decoding", 300))) ==
        "instructions are estimated: no kernel of flash-decoding has a d above 256: it is timed as one of d 320");
}

TEST_CASE("tiles that do not fit the kernel that runs are refused with its head dimension") {
  Scenario s = of("flash2", 129, "t4");
  s.br = s.bc = 64;  // 64 x 129 x 3 fp16 take 48 KiB, 64 x 192 x 3 take 72
  CHECK_THROWS_WITH(simulate(s), Catch::Contains("head-dim 129 runs as the kernel of 192"));
  CHECK_FALSE(tiles_fit(s, 64, 64));
  CHECK(tiles_fit(s, 64, 32));
}

TEST_CASE("a replayed CTA of a wider kernel takes the time of its kernel's CTAs") {
  const Scenario s = of("flash2", 100);
  const Plan plan = make_plan(s);
  const Trace narrow = scheduled_replay(plan, plan.launches[0], {});
  const Plan other = make_plan(of("flash2", 128));
  const Trace wide = scheduled_replay(other, other.launches[0], {});
  REQUIRE(narrow.events.size() == wide.events.size());
  CHECK(narrow.events[0].bytes * 128 == wide.events[0].bytes * 100);
  CHECK(static_cast<double>(narrow.events.back().end.count()) >
        0.95 * static_cast<double>(wide.events.back().end.count()));
}

/// "Never faster" is required of 98 scenarios in 100, for the reasons of time_laws_test.cpp: CTAs that share an SM
/// interleave differently when a copy gets longer, and CTAs issued in order may end earlier. Of 4,941 pairs of drawn
/// scenarios with every d up to 300, 105 were faster, by 4.1 % at most; kernels estimated on their own were by 13 %.
namespace {
/// Compares scenarios of any program, device and size with those of one element more of d, in equal tiles.
void check_one_element_more(int scenarios) {
  Dice dice(54);
  int checked = 0, faster = 0;
  for (int n = 0; n < scenarios; ++n) {
    const Scenario drawn = draw(dice);
    if (!scenario_error(drawn).empty()) continue;
    try {
      const Scenario fixed = time_laws::with_fixed_choices(simulate(drawn));
      Scenario more = fixed;
      ++more.shape.head_dim;
      if (!scenario_error(more).empty()) continue;
      Simulation narrow = simulate(fixed), wide = simulate(more);
      const double time = narrow.microseconds, longer = wide.microseconds;
      if (longer < 0.95 * time) add_range(narrow), add_range(wide);
      if (narrow.range || wide.range) continue;  // HBM traffic that may go either of two ways
      INFO(describe(fixed) << " on " << fixed.gpu->name << ": " << time << " us, one more " << longer);
      CHECK(longer >= 0.95 * time);
      faster += longer < 0.999 * time ? 1 : 0;
      ++checked;
    } catch (const Error&) {  // tiles of the wider kernel do not fit
    }
  }
  CHECK(checked > scenarios / 2);
  CHECK(faster <= checked / 50);
}
}  // namespace

TEST_CASE("with equal tiles one element more of d is not faster in 30 drawn scenarios") { check_one_element_more(30); }

TEST_CASE("with equal tiles one element more of d is not faster in 500 drawn scenarios", "[slow]") {
  check_one_element_more(500);
}
