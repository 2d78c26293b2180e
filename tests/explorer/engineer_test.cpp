// The engineer's lens, as users operate it: a selected span of time, and keys over the timeline.
#include <catch2/catch.hpp>
#include <set>

#include "sim/report/numbers.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "viz/model/causes.h"
#include "viz/panels/timeline/timeline.h"
#include "viz/ui/imgui_version.h"

namespace {

using Catch::Contains;
using explorer::Headless;

const std::string lens = "batch=4&heads=32&seqlen=2048&center=engineer";

}  // namespace

TEST_CASE("dragging over the lanes selects a span between edges of events, which the link keeps") {
  Headless window(lens + "&time=11700", {});
  explorer::Model& model = window.explorer.model;
  window.driver.click("drag/select");
  const sim::Cycles time = model.world.time();
  window.driver.drag("timeline", 0.284f, 0.8f);
  CHECK(model.world.time() == time);
  REQUIRE(model.state.look.span);
  const explorer::TimeSpan span = *model.state.look.span;
  const explorer::TraceIndex& index = model.world.replay().index;
  CHECK(index.nearest_edge(span.from) == span.from);
  const sim::SpanSums sums = model.world.replay().sums.between(span.from, span.to);
  CHECK(shown(window, "span/matmul_flops") == report::flops(sums.matmul_flops.count()));
  CHECK(shown(window, "span/tensor.work") ==
        explorer::time_text(model.world.subject(0).microseconds(sums.stalls.engines[1].work)));
  CHECK(shown(window, "span/waits.barrier") ==
        explorer::time_text(model.world.subject(0).microseconds(sums.wait(sim::Cause::barrier))));
  CHECK_THAT(model.link(), Contains("drag=select&span=" + explorer::span_text(span)));
  Headless again(model.link(), {});
  CHECK(again.explorer.model.state.look.span->to == span.to);
  CHECK(shown(again, "span/matmul_flops") == shown(window, "span/matmul_flops"));
  keep(window, "engineer-span");
  window.driver.click("timeline", 0.5f);
  CHECK(model.world.time() != time);
}

TEST_CASE("the whole CTA as a span has the command line's sums") {
  Headless window(lens + "&span=0,1e9", {});
  const explorer::Model& model = window.explorer.model;
  const sim::Stalls& stalls = model.world.replay().stalls;
  const sim::SpanSums sums = model.world.replay().sums.between({}, model.world.replay().index.end());
  CHECK(sums.stalls.time == stalls.time);
  CHECK(shown(window, "span/tensor.work") ==
        explorer::time_text(model.world.subject(0).microseconds(stalls.engines[1].work)));
  CHECK(shown(window, "span/read") == report::bytes(2 * 64 * (128 + 2 * 2048)));
  CHECK(shown(window, "span/exps") != "");
}

TEST_CASE("keys select a span from or to the playhead, and Escape closes what is in front before the span") {
  Headless window(lens, {});
  explorer::Model& model = window.explorer.model;
  model.seek(sim::whole_cycles(9000));
  window.driver.type("[");
  model.seek(sim::whole_cycles(12000));
  window.driver.type("]");
  REQUIRE(model.state.look.span);
  CHECK(explorer::span_text(*model.state.look.span) == "9000,12000");
  model.seek(sim::whole_cycles(20000));
  window.driver.type("[");
  CHECK(model.state.look.span->to == model.world.replay().index.end());
  window.driver.type("?");
  model.state.look.selection = "time.microseconds";
  window.driver.key(ImGuiKey_Escape);
  CHECK(model.state.look.overlay == explorer::Overlay::none);
  window.driver.key(ImGuiKey_Escape);
  CHECK(model.state.look.selection.empty());
  CHECK(model.state.look.span);
  window.driver.key(ImGuiKey_Escape);
  CHECK_FALSE(model.state.look.span);
  window.driver.type("v");
  CHECK(model.state.look.drag_selects);
}

TEST_CASE("W, S, A and D zoom and move over the timeline, and keep their usual meaning elsewhere") {
  Headless window(lens + "&time=11700", {});
  explorer::Model& model = window.explorer.model;
  const sim::Cycles time = model.world.time();
  window.driver.hover("timeline");
  window.driver.type("w");
  CHECK(model.state.look.zoom == 2);
  CHECK(model.state.look.selection.empty());
  window.driver.type("d");
  CHECK(model.world.time() > time);
  window.driver.type("A");
  CHECK(model.world.time() == time);
  window.driver.type("s");
  CHECK(model.state.look.zoom == 0);
  CHECK_FALSE(model.state.look.still);
  window.driver.hover("stalls/tensor");
  window.driver.type("s");
  CHECK(model.state.look.still);
  window.driver.type("w");
  CHECK(model.state.look.selection == "time.microseconds");
}

