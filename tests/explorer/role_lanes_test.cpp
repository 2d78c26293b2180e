// The lower card of the view "roles", as users operate it: dragging, arrows, badges, schedules and the table of cycles.
#include <catch2/catch.hpp>
#include <set>

#include "sim/programs/programs.h"
#include "tests/explorer/finish.h"
#include "viz/model/roles/role_state.h"
#include "viz/panels/hatch.h"

namespace {

using Catch::Contains;
using explorer::Headless;
using sim::Cycles;

const std::string roles_link = "algorithm=" + std::string(sim::programs::flash3.name) +
                               "&center=roles&batch=4&heads=16&seqlen=8448&head-dim=128&time=30250";

const explorer::RoleTrace& roles_of(const Headless& window) { return window.explorer.model.world.replay().roles; }

/// Moves the pointer to a place of the last frame, and clicks there.
void point_at(Headless& window, ui::Rect place, bool click) {
  auto& input = window.driver.screen.input;
  input.push(platform::PointerMoved{place.center().x, place.center().y});
  if (click) {
    input.push(platform::ButtonChanged{ImGuiMouseButton_Left, true});
    input.push(platform::ButtonChanged{ImGuiMouseButton_Left, false});
  }
  window.driver.settle();
}

/// Arrows of the last frame by name.
std::map<std::string, ui::Rect> arrows_of(const Headless& window) {
  std::map<std::string, ui::Rect> arrows;
  for (const auto& [name, place] : window.driver.screen.state.places) {
    if (name.starts_with("arrow/")) arrows.emplace(name, place);
  }
  return arrows;
}

const explorer::RolePhase& phase_of(const explorer::RoleTrace& roles, const std::string& arrow) {
  for (const auto& phases : roles.phases()) {
    for (const explorer::RolePhase& phase : phases) {
      const sim::TraceBarrier& barrier = roles.trace().barriers[static_cast<std::size_t>(phase.barrier)];
      if (sim::text("arrow/", name_of(barrier.kind), "/", barrier.name, "/", phase.number) == arrow) return phase;
    }
  }
  throw sim::Error("no phase for " + arrow);
}

}  // namespace

TEST_CASE("dragging the lanes of roles moves time, and the wheel changes their scale alone") {
  Headless window(roles_link, {});
  explorer::Model& model = window.explorer.model;
  const Cycles before = model.world.time();
  window.driver.drag("roles/lanes", 0.5f, 0.45f);
  CHECK(model.world.time() > before);
  window.driver.drag("roles/lanes", 0.45f, 0.5f);
  CHECK(std::abs((model.world.time() - before).count()) < 4096);
  window.driver.wheel("roles/lanes", 4);
  CHECK(model.state.look.zoom == 4);
  for (int n = 0; n < 60; ++n) window.driver.wheel("roles/lanes", -1);
  CHECK(model.state.look.timeline == explorer::TimelineOf::cta);
}

TEST_CASE("a click on an arrow goes to the moment at which its phase ends, and hovering names barrier and waits") {
  Headless window(roles_link, {});
  finish(window);
  std::set<std::string> kinds;
  for (const auto& [name, place] : arrows_of(window)) {
    if (!window.driver.rect("roles/lanes").contains(place.center())) continue;
    const std::string kind = name.substr(6, name.find('/', 6) - 6);
    if (!kinds.insert(kind).second) continue;
    INFO(name);
    window.driver.screen.texts.emplace();
    point_at(window, place, false);
    std::string all;
    for (const ui::DrawnText& text : *window.driver.screen.texts) all += text.text + "\n";
    CHECK_THAT(all, Contains(sim::text("phase ", phase_of(roles_of(window), name).number)));
    CHECK_THAT(all, Contains("cycles for it, until"));
    point_at(window, place, true);
    CHECK(window.explorer.model.world.time() == phase_of(roles_of(window), name).end());
    window.explorer.model.follow(roles_link);
    window.driver.settle();
  }
  CHECK(kinds == std::set<std::string>{"turn", "full", "empty"});
}

TEST_CASE("lanes that show many tiles have no arrows") {
  Headless window(roles_link + "&zoom=-40", {});
  finish(window);
  CHECK(arrows_of(window).empty());
  window.explorer.model.state.look.zoom = 0;
  finish(window);
  CHECK(!arrows_of(window).empty());
}

