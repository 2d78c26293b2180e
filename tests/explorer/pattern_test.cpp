// The pattern editor, operated by mouse, keys and touch. FLASHSCOPE_PICTURES=folder writes its pictures there.
#include <catch2/catch.hpp>

#include "sim/base/painted.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "tests/support/bitmap.h"
#include "viz/explorer/export.h"
#include "viz/model/painting.h"
#include "viz/ui/imgui_version.h"

namespace {

using explorer::BlockState;
using explorer::Headless;
using explorer::PatternBlocks;

constexpr const char* dense = "#algorithm=block-sparse&seqlen=512&br=64&bc=64&batch=1&heads=1&overlay=pattern";

/// Moves the pointer to a block.
void move_to(Headless& window, std::int64_t row, std::int64_t col) {
  const ui::Rect place = window.driver.rect("pattern/blocks");
  const sim::BlockedMatrix m = PatternBlocks(window.explorer.model.world.subject(0)).matrix();
  window.driver.screen.input.push(
      platform::PointerMoved{place.x + (static_cast<float>(col) + 0.5f) * place.width / static_cast<float>(m.cols()),
                             place.y + (static_cast<float>(row) + 0.5f) * place.height / static_cast<float>(m.rows())});
  window.driver.settle();
}

void press(Headless& window, bool down) {
  window.driver.screen.input.push(platform::ButtonChanged{0, down});
  window.driver.settle();
}

void stroke(Headless& window, explorer::BlockPlace from, explorer::BlockPlace to) {
  move_to(window, from.row, from.col);
  press(window, true);
  move_to(window, to.row, to.col);
  press(window, false);
}

/// Returns the rows as 1 and 0.
std::string rows_of(const Headless& window) {
  const PatternBlocks blocks(window.explorer.model.world.subject(0));
  std::string text;
  for (std::int64_t i = 0; i < blocks.matrix().rows(); ++i) {
    for (std::int64_t j = 0; j < blocks.matrix().cols(); ++j) text += blocks.shown({i, j}) ? '1' : '0';
    text += ' ';
  }
  return text;
}

std::int64_t tile_bytes(const Headless& window) {
  return window.explorer.model.world.run().simulation.totals.total.total().count();
}

}  // namespace

TEST_CASE("a press toggles a block, a drag paints, and each is a single step of undo") {
  Headless window(dense, {});
  const std::int64_t all = tile_bytes(window);
  stroke(window, {2, 3}, {2, 3});
  CHECK(window.explorer.model.state.options.at("pattern") == "painted:8:FF.FF.EF.FF.FF.FF.FF.FF");
  CHECK(tile_bytes(window) < all);
  stroke(window, {0, 0}, {0, 7});  // from one end of a row to the other within a frame
  CHECK(rows_of(window).substr(0, 8) == "00000000");
  stroke(window, {0, 0}, {0, 1});  // shows, since the first was hidden
  CHECK(rows_of(window).substr(0, 8) == "11000000");
  window.driver.key(ui::imgui::key_of_letter('Z'), true);
  CHECK(rows_of(window).substr(0, 8) == "00000000");
  window.driver.click("pattern/undo");
  CHECK(rows_of(window).substr(0, 8) == "11111111");
  window.driver.click("pattern/undo");
  CHECK_FALSE(window.explorer.model.state.options.contains("pattern"));
  CHECK(tile_bytes(window) == all);
  window.driver.click("pattern/redo");
  CHECK(window.explorer.model.state.options.at("pattern") == "painted:8:FF.FF.EF.FF.FF.FF.FF.FF");
}

TEST_CASE("a painted pattern is restored from its link, and equals what the simulator reads") {
  Headless window(dense, {});
  stroke(window, {1, 1}, {6, 6});  // a diagonal
  Headless other("#" + window.explorer.model.link(), {});
  CHECK(other.explorer.model.link_errors.empty());
  CHECK(rows_of(other) == rows_of(window));
  CHECK(tile_bytes(other) == tile_bytes(window));
  CHECK_FALSE(explorer::is_too_long_for_link(window.explorer.model));
  const sim::Scenario read = sim::scenario_from(window.explorer.model.state.options, sim::built_in_gpu);
  CHECK(sim::simulate(read).totals.total.total().count() == tile_bytes(window));
}

