// The plots. FLASHSCOPE_PICTURES=folder writes their pictures there.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "viz/draw/chart.h"

using explorer::Headless;

TEST_CASE("the plots draw the same picture twice, in both themes and languages", "[repeats]") {
  for (const std::string look : {"theme=dark", "theme=light&axes=linear", "lang=zh&plot=time&over=head-dim"}) {
    const std::string link = "#seqlen=2048&head-dim=128&causal=1&center=plots&" + look;
    Headless window(link, {}), again(link, {});
    finish(window);
    finish(again);
    for (Headless* one : {&window, &again}) {
      if (one->driver.shows("plot/at/4096")) one->driver.hover("plot/at/4096");
    }
    keep(window, "plots-" + look);
    const bool same = window.driver.picture() == again.driver.picture();
    CHECK(same);
  }
}

TEST_CASE("every quantity and every option is drawn, in windows of all sizes", "[repeats]") {
  const std::vector<std::string> scenarios = {
      "#seqlen=2048&head-dim=128&br=128&bc=128", "#algorithm=standard&pass=backward&seqlen=300&dropout=0.1",
      "#algorithm=flash1&tiling=paper&seqlen=131072&causal=1&window=512",
      "#algorithm=memory-efficient&seqlen-q=1&seqlen-k=100000", "#seqlen=1&head-dim=1&gpu=toy"};
  const std::vector<explorer::Size> sizes = {{1600, 1000}, {1280, 720}, {960, 600}, {1170, 2532, 3}};
  const std::vector<std::string> shown = {"tile-traffic", "hbm-traffic", "time", "peak-memory", "intensity"};
  const std::vector<std::string> over = {"seqlen", "head-dim", "br", "bc", "sram"};
  for (std::size_t n = 0; n < 8; ++n) {
    const std::string link = sim::text(scenarios[n % 5], "&center=plots&plot=", shown[(n + n / 5) % 5],
                                       "&over=", over[(2 * n) % 5], n % 2 == 0 ? "&axes=linear" : "");
    INFO(link);
    Headless window(link, sizes[n % sizes.size()]);
    REQUIRE(window.explorer.model.world.error().empty());
    REQUIRE(window.explorer.model.link_errors.empty());
    finish(window);
    keep(window, sim::text("plots-case-", n));
    CHECK(window.driver.shows("plot"));
  }
}

TEST_CASE("a click on a value of a plot sets the option") {
  Headless window("#seqlen-q=2048&seqlen-k=1024&center=plots", {});
  finish(window);
  window.driver.click("plot/at/4096");
  CHECK(window.explorer.model.world.subject(0).problem().shape.seqlen_q == 4096);
  CHECK(window.explorer.model.world.subject(0).problem().shape.seqlen_k == 4096);
  window.explorer.model.undo();
  CHECK(window.explorer.model.world.subject(0).problem().shape.seqlen_k == 1024);
}

TEST_CASE("the contents of a plot are chosen in the window and are part of the link") {
  Headless window("#center=plots", {});
  window.driver.click("plot");
  window.driver.click("plot/time");
  window.driver.click("over");
  window.driver.click("over/br");
  window.driver.click("axes");
  CHECK(window.explorer.model.link() == "batch=4&heads=32&axes=linear&center=plots&over=br&plot=time");
  finish(window);
  CHECK(window.driver.shows("plot/at/64"));
}

TEST_CASE("every line of a plot has its name, in small windows too") {
  for (const std::string over : {"seqlen", "br"}) {
    for (const explorer::Size& size : {explorer::Size{960, 600, 1}, {1440, 900, 1}}) {
      Headless window("#seqlen=2048&head-dim=128&center=plots&over=" + over, size);
      std::multiset<std::string> texts;
      for (std::string& text : drawn_texts(window)) texts.insert(std::move(text));
      for (const std::string name :
           {"standard", "rabe-staats", "memory-efficient", "flash1", "flash1-q-outer", "flash3", "flash-decoding",
            "flash-decoding-plus", "mla-decode", "block-sparse", "flash2-block-sparse"}) {
        INFO(over << " " << size.width << " " << name);
        CHECK(texts.contains(name));
      }
    }
  }
}

TEST_CASE("ticks are round numbers within the scale, about as many as requested") {
  for (const bool log : {false, true}) {
    for (const double most : {3.0, 17.0, 4e5, 8.1e12}) {
      const draw::Axis scale = draw::make_axis(most / 700, most, log, 0, 100);
      const std::vector<double> ticks = draw::ticks(scale, 6);
      REQUIRE(ticks.size() >= 2);
      CHECK(ticks.size() <= 9);
      for (const double tick : ticks) {
        CHECK((tick >= scale.low && tick <= scale.high));
        if (!log) continue;  // multiples of a round step
        const double digits = tick / std::pow(10, std::floor(std::log10(tick) + 1e-9));
        CHECK(std::abs(digits - std::round(digits)) < 1e-9);
      }
    }
  }
}

TEST_CASE("a scale maps its ends to the ends of its axis, and equal factors to equal distances if logarithmic") {
  const draw::Axis scale = draw::make_axis(1, 10000, true, 100, 500);
  CHECK(scale.place(scale.low) == Approx(100));
  CHECK(scale.place(scale.high) == Approx(500));
  CHECK(scale.place(100) - scale.place(10) == Approx(scale.place(1000) - scale.place(100)));
  CHECK(draw::make_axis(5, 10, false, 0, 1).place(0) == 0);
  const draw::Axis one = draw::make_axis(7, 7, true, 0, 100);
  CHECK(one.place(7) == Approx(50));
}

TEST_CASE("labels that are too close are moved apart and keep their order") {
  std::vector<float> centers = {10, 11, 12, 50, 99};
  draw::spread(centers, 10, 0, 100);
  for (std::size_t n = 0; n < centers.size(); ++n) {
    CHECK((centers[n] >= 5 && centers[n] <= 95));
    if (n > 0) CHECK(centers[n] - centers[n - 1] >= 10);
  }
  CHECK(centers[3] == 50);
}
