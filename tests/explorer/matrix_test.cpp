// The panel of the attention matrix. FLASHSCOPE_PICTURES=folder writes its pictures there.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"

namespace {

using explorer::Headless;

const std::string target = "#seqlen=2048&head-dim=128&causal=1&br=128&bc=128&cta=0,0,6,0&time=12000";

}  // namespace

TEST_CASE("the matrix draws every algorithm, mask and size") {
  const std::pair<std::string, std::string> cases[] = {
      {"flash2", target},
      {"light", target + "&theme=light"},
      {"chinese", target + "&lang=zh"},
      {"window", "#seqlen=2048&causal=1&window=300&br=128&bc=64&cta=0,0,6,0&time=9000"},
      {"padding", "#seqlen=1000&padding=300&br=64&bc=128&cta=0,0,6,0&time=9000"},
      {"right-window", "#seqlen=2048&window=300,200&br=128&bc=64&cta=0,0,6,0&time=9000"},
      {"prefix", "#seqlen=2048&causal=1&prefix=700&br=128&bc=64&cta=0,0,6,0&time=9000"},
      {"documents", "#seqlen=2048&causal=1&documents=300%20500%2090%20110%201048&br=128&bc=64&cta=0,0,6,0&time=9000"},
      {"top-left", "#seqlen-q=1024&seqlen-k=2048&causal=1&causal-from=top-left&br=128&bc=128&cta=0,0,3,0&time=9000"},
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
      {"zoomed", target + "&matrix-zoom=14.4&matrix-x=0.09375&matrix-y=0.40625"},
      {"numbers", target + "&matrix-zoom=260&matrix-x=0.08&matrix-y=0.39&theme=light"},
      {"parts",
       "#algorithm=flash-decoding&seqlen-q=1&seqlen-k=65536&heads=12&splits=9&gpu=a100-sxm-40gb&cta=0,5,0,3&time="
       "40000"},
      {"many-parts", "#algorithm=flash-decoding&seqlen-q=64&seqlen-k=32768&splits=128&causal=1&lang=zh&theme=light"},
      {"wide", "#seqlen-q=512&seqlen-k=4096&causal=1&time=20000"},
  };
  for (const auto& [name, link] : cases) {
    Headless window(link, {});
    CHECK(window.explorer.model.link_errors.empty());
    CHECK(window.explorer.model.world.error().empty());
    for (int slice = 0; slice < 12; ++slice) window.explorer.update(0);  // the first slices only
    window.driver.settle();
    keep(window, "matrix-" + name);
    CHECK(window.driver.shows("matrix"));
  }
}

TEST_CASE("a click on a part of the keys selects the CTA that computes it") {
  Headless window("#algorithm=flash-decoding&seqlen-q=1&seqlen-k=65536&heads=12&splits=9&gpu=a100-sxm-40gb&cta=0,5,0,0",
                  {});
  finish(window);
  window.driver.click("part/3");
  CHECK(window.explorer.model.world.replay().place.head == 5);
  CHECK(window.explorer.model.world.replay().place.col == 3);
  CHECK_FALSE(window.driver.shows("part/9"));
  window.explorer.model.follow("#seqlen=1024");
  window.driver.frame();
  CHECK_FALSE(window.driver.shows("part/0"));
}

TEST_CASE("a click on a tile moves to the start of its visit, in the CTA that visits it") {
  Headless window(target, {});
  window.driver.click("matrix", 0.03f);  // half way down, where row 8 of 16 starts
  const auto& subject = window.explorer.model.world.subject(0);
  CHECK(subject.replay->place.row == 8);
  const auto& visits = subject.replay->index.visits();
  CHECK(subject.time == visits[0].begin);
  window.driver.click("matrix", 0.22f);
  CHECK(subject.time == visits[3].begin);
  window.driver.click("matrix", 0.9f);  // skipped, so there is no visit
  CHECK(subject.time == visits[3].begin);
}

