// The view "GPUs", as users operate it: its numbers are those of the command line, clicks choose, and nothing overlaps.
#include "viz/panels/gpus/gpus.h"

#include <catch2/catch.hpp>

#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"

namespace {

using Catch::Contains;
using explorer::Headless;

const std::string llama =
    "algorithm=flash2&gpus=8&causal=1&seqlen=32768&heads=32&kv-heads=8&head-dim=128&dtype=bf16&center=gpus";

const std::vector<std::string> scenarios = {llama,
                                            llama + "&parallel=zigzag&gpu=h100-sxm:link_bytes_per_second=50G",
                                            "algorithm=flash3&gpus=2&seqlen=4096&center=gpus",
                                            "algorithm=flash2&gpus=64&causal=1&seqlen=65536&center=gpus",
                                            "algorithm=flash2&gpus=8&causal=1&seqlen=1000&center=gpus",
                                            "seqlen=512&center=gpus"};

}  // namespace

TEST_CASE("nothing of the view of GPUs overlaps in windows of any size", "[repeats]") {
  const explorer::Size sizes[] = {{1600, 1000, 1}, {1200, 700, 1}, {960, 600, 1}, {390, 844, 1}};
  for (std::size_t n = 0; n < scenarios.size(); ++n) {
    for (const explorer::Size& size : sizes) {
      for (const std::string look : {"", "&lang=zh&theme=light"}) {
        INFO(size.width << " x " << size.height << " #" << scenarios[n] << look);
        Headless window(scenarios[n] + look, size);
        window.driver.screen.texts.emplace();
        finish(window);
        CHECK(layout::text_of_faults(window) == "");
        keep(window, sim::text("gpus-", n, "-", size.width, look.empty() ? "" : "-zh"));
      }
    }
  }
}

TEST_CASE("three owners are side by side with the balance that simulate reports, and a click chooses one") {
  Headless window(llama, {1600, 1000, 1});
  finish(window);
  CHECK(shown(window, "gpus/balance/ring") == "53.3 %");
  CHECK(shown(window, "gpus/balance/striped") == "100.0 %");
  CHECK(shown(window, "gpus/balance/zigzag") == "100.0 %");
  CHECK_THAT(shown(window, "gpus/sentence"), Contains("is hidden behind each step"));
  window.driver.click("gpus/owner/zigzag");
  CHECK(window.explorer.model.world.subject(0).options.at("parallel") == "zigzag");
  window.driver.click("gpus/link/InfiniBand");
  CHECK_THAT(window.explorer.model.link(), Contains("link_bytes_per_second%3D50000000000"));
}

TEST_CASE("times of each owner are those of its run, by what takes them") {
  Headless window(llama, {1600, 1000, 1});
  const explorer::GpusMoment& moment = explorer::gpus_moment(window.explorer.model.world);
  REQUIRE(moment.owners().size() == 3);
  for (const explorer::OwnerRun& owner : moment.owners()) {
    sim::Scenario scenario = moment.scenario();
    scenario.parallel = owner.parallel;
    CHECK(owner.all() == Approx(sim::simulate(scenario).microseconds));
    CHECK(owner.computes > 0);
    CHECK(owner.imbalance >= -1e-6 * owner.computes);
  }
}

TEST_CASE("a run on one GPU says so, and its button sets eight") {
  Headless window("seqlen=512&center=gpus", {});
  CHECK_THAT(shown(window, "no gpus"), Contains("One GPU has the whole sequence"));
  window.driver.click("gpus/show");
  finish(window);
  CHECK(window.explorer.model.world.error().empty());
  CHECK_FALSE(window.driver.shows("gpus/show"));
  CHECK_FALSE(Headless("seqlen=512&center=wall", {1600, 1000, 1}).driver.shows("center/gpus"));
  CHECK(Headless("seqlen=512&gpus=2&center=wall", {1600, 1000, 1}).driver.shows("center/gpus"));
}
