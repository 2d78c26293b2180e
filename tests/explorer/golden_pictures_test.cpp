// Golden pictures: a hash for every panel of these views, from the software rasteriser. They are equal on every
// processor, with every supported Dear ImGui and in every distribution: this program embeds DejaVu and WenQuanYi for
// all faces, whose glyphs are the same in Debian 12 and 13 (cmake/Fonts.cmake). FLASHSCOPE_UPDATE_GOLDEN rewrites the
// hashes, FLASHSCOPE_PICTURES=folder writes the views there, and FLASHSCOPE_GOLDEN_VIEW=name draws and compares one
// view only.
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
  bool computed = false;  ///< drawn after its long computations
};

const std::vector<GoldenView>& views() {
  static const std::string target = "batch=4&heads=32&seqlen=2048&cta=0,0,6,0&time=9000";
  static const std::string ragged =
      "seqlens=1%20128%20128,1%20512%20512,1%20128%20128,1%201024%201024&heads=8&gpu=t4&br=128&bc=128";
  static const std::string roles = "algorithm=flash3&batch=4&heads=16&seqlen=8448&head-dim=128&time=30250&center=roles";
  static const std::string pages =
      "algorithm=paged-attention&heads=8&seqlen-q=1&seqlen-k=500&steps=128&samples=4&page-size=16&center=pages";
  static const std::string numbers =
      "algorithm=flash3&dtype=e4m3&inputs=outliers&batch=4&heads=16&seqlen=2048&head-dim=128&center=numbers";
  static const std::string gpus =
      "algorithm=flash2&gpus=8&causal=1&seqlen=32768&heads=32&kv-heads=8&head-dim=128&dtype=bf16&center=gpus";
  static const std::vector<GoldenView> all = {
      {"flash2-dark", target, {}},
      {"flash2-light-zh", target + "&theme=light&lang=zh", {}},
      {"standard-softmax", "algorithm=standard&seqlen=512&kernel=1&time=1000", {1280, 720, 1}},
      {"flash1-backward", "algorithm=flash1&pass=backward&seqlen=512&time=9000", {1600, 1000, 1}},
      {"wall", "batch=4&heads=32&seqlen=131072&center=wall", {1600, 1000, 1}},
      {"engineer", target + "&center=engineer&drag=select&span=6000,14000&cause=issue_busy", {1440, 900, 1}},
      {"microscope", "inputs=text:mouse&cta=0,3,3,0&time=2550&center=microscope&without-alpha=1", {}, true},
      {"batch", ragged, {1600, 1000, 1}, true},
      {"batch-light-zh", ragged + "&theme=light&lang=zh&issue=longest", {390, 844, 1}, true},
      {"roles", roles, {1600, 1000, 1}, true},
      {"roles-light-zh", roles + "&theme=light&lang=zh&schedule=ping-pong&arrive=issued", {1440, 900, 1}, true},
      {"roles-backward",
       "algorithm=flash3&pass=backward&heads=16&seqlen=4096&head-dim=128&center=roles&time=20000",
       {1600, 1000, 1},
       true},
      {"roles-phone", roles + "&schedule=serial", {780, 1688, 2}, true},
      {"pages", pages + "&sequence=1", {1600, 1000, 1}},
      {"pages-light-zh", pages + "&theme=light&lang=zh&token=128", {1440, 900, 1}},
      {"numbers", numbers, {1600, 1000, 1}, true},
      {"numbers-light-zh", numbers + "&theme=light&lang=zh&fp8-scales=tensor&rotate=0", {1440, 900, 1}, true},
      {"gpus", gpus + "&parallel=zigzag&rank=3", {1600, 1000, 1}},
      {"gpus-light-zh", gpus + "&theme=light&lang=zh&parallel=gather", {1440, 900, 1}},
      {"phone", target + "&causal=1&tab=memory", {780, 1688, 2}},
      {"tour", target + "&overlay=tour&tour-step=9", {1600, 1000, 1}}};
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

/// Hashes the pixels of a rectangle.
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

/// Returns the hashes of a view's panels: "flash2-dark/memory" -> hash.
std::map<std::string, std::string> draw(const GoldenView& view) {
  Headless window(view.link, view.size);
  if (view.computed) window.finish();
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

/// Reads the stored hashes by panel. Each line has the name of a panel and its hash, separated by a tab.
std::map<std::string, std::string> golden() {
  std::ifstream in(path);
  std::map<std::string, std::string> hashes;
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    hashes[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return hashes;
}

void keep_golden(const std::map<std::string, std::string>& hashes) {
  std::ofstream out(path, std::ios::binary);
  for (const auto& [panel, hash] : hashes) out << panel << '\t' << hash << '\n';
  FAIL_CHECK("wrote " << path << ": look at the pictures, then run again without FLASHSCOPE_UPDATE_GOLDEN");
}

}  // namespace

TEST_CASE("the pictures of fifteen views are golden, panel by panel", "[repeats]") {
  const bool update = std::getenv("FLASHSCOPE_UPDATE_GOLDEN") != nullptr;
  const char* only = update ? nullptr : std::getenv("FLASHSCOPE_GOLDEN_VIEW");
  std::map<std::string, std::string> drawn;
  for (const GoldenView& view : views()) {
    if (only == nullptr || view.name == only) drawn.merge(draw(view));
  }
  REQUIRE_FALSE(drawn.empty());
  if (update) return keep_golden(drawn);
  const std::map<std::string, std::string> kept = golden();
  for (const auto& [name, hash] : drawn) {
    INFO(name << " looks different; FLASHSCOPE_UPDATE_GOLDEN=1 keeps it");
    CHECK(kept.count(name) == 1);
    CHECK((kept.count(name) == 1 && kept.at(name) == hash));
  }
  if (only == nullptr) CHECK(kept.size() == drawn.size());
}
