// The panel of the attention matrix. With FLASHSCOPE_PICTURES=folder its pictures are written there.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "viz/explorer/headless.h"

namespace {

using explorer::Headless;

void keep(const Headless& window, const std::string& name) {
  if (const char* folder = std::getenv("FLASHSCOPE_PICTURES")) {
    std::filesystem::create_directories(folder);
    window.driver.screenshot(std::filesystem::path(folder) / (name + ".png"));
  }
}

/// All long computations to their ends, and a frame that shows them.
void finish(Headless& window) {
  while (window.explorer.update(0)) {
  }
  window.driver.settle();
}

const std::string target = "#seqlen=2048&head-dim=128&causal=1&br=128&bc=128&cta=0,0,6,0&time=12000";

}  // namespace

TEST_CASE("the matrix draws every algorithm, mask and size") {
  const std::pair<std::string, std::string> cases[] = {
      {"flash2", target},
      {"light", target + "&theme=light"},
      {"chinese", target + "&lang=zh"},
      {"window", "#seqlen=2048&causal=1&window=300&br=128&bc=64&cta=0,0,6,0&time=9000"},
      {"padding", "#seqlen=1000&padding=300&br=64&bc=128&cta=0,0,6,0&time=9000"},
      {"flash1", "#algorithm=flash1&seqlen=2048&head-dim=64&causal=1&time=900000"},
      {"standard-qk", "#algorithm=standard&seqlen=2048&causal=1&kernel=0&cta=0,0,6,2&time=3000"},
      {"standard-softmax", "#algorithm=standard&seqlen=1024&causal=1&kernel=2&cta=0,0,400,0&time=1000"},
      {"standard-pv", "#algorithm=standard&seqlen=1024&kernel=2&cta=0,0,3,0&time=5000"},
      {"memory-efficient", "#algorithm=memory-efficient&seqlen=1024&causal=1&cta=0,0,600,0&time=9000"},
      {"backward", "#pass=backward&seqlen=2048&causal=1&heads=4&kv-heads=2&kernel=1&cta=0,0,0,5&time=30000"},
      {"prepare", "#pass=backward&seqlen=2048&causal=1&kernel=0&cta=0,0,5,0&time=300"},
      {"one-tile", "#seqlen=64&br=64&bc=64&time=600"},
      {"128-tiles", "#seqlen=16384&head-dim=128&causal=1&br=128&bc=128&cta=0,0,80,0&time=60000"},
      {"long", "#seqlen=131072&head-dim=64&causal=1&br=128&bc=128&cta=0,0,900,0&time=600000"},
      {"decode", "#seqlen-q=1&seqlen-k=8192&time=6000"},
      {"wide", "#seqlen-q=512&seqlen-k=4096&causal=1&time=20000"},
  };
  for (const auto& [name, link] : cases) {
    Headless window(link, {});
    CHECK(window.explorer.model.complaints().empty());
    CHECK(window.explorer.model.error().empty());
    finish(window);
    keep(window, "matrix-" + name);
    CHECK(window.driver.shows("matrix"));
  }
}
