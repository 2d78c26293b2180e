// The form for a variant of a known GPU, as users operate it.
#include <catch2/catch.hpp>

#include "sim/machine/device_override.h"
#include "sim/report/numbers.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "viz/panels/scenario/device_words.h"

namespace {

using Catch::Contains;
using explorer::Headless;

const std::string form = "batch=4&heads=32&seqlen=2048&overlay=device";

std::string gpu_of(const Headless& window) { return window.explorer.model.world.subject(0).scenario().gpu->name; }

void type(Headless& window, const std::string& field, const std::string& text) {
  window.driver.click("device/" + field);
  window.driver.type(text);
  window.driver.key(ImGuiKey_Enter);
}

}  // namespace

TEST_CASE("the last choice of the GPU menu opens the form of its fields") {
  Headless window("batch=4&heads=32&seqlen=2048", {});
  window.driver.click("gpu");
  window.driver.click("gpu/like-this");
  CHECK(window.explorer.model.state.look.overlay == explorer::Overlay::device);
  CHECK(shown(window, "device/sm_count") == "132 SM");
  CHECK(gpu_of(window) == "h100-sxm");
  keep(window, "device-form");
  window.driver.key(ImGuiKey_Escape);
  CHECK(window.explorer.model.state.look.overlay == explorer::Overlay::none);
}

TEST_CASE("a value typed with its suffix is in the scenario and the link in canonical form") {
  Headless window(form, {});
  type(window, "l2_bytes", "25Mi");
  CHECK(gpu_of(window) == "h100-sxm:l2_bytes=26214400");
  type(window, "sm_count", "114");
  CHECK(gpu_of(window) == "h100-sxm:sm_count=114:l2_bytes=26214400");
  CHECK(shown(window, "device/l2_bytes") == "25 MiB");
  CHECK_THAT(window.explorer.model.link(), Contains("gpu=h100-sxm:sm_count%3D114:l2_bytes%3D26214400") ||
                                               Contains("gpu=h100-sxm:sm_count=114:l2_bytes=26214400"));
  CHECK(window.explorer.model.world.run().simulation.microseconds ==
        sim::simulate(sim::scenario_from(window.explorer.model.state.options, sim::built_in_gpu)).microseconds);
  Headless again(window.explorer.model.link(), {});
  CHECK(gpu_of(again) == gpu_of(window));
  window.explorer.model.undo();
  CHECK(gpu_of(window) == "h100-sxm:l2_bytes=26214400");
}

TEST_CASE("the form shows which values differ from the table and which scale with them, and resets values") {
  Headless window(form + "&gpu=h100-sxm:sm_count=114:l2_bytes=26214400", {});
  for (const std::string field : {"sm_count", "l2_bytes"}) {
    CHECK_THAT(shown(window, "device/summary"), Contains(field));
    CHECK(window.driver.screen.state.probes.contains("device/" + field + "/reset"));
  }
  for (const std::string field : {"l2_effective_bytes", "l2_bytes_per_second"}) {
    CHECK_THAT(shown(window, "device/summary"), Contains(field));
    CHECK(shown(window, "device/" + field + "/note") == "scaled");
  }
  keep(window, "device-form-changed");
  window.driver.click("device/sm_count/reset");
  CHECK(gpu_of(window) == "h100-sxm:l2_bytes=26214400");
  window.driver.click("device/reset");
  CHECK(gpu_of(window) == "h100-sxm");
  CHECK_FALSE(window.driver.screen.state.probes.contains("device/reset"));
}

TEST_CASE("an impossible value is reported while it is typed, and not applied") {
  Headless window(form, {});
  for (const auto& [field, value, why] : {std::tuple{"l2_bytes", "big", "is not a number"},
                                          {"sm_count", "1000000", "is not plausible"},
                                          {"l2_effective_bytes", "100Mi", "contradicts"}}) {
    INFO(field << " " << value);
    type(window, field, value);
    CHECK_THAT(shown(window, "device/summary"), Contains(field) && Contains(why));
    if (std::string(field) == "sm_count") keep(window, "device-form-wrong");
    CHECK(gpu_of(window) == "h100-sxm");
    window.driver.key(ImGuiKey_Escape);
    CHECK(gpu_of(window) == "h100-sxm");
    CHECK(window.explorer.model.state.look.overlay == explorer::Overlay::device);
  }
}

TEST_CASE("a GPU from a file keeps its name, and a missing file is an error in the form") {
  bool gone = false;
  const auto find = [&](const std::string& name) -> std::shared_ptr<const sim::DeviceSpec> {
    sim::require(!gone || name != "cards/mine.toml", "gpu: cards/mine.toml cannot be read");
    return sim::built_in_gpu(name == "cards/mine.toml" ? "t4" : name);
  };
  Headless window(form + "&gpu=cards/mine.toml", {}, find);
  type(window, "sm_count", "20");
  CHECK(window.explorer.model.state.options.at("gpu") == "cards/mine.toml:sm_count=20");
  gone = true;
  window.driver.settle();
  CHECK_THAT(shown(window, "device/summary"), Contains("cannot be read"));
  gone = false;
  window.driver.settle();
  window.driver.click("device/reset");
  CHECK(window.explorer.model.state.options.at("gpu") == "cards/mine.toml");
}

TEST_CASE("on a phone and in Chinese the form has the same rows") {
  for (const std::string more : {"&theme=light", "&lang=zh", "&lang=zh&theme=light"}) {
    const bool phone = more != "&lang=zh&theme=light";
    Headless window(form + "&gpu=a100-sxm-40gb:sm_count=54" + more,
                    phone ? explorer::Size{390, 844, 1} : explorer::Size{});
    CHECK(shown(window, "device/sm_count") == "54 SM");
    CHECK_THAT(shown(window, "device/summary"), Contains("sm_count"));
    window.driver.click("device/sm_count/reset");
    CHECK(gpu_of(window) == "a100-sxm-40gb");
    window.explorer.model.undo();
    window.driver.settle();
    keep(window, "device-form" + more);
  }
}

TEST_CASE("the form has words for every number of a device, in the order of the files") {
  REQUIRE(explorer::device_words.size() == sim::device_fields().size());
  for (std::size_t n = 0; n < sim::device_fields().size(); ++n)
    CHECK(explorer::device_words[n].field == std::string_view(sim::device_fields()[n].name));
  CHECK_FALSE(explorer::device_words.front().section.empty());
}
