// Predicted times of typical user scenarios against laws that every time must obey.
#include "tests/support/time_laws.h"

#include <catch2/catch.hpp>

using namespace sim;

namespace {

/// Checks parts, sums and bounds for every kernel. "More work is never faster" is required of 97 scenarios in 100,
/// where more work may also fill the time in which SMs idle at the end (time_laws.h), since the model jumps for three
/// reasons:
/// - CTAs in flight divide the bandwidth evenly, whatever each needs, and their time is linear between three rates.
/// - CTAs are issued in order. Such a schedule may end later when one of them gets shorter (Graham 1969).
/// - CTAs of unequal lengths drift apart, so each fetches its own blocks if the L2 does not hold all of K and V.
///   Without a mask all share. Where HBM bounds a kernel, a causal mask may save little.
void check_laws(int scenarios, std::uint64_t seed) {
  Dice dice(seed);
  int jumps = 0;
  for (int n = 0; n < scenarios; ++n) {
    const Scenario s = time_laws::draw(dice);
    if (!scenario_error(s).empty()) continue;
    bool jumped = false;
    for (const BrokenLaw& broken : time_laws::Laws(s).broken(dice)) {
      INFO(describe(s) << " on " << s.gpu->name << ": " << broken.law << ", " << broken.figures);
      CHECK(broken.is_monotony);
      CHECK(broken.ratio < 2);
      jumped = true;
    }
    jumps += jumped ? 1 : 0;
  }
  CHECK(jumps <= scenarios * 3 / 100);
}

/// Time of a scenario, after a check that no kernel takes less than one of its resources.
double bounded_time(const Scenario& s) {
  const Simulation simulation = simulate(s);
  for (const KernelMeters& kernel : simulation.kernels) {
    CHECK(kernel.time.budget.total() == Approx(kernel.time.microseconds));
    for (const auto& [resource, bound] : kernel.time.resources) {
      INFO(kernel.name << " " << resource);
      CHECK(kernel.time.microseconds >= bound);
    }
  }
  return simulation.microseconds;
}

}  // namespace

TEST_CASE("times of 100 scenarios obey their laws") { check_laws(100, 38); }

TEST_CASE("times of 5,000 scenarios obey their laws", "[slow]") { check_laws(5000, 37); }

TEST_CASE("scenarios whose times once broke the laws have plausible times: flash1 of many heads and long sequences") {
  const auto time_of = [](const std::string& algorithm, const char* gpu, std::int64_t batch, std::int64_t heads,
                          std::int64_t n, std::int64_t d) {
    Scenario s;
    s.algorithm = algorithm;
    s.gpu = built_in_gpu(gpu);
    s.shape.batch = batch;
    s.shape.heads = s.shape.kv_heads = heads;
    s.shape.seqlen_q = s.shape.seqlen_k = n;
    s.shape.head_dim = d;
    return bounded_time(s);
  };
  CHECK(time_of("flash1", "b200", 8, 32, 4096, 128) > 6678);
  CHECK(time_of("flash1", "b200", 8, 32, 8192, 128) > 2 * time_of("flash1", "b200", 8, 32, 4096, 128));
  CHECK(time_of("flash1", "h200", 16, 32, 16'384, 64) > time_of("flash2", "h200", 16, 32, 16'384, 64));
  CHECK(time_of("flash1", "h200", 1, 512, 65'536, 64) > 0);
}

TEST_CASE("patterns whose times were once below the roofline take as long as their slowest resource") {
  Scenario s;
  s.algorithm = "flash2";
  s.pass = Pass::backward;
  s.gpu = built_in_gpu("toy");
  s.shape = {14, 8, 1, 98'304, 98'304, 64, {true, 0, {}}};
  s.pattern.kind = PatternKind::random;  // all blocks are hidden: CTAs read their map only
  s.pattern.share = 0;
  CHECK(bounded_time(s) > 22'020);
  s.pass = Pass::forward;
  s.gpu = built_in_gpu("rtx-4090");
  s.dtype = Dtype::bf16;
  s.shape = {56, 5, 5, 547, 547, 128, {true, 0, {}}};
  s.pattern.kind = PatternKind::strided;
  s.pattern.reach = 8;
  CHECK(bounded_time(s) > 0);
}

TEST_CASE("times of flash3 grow with the number of keys also if a last row block is short") {
  Scenario s;
  s.algorithm = "flash3";
  s.gpu = built_in_gpu("h100-sxm");
  s.br = 192;
  s.bc = 144;
  double before = 0;
  for (const std::int64_t n : {400, 420, 436, 450, 500, 540}) {  // the last row block has 16 to 156 rows
    s.shape = {20, 38, 38, n, n, 96, {true, 0, {}}};
    const double time = bounded_time(s);
    INFO(n << " keys: " << time << " us after " << before);
    CHECK(time > before);
    before = time;
  }
}
