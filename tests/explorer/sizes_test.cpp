// Every view in windows of every size: from the smallest that is allowed, through low and narrow ones, to the largest.
#include <catch2/catch.hpp>

#include "viz/explorer/headless.h"
#include "viz/model/center_view.h"
#include "viz/model/look.h"

namespace {

using explorer::Headless;

constexpr int widths[] = {320, 360, 480, 639, 640, 800, 959, 960, 1199, 1200, 1600, 3840};
constexpr int heights[] = {320, 390, 480, 500, 560, 599, 600, 720, 900, 1000, 2160};

/// Returns links with every value of the keys for views, one at a time, and with combinations of them.
std::vector<std::string> views() {
  std::vector<std::string> all = {"seqlen=512"};
  for (const std::string tab : {"matrix", "memory", "code", "softmax", "counters"}) {
    all.push_back("seqlen=512&time=3000&tab=" + tab);
    all.push_back("seqlen=512&compare=flash1,standard&tab=" + tab);
    all.push_back("lesson=07&lesson-step=5&tab=" + tab);
  }
  for (const explorer::CenterView& view : explorer::center_views) {
    const std::string center(view.name);
    all.push_back("seqlen=512&center=" + center);
    all.push_back("lesson=07&lesson-step=5&center=" + center);
    all.push_back("seqlen=512&compare=standard&center=" + center);
  }
  for (const std::string overlay : {"help", "palette", "tour", "pattern"})
    all.push_back("seqlen=512&overlay=" + overlay);
  for (const std::string more :
       {"select=time.microseconds", "options=1", "source=1", "playback=1", "timeline=grid", "play=run",
        "play=run&compare=flash1,standard,flash2%2Bbr:64", "compare=flash2", "lesson=list", "lesson=01&present=1",
        "matrix-zoom=1e6", "zoom=80", "zoom=-80", "seqlen=1", "seqlen-q=1&seqlen-k=8192", "seqlen=65536&br=16",
        "pass=backward&lang=zh", "seqlen=512&pattern=strided:3&algorithm=block-sparse&compare=flash1"})
    all.push_back(more);
  return all;
}

}  // namespace

TEST_CASE("every view is drawn in windows from 320 x 480 and 640 x 320 to 3840 x 2160", "[repeats]") {
  const std::vector<std::string> all = views();
  std::size_t at = 0;  // low and narrow windows show every view, others one in five
  for (const int width : widths) {
    for (const int height : heights) {
      if (width < 640 && height < 480) continue;  // too small
      Headless window("", {width, height, 1});
      const bool small = height < 600 && (width < 500 || width == 640 || width == 800);
      for (const std::string& view : all) {
        if (!small && ++at % 5 != 0) continue;
        INFO(width << "x" << height << " #" << view);
        window.explorer.model.follow(view);
        window.driver.frame();  // aborts the program if a range or an index is invalid
        CHECK_FALSE(window.driver.screen.state.probes.empty());
      }
    }
  }
}
