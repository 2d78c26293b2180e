// Touch: every control of the desktop is reachable by tapping on a phone, and large enough; two fingers zoom.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "sim/report/numbers.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "viz/model/explained.h"

namespace {

using explorer::Headless;
using explorer::Size;

const std::vector<Size> phones = {{780, 1688, 2}, {1170, 2532, 3}};
constexpr const char* scenario = "#seqlen=2048&head-dim=64&causal=1&cta=0,0,6,0&time=9000";
constexpr const char* compared = "#seqlen=2048&head-dim=64&causal=1&cta=0,0,6,0&time=9000&compare=standard";

using Names = std::set<std::string>;

void add_names(const Headless& window, Names& names) {
  for (const auto& [name, rect] : window.driver.screen.state.probes) names.insert(name);
}

Names with_part(const Headless& window, const std::string& part) {
  Names names;
  for (const auto& [name, rect] : window.driver.screen.state.probes) {
    if (name.find(part) != std::string::npos) names.insert(name);
  }
  return names;
}

void tap(Headless& window, const std::string& name) {
  window.driver.tap(name);
  finish(window);
}

/// Opens a list or a card, adds the names in it, and closes it with another tap on its opener.
void look_into(Headless& window, const std::string& name, Names& names) {
  if (!window.driver.shows(name)) return;
  tap(window, name);
  add_names(window, names);
  tap(window, name);
}

/// Adds the names that become visible when a finger scrolls a view up, starting from the left of its bar.
void pull_up(Headless& window, Names& names) {
  constexpr int most = 16;
  for (int n = 0; n < most; ++n) {
    for (const std::string& scroll : with_part(window, "/scroll")) window.driver.swipe(scroll, -300, -4);
    add_names(window, names);
  }
}

/// Returns the names reachable with taps alone: in all tabs, in lists and cards that open, and below what a swipe
/// scrolls.
Names reachable_by_tapping(Headless& window) {
  Names names;
  add_names(window, names);
  for (const char* tab : {"matrix", "memory", "code", "softmax", "counters"}) {
    if (window.driver.shows("tab")) tap(window, "tab");  // a list, while runs are compared
    if (!window.driver.shows(std::string("tab/") + tab)) continue;
    tap(window, std::string("tab/") + tab);
    add_names(window, names);
    look_into(window, "center", names);  // the views, if their segments do not fit
    pull_up(window, names);
    for (const std::string& pane : with_part(window, "pane/")) {
      tap(window, pane);
      add_names(window, names);
      look_into(window, "center@2", names);
      pull_up(window, names);
    }
  }
  for (const char* opens : {"playback", "share", "algorithm"}) look_into(window, opens, names);
  tap(window, "options");
  add_names(window, names);
  look_into(window, "option/gpu", names);
  pull_up(window, names);
  tap(window, "options/close");
  return names;
}

/// Controls that have another name on a phone.
const std::map<std::string, std::string> equivalents = {{"batch", "option/batch"},
                                                        {"heads", "option/heads"},
                                                        {"gpu", "option/gpu"},
                                                        {"head-dim", "option/head-dim"},
                                                        {"br", "option/br"},
                                                        {"bc", "option/bc"},
                                                        {"pass", "option/pass"},
                                                        {"dtype", "option/dtype"},
                                                        {"causal", "option/causal"},
                                                        {"compare/end", "compare"},
                                                        {"compare/causes", "center/engineer"}};

/// Kind of a part of a picture, of which a phone shows fewer or others: a line, a slot, one of several equal numbers.
std::string kind_of(const std::string& name) {
  for (const char* part : {"line/", "smem/", "hbm/", "chip/", "registers/", "l2/"}) {
    if (name.starts_with(part)) return part;
  }
  return name;
}

void check_all_reachable(const char* link, Size size) {
  Headless desktop(link, {1600, 1000, 1}), phone(link, size);
  finish(desktop);
  finish(phone);
  Names wanted;
  add_names(desktop, wanted);
  const Names reached = reachable_by_tapping(phone);
  CHECK(wanted.size() > 30);
  for (const std::string& name : wanted) {
    if (name.starts_with("play-what/")) continue;  // the bar of a phone has no space for it; a link opens whole runs
    const auto other = equivalents.find(name);
    const std::string sought = kind_of(other == equivalents.end() ? name : other->second);
    INFO(name << " on a phone of dpr " << size.dpr);
    CHECK(std::any_of(reached.begin(), reached.end(), [&](const auto& r) { return kind_of(r) == sought; }));
  }
}

}  // namespace

