// Predicted times of typical user scenarios against laws that every time must obey.
#include "tests/support/time_laws.h"

#include <catch2/catch.hpp>

using namespace sim;

namespace {

/// Checks parts, sums and bounds for every kernel. "More work is never faster" is required of 99 scenarios in 100,
/// since the model jumps for three reasons:
/// - Busy SMs divide the bandwidth evenly, even in a last wave that leaves most of them idle. Additional tiles fill
///   that wave, and the rest of it takes as long as before or a little less.
/// - CTAs are issued in order. Such a schedule may end later when one of them gets shorter (Graham 1969).
/// - L2 hits of large kernels are those of joined blocks and of a few heads; and an L2 smaller than the data streamed
///   at a time by columns that start at different rows has no hits under a causal mask, but without one all share.
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
      CHECK(broken.ratio < 1.6);
      jumped = true;
    }
    jumps += jumped ? 1 : 0;
  }
  CHECK(jumps <= scenarios / 100);
}

}  // namespace

TEST_CASE("times of 300 scenarios obey their laws") { check_laws(300, 38); }

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
    const Simulation simulation = simulate(s);
    for (const KernelMeters& kernel : simulation.kernels) {
      for (const auto& [resource, bound] : kernel.time.resources) {
        INFO(kernel.name << " " << resource);
        CHECK(kernel.time.microseconds >= bound);
      }
    }
    return simulation.microseconds;
  };
  CHECK(time_of("flash1", "b200", 8, 32, 4096, 128) > 6678);
  CHECK(time_of("flash1", "b200", 8, 32, 8192, 128) > 2 * time_of("flash1", "b200", 8, 32, 4096, 128));
  CHECK(time_of("flash1", "h200", 16, 32, 16'384, 64) > time_of("flash2", "h200", 16, 32, 16'384, 64));
  CHECK(time_of("flash1", "h200", 1, 512, 65'536, 64) > 0);
}
