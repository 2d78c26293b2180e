// The keyboard, the help and the command palette.
#include <catch2/catch.hpp>
#include <set>

#include "tests/explorer/pictures.h"
#include "viz/explorer/explorer.h"
#include "viz/ui/imgui_version.h"

namespace {

using explorer::Headless;

constexpr std::string_view small = "#seqlen=1024&head-dim=64&causal=1&br=64&bc=64&cta=0,0,5,0";

}  // namespace

TEST_CASE("every action has its own name and keys") {
  std::set<std::string> names, keys;
  for (const explorer::Action& action : explorer::actions()) {
    INFO(action.name);
    CHECK(names.insert(std::string(action.name)).second);
    CHECK_FALSE(action.sentence.empty());
    std::string_view rest = action.keys;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      CHECK(keys.insert(std::string(rest.substr(0, end))).second);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  CHECK_THROWS_WITH(explorer::action("fly"), Catch::Contains("\"fly\""));
}

TEST_CASE("keys move the playhead as the buttons do") {
  Headless window(small, {});
  explorer::Model& model = window.explorer.model;
  const auto& stops = model.world.replay().index.stops(explorer::TraceIndex::Unit::tile);
  window.driver.key(ImGuiKey_RightArrow);
  CHECK(model.world.time() == stops[1]);
  window.driver.click("step");
  CHECK(model.world.time() == stops[2]);
  window.driver.key(ImGuiKey_LeftArrow);
  CHECK(model.world.time() == stops[1]);
  window.driver.key(ImGuiKey_End);
  CHECK(model.world.time() == model.world.replay().index.end());
  window.driver.key(ImGuiKey_Home);
  CHECK(model.world.time() == sim::Cycles{});
  window.driver.key(ImGuiKey_RightArrow, true);
  CHECK(model.world.replay().place.row == 6);
  window.driver.key(ImGuiKey_Space);
  CHECK(model.playing());
  window.driver.key(ImGuiKey_Space);
  CHECK_FALSE(model.playing());
  window.driver.key(ImGuiKey_DownArrow);
  CHECK(model.state.look.unit == explorer::Step::line);
}

TEST_CASE("letters and symbols trigger the actions in the table") {
  Headless window(small, {});
  explorer::Model& model = window.explorer.model;
  window.driver.type("l");
  CHECK(model.state.look.loop);
  window.driver.type("+");
  CHECK(model.state.speed == 2);
  window.driver.type("T");
  CHECK(model.state.look.theme == explorer::Theme::light);
  window.driver.type("3");
  CHECK(model.state.look.center == explorer::Center::plots);
  window.driver.type("b");
  CHECK(model.state.look.bookmarks.size() == 1);
  model.set_option("seqlen", "2048");
  window.driver.key(ui::imgui::key_of_letter('Z'), true);
  CHECK(model.state.options.at("seqlen") == "1024");
  window.driver.key(ui::imgui::key_of_letter('Y'), true);
  CHECK(model.state.options.at("seqlen") == "2048");
}

TEST_CASE("text typed into the palette finds what it names and triggers no shortcut") {
  Headless window(small, {});
  explorer::Model& model = window.explorer.model;
  window.driver.type("/");
  CHECK(model.state.look.overlay == explorer::Overlay::palette);
  CHECK(model.state.palette.typed.empty());
  window.driver.type("k read bytes");
  CHECK(model.state.palette.typed == "k read bytes");
  CHECK(model.state.speed == 1);
  CHECK(model.state.look.bookmarks.empty());
  keep(window, "palette");
  window.driver.key(ImGuiKey_Enter);
  CHECK(model.state.look.overlay == explorer::Overlay::none);
  CHECK(model.state.look.selection.find("by_tensor.K.read_bytes") != std::string::npos);
  window.driver.key(ui::imgui::key_of_letter('K'), true);
  window.driver.type("seqlen 4096");
  window.driver.key(ImGuiKey_Enter);
  CHECK(model.state.options.at("seqlen") == "4096");
  window.driver.key(ui::imgui::key_of_letter('K'), true);
  window.driver.type("flash1");
  window.driver.key(ImGuiKey_Enter);
  CHECK(model.state.options.at("algorithm") == "flash1");
  for (const auto& [typed, option, value] : {std::tuple{"llama 70b", "model", "llama-3-70b"},
                                             {"a100 80", "gpu", "a100-sxm-80gb"},
                                             {"bf16", "dtype", "bf16"},
                                             {"fox", "inputs", "text:fox"}}) {
    INFO(typed);
    window.driver.type("/");
    window.driver.type(typed);
    window.driver.key(ImGuiKey_Enter);
    CHECK(model.state.options.at(option) == value);
  }
  window.driver.type("/");
  window.driver.type("does it fit");
  window.driver.key(ImGuiKey_Enter);
  CHECK(model.state.look.lesson.substr(0, 2) == "06");
  model.state.look.lesson.clear();
  window.driver.frame();
  window.driver.type("/");
  window.driver.type("xyzzyx");
  window.driver.key(ImGuiKey_Enter);
  CHECK(model.state.look.overlay == explorer::Overlay::palette);
  window.driver.key(ImGuiKey_Escape);
  CHECK(model.state.look.overlay == explorer::Overlay::none);
}

TEST_CASE("the help lists the keys and runs what is clicked") {
  for (const explorer::Size size : {explorer::Size{1600, 1000, 1}, {390, 844, 1}}) {
    Headless window(small, size);
    explorer::Model& model = window.explorer.model;
    window.driver.type("?");
    CHECK(model.state.look.overlay == explorer::Overlay::help);
    window.driver.frame();
    keep(window, "help-" + std::to_string(size.width));
    CHECK(window.driver.shows("help/step"));
    window.driver.type("l");
    CHECK_FALSE(model.state.look.loop);
    window.driver.click("help/to-end");
    CHECK(model.state.look.overlay == explorer::Overlay::none);
    CHECK(model.world.time() == model.world.replay().index.end());
  }
}