TEST_CASE("steps stop at events of any role, and after a click on a badge at those of its role") {
  Headless window(roles_link + "&unit=event", {});
  explorer::Model& model = window.explorer.model;
  const explorer::RoleTrace& roles = roles_of(window);
  const auto next = [](const std::vector<Cycles>& stops, Cycles time) {
    return *std::upper_bound(stops.begin(), stops.end(), time);
  };
  const Cycles start = model.world.time();
  window.driver.click("step");
  CHECK(model.world.time() == next(roles.stops(), start));
  window.driver.click("roles/lane/2");
  CHECK(model.state.look.role == 2);
  for (int n = 0; n < 5; ++n) {
    const Cycles before = model.world.time();
    window.driver.click("step");
    CHECK(model.world.time() == next(roles.stops(2), before));
  }
  CHECK_THAT(model.link(), Contains("role=2"));
  window.driver.click("roles/lane/2");
  CHECK(model.state.look.role == -1);
}

TEST_CASE("a click on one of the schedules makes it the scenario's, and each has its share of the tensor peak") {
  Headless window(roles_link, {});
  finish(window);
  const std::string names[] = {"serial", "warp-specialised", "ping-pong", "overlapped"};
  double before = 0;
  for (const std::string& name : names) {
    const double share = std::stod(shown(window, "roles/share/" + name));
    CHECK(share > before);
    CHECK(share < 100);
    before = share;
  }
  const std::string values[] = {"overlapped", "ping-pong", "warp-specialised", "serial"};
  for (const std::string& name : names) {
    window.driver.click("roles/schedule/" + name);
    finish(window);
    const explorer::Subject& subject = window.explorer.model.world.subject(0);
    CHECK(subject.scenario().own.at("schedule") == std::find(std::begin(values), std::end(values), name) - values);
    CHECK(shown(window, "roles/share/overlapped") != "-");
    CHECK_THAT(shown(window, "roles/clock"), Catch::StartsWith("at 1400 MHz the CTA takes"));
  }
}

TEST_CASE("the cycles of each role add up to those of the CTA") {
  for (const char* more :
       {"", "&schedule=serial", "&schedule=ping-pong&arrive=issued", "&br=64&bc=64", "&head-dim=64"}) {
    INFO(more);
    Headless window(roles_link + more, {});
    finish(window);
    const explorer::RoleTrace& roles = roles_of(window);
    std::size_t consumer = 0;
    for (std::size_t r = 0; r < roles.lanes().size(); ++r) {
      if (!roles.lanes()[r].computes) continue;
      ++consumer;
      double sum = 0;
      for (const char* part : {"work", "meet", "products", "turn", "stage", "rest"}) {
        const std::string text = shown(window, sim::text("roles/cycles/", part, "/", consumer));
        sum += text.empty() ? 0 : std::stod(text);
      }
      CHECK(sum == Approx(100).margin(0.31));
    }
  }
}

TEST_CASE("a narrow window has the cycles and the shares below the lanes") {
  for (const explorer::Size& size : {explorer::Size{1600, 1000, 1}, {1000, 900, 1}, {390, 844, 1}}) {
    INFO(size.width);
    Headless window(roles_link, size);
    finish(window);
    CHECK(shown(window, "roles/cycles/work/2") == "64.9 %");
    CHECK(shown(window, "roles/share/overlapped") == "92.0 %");
    CHECK_THAT(shown(window, "roles/clock"), Contains("at 1400 MHz the CTA takes"));
  }
}

TEST_CASE("lanes of roles have the flags of bookmarks in their window, as the timeline has") {
  Headless window(roles_link, {});
  window.driver.click("bookmark");
  explorer::Model& model = window.explorer.model;
  const std::string flag = sim::text("flag/", model.world.time().count());
  const auto flagged = [&] {
    window.driver.settle();
    return window.driver.screen.state.places.contains(flag);
  };
  CHECK(flagged());
  model.seek(model.world.replay().roles.end());
  CHECK_FALSE(flagged());
  window.explorer.model.follow("#cta=0,0,0,0&bookmarks=0:0,0,0,0:20000&time=20000");
  window.driver.settle();
  CHECK(window.driver.screen.state.places.contains(sim::text("flag/", model.world.time().count())));
}

TEST_CASE("waits for a turn and for a stage have hatches of their own") {
  std::set<explorer::Hatch> hatches;
  for (const sim::Cause cause : {sim::Cause::data, sim::Cause::bandwidth, sim::Cause::barrier, sim::Cause::turn,
                                 sim::Cause::stage, sim::Cause::issue_busy})
    hatches.insert(explorer::hatch_of(cause));
  CHECK(hatches.size() == 6);
  CHECK(!hatches.contains(explorer::Hatch::none));
}
