#include "viz/panels/scenario/comparison.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/explorer/pictures.h"
#include "viz/ui/compare_layout.h"

namespace {

constexpr const char* three = "#seqlen=1024&head-dim=64&causal=1&compare=flash1,standard&time=2000";

}  // namespace

TEST_CASE("compared runs are shown side by side and can be synchronised, removed and ended") {
  explorer::Headless window(three, {});
  keep(window, "compare-three");
  CHECK(window.driver.shows("sync/bytes"));
  CHECK(window.driver.shows("compare/remove@3"));
  window.driver.click("sync/bytes");
  CHECK(window.explorer.model.state.look.sync == explorer::Sync::bytes);
  window.driver.click("compare/remove@2");
  CHECK(window.explorer.model.world.subjects() == 2);
  CHECK(window.explorer.model.world.subject(1).scenario().algorithm == "standard");
  keep(window, "compare-two");
  window.driver.click("compare/end");
  CHECK(window.explorer.model.world.subjects() == 1);
  CHECK_FALSE(window.driver.shows("compare/end"));
}

TEST_CASE("a run is added to a comparison by choosing its algorithm") {
  explorer::Headless window("#compare=flash1", {});
  window.driver.click("compare/add");
  window.driver.click("compare/add/standard");
  REQUIRE(window.explorer.model.world.subjects() == 3);
  CHECK(window.explorer.model.world.subject(2).scenario().algorithm == "standard");
  CHECK(window.explorer.model.link().find("compare=flash1,standard") != std::string::npos);
}

TEST_CASE("compared runs share a tab on narrow screens") {
  explorer::Headless window(three, {780, 1688, 2});
  keep(window, "compare-phone");
  CHECK_FALSE(window.driver.shows("compare/remove@3"));
  window.driver.click("pane/3");
  CHECK(window.driver.shows("compare/remove@3"));
}

TEST_CASE("two compared runs show all levels of memory at 1440 x 900, without scrolling") {
  explorer::Headless window("#batch=4&heads=32&seqlen=2048&compare=standard&time=1500", {1440, 900, 1});
  for (const std::string run : {"", "@2"}) {
    CHECK_FALSE(window.driver.shows("memory/scroll" + run));
    for (const std::string level : {"smem/line", "registers/line"}) CHECK(window.driver.shows(level + run));
  }
}

TEST_CASE("compared runs that do not fit into the card show their peak memory in amber") {
  explorer::Headless window("seqlen=131072&batch=4&heads=32&compare=standard", {});
  const auto amber_pixels = [&](const std::string& name) {
    const ui::Rect place = window.driver.screen.state.probes.at(name);
    const platform::Picture picture = window.driver.picture();
    int found = 0;
    for (int y = static_cast<int>(place.y); y < static_cast<int>(place.bottom()); ++y) {
      for (int x = static_cast<int>(place.x); x < static_cast<int>(place.right()); ++x) {
        const std::size_t at = 4 * (static_cast<std::size_t>(y * picture.width) + static_cast<std::size_t>(x));
        found += picture.rgba[at] > picture.rgba[at + 2] + 100 ? 1 : 0;
      }
    }
    return found;
  };
  CHECK(amber_pixels("number/memory.peak_hbm_bytes") == 0);
  CHECK(amber_pixels("number/memory.peak_hbm_bytes@2") > 5);
  CHECK(amber_pixels("number/hbm_traffic.bytes@2") == 0);
}

TEST_CASE("an impossible run of a comparison shows its error and leaves the other runs") {
  explorer::Headless window("#dtype=fp32&compare=br:1024+bc:1024,flash1", {});
  keep(window, "compare-impossible");
  CHECK_FALSE(window.explorer.model.world.subject(1).error.empty());
  CHECK(window.explorer.model.world.subject(2).error.empty());
}