TEST_CASE("the matrix zooms at the pointer, is dragged with it and resets to fit") {
  Headless window(target, {});
  const explorer::Look& look = window.explorer.model.state.look;
  window.driver.wheel("matrix", 6);
  CHECK(look.matrix_zoom == Approx(std::pow(1.25, 6)));
  CHECK(look.matrix_x == Approx(0.5).margin(0.01));
  const double before = look.matrix_x;
  const sim::Cycles time = window.explorer.model.world.time();
  window.driver.drag("matrix", 0.5f, 0.7f);
  CHECK(look.matrix_x == Approx(before - 0.2 / look.matrix_zoom).margin(0.01));
  CHECK(window.explorer.model.world.time() == time);  // a drag is not a click
  const Headless again(window.explorer.model.link(), {});
  CHECK(again.explorer.model.state.look.matrix_x == look.matrix_x);
  window.driver.click("matrix/fit");
  CHECK(look.matrix_zoom == 1);
  window.driver.click("matrix/tile");
  CHECK(look.matrix_zoom > 10);
  window.driver.click("matrix/out");
  window.driver.click("matrix/in");
  CHECK(look.matrix_zoom > 10);
}

TEST_CASE("invalid zoom and position of the matrix in a link are reported") {
  for (const std::string bad : {"matrix-zoom=0", "matrix-zoom=nan", "matrix-x=2", "matrix-y=", "matrix-zoom=1e9"}) {
    const Headless window("#" + bad, {});
    CHECK(window.explorer.model.link_errors.size() == 1);
    CHECK(window.explorer.model.state.look.matrix_zoom == 1);
  }
}

TEST_CASE("the values of a tile appear once they are computed, and then nothing moves") {
  Headless window(target + "&matrix-zoom=14.4&matrix-x=0.09375&matrix-y=0.40625", {});
  const auto before = window.driver.picture();
  finish(window);
  const bool changed = !(window.driver.picture() == before);
  CHECK(changed);
  CHECK_FALSE(window.explorer.update(1));
}

TEST_CASE("a tooltip describes the tile under the pointer, in both languages") {
  for (const std::string language : {"en", "zh"}) {
    Headless window(target + "&lang=" + language, {});
    finish(window);
    const auto before = window.driver.picture();
    window.driver.hover("matrix", 0.1f);
    keep(window, "matrix-tip-" + language);
    const bool changed = !(window.driver.picture() == before);
    CHECK(changed);
  }
}

TEST_CASE("the matrix and the softmax draw in every size of window", "[repeats]") {
  const explorer::Size sizes[] = {{1600, 1000, 1}, {1280, 720, 1}, {960, 600, 1}, {780, 1688, 2}, {3200, 2000, 2}};
  for (const explorer::Size& size : sizes) {
    for (const std::string tab : {"matrix", "softmax"}) {
      if (tab == "softmax" && size.width > 1000) continue;  // both are there
      Headless window(target + "&tab=" + tab, size);
      finish(window);
      keep(window, "size-" + std::to_string(size.width) + "-" + tab);
      CHECK(window.driver.screen.drawn().TotalIdxCount > 0);
    }
  }
}

TEST_CASE("the query of a decode is drawn smaller than its keys, in HBM and at the matrix") {
  explorer::Headless window("seqlen-q=1&seqlen-k=8192&algorithm=flash-decoding&splits=4", {});
  const auto rect = [&](const std::string& name) { return window.driver.rect(name); };
  CHECK(rect("hbm/Q").width < rect("hbm/K").width / 16);
  CHECK(rect("hbm/O_part").width < rect("hbm/K").width / 16);
  CHECK(rect("matrix").height <= rect("matrix").width / 15);
  window.explorer.model.follow("seqlen=2048&causal=1");
  window.driver.frame();
  CHECK(rect("hbm/Q").width == rect("hbm/K").width);
  CHECK(rect("hbm/L").width == rect("hbm/K").width);
}
