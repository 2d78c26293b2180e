// The wall: its numbers are the command line's, its areas are bytes, and nothing overlaps in any window.
#include "viz/panels/wall/wall.h"

#include <catch2/catch.hpp>

#include "tests/explorer/command_line_numbers.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"

namespace {

using explorer::Headless;

const std::string all_heads = "batch=4&heads=32&head-dim=64&";

/// Scenarios as users type them: long and short, one head and many, masks, other lengths of keys, both passes, other
/// programs.
const std::vector<std::string> scenarios = {all_heads + "seqlen=131072",
                                            all_heads + "seqlen=2048&algorithm=flash1",
                                            "seqlen=16384&batch=2&heads=16&causal=1&head-dim=128",
                                            "seqlen=65536&heads=32&kv-heads=4&batch=8&pass=forward%2Bbackward",
                                            "seqlen-q=1&seqlen-k=131072&heads=64&batch=16&algorithm=flash-decoding",
                                            "seqlen-q=512&seqlen-k=32768&heads=16",
                                            "seqlen=8192&heads=8&algorithm=block-sparse&pattern=strided:3",
                                            "seqlen=4096&window=512&padding=37&dropout=0.1",
                                            "seqlen=1048576&heads=32&batch=4",
                                            "seqlen=2048&gpu=toy&heads=2&dtype=fp32&head-dim=16",
                                            "seqlen=8192&heads=32&algorithm=memory-efficient",
                                            "seqlen=4096&algorithm=standard",
                                            "seqlen=65536&heads=32&compare=flash1,gpu:t4",
                                            "seqlen=8192&heads=32&algorithm=flash1&compare=standard"};

}  // namespace

TEST_CASE("every number of the wall is the command line's", "[repeats]") {
  for (const std::string& scenario : scenarios) {
    INFO(scenario);
    Headless window(scenario + "&center=wall", {});
    finish(window);
    check_numbers(window, 8);
  }
}

TEST_CASE("tensors of the wall are those of the memory table, and sum to its peak") {
  for (const std::string& scenario : scenarios) {
    INFO(scenario);
    Headless window(scenario + "&center=wall", {});
    const explorer::Model& model = window.explorer.model;
    for (std::size_t n = 0; n < model.world.subjects(); ++n) {
      const sim::Simulation& s = model.world.subject(n).simulation();
      const explorer::WallRun wall = explorer::wall_of(s);
      std::int64_t sum = 0;
      for (const explorer::WallTensor& tensor : wall.tensors) sum += tensor.bytes;
      CHECK(sum == s.memory.peak_hbm.count());
      CHECK(wall.devices() * wall.capacity >= wall.peak);
      CHECK((wall.devices() == 1 || (wall.devices() - 1) * wall.capacity < wall.peak));
    }
  }
}

TEST_CASE("the bytes never moved are the score matrices, by the formula of standard attention") {
  Headless window(all_heads + "seqlen=8192&center=wall", {});
  const explorer::Run& run = window.explorer.model.world.run();
  const explorer::NeverMoved never = explorer::never_moved(run.simulation, *run.standard);
  const std::int64_t scores = std::int64_t{4 * 32} * 8192 * 8192 * 2;
  CHECK(never.tensors == std::vector<sim::Tensor>{sim::Tensor::S, sim::Tensor::P});
  CHECK(never.written == 2 * scores);
  CHECK(never.read <= 3 * scores);
  CHECK(explorer::bytes_of_head(*run.standard, sim::Tensor::S) == std::int64_t{8192} * 8192 * 2);
  CHECK(explorer::never_moved(*run.standard, *run.standard).tensors.empty());
}

TEST_CASE("nothing in the wall overlaps or leaves its panel in windows of any size", "[repeats]") {
  const explorer::Size sizes[] = {{1600, 1000, 1}, {1440, 900, 1}, {1200, 720, 1}, {960, 600, 1}, {390, 844, 1}};
  std::size_t n = 0;
  for (const std::string& scenario : scenarios) {
    for (const explorer::Size& size : sizes) {
      const std::string look = n++ % 2 == 0 ? "" : "&lang=zh&theme=light";
      INFO(size.width << " x " << size.height << " #" << scenario << look);
      Headless window(scenario + "&center=wall" + look, size);
      window.driver.screen.texts.emplace();
      finish(window);
      std::string message = layout::text_of_faults(window);
      CHECK(message == "");
    }
  }
}