namespace {

constexpr explorer::Size usual_sizes[] = {{1440, 900, 1}, {960, 600, 1}, {780, 1688, 2}, {1600, 1000, 1}};
constexpr const char* comparisons[] = {"batch=4&heads=32&algorithm=standard&compare=flash1,flash2",
                                       "batch=4&heads=32&compare=flash2+br:64,flash2+br:32,standard",
                                       "algorithm=flash1&seqlen=512&br=64&compare=flash1+gpu:a100-sxm-40gb"};

/// Returns the texts of a picture; truncated ones end in "…".
std::vector<ui::DrawnText> texts_of(explorer::Headless& window) {
  window.driver.screen.texts.emplace();
  window.finish();
  std::vector<ui::DrawnText> texts;
  for (const ui::DrawnText& text : *window.driver.screen.texts) {
    if (text.text == "…" && !texts.empty())
      texts.back().text += text.text;
    else
      texts.push_back(text);
  }
  return texts;
}

bool has_ratio(const std::string& text) {
  for (const char* words : {" x less", " x more", " x faster", " x slower", " of standard", " x standard"}) {
    if (text.find(words) != std::string::npos) return true;
  }
  return false;
}

bool says_of_what(const std::string& text) {
  const bool says = text.find("than ") != std::string::npos || text.find(" standard") != std::string::npos ||
                    text.starts_with("against ");
  return says && !text.ends_with("…");
}

bool on_one_line(const ui::DrawnText& a, const ui::DrawnText& b) {
  return std::abs(a.box.center().y - b.box.center().y) < 0.25f * a.box.height;
}

/// True if the ratio itself, a text to its left on the same line, or a text in the same header names its reference.
bool is_explained(const ui::DrawnText& ratio, const std::vector<ui::DrawnText>& texts,
                  const std::vector<ui::Rect>& headers) {
  if (says_of_what(ratio.text)) return true;
  return std::any_of(texts.begin(), texts.end(), [&](const ui::DrawnText& other) {
    if (!says_of_what(other.text) || has_ratio(other.text)) return false;
    const auto both_in = [&](const ui::Rect& r) {
      return r.contains(ratio.box.center()) && r.contains(other.box.center());
    };
    return (on_one_line(ratio, other) && other.box.right() <= ratio.box.x) ||
           std::any_of(headers.begin(), headers.end(), both_in);
  });
}

std::vector<ui::Rect> headers_of(const explorer::Headless& window, explorer::Size size) {
  std::vector<ui::Rect> headers;
  const auto& model = window.explorer.model;
  if (model.state.plays_run()) return headers;
  for (const ui::ComparePane& pane :
       ui::make_compare_layout(static_cast<float>(size.width), static_cast<float>(size.height), size.dpr,
                               model.world.subjects(), model.world.subjects() - 1)
           .panes)
    headers.push_back(pane.header);
  return headers;
}

void check_ratios(const explorer::Headless& window, const std::vector<ui::DrawnText>& texts, explorer::Size size,
                  std::size_t least) {
  const std::vector<ui::Rect> headers = headers_of(window, size);
  std::size_t ratios = 0;
  for (const ui::DrawnText& text : texts) {
    if (!has_ratio(text.text)) continue;
    ++ratios;
    INFO(text.text);
    CHECK(is_explained(text, texts, headers));
  }
  CHECK(ratios >= least);
}

}  // namespace

TEST_CASE("every ratio is drawn with its reference") {
  for (const explorer::Size size : usual_sizes) {
    for (const std::string link : comparisons) {
      INFO(size.width << " x " << size.height << " #" << link);
      explorer::Headless cards(link + "&time=3000", size);
      cards.explorer.model.state.look.pane = static_cast<int>(cards.explorer.model.world.subjects()) - 1;
      const auto texts = texts_of(cards);
      check_ratios(cards, texts, size, 1);
      explorer::Headless race(link + "&play=run&run-time=100", size);
      check_ratios(race, texts_of(race), size, race.explorer.model.world.subjects() - 1);
    }
    explorer::Headless all("algorithm=standard&compare=flash1,flash2&seqlen=512&time=3000&pane=2", size);
    const bool side_by_side = size.width == 1440 || size.width == 1600;
    check_ratios(all, texts_of(all), size, side_by_side ? 8 : 4);  // both traffics, memory and time of each run
    explorer::Headless one("seqlen=2048&batch=4&heads=32&tab=counters", size);
    const bool counters = size.width != 960;  // another tab is selected there
    check_ratios(one, texts_of(one), size, counters ? 4 : 0);
  }
}

TEST_CASE("the texts of compared runs keep a distance") {
  for (const explorer::Size size : usual_sizes) {
    for (const std::string link : comparisons) {
      explorer::Headless window(link + "&time=3000", size);
      const auto texts = texts_of(window);
      for (const ui::Rect header : headers_of(window, size)) {
        for (const ui::DrawnText& a : texts) {
          for (const ui::DrawnText& b : texts) {
            if (!header.contains(a.box.center()) || !header.contains(b.box.center()) || &a == &b) continue;
            if (!on_one_line(a, b) || a.box.x > b.box.x) continue;
            INFO(size.width << " #" << link << ": " << a.text << " | " << b.text);
            CHECK(a.box.right() + a.em / 4 <= b.box.x);
          }
        }
      }
    }
  }
}

TEST_CASE("no two compared runs show the same name, whole or cut") {
  for (const explorer::Size size : usual_sizes) {
    for (const std::string link : comparisons) {
      for (const std::string play : {"cta", "run"}) {
        explorer::Headless window(link + "&time=3000&run-time=100&play=" + play, size);
        const auto texts = texts_of(window);
        const auto& model = window.explorer.model;
        for (const ui::DrawnText& text : texts) {
          const bool cut = text.text.ends_with("…");
          const std::string kept = cut ? text.text.substr(0, text.text.size() - std::string("…").size()) : text.text;
          std::size_t runs = 0;
          for (std::size_t n = 0; n < model.world.subjects(); ++n) {
            const auto is_of = [&](const std::string& name) { return cut ? name.starts_with(kept) : name == kept; };
            runs += is_of(explorer::run_name(model, n)) || is_of(explorer::run_name(model, n, true)) ? 1 : 0;
          }
          INFO(size.width << " #" << link << ": " << text.text);
          CHECK(runs <= 1);
        }
      }
    }
  }
}

TEST_CASE("the name of a compared run has the options that the user set, and no others") {
  explorer::Headless window("compare=flash1,flash2+br:64,flash2+causal:1&seqlen=512", {});
  const auto& model = window.explorer.model;
  CHECK(explorer::run_name(model, 1) == "FlashAttention-1");  // its different tiles are defaults
  CHECK(explorer::run_name(model, 2) == "FlashAttention-2, Br 64");
  CHECK(explorer::run_name(model, 3, true) == "Flash-2, Causal");
  explorer::Headless twice("compare=flash2&seqlen=512", {});
  CHECK(explorer::run_name(twice.explorer.model, 1) != explorer::run_name(twice.explorer.model, 0));
}
