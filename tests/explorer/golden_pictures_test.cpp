// Golden pictures: a hash for every panel of six views, from the software rasteriser. With FLASHSCOPE_UPDATE_GOLDEN set
// tests/golden/pictures.txt is written anew; with FLASHSCOPE_PICTURES=folder the views are written there to be looked
// at.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "tests/explorer/pictures.h"

namespace {

using explorer::Headless;

struct GoldenView {
  std::string name, link;
  explorer::Size size;
};

const std::vector<GoldenView>& views() {
  static const std::string target = "batch=4&heads=32&seqlen=2048&cta=0,0,6,0&time=9000";
  static const std::vector<GoldenView> all = {
      {"flash2-dark", target, {}},
      {"flash2-light-zh", target + "&theme=light&lang=zh", {}},
      {"standard-softmax", "algorithm=standard&seqlen=512&kernel=1&time=1000", {1280, 720, 1}},
      {"flash1-backward", "algorithm=flash1&pass=backward&seqlen=512&time=9000", {1600, 1000, 1}},
      {"phone", target + "&causal=1&tab=memory", {780, 1688, 2}},
      {"tour", target + "&overlay=tour&tour-step=7", {1600, 1000, 1}}};
  return all;
}

std::map<std::string, ui::Rect> panels_of(const GoldenView& view) {
  const auto width = static_cast<float>(view.size.width), height = static_cast<float>(view.size.height);
  const ui::Tab tab = view.name == "phone" ? ui::Tab::memory : ui::Tab::matrix;
  const ui::Layout l = ui::make_layout(width, height, view.size.dpr, tab);
  return {{"title", l.title},         {"controls", l.controls}, {"actions", l.actions},   {"tab bar", l.tab_bar},
          {"counter", l.counters[0]}, {"roofline", l.roofline}, {"memory", l.memory},     {"matrix", l.matrix},
          {"code", l.code},           {"softmax", l.softmax},   {"timeline", l.timeline}, {"window", l.window}};
}

/// FNV-1a over the pixels of a place.
std::uint64_t hash_of(const platform::Picture& picture, ui::Rect place) {
  std::uint64_t hash = 14695981039346656037ull;
  for (int y = static_cast<int>(place.y); y < static_cast<int>(place.bottom()); ++y) {
    for (int x = static_cast<int>(place.x); x < static_cast<int>(place.right()); ++x) {
      const ui::Color c = picture.at(x, y);
      for (const std::uint8_t byte : {c.red, c.green, c.blue}) hash = (hash ^ byte) * 1099511628211ull;
    }
  }
  return hash;
}

/// "flash2-dark/memory" -> hash.
std::map<std::string, std::string> draw(const GoldenView& view) {
  Headless window(view.link, view.size);
  keep(window, "golden-" + view.name);
  const platform::Picture picture = window.driver.picture();
  std::map<std::string, std::string> hashes;
  for (const auto& [panel, place] : panels_of(view)) {
    if (place.empty()) continue;
    std::ostringstream hex;
    hex << std::hex << hash_of(picture, place);
    hashes[view.name + "/" + panel] = hex.str();
  }
  return hashes;
}

const std::string path = std::string(FLASHSCOPE_SOURCE) + "/tests/golden/pictures.txt";

/// Lines of a name, a tab and a hash.
std::map<std::string, std::string> golden() {
  std::ifstream in(path);
  std::map<std::string, std::string> hashes;
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) hashes[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return hashes;
}

}  // namespace

TEST_CASE("the pictures of six views are golden, panel by panel", "[pictures]") {
  std::map<std::string, std::string> drawn;
  for (const GoldenView& view : views()) drawn.merge(draw(view));
  if (std::getenv("FLASHSCOPE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream out(path, std::ios::binary);
    for (const auto& [name, hash] : drawn) out << name << '\t' << hash << '\n';
    FAIL_CHECK("wrote " << path << ": look at the pictures, then run again without FLASHSCOPE_UPDATE_GOLDEN");
    return;
  }
  const auto kept = golden();
  for (const auto& [name, hash] : drawn) {
    INFO(name << " looks different; FLASHSCOPE_UPDATE_GOLDEN=1 keeps it");
    CHECK(kept.count(name) == 1);
    CHECK((kept.count(name) == 1 && kept.at(name) == hash));
  }
  CHECK(kept.size() == drawn.size());
}
