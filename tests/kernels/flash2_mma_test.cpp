#include <catch2/catch.hpp>

#include "tests/support/kernel_check.h"

namespace {

/// A scenario with tiles of its own, so that a few short sequences have several of them.
sim::Scenario tiled(std::int64_t head_dim, std::int64_t br, std::int64_t bc) {
  sim::Scenario scenario;
  scenario.shape.head_dim = head_dim;
  scenario.br = br;
  scenario.bc = bc;
  return scenario;
}

}  // namespace

TEST_CASE("flash2 on tensor cores computes attention on the emulated device") {
  sim::Scenario scenario = tiled(64, 64, 64);
  for (const std::int64_t n : {1, 63, 64, 65, 130}) {
    scenario.shape.seqlen_q = n;
    scenario.shape.seqlen_k = n;
    kernel_check::values("flash2_mma", scenario);
  }
}
