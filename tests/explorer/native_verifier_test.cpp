// Kernels run by the window, against the same kernels run directly.
#include "viz/explorer/native_verifier.h"

#include <catch2/catch.hpp>

#include "kernels/emulator/device.h"
#include "kernels/verify/choice.h"
#include "kernels/verify/verify.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"

namespace {

kernels::Verdict run_directly(const sim::OptionValues& options) {
  const sim::Scenario s = sim::scenario_from(options, sim::built_in_gpu);
  sim::AttentionInputs inputs = sim::draw_inputs(s.shape, s.dtype, s.seed);
  if (s.pass != sim::Pass::forward) inputs.d_o = sim::draw_output_gradient(s.shape, s.dtype, s.seed);
  sim::Simulation program = sim::simulate(s);
  const std::string kernel = kernels::choose_kernel(program.plan, std::nullopt, dev::Flavour::traced);
  const kernels::Verification verification(std::move(program), kernel, std::move(inputs));
  emulator::Options device;
  device.workers = 1;
  device.traced = true;
  emulator::EmulatedDevice emulated(device);
  return verification.run(emulated);
}

}  // namespace

TEST_CASE("the window shows the kernel results of flashscope verify", "[workers]") {
  for (const sim::OptionValues& options :
       {sim::OptionValues{{"seqlen", "100"}, {"causal", "1"}},
        sim::OptionValues{
            {"algorithm", "flash1"}, {"seqlen", "70"}, {"pass", "forward+backward"}, {"head-dim", "32"}}}) {
    const auto verifier = explorer::make_native_verifier(2);
    explorer::Verification verification(verifier, sim::scenario_from(options, sim::built_in_gpu));
    while (verification.advance()) {
    }
    REQUIRE(verification.error().empty());
    const kernels::Verdict direct = run_directly(options);
    REQUIRE_FALSE(direct.rows.empty());
    for (const kernels::VerdictRow& row : direct.rows) {
      INFO(row.quantity);
      const auto shown = std::find_if(verification.rows().begin(), verification.rows().end(),
                                      [&](const auto& each) { return each.quantity == row.quantity; });
      REQUIRE(shown != verification.rows().end());
      CHECK(shown->simulated == row.simulated);
      CHECK(shown->emulated == row.measured);
      CHECK(shown->tolerance == row.tolerance);
      CHECK(shown->ok == row.ok);
      CHECK(shown->cause == row.cause);
    }
  }
}

TEST_CASE("the window verifies a scenario that is too large at a smaller size with the same tiles", "[workers]") {
  explorer::Headless window("#algorithm=flash1&seqlen=8192&heads=16&head-dim=32&center=verification", {});
  window.explorer.model.world.verifier = explorer::make_native_verifier(2);
  window.driver.settle();
  finish(window);
  window.driver.click("verify");
  finish(window);
  CHECK(window.driver.shows("verification/error.O"));
  keep(window, "verified");
}

TEST_CASE("a scenario that the kernels reject has an error", "[workers]") {
  const auto verifier = explorer::make_native_verifier(1);
  const auto seconds = [&](const sim::OptionValues& options) {
    return verifier->seconds(sim::simulate(sim::scenario_from(options, sim::built_in_gpu)));
  };
  CHECK_THROWS_WITH(seconds({{"algorithm", "memory-efficient"}}), Catch::Contains("memory-efficient has no kernel"));
  CHECK_THROWS_WITH(seconds({{"head-dim", "12"}}), Catch::Contains("no head dim 12"));
  CHECK(seconds({{"seqlen", "2048"}}) > 3 * seconds({{"seqlen", "1024"}}));
}
