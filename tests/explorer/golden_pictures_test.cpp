// Golden pictures: a hash for every panel of six views, from the software rasteriser. They are the same on every
// processor and with every Dear ImGui that fits, and others with other fonts: tests/golden/pictures.txt has a set for
// those of each distribution, told apart by a hash of their glyphs. With FLASHSCOPE_UPDATE_GOLDEN set the set of the
// fonts that are here is written anew; with FLASHSCOPE_PICTURES=folder the views are written there to be looked at,
// with FLASHSCOPE_GOLDEN_VIEW=name one view alone is drawn and compared.
#include <catch2/catch.hpp>
#include <cmath>
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

/// FNV-1a.
class Hash {
 public:
  void add(std::uint64_t number) { hash_ = (hash_ ^ number) * 1099511628211ull; }
  std::string text() const {
    std::ostringstream hex;
    hex << std::hex << hash_;
    return hex.str();
  }

 private:
  std::uint64_t hash_ = 14695981039346656037ull;
};

/// Of the pixels of a place.
std::string hash_of(const platform::Picture& picture, ui::Rect place) {
  Hash hash;
  for (int y = static_cast<int>(place.y); y < static_cast<int>(place.bottom()); ++y) {
    for (int x = static_cast<int>(place.x); x < static_cast<int>(place.right()); ++x) {
      const ui::Color c = picture.at(x, y);
      for (const std::uint8_t byte : {c.red, c.green, c.blue}) hash.add(byte);
    }
  }
  return hash.text();
}

/// Of the sizes of all Latin letters: a version of a font that changes none of them has its pictures.
std::string hash_of_fonts() {
  const auto fonts = ui::shared_fonts(1);  // which most views share: in qemu each scale takes seconds
  Hash hash;
  for (const ImFont* font : fonts->fonts) {
    for (ImWchar c = ' '; c < 0x180; ++c) {
      const ImFontGlyph* g = font->FindGlyphNoFallback(c);
      if (g == nullptr) continue;
      for (const float side : {g->X0, g->Y0, g->X1, g->Y1, g->AdvanceX})
        hash.add(static_cast<std::uint64_t>(std::lround(side * 256)));
    }
  }
  return hash.text();
}

/// "flash2-dark/memory" -> hash.
std::map<std::string, std::string> draw(const GoldenView& view) {
  Headless window(view.link, view.size);
  keep(window, "golden-" + view.name);
  const platform::Picture picture = window.driver.picture();
  std::map<std::string, std::string> hashes;
  for (const auto& [panel, place] : panels_of(view)) {
    if (place.empty()) continue;
    hashes[view.name + "/" + panel] = hash_of(picture, place);
  }
  return hashes;
}

const std::string path = std::string(FLASHSCOPE_SOURCE) + "/tests/golden/pictures.txt";

/// Of each set of fonts, the panels' hashes. Lines of a hash of fonts, a name and a hash, with tabs between them.
std::map<std::string, std::map<std::string, std::string>> golden() {
  std::ifstream in(path);
  std::map<std::string, std::map<std::string, std::string>> sets;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find('\t'), second = line.rfind('\t');
    REQUIRE(second > first);
    sets[line.substr(0, first)][line.substr(first + 1, second - first - 1)] = line.substr(second + 1);
  }
  return sets;
}

}  // namespace

TEST_CASE("the pictures of six views are golden, panel by panel", "[repeats]") {
  auto sets = golden();
  const std::string fonts = hash_of_fonts();
  const bool update = std::getenv("FLASHSCOPE_UPDATE_GOLDEN") != nullptr;
  if (!update && sets.count(fonts) == 0) {
    WARN("skipped: tests/golden/pictures.txt has no pictures with these fonts, " << fonts);
    return;
  }
  std::map<std::string, std::string> drawn;
  const char* only = update ? nullptr : std::getenv("FLASHSCOPE_GOLDEN_VIEW");
  for (const GoldenView& view : views()) {
    if (only == nullptr || view.name == only) drawn.merge(draw(view));
  }
  REQUIRE_FALSE(drawn.empty());
  if (update) {
    sets[fonts] = drawn;
    std::ofstream out(path, std::ios::binary);
    for (const auto& [name, set] : sets) {
      for (const auto& [panel, hash] : set) out << name << '\t' << panel << '\t' << hash << '\n';
    }
    FAIL_CHECK("wrote " << path << ": look at the pictures, then run again without FLASHSCOPE_UPDATE_GOLDEN");
    return;
  }
  const auto& kept = sets.at(fonts);
  for (const auto& [name, hash] : drawn) {
    INFO(name << " looks different; FLASHSCOPE_UPDATE_GOLDEN=1 keeps it");
    CHECK(kept.count(name) == 1);
    CHECK((kept.count(name) == 1 && kept.at(name) == hash));
  }
  if (only == nullptr) CHECK(kept.size() == drawn.size());
}
