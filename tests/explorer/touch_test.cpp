// Fingers: every control of the desktop is reachable by tapping on a phone, and large enough; two fingers zoom.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"

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

Names beginning_with(const Headless& window, const std::string& begin) {
  Names names;
  for (const auto& [name, rect] : window.driver.screen.state.probes) {
    if (name.starts_with(begin)) names.insert(name);
  }
  return names;
}

void tap(Headless& window, const std::string& name) {
  window.driver.tap(name);
  finish(window);
}

/// Opens a list or a card, notes what it holds, and closes it with another tap on what opened it.
void look_into(Headless& window, const std::string& name, Names& names) {
  if (!window.driver.shows(name)) return;
  tap(window, name);
  add_names(window, names);
  tap(window, name);
}

/// What is reachable with taps alone: in all tabs, in the lists and cards that open, and below what a swipe pulls up.
Names reachable_by_tapping(Headless& window) {
  Names names;
  add_names(window, names);
  for (const char* tabs : {"tab/", "pane/"}) {
    for (const std::string& tab : beginning_with(window, tabs)) {
      tap(window, tab);
      add_names(window, names);
    }
  }
  for (const char* opens : {"playback", "share", "algorithm"}) look_into(window, opens, names);
  tap(window, "options");
  for (int n = 0; n < 12; ++n) {
    add_names(window, names);
    if (window.driver.shows("option/gpu")) look_into(window, "option/gpu", names);
    window.driver.swipe("options/scroll", -200, -400);
  }
  tap(window, "options/close");
  return names;
}

/// What has another name on a phone.
const std::map<std::string, std::string> equivalents = {
    {"gpu", "option/gpu"},           {"head-dim", "option/head-dim"},   {"br", "option/br"},
    {"bc", "option/bc"},             {"pass", "option/pass"},           {"dtype", "option/dtype"},
    {"causal", "option/causal"},
    {"compare/add", "option/algorithm"}};

/// A part of a picture, of which a phone shows another part, or less: a line, a slot, one of several equal numbers.
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
    const auto other = equivalents.find(name);
    const std::string sought = kind_of(other == equivalents.end() ? name : other->second);
    const bool found = std::any_of(reached.begin(), reached.end(), [&](const std::string& r) { return kind_of(r) == sought; });
    INFO(name << " on a phone of dpr " << size.dpr);
    CHECK(found);
  }
}

}  // namespace

TEST_CASE("every control of the desktop is reachable by tapping on a phone") {
  for (const Size& size : phones) check_all_reachable(scenario, size);
}

TEST_CASE("every control of compared runs is reachable by tapping on a phone") {
  check_all_reachable(compared, phones.front());
}
