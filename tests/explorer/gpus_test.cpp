// The view "GPUs", as users operate it: its numbers are those of the command line, clicks choose, and nothing overlaps.
#include "viz/panels/gpus/gpus.h"

#include <imgui.h>

#include <catch2/catch.hpp>

#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"

namespace {

using Catch::Contains;
using explorer::Headless;

const std::string shared = "algorithm=flash2&seqlen=32768&heads=32&kv-heads=8&head-dim=128&dtype=bf16&center=gpus",
                  dense = shared + "&gpus=8", llama = dense + "&causal=1";

const std::vector<std::string> scenarios = {
    llama,
    llama + "&parallel=zigzag&gpu=h100-sxm:link_bytes_per_second=50G&rank=3",
    "algorithm=flash3&gpus=2&seqlen=4096&center=gpus",
    "algorithm=flash2&gpus=64&causal=1&seqlen=65536&center=gpus&rank=20",
    "algorithm=flash2&gpus=8&causal=1&seqlen=1000&center=gpus",
    llama + "&parallel=gather&gpu=h100-sxm:link_bytes_per_second=8G",
    llama + "&parallel=ulysses",
    "algorithm=flash2&gpus=64&heads=64&seqlen=65536&parallel=gather&center=gpus",
    "algorithm=flash2&gpus=16&causal=1&seqlen=16384&parallel=striped&center=gpus",
    "algorithm=flash2&gpus=128&causal=1&seqlen=65536&center=gpus",
    "seqlen=512&center=gpus"};

const explorer::GpusMoment& moment_of(Headless& window) { return explorer::gpus_moment(window.explorer.model.world); }

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
  CHECK(shown(window, "gpus/reason/ring") ==
        "With whole tiles 53.2 %. The last GPU works in every step, the first in one.");
  CHECK_THAT(shown(window, "gpus/reason/striped"), Contains("97.0 %"));
  CHECK_THAT(shown(window, "gpus/reason/zigzag"), Contains("99.6 %"));
  CHECK(shown(window, "gpus/headline") == "8 GPUs: Zigzag takes 3.63 ms, Contiguous 6.37 ms");
  window.driver.click("gpus/owner/zigzag");
  CHECK(window.explorer.model.world.subject(0).options.at("parallel") == "zigzag");
}

TEST_CASE("a link is chosen with its latency") {
  Headless window(llama + "&parallel=zigzag", {1600, 1000, 1});
  finish(window);
  window.driver.click("gpus/link/InfiniBand");
  CHECK_THAT(window.explorer.model.link(),
             Contains("link_bytes_per_second%3D50000000000") && Contains("link_latency_nanoseconds%3D5000"));
  CHECK(moment_of(window).scenario().gpu->link_latency_nanoseconds == 5000);
  window.driver.click("gpus/link/NVLink 4");
  CHECK(moment_of(window).scenario().gpu->link_latency_nanoseconds == 2500);
}

TEST_CASE("a click on rows, a circle or a lane chooses a GPU, keys the next one, and links keep it") {
  Headless window(llama, {1600, 1000, 1});
  finish(window);
  explorer::Model& model = window.explorer.model;
  const auto chosen = [&] { return explorer::chosen_gpu(model.state.look, moment_of(window)); };
  CHECK(chosen() == 7);  // it computes in every step
  window.driver.click("gpus/circle/ring/2");
  CHECK(chosen() == 2);
  window.driver.click("gpus/lane/striped/5");
  CHECK(chosen() == 5);
  window.driver.click("gpus/rows/zigzag");  // its middle: both chunks there are of the last GPU
  CHECK(chosen() == 7);
  window.driver.click("gpus/lane/ring/4");
  window.driver.key(ImGuiKey_DownArrow);
  CHECK(chosen() == 5);
  for (int n = 0; n < 9; ++n) window.driver.key(ImGuiKey_UpArrow);
  CHECK(chosen() == 0);
  CHECK_THAT(model.link(), Contains("rank=0"));
  Headless other(model.link(), {1600, 1000, 1});
  CHECK(explorer::chosen_gpu(other.explorer.model.state.look, moment_of(other)) == 0);
  Headless beyond(llama + "&rank=99", {1600, 1000, 1});
  CHECK(explorer::chosen_gpu(beyond.explorer.model.state.look, moment_of(beyond)) == 7);
}

