// Values of tiles as the panels show them, in every kernel. FLASHSCOPE_PICTURES=folder writes its pictures there.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "viz/model/values/kernel_tile.h"

namespace {

using explorer::Headless;

struct Kernel {
  std::string name, link;  ///< the scenario, the kernel and its CTA
};

const std::vector<Kernel> kernels = {
    {"qk_gemm", "algorithm=standard&kernel=0&cta=0,0,2,1"},
    {"mask", "algorithm=standard&kernel=1&cta=0,0,2,2"},
    {"softmax", "algorithm=standard&kernel=2&cta=0,0,300,0"},
    {"pv_gemm", "algorithm=standard&kernel=3&cta=0,0,2,0"},
    {"dp_gemm", "algorithm=standard&pass=backward&kernel=1&cta=0,0,2,1"},
    {"softmax_backward", "algorithm=standard&pass=backward&kernel=2&cta=0,0,300,0"},
    {"dq_gemm", "algorithm=standard&pass=backward&kernel=3&cta=0,0,2,0"},
    {"dk_gemm", "algorithm=standard&pass=backward&kernel=4&cta=0,0,0,1"},
    {"memory_efficient_forward", "algorithm=memory-efficient&kernel=0&cta=0,0,300,0"},
    {"memory_efficient_dv", "algorithm=memory-efficient&pass=backward&kernel=0&cta=0,0,0,100"},
    {"memory_efficient_d", "algorithm=memory-efficient&pass=backward&kernel=1&cta=0,0,100,0"},
    {"memory_efficient_dq", "algorithm=memory-efficient&pass=backward&kernel=2&cta=0,0,300,0"},
    {"flash1_forward", "algorithm=flash1&kernel=0"},
    {"flash1_released_forward", "algorithm=flash1&tiling=released&kernel=0"},
    {"flash1_backward", "algorithm=flash1&pass=backward&kernel=0"},
    {"flash1_released_backward", "algorithm=flash1&tiling=released&pass=backward&kernel=0"},
    {"flash2_forward", "algorithm=flash2&kernel=0&cta=0,0,2,0"},
    {"flash2_backward_prepare", "algorithm=flash2&pass=backward&kernel=0&cta=0,0,2,0"},
    {"flash2_backward", "algorithm=flash2&pass=backward&kernel=1&cta=0,0,0,1"},
};

/// Moves to the middle of the last third of the CTA, with the tile at its largest zoom.
void look_into_tile(Headless& window) {
  auto& model = window.explorer.model;
  const auto& index = model.world.subject(0).replay->index;
  if (!index.visits().empty()) {
    const explorer::Visit& visit = index.visits()[index.visits().size() * 2 / 3];
    model.seek(sim::Cycles((visit.begin.count() + 3 * visit.end.count()) / 4));
  }
  window.driver.settle();
  window.driver.click("matrix/tile");
}

/// Returns the number of pixels that differ in the middle of the window, where the matrix is.
std::size_t changed(const platform::Picture& a, const platform::Picture& b) {
  std::size_t count = 0;
  for (std::size_t y = 290; y < 660; ++y) {
    for (std::size_t x = 570; x < 930; ++x) {
      const auto first = static_cast<std::ptrdiff_t>((y * 1600 + x) * 4);
      if (!std::equal(a.rgba.begin() + first, a.rgba.begin() + first + 3, b.rgba.begin() + first)) ++count;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("the values of a tile appear in every kernel that works on tiles", "[repeats]") {
  for (const Kernel& kernel : kernels) {
    INFO(kernel.name);
    const std::string link = "#seqlen=512&head-dim=64&causal=1&" + kernel.link;
    for (const std::string look : {"", "&theme=light&lang=zh"}) {
      Headless window(link + look, {});
      REQUIRE(window.explorer.model.link_errors.empty());
      REQUIRE(window.explorer.model.world.subject(0).launch().name == kernel.name);
      look_into_tile(window);
      const auto before = window.driver.picture();
      finish(window);
      keep(window, "values-" + kernel.name + (look.empty() ? "" : "-zh"));
      const bool has_tiles = !window.explorer.model.world.subject(0).replay->index.visits().empty();
      if (has_tiles) CHECK(changed(before, window.driver.picture()) > 300);
      CHECK_FALSE(window.explorer.update(1));
    }
  }
}