TEST_CASE("the wall is one action away, is part of the link, and draws nothing when idle") {
  Headless window("seqlen=4096", {});
  window.driver.click("center/wall");
  explorer::Model& model = window.explorer.model;
  CHECK(model.link() == "batch=1&heads=1&seqlen=4096&center=wall");
  window.driver.frame();
  CHECK(window.driver.shows("wall/seqlen"));
  CHECK_FALSE(window.driver.shows("matrix"));
  Headless again(model.link(), {});
  CHECK(again.explorer.model.state.look.center == explorer::Center::wall);
  finish(window);
  CHECK_FALSE(window.explorer.update(0.1));
  window.driver.type("1");
  window.driver.frame();
  CHECK(window.driver.shows("matrix"));
  window.driver.type("r");
  CHECK(model.state.plays_run());
  window.driver.type("6");
  CHECK_FALSE(model.state.plays_run());
  CHECK(model.state.look.center == explorer::Center::wall);
}

TEST_CASE("sliders of the wall change N and the SRAM of both halves") {
  Headless window("seqlen=4096&center=wall", {});
  explorer::Model& model = window.explorer.model;
  window.driver.click("wall/seqlen");  // its middle
  CHECK(model.state.options.at("seqlen") == "32768");
  CHECK(model.world.run().standard->plan.problem.shape.seqlen_k == 32768);
  window.driver.frame();
  window.driver.click("wall/sram");
  const std::int64_t sram = std::stoll(model.state.options.at("sram"));
  CHECK(sram % 1024 == 0);
  CHECK(model.world.run().simulation.plan.capacity.smem.count() == sram);
  CHECK(model.world.run().standard->plan.capacity.smem.count() == sram);
}

TEST_CASE("keys change N and the SRAM as the sliders of the wall do") {
  Headless window("seqlen=4096&center=wall", {});
  explorer::Model& model = window.explorer.model;
  window.driver.type(".");
  CHECK(model.state.options.at("seqlen") == "8192");
  window.driver.type(",");
  window.driver.type(",");
  CHECK(model.state.options.at("seqlen") == "2048");
  window.driver.type("<");
  const std::int64_t most = model.world.subject(0).scenario().gpu->smem_bytes_per_cta;
  CHECK(model.state.options.at("sram") == std::to_string((most - 1) / 8192 * 8192));
  window.driver.type(">");
  CHECK(model.state.options.count("sram") == 0);
}

TEST_CASE("the wall shows runs with CTAs too long to replay, for which other views report an error") {
  Headless window("algorithm=flash1&seqlen=131072&heads=8&br=16&bc=16&center=wall&time=500", {});
  explorer::Model& model = window.explorer.model;
  CHECK(sim::events_of_cta(model.world.run().simulation, 0) > 1 << 22);
  finish(window);
  CHECK(model.world.error().empty());
  CHECK(model.world.run().simulation.plan.problem.shape.seqlen_k == 131072);
  CHECK_THAT(model.link(), Catch::Contains("time=500"));
  window.driver.type("1");
  for (int n = 0; n < 4; ++n) window.explorer.update(0);
  CHECK_THAT(model.world.error().text(), Catch::Contains("events"));
}

TEST_CASE("cells of the wall hold all bytes on one scale") {
  for (const std::int64_t count : {1, 2, 7, 103, 400, 401, 6555, 60000}) {
    INFO(count);
    const ui::Rect place{10, 20, 640, 400};
    const explorer::WallCells cells = explorer::wall_cells_in(place, count);
    const ui::Rect last = cells.cell(count - 1);
    CHECK(cells.tiny == (count > explorer::most_framed_cells));
    CHECK(last.right() <= place.right() + 0.5f);
    CHECK(last.bottom() <= place.bottom() + 0.5f);
    if (cells.tiny) CHECK(cells.width == cells.height);
    if (count == 401) CHECK(cells.width == 24);  // 26 x 16 of them fit
    if (count == 1) CHECK(cells.width * cells.height == 640 * 400);
  }
}