TEST_CASE("every control of the desktop is reachable by tapping on a phone") {
  for (const Size& size : phones) check_all_reachable(scenario, size);
}

TEST_CASE("every control of compared runs is reachable by tapping on a phone", "[repeats]") {
  check_all_reachable(compared, phones.front());
}

TEST_CASE("tappable widgets on a phone are at least 40 pixels high") {
  // Parts of a picture and the numbers in it have the size that the picture gives them.
  constexpr const char* pictures[] = {"number/",   "line/",    "hbm",     "l2",      "smem",
                                      "registers", "roofline", "memory/", "overview"};
  for (const char* link : {scenario, compared}) {
    for (const char* tab : {"matrix", "memory", "code", "softmax", "counters"}) {
      Headless window(std::string(link) + "&playback=1&tab=" + tab, phones.front());
      finish(window);
      for (const auto& [name, rect] : window.driver.screen.state.probes) {
        if (std::any_of(std::begin(pictures), std::end(pictures),
                        [&, &name = name](auto p) { return name.starts_with(p); }))
          continue;
        INFO(name << " is " << rect.height / 2 << " CSS pixels high, in " << tab);
        // One pixel of the frame around segments belongs to none of them.
        CHECK(rect.height >= 2 * (name.find('/') == std::string::npos ? 40 : 36));
      }
    }
  }
}

TEST_CASE("the compare button of the top bar starts and ends a comparison, like its key") {
  for (const Size& size : {Size{1600, 1000, 1}, Size{960, 600, 1}, phones.front()}) {
    for (const char* algorithm : {"flash1", "standard"}) {
      Headless window(std::string("#seqlen=512&algorithm=") + algorithm, size),
          typed(window.explorer.model.link(), size);
      window.driver.click("compare");
      typed.driver.type("c");
      REQUIRE(window.explorer.model.world.subjects() == 2);
      CHECK(window.explorer.model.link() == typed.explorer.model.link());
      window.driver.click("compare");
      CHECK(window.explorer.model.world.subjects() == 1);
    }
  }
}

TEST_CASE("the button of the search opens the palette, whose lines can be tapped") {
  Headless window(scenario, phones.front());
  window.driver.tap("palette");
  CHECK(window.explorer.model.state.look.overlay == explorer::Overlay::palette);
  window.driver.frame();
  window.driver.tap("palette/0");
  CHECK(window.explorer.model.state.look.overlay == explorer::Overlay::none);
}

TEST_CASE("a button shows a tooltip under a mouse but not under a finger") {
  Headless window(scenario, {});
  window.driver.screen.texts.emplace();
  const auto says = [&](const std::string& sentence) {
    const auto& texts = *window.driver.screen.texts;
    return std::any_of(texts.begin(), texts.end(), [&](const auto& text) { return text.text == sentence; });
  };
  CHECK_FALSE(says("Compare with standard attention"));
  window.driver.hover("compare");
  CHECK(says("Compare with standard attention"));
  window.driver.hover("share");
  CHECK(says("Share and save"));
  window.driver.click("share");
  CHECK_FALSE(says("Share and save"));  // it would cover the open list
  window.driver.key(ImGuiKey_Escape);
  const ui::Rect place = window.driver.rect("compare");
  window.driver.screen.input.touch_move(place.center().x, place.center().y);
  window.driver.settle();
  CHECK_FALSE(says("Compare with standard attention"));
}

TEST_CASE("two fingers zoom the matrix around their centre, and move it") {
  Headless window(scenario, phones.front());
  const explorer::Look& look = window.explorer.model.state.look;
  const sim::Cycles time = window.explorer.model.world.time();
  window.driver.pinch("matrix", 3);
  CHECK(look.matrix_zoom == Approx(3).epsilon(1e-3));
  CHECK(look.matrix_x == Approx(0.5).margin(1e-3));
  CHECK(look.matrix_y == Approx(0.5).margin(1e-3));
  // At zoom 3 a third of the matrix is visible: half of the widget's width is a sixth of it.
  const ui::Rect place = window.driver.rect("matrix");
  window.driver.pinch("matrix", 1, place.width / 2, -place.height / 4);
  CHECK(look.matrix_x == Approx(0.5 - 1. / 6).margin(1e-3));
  CHECK(look.matrix_y == Approx(0.5 + 1. / 12).margin(1e-3));
  window.driver.pinch("matrix", 0.01f);
  CHECK(look.matrix_zoom == 1);
  CHECK(window.explorer.model.world.time() == time);
  CHECK_FALSE(window.explorer.model.playing());
}