TEST_CASE("an invalid span of a link is reported") {
  explorer::Model model(sim::built_in_gpu);
  for (const char* span : {"5", "9,3", "a,b", "1,2,3", "4,4", "-1,5", ",", ""}) {
    INFO(span);
    model.follow(lens + "&span=" + span);
    CHECK_FALSE(model.state.look.span);
    CHECK(model.link_errors.size() == 1);
  }
}

TEST_CASE("an engineer finds the limiter, its share and a CTA that shows it in two actions from the first screen") {
  Headless window("", {});
  window.driver.click("center/engineer");  // the sentence names the limiter and its share
  const sim::Budget& budget = window.explorer.model.world.subject(0).kernel().time.budget;
  const std::string share = report::percent(budget[sim::Cause::issue] / budget.total());
  CHECK_THAT(shown(window, "engineer/bound"), Contains("Bound by instruction issue: " + share));
  window.driver.click("budget/issue");
  const explorer::Model& model = window.explorer.model;
  CHECK(model.state.look.cause == "issue");
  CHECK(model.state.look.timeline == explorer::TimelineOf::cta);
  const auto& events = model.world.replay().trace.events;
  CHECK(std::any_of(events.begin(), events.end(), [&](const sim::Event& event) {
    return event.begin == model.world.time() && explorer::works_on(event, sim::Cause::issue);
  }));
  CHECK_THAT(model.link(), Contains("cause=issue"));
}

TEST_CASE("the lens says why the widest part of the bar is not the bound") {
  Headless window(lens + "&br=64&bc=64", {});
  finish(window);
  const sim::Budget& budget = window.explorer.model.world.subject(0).kernel().time.budget;
  REQUIRE(budget[sim::Cause::issue_busy] > budget[sim::Cause::smem]);
  CHECK_THAT(shown(window, "engineer/bound"), Contains("Bound by shared memory"));
  CHECK(shown(window, "engineer/widest") ==
        sim::text("The widest part is issue busy with ",
                  report::percent(budget[sim::Cause::issue_busy] / budget.total()),
                  ", but work on shared memory and waits for it take ",
                  report::percent(explorer::group_time(budget, sim::Cause::smem) / budget.total()), " together."));
  Headless agrees(lens, {});
  finish(agrees);
  CHECK(shown(agrees, "engineer/widest") == "");
}

TEST_CASE("segments and legend entries highlight their events and step through them") {
  Headless window(lens, {});
  explorer::Model& model = window.explorer.model;
  const sim::Trace& trace = model.world.replay().trace;
  model.seek(model.world.replay().index.end());
  window.driver.click("budget-legend/barrier");
  const auto first = std::find_if(trace.waits.begin(), trace.waits.end(),
                                  [](const auto& wait) { return wait.cause == sim::Cause::barrier; });
  CHECK(model.world.time() == first->begin);
  window.driver.click("budget/barrier");
  CHECK(model.world.time() > first->begin);
  window.driver.click("budget/issue_busy");
  CHECK(model.world.time() == trace.events[static_cast<std::size_t>(trace.delays.front().event)].begin);
  keep(window, "engineer-lit");
  window.driver.click("budget-legend/tail");
  CHECK(model.state.look.timeline == explorer::TimelineOf::grid);
  window.driver.key(ImGuiKey_Escape);
  CHECK(model.state.look.cause.empty());
}

TEST_CASE("a cause that is absent from the current CTA is shown in the representative CTA") {
  Headless window("seqlen=4096&causal=1&heads=32&center=engineer&cta=0,3,0,0", {});
  explorer::Model& model = window.explorer.model;
  const auto waits = [&] {
    const auto& all = model.world.replay().trace.waits;
    return std::any_of(all.begin(), all.end(),
                       [](const auto& wait) { return wait.cause == sim::Cause::bandwidth && wait.event >= 0; });
  };
  const bool here = waits();
  window.driver.click("budget-legend/bandwidth");
  CHECK(waits());
  CHECK((here || model.world.replay().typical));
}

TEST_CASE("arrows connect the event under the pointer with the events of its operands and its users") {
  Headless window(lens + "&time=22000&zoom=2", {});
  const explorer::Replay& replay = window.explorer.model.world.replay();
  int hovered = 0;
  for (int n = 1; n < 40; ++n) {
    window.driver.hover("timeline", static_cast<float>(n) / 40);
    std::set<std::int32_t> makers, users;
    for (const auto& [name, place] : window.driver.screen.state.places) {
      if (!name.starts_with("arrow/")) continue;
      const std::size_t slash = name.rfind('/');
      makers.insert(std::stoi(name.substr(6, slash - 6)));
      users.insert(std::stoi(name.substr(slash + 1)));
      const auto& operands = replay.trace.events[static_cast<std::size_t>(std::stoi(name.substr(slash + 1)))].operands;
      CHECK(std::count(operands.begin(), operands.end(), std::stoi(name.substr(6, slash - 6))) == 1);
    }
    if (makers.empty()) continue;
    if (hovered++ == 0) keep(window, "engineer-arrows");
  }
  CHECK(hovered >= 3);
}
