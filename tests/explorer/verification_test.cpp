// The verification panel, with mock kernels. FLASHSCOPE_PICTURES=folder writes its pictures there.
#include <catch2/catch.hpp>

#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "tests/measurements/example.h"
#include "viz/panels/verification/recorded.h"
#include "viz/panels/verification/table.h"

namespace {

using explorer::Headless;

/// A mock run: done after three slices, with an additional tensor and one row that fails.
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
  window.explorer.model.world.verifier = std::make_shared<MadeUpVerifier>();
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
    REQUIRE(window.explorer.model.requests.size() == 1);
    CHECK(window.explorer.model.requests.front() == explorer::Request::copy_verify_command);
  }
}

TEST_CASE("recorded figures of a scenario are shown without a click, with their origin in the footer") {
  const std::vector<measurements::Recording> none,
      some = {measurements::parse_recording(example_recording, "example.csv")};
  const std::string scenario = "#center=verification&heads=2&seqlen=256&causal=1";
  for (const std::string look : {"theme=dark", "theme=light", "lang=zh"}) {
    std::vector<platform::Picture> pictures;
    for (const std::string gpu : {"h200", "t4"}) {
      for (const auto* recordings : {&none, &some}) {
        Headless window(scenario + "&gpu=" + gpu + "&" + look, {});
        window.explorer.model.world.recordings = recordings;
        window.driver.settle();
        finish(window);
        if (recordings == &some) keep(window, "recorded-" + gpu + "-" + look);
        CHECK_FALSE(window.driver.shows("verify"));
        pictures.push_back(window.driver.picture());
      }
    }
    const bool figures_seen = pictures[0] != pictures[1], elsewhere_said = pictures[2] != pictures[3];
    CHECK(figures_seen);
    CHECK(elsewhere_said);
  }
}

TEST_CASE("a narrow window shows the column of recorded figures") {
  const std::vector<measurements::Recording> some = {measurements::parse_recording(example_recording, "example.csv")};
  Headless window("#center=verification&heads=2&seqlen=256&causal=1&gpu=h200", explorer::Size{390, 1400});
  window.explorer.model.world.recordings = &some;
  window.driver.settle();
  finish(window);
  keep(window, "recorded-narrow");
  const platform::Picture with = window.driver.picture();
  std::vector<measurements::Recording> other = some;  // the same label and another figure
  other[0].figures[0].value = 21.5;
  window.explorer.model.world.recordings = &other;
  window.driver.settle();
  const bool same = with == window.driver.picture();
  CHECK_FALSE(same);
}

TEST_CASE("recorded figures stay next to the kernels' results, and the tooltip names their recording") {
  const std::vector<measurements::Recording> some = {measurements::parse_recording(example_recording, "example.csv")};
  Headless window("#center=verification&heads=2&seqlen=256&causal=1&gpu=h200", {});
  window.explorer.model.world.recordings = &some;
  give_kernels(window);
  window.driver.click("verify");
  finish(window);
  CHECK(window.driver.shows("verification/races"));
  window.driver.wheel("verification/error.O", -40);
  window.driver.settle();
  window.driver.hover("verification/time");
  keep(window, "recorded-verified");
  window.explorer.model.world.recordings = &measurements::recordings();
  const auto with = window.driver.picture();
  window.driver.settle();
  const bool same = with == window.driver.picture();
  CHECK_FALSE(same);
}

TEST_CASE("a click runs the kernels, and their results are shown next to the simulation") {
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
  // Includes batch and heads, as copied links do: the command below the table shows the given options.
  Headless window("#center=verification&batch=1&heads=1&seqlen=300", {});
  give_kernels(window);
  window.driver.click("verify");
  finish(window);
  Headless again("#" + window.explorer.model.link(), {});
  CHECK(again.explorer.model.link_errors.empty());
  give_kernels(again);
  CHECK(again.driver.shows("verification/races"));
  const bool same = window.driver.picture() == again.driver.picture();
  CHECK(same);
}

TEST_CASE("a verification is restored from an older link without batch and heads") {
  Headless window("#center=verification&seqlen=300&verify=algorithm%3Dflash2%26seqlen%3D300", {});
  give_kernels(window);
  CHECK(window.driver.shows("verification/races"));
}

TEST_CASE("another scenario needs its own verification") {
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

TEST_CASE("a scenario without kernels shows no button") {
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