TEST_CASE("all-gather and Ulysses stand in the place of contiguous tokens, with what they send before and after") {
  Headless gather(llama + "&parallel=gather", {1600, 1000, 1});
  finish(gather);
  CHECK(moment_of(gather).own().parallel == sim::Parallel::gather);
  CHECK(&moment_of(gather).own() == &moment_of(gather).owners().front());
  CHECK(shown(gather, "gpus/balance/gather") == "53.3 %");
  CHECK_THAT(shown(gather, "gpus/sentence"), Contains("263.5 us") && Contains("nothing hides it"));
  CHECK(shown(gather, "gpus/threshold").empty());
  Headless ulysses(llama + "&parallel=ulysses", {1600, 1000, 1});
  finish(ulysses);
  CHECK(shown(ulysses, "gpus/balance/ulysses") == "100.0 %");
  CHECK_THAT(shown(ulysses, "gpus/reason/ulysses"), Contains("all tokens of 4 heads"));
  CHECK_THAT(shown(ulysses, "gpus/sentence"), Contains("O after it"));
}

TEST_CASE("a GPU between the first and the last that gather takes what its own run takes, within 5 %") {
  Headless window(llama + "&parallel=gather", {1600, 1000, 1});
  const explorer::OwnerRun& own = moment_of(window).own();
  for (std::int64_t gpu = 0; gpu < 8; ++gpu) {
    const sim::Scenario& kind = own.meters.run.kinds[static_cast<std::size_t>(gpu)];
    INFO("GPU " << gpu);
    CHECK(own.compute(0, gpu) == Approx(sim::simulate(kind).microseconds).epsilon(0.05));
  }
}

TEST_CASE("the sentence says which hops hide, and from how many tokens on all do") {
  const auto said = [](const std::string& more, const char* what = "gpus/sentence") {
    Headless window(more, {1600, 1000, 1});
    finish(window);
    return shown(window, what);
  };
  CHECK_THAT(said(llama + "&parallel=zigzag"), Contains("hides behind each step") && Contains("for the slowest"));
  CHECK_THAT(said(dense), Contains("no GPU waits"));
  CHECK_THAT(said(shared + "&gpus=2&causal=1"), Contains("hides behind each step"));
  CHECK_THAT(said(llama + "&parallel=zigzag&gpu=h100-sxm:link_bytes_per_second=8G"),
             Contains("is longer than each step"));
  CHECK_THAT(said(llama + "&gpu=h100-sxm:link_bytes_per_second=30G"), Contains("not behind those of"));
  CHECK_THAT(said(llama, "gpus/threshold"), Contains("n >= (e/2)(F/link)(Hk/H)"));
}

TEST_CASE("from the tokens of the sentence on a step at the run's speed takes as long as its hop, and not before") {
  Headless window(dense, {1600, 1000, 1});
  finish(window);
  const std::string text = shown(window, "gpus/threshold");
  const double least = std::stod(text.substr(text.find("n = ") + 4));
  const double of_run = moment_of(window).own().meters.timeline.front().compute;
  for (const double n : {least, least - 1}) {
    const double step = of_run * (n / 4096) * (n / 4096), hop = 2 * n * 8 * 128 * 2 / 450e9 * 1e6 + 2.5;
    CHECK((step >= hop) == (n == least));
  }
}

TEST_CASE("owners that the length refuses have no card, unless it is that of the run") {
  Headless window("algorithm=flash2&gpus=8&causal=1&seqlen=1000&center=gpus", {1600, 1000, 1});
  finish(window);
  CHECK(moment_of(window).owners().size() == 2);
  CHECK_FALSE(window.driver.shows("gpus/owner/zigzag"));
  CHECK(window.driver.shows("gpus/owner/striped"));
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