TEST_CASE("two fingers zoom the timeline") {
  Headless window(scenario, phones.front());
  const sim::Cycles time = window.explorer.model.world.time();
  window.driver.pinch("timeline", 2.1f);
  CHECK(window.explorer.model.state.look.zoom == 4);  // four quarters of a power of two
  CHECK(window.explorer.model.world.time() == time);
}

TEST_CASE("a second finger cancels the press of the first") {
  Headless window(scenario, phones.front());
  for (const char* name : {"play", "overview", "theme"}) {
    const std::string link = window.explorer.model.link();
    if (window.driver.shows(name)) window.driver.pinch(name, 1.5f);
    CHECK_FALSE(window.explorer.model.playing());
    CHECK(window.explorer.model.state.look.theme == explorer::Theme::dark);
  }
}

TEST_CASE("a finger scrolls a list without pressing anything in it") {
  Headless window(std::string(scenario) + "&options=1", phones.front());
  window.driver.frame();
  const std::string link = window.explorer.model.link();
  const float before = window.driver.rect("option/pass").y;
  window.driver.swipe("option/pass", -90);
  CHECK(window.driver.rect("option/pass").y < before - 60);
  CHECK(window.explorer.model.link() == link);
  CHECK_FALSE(window.driver.shows("option/pass/backward"));
}

TEST_CASE("the playback card closes with a tap outside, and its controls set the playback") {
  Headless window(scenario, phones.front());
  explorer::Model& model = window.explorer.model;
  window.driver.tap("playback");
  window.driver.frame();
  keep(window, "playback-phone");
  window.driver.tap("unit");
  window.driver.tap("unit/row-block");
  CHECK(model.state.look.unit == explorer::Step::row_block);
  window.driver.tap("speed/2×");
  CHECK(model.state.speed == 2);
  window.driver.tap("loop");
  CHECK(model.state.look.loop);
  window.driver.tap("bookmark");
  CHECK(model.state.look.bookmarks.size() == 1);
  window.driver.tap("timeline-of/grid");
  CHECK(model.state.look.timeline == explorer::TimelineOf::grid);
  CHECK(model.state.look.playback);
  window.driver.tap("tab/memory");
  CHECK_FALSE(model.state.look.playback);
}

TEST_CASE("widgets have the same names in both languages", "[repeats]") {
  for (const char* view : {"&center=tiles", "&center=plots", "&compare=standard", "&tab=code"}) {
    Headless english(scenario + std::string(view) + "&lang=en", {3800, 1000, 1});
    Headless chinese(scenario + std::string(view) + "&lang=zh", {3800, 1000, 1});
    for (const char* list : {"", "plot", "over", "unit", "share", "compare/add", "seqlen", "br"}) {
      Names names[2];
      for (const std::size_t language : {0u, 1u}) {
        Headless& window = language == 0 ? english : chinese;
        if (!window.driver.screen.state.open.empty()) window.driver.key(ImGuiKey_Escape);
        if (window.driver.shows(list)) window.driver.click(list);
        finish(window);
        for (const auto& [name, rect] : window.driver.screen.state.probes) {
          if (!name.starts_with("number/") && !name.starts_with("line/")) names[language].insert(name);
        }
      }
      std::string message;
      for (const std::string& name : names[0]) message += names[1].count(name) == 0 ? " " + name : "";
      for (const std::string& name : names[1]) message += names[0].count(name) == 0 ? " " + name : "";
      INFO(view << " with \"" << list << "\" open differs:" << message);
      CHECK(message.empty());
    }
  }
}

TEST_CASE("the totals of a compared run explain their derivation") {
  Headless window(compared, {});
  const std::pair<std::string, std::int64_t> totals[] = {
      {"tile_traffic.bytes", window.explorer.model.world.subject(1).simulation().totals.total.total().count()},
      {"hbm_traffic.bytes", window.explorer.model.world.subject(1).simulation().hbm.total().count()},
      {"memory.peak_hbm_bytes", window.explorer.model.world.subject(1).simulation().memory.peak_hbm.count()}};
  for (const auto& [path, bytes] : totals) {
    INFO(path);
    window.driver.click("number/" + path + "@2");
    REQUIRE(window.explorer.model.state.look.selection == path + "@2");
    const auto derivation = explorer::explain(*window.explorer.model.world.subject(1).run, path);
    CHECK(derivation.value == std::to_string(bytes));
    CHECK(window.driver.screen.state.shown.at("number/" + path + "@2") == report::bytes(bytes));
    keep(window, "why-peer");
    window.driver.click("why/close");
  }
}