TEST_CASE("arrows and Space paint as the pointer does, and move neither playhead nor playback") {
  Headless window(dense, {});
  window.driver.key(ImGuiKey_RightArrow);
  window.driver.key(ImGuiKey_DownArrow);
  window.driver.key(ImGuiKey_Space);
  CHECK(rows_of(window).substr(9, 8) == "10111111");
  window.driver.key(ImGuiKey_RightArrow, false, true);  // Shift copies this block's state to the next
  CHECK(rows_of(window).substr(9, 8) == "10011111");
  for (int n = 0; n < 20; ++n) window.driver.key(ImGuiKey_LeftArrow);
  CHECK(window.explorer.model.state.brush.block == explorer::BlockPlace{1, 0});
  CHECK_FALSE(window.explorer.model.playing());
  CHECK(window.explorer.model.world.time() == sim::Cycles{});
  window.driver.key(ImGuiKey_Escape);
  CHECK(window.explorer.model.state.look.overlay == explorer::Overlay::none);
  window.driver.type("e");
  CHECK(window.explorer.model.state.look.overlay == explorer::Overlay::pattern);
}

TEST_CASE("presets are named patterns, shown with their numbers") {
  Headless window(dense, {});
  for (const auto& [name, typed] : std::map<std::string, std::string>{{"causal", "causal"},
                                                                      {"window", "window:2"},
                                                                      {"local-global", "local-global:1,1"},
                                                                      {"strided", "strided:4"},
                                                                      {"butterfly", "butterfly"},
                                                                      {"random", "random:0.25"}}) {
    INFO(name);
    window.driver.click("pattern/" + name);
    CHECK(window.explorer.model.state.options.at("pattern") == typed);
  }
  window.driver.click("pattern/local-global");
  window.driver.frame();
  window.driver.wheel("pattern/G", 1);
  CHECK(window.explorer.model.state.options.at("pattern") == "local-global:2,1");
  window.driver.click("pattern/dense");
  CHECK_FALSE(window.explorer.model.state.options.contains("pattern"));
}

TEST_CASE("skipped, partial and full blocks are distinguished under the causal mask") {
  Headless window(std::string(dense) + "&causal=1&pattern=window:1", {});
  const PatternBlocks blocks(window.explorer.model.world.subject(0));
  CHECK(blocks.state({3, 3}) == BlockState::partial);
  CHECK(blocks.state({3, 2}) == BlockState::full);
  CHECK(blocks.state({3, 4}) == BlockState::skipped);  // in the pattern, but hidden by the mask
  CHECK(blocks.shown({3, 4}));
  CHECK(blocks.state({3, 0}) == BlockState::skipped);
  const explorer::BlockCounts counts = blocks.counts();
  CHECK(counts.full == 7);
  CHECK(counts.partial == 8);
  CHECK(counts.all() == 64);
}

TEST_CASE("a pattern of another size is an error that the editor can repair, and rows that see nothing are allowed") {
  Headless window(std::string(dense) + "&pattern=painted:4:8.4.2.1", {});
  CHECK_THAT(window.explorer.model.world.error().text(),
             Catch::Contains("painted has 4 x 4 pixels, but there are 8 x 8 blocks"));
  window.driver.click("pattern/fit");
  CHECK(window.explorer.model.world.error().empty());
  CHECK(window.explorer.model.state.options.at("pattern") == "painted:8:C.C.3.3.0C.0C.03.03");
  window.explorer.model.set_option("seqlen", "256");
  window.driver.settle();
  window.driver.click("pattern/none");
  CHECK(window.explorer.model.world.error().empty());
  CHECK_FALSE(window.explorer.model.state.options.contains("pattern"));
  window.explorer.model.set_option("pattern", "painted:4:...");
  window.driver.settle();
  CHECK(window.explorer.model.world.error().empty());
  CHECK(PatternBlocks(window.explorer.model.world.subject(0)).counts().skipped == 16);
  keep(window, "pattern-empty");
}

TEST_CASE("programs without a pattern offer those that have one") {
  Headless window("#algorithm=flash1-q-outer&seqlen=512&overlay=pattern", {});
  CHECK_FALSE(window.driver.shows("pattern/blocks"));
  window.driver.click("pattern/take/flash2-block-sparse");
  window.driver.settle();
  CHECK(window.driver.shows("pattern/blocks"));
  CHECK(window.explorer.model.state.options.at("algorithm") == "flash2-block-sparse");
}

