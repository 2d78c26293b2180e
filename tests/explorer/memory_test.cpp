// The memory panel. With FLASHSCOPE_PICTURES=folder its pictures are written there.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "viz/explorer/headless.h"
#include "viz/terminal/numbers.h"

namespace {

using explorer::Headless;
using explorer::Size;

void keep(const Headless& window, const std::string& name) {
  if (const char* folder = std::getenv("FLASHSCOPE_PICTURES")) {
    std::filesystem::create_directories(folder);
    window.driver.screenshot(std::filesystem::path(folder) / (name + ".png"));
  }
}

struct Case {
  std::string name, link;
  Size size;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"target-dark", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000", {}},
      {"target-light", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000&theme=light", {}},
      {"standard-qk", "algorithm=standard&seqlen=2048&head-dim=64&cta=0,0,3,5&time=4000", {}},
      {"standard-softmax", "algorithm=standard&seqlen=2048&kernel=1&cta=0,0,700,0&time=2500", {}},
      {"standard-pv", "algorithm=standard&seqlen=8192&kernel=2&cta=0,0,20,0&time=60000&theme=light", {}},
      {"flash1", "algorithm=flash1&seqlen=1024&heads=2&time=90000", {}},
      {"backward", "algorithm=flash2&pass=backward&seqlen=1024&heads=8&kv-heads=2&kernel=1&cta=0,1,0,3&time=40000", {}},
      {"flash1-backward", "algorithm=flash1&pass=backward&seqlen=512&dropout=0.1&time=60000&theme=light", {}},
      {"memory-efficient", "algorithm=memory-efficient&seqlen=1000&causal=1&cta=0,0,700,0&time=9000", {}},
      {"paper", "algorithm=flash1&tiling=paper&sram=65536&l2=0&seqlen=1000&gpu=a100-sxm-40gb&time=90000", {}},
      {"toy", "gpu=toy&seqlen=64&head-dim=8&dtype=fp32&br=16&bc=8&time=500", {}},
      {"one-tile", "seqlen=16&head-dim=16&time=900", {}},
      {"long", "seqlen=131072&head-dim=128&cta=0,0,900,0&time=900000&window=4096", {}},
      {"small", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000", {1280, 720, 1}},
      {"tab", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000&tab=memory", {960, 600, 1}},
      {"phone", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000&tab=memory", {780, 1688, 2}},
      {"large", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000", {3200, 2000, 2}},
      {"chinese", "seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000&lang=zh&theme=light", {}},
  };
  return all;
}

}  // namespace

TEST_CASE("the memory panel draws every algorithm at every size") {
  for (const Case& c : cases()) {
    INFO(c.name);
    const Headless window(c.link, c.size);
    keep(window, "memory-" + c.name);
    CHECK(window.explorer.model.error().empty());
    CHECK(window.explorer.model.complaints().empty());
    CHECK(window.driver.shows("memory/from_l2"));
  }
}
