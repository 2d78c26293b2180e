// The verification panel, with kernels that are made up. With FLASHSCOPE_PICTURES=folder its pictures are written
// there.
#include <catch2/catch.hpp>

#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "viz/panels/verification_table.h"

namespace {

using explorer::Headless;

/// Done after three slices; a tensor of its own, one row that fails.
class MadeUpRun : public explorer::VerifierRun {
 public:
  MadeUpRun() {
    emulated_.device = "a made-up device";
    emulated_.rows = {{"error.O", "max abs error", 1e-4, 2e-4, 1e-3, true, ""},
                      {"tile_traffic.by_tensor.Q.read_bytes", "bytes", 100, 100, 0, true, ""},
                      {"tile_traffic.total.read_bytes", "bytes", 100, 104, 0, false, "the kernel reads 4 bytes more"},
                      {"races", "races", 0, 0, 0, true, ""}};
    gpu_.missing = "there is none";
  }
  bool advance() override { return --left_ > 0; }
  std::string step() const override { return "reference in double"; }
  const explorer::DeviceVerdict& emulated() const override { return emulated_; }
  const explorer::DeviceVerdict& gpu() const override { return gpu_; }

 private:
  int left_ = 3;
  explorer::DeviceVerdict emulated_, gpu_;
};

class MadeUpVerifier : public explorer::Verifier {
 public:
  double seconds(const sim::Simulation& program) const override {
    sim::require(program.plan.scenario.algorithm != "memory-efficient", "algorithm: there is no such kernel");
    return 1e-6 * static_cast<double>(program.plan.problem.shape.seqlen_q);
  }
  std::unique_ptr<explorer::VerifierRun> begin(const sim::Scenario&) const override {
    return std::make_unique<MadeUpRun>();
  }
};

void give_kernels(Headless& window) {
  window.explorer.model.verifier = std::make_shared<MadeUpVerifier>();
  window.driver.settle();
  finish(window);
}

}  // namespace

TEST_CASE("without kernels the verification panel shows the simulation and the command line") {
  for (const std::string look : {"theme=dark", "theme=light", "lang=zh"}) {
    Headless window("#center=verification&pass=forward%2Bbackward&causal=1&" + look, {});
    finish(window);
    keep(window, "verification-" + look);
    CHECK_FALSE(window.driver.shows("verify"));
    CHECK(window.driver.shows("verification/tile_traffic.by_tensor.dO.read_bytes"));
    window.driver.click("copy-command");
    REQUIRE(window.explorer.model.wishes.size() == 1);
    CHECK(window.explorer.model.wishes.front() == explorer::Wish::copy_verify_command);
  }
}

TEST_CASE("a click runs the kernels, and what they showed stands beside the simulation") {
  Headless window("#center=verification", {});
  give_kernels(window);
  CHECK_FALSE(window.driver.shows("verification/races"));
  window.driver.click("verify");
  finish(window);
  CHECK(window.driver.shows("verification/races"));
  CHECK_FALSE(window.driver.shows("verify"));
  window.driver.hover("verification/tile_traffic.total.read_bytes");
  keep(window, "verification-fails");
}

TEST_CASE("a verification is rebuilt from its link") {
  Headless window("#center=verification&seqlen=300", {});
  give_kernels(window);
  window.driver.click("verify");
  finish(window);
  Headless again("#" + window.explorer.model.link(), {});
  CHECK(again.explorer.model.complaints().empty());
  give_kernels(again);
  CHECK(again.driver.shows("verification/races"));
  const bool same = window.driver.picture() == again.driver.picture();
  CHECK(same);
}

TEST_CASE("another scenario asks for a verification of its own") {
  Headless window("#center=verification", {});
  give_kernels(window);
  window.driver.click("verify");
  finish(window);
  window.explorer.model.set_option("seqlen", "512");
  window.driver.settle();
  finish(window);
  CHECK_FALSE(window.driver.shows("verification/races"));
  CHECK(window.driver.shows("verify"));
  window.explorer.model.undo();
  window.driver.settle();
  finish(window);
  CHECK(window.driver.shows("verification/races"));
}

TEST_CASE("a scenario without kernels says so and has no button") {
  Headless window("#center=verification&algorithm=memory-efficient", {});
  give_kernels(window);
  CHECK_FALSE(window.driver.shows("verify"));
  CHECK(window.driver.shows("copy-command"));
}

TEST_CASE("the verification panel is drawn in windows of all sizes") {
  for (const explorer::Size size : {explorer::Size{1280, 720}, {960, 600}, {1170, 2532, 3}, {3200, 2000, 2}}) {
    Headless window("#center=verification&algorithm=standard&pass=forward%2Bbackward&dropout=0.1&causal=1", size);
    give_kernels(window);
    window.driver.click("verify");
    finish(window);
    keep(window, sim::text("verification-", size.width));
    CHECK(window.driver.shows("verification/error.O"));
  }
}