TEST_CASE("flash2 is painted in its tiles for patterns, and is dense again without a pattern") {
  Headless window("#seqlen=1024&head-dim=128&overlay=pattern", {});
  const sim::BlockedMatrix before = PatternBlocks(window.explorer.model.world.subject(0)).matrix();
  CHECK(before == sim::BlockedMatrix{1024, 1024, 64, 128});
  CHECK(window.explorer.model.world.subject(0).problem().tiling.br == 128);
  explorer::paint(window.explorer.model, {0, 1}, {0, 1}, false);
  window.driver.settle();
  REQUIRE(window.explorer.model.world.error().empty());
  CHECK(PatternBlocks(window.explorer.model.world.subject(0)).matrix() == before);
  CHECK_FALSE(PatternBlocks(window.explorer.model.world.subject(0)).shown({0, 1}));
  CHECK(window.explorer.model.world.subject(0).problem().tiling.br == 64);
  window.driver.click("pattern/dense");
  window.driver.settle();
  CHECK(window.explorer.model.world.subject(0).problem().tiling.br == 128);
}

TEST_CASE("a pattern is saved as a bitmap that is the same pattern") {
  Headless window(std::string(dense) + "&pattern=butterfly", {});
  window.driver.click("pattern/save");
  REQUIRE(window.explorer.model.requests.size() == 1);
  const explorer::Export file = explorer::make_export(window.explorer.model.requests.front(), window.explorer.model);
  CHECK(file.name == "flashscope-block-sparse-n512.pbm");
  CHECK(sim::read_bitmap(file.bytes) == PatternBlocks(window.explorer.model.world.subject(0)).picture());
}

TEST_CASE("a pattern too large for a link is painted and saved, and left out of the link") {
  Headless window("#algorithm=flash2-block-sparse&seqlen=4096&br=16&bc=16&pattern=random:0.5&overlay=pattern", {});
  CHECK(window.explorer.model.link().find("pattern=random") != std::string::npos);
  stroke(window, {0, 0}, {9, 9});
  CHECK(explorer::is_too_long_for_link(window.explorer.model));
  CHECK(window.explorer.model.link().find("painted") == std::string::npos);
  CHECK(window.explorer.model.link().size() < explorer::longest_link);
  window.explorer.model.set_option("seqlen", "8192");
  window.explorer.model.change_options({{"pattern", ""}});
  REQUIRE(window.explorer.model.world.error().empty());
  REQUIRE(PatternBlocks(window.explorer.model.world.subject(0)).matrix().rows() == 512);
  CHECK_THROWS_WITH(explorer::paint(window.explorer.model, {0, 0}, {0, 0}, false),
                    Catch::Contains("512 x 512 blocks are more than the 65536 that are painted"));
  window.driver.settle();
  CHECK_FALSE(window.driver.shows("pattern/blocks"));
  CHECK(window.driver.shows("pattern/random"));
  keep(window, "pattern-too-many");
}

TEST_CASE("a finger paints on a phone") {
  Headless window(dense, {780, 1688, 2});
  window.driver.tap("pattern/blocks", 0.99f);
  CHECK(window.explorer.model.state.options.contains("pattern"));
  window.driver.tap("pattern/close");
  CHECK(window.explorer.model.state.look.overlay == explorer::Overlay::none);
}

TEST_CASE("the editor of patterns draws all sizes, themes, languages and states", "[repeats]") {
  const std::vector<std::string> links = {
      "algorithm=flash2-block-sparse&seqlen=2048&batch=4&heads=32&causal=1&pattern=local-global:1,2",
      "algorithm=block-sparse&seqlen=2048&pattern=random:0.3&theme=light&lang=zh",
      "algorithm=standard&seqlen=1024&pattern=painted:8:8.C.E.F.F8.FC.FE.FF&br=128&bc=128&lang=zh",
      "algorithm=block-sparse&seqlen=512&br=64&bc=64&pattern=painted:4:8.4.2.1&theme=light",
      "algorithm=flash1&lang=zh",
      "algorithm=block-sparse&seqlen-q=64&seqlen-k=4096&br=64&bc=64&pattern=strided:3",
      "algorithm=block-sparse&seqlen=4096&br=16&bc=16&pattern=butterfly"};
  const std::vector<explorer::Size> sizes = {{1600, 1000}, {1280, 720}, {960, 600}, {780, 1688, 2}};
  for (std::size_t n = 0; n < links.size(); ++n) {
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      INFO(links[n] << " " << s);
      Headless window("#" + links[n] + "&overlay=pattern", sizes[s]);
      finish(window);
      CHECK(window.explorer.model.link_errors.empty());
      CHECK(window.driver.shows("pattern/close"));
      keep(window, "pattern-" + std::to_string(n) + "-" + std::to_string(s));
    }
  }
}
