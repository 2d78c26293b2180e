// The engineer's lens, as a user meets it: a span of time that is selected, keys over the timeline.
#include <catch2/catch.hpp>

#include "sim/report/numbers.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "viz/panels/timeline/timeline.h"
#include "viz/ui/imgui_version.h"

namespace {

using Catch::Contains;
using explorer::Headless;

const std::string lens = "batch=4&heads=32&seqlen=2048&center=engineer";

/// What the window shows under a name; empty for nothing.
std::string shown(const Headless& window, const std::string& name) {
  const auto& all = window.driver.screen.state.shown;
  const auto found = all.find(name);
  return found == all.end() ? "" : found->second;
}

}  // namespace

TEST_CASE("dragging over the lanes selects a span between edges of events, which the link keeps") {
  Headless window(lens + "&time=11700&zoom=8", {});
  explorer::ViewModel& model = window.explorer.model;
  window.driver.click("drag/select");
  const sim::Cycles time = model.time();
  window.driver.drag("timeline", 0.3f, 0.8f);
  CHECK(model.time() == time);
  REQUIRE(model.look.span);
  const explorer::TimeSpan span = *model.look.span;
  const explorer::TraceIndex& index = model.replay().index;
  CHECK(index.nearest_edge(span.from) == span.from);
  const sim::SpanSums sums = model.replay().sums.between(span.from, span.to);
  CHECK(shown(window, "span/matmul_flops") == report::flops(sums.matmul_flops.count()));
  CHECK(shown(window, "span/tensor.work") ==
        explorer::time_text(model.subject(0).microseconds(sums.stalls.engines[1].work)));
  CHECK(shown(window, "span/waits.barrier") ==
        explorer::time_text(model.subject(0).microseconds(sums.wait(sim::Cause::barrier))));
  CHECK_THAT(model.link(), Contains("drag=select&span=" + explorer::span_text(span)));
  Headless again(model.link(), {});
  CHECK(again.explorer.model.look.span->to == span.to);
  CHECK(shown(again, "span/matmul_flops") == shown(window, "span/matmul_flops"));
  keep(window, "engineer-span");
  window.driver.click("timeline", 0.5f);
  CHECK(model.time() != time);
}

TEST_CASE("all of the CTA is selected as the command line counts it") {
  Headless window(lens + "&span=0,1e9", {});
  const explorer::ViewModel& model = window.explorer.model;
  const sim::Stalls& stalls = model.replay().stalls;
  const sim::SpanSums sums = model.replay().sums.between({}, model.replay().index.end());
  CHECK(sums.stalls.time == stalls.time);
  CHECK(shown(window, "span/tensor.work") ==
        explorer::time_text(model.subject(0).microseconds(stalls.engines[1].work)));
  CHECK(shown(window, "span/read") == report::bytes(2 * 64 * (128 + 2 * 2048)));
  CHECK(shown(window, "span/exps") != "");
}

TEST_CASE("keys select from here and up to here, and Escape closes what lies in front before the span") {
  Headless window(lens, {});
  explorer::ViewModel& model = window.explorer.model;
  model.seek(sim::whole_cycles(9000));
  window.driver.type("[");
  model.seek(sim::whole_cycles(12000));
  window.driver.type("]");
  REQUIRE(model.look.span);
  CHECK(explorer::span_text(*model.look.span) == "9000,12000");
  model.seek(sim::whole_cycles(20000));
  window.driver.type("[");
  CHECK(model.look.span->to == model.replay().index.end());
  window.driver.type("?");
  model.look.selection = "time.microseconds";
  window.driver.key(ImGuiKey_Escape);
  CHECK(model.look.overlay.empty());
  window.driver.key(ImGuiKey_Escape);
  CHECK(model.look.selection.empty());
  CHECK(model.look.span);
  window.driver.key(ImGuiKey_Escape);
  CHECK_FALSE(model.look.span);
  window.driver.type("v");
  CHECK(model.look.drag_selects);
}

TEST_CASE("over the timeline W, S, A and D zoom and move, elsewhere they mean what the help says") {
  Headless window(lens + "&time=11700", {});
  explorer::ViewModel& model = window.explorer.model;
  const sim::Cycles time = model.time();
  window.driver.hover("timeline");
  window.driver.type("w");
  CHECK(model.look.zoom == 2);
  CHECK(model.look.selection.empty());
  window.driver.type("d");
  CHECK(model.time() > time);
  window.driver.type("A");
  CHECK(model.time() == time);
  window.driver.type("s");
  CHECK(model.look.zoom == 0);
  CHECK_FALSE(model.look.still);
  window.driver.hover("stalls/tensor");
  window.driver.type("s");
  CHECK(model.look.still);
  window.driver.type("w");
  CHECK(model.look.selection == "time.microseconds");
}

TEST_CASE("spans that make no sense are complained of") {
  explorer::ViewModel model(sim::built_in_gpu);
  for (const char* span : {"5", "9,3", "a,b", "1,2,3", "4,4", "-1,5", ",", ""}) {
    INFO(span);
    model.follow(lens + "&span=" + span);
    CHECK_FALSE(model.look.span);
    CHECK(model.complaints().size() == 1);
  }
}
