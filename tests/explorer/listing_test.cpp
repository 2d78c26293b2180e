// The listing panel, through the window. FLASHSCOPE_PICTURES=folder writes its pictures there.
#include <catch2/catch.hpp>

#include "sim/catalogue/derivation.h"
#include "tests/explorer/pictures.h"
#include "viz/panels/listing/rows.h"
#include "viz/panels/scenario/number.h"

namespace {

using explorer::Headless;
using explorer::Size;

const std::string target = "#seqlen=2048&head-dim=128&causal=1&cta=0,0,6,0&time=30000";

const explorer::Subject& subject_of(const Headless& window) { return window.explorer.model.world.subject(0); }

std::string probe(int line) { return "line/" + std::to_string(line); }

/// Returns the line of the event at the playhead.
int current_line(const Headless& window) {
  const explorer::Replay& replay = *subject_of(window).replay;
  return replay.trace.events[static_cast<std::size_t>(replay.index.current(subject_of(window).time))].line;
}

std::vector<int> lines_shown(const Headless& window) {
  const std::string kind = "line/";
  std::vector<int> lines;
  for (const auto& [name, rect] : window.driver.screen.state.probes) {
    if (name.substr(0, kind.size()) == kind) lines.push_back(std::stoi(name.substr(kind.size())));
  }
  return lines;
}

}  // namespace

TEST_CASE("the listing shows the current line of every algorithm and pass") {
  for (const std::string algorithm : {"standard", "memory-efficient", "flash1", "flash2"}) {
    for (const std::string pass : {"forward", "backward"}) {
      for (const std::string time : {"0", "9000", "1000000"}) {
        const std::string link = "#algorithm=" + algorithm + "&pass=" + pass + "&seqlen=512&causal=1&time=" + time;
        const Headless window(link, {});
        if (time == "9000") keep(window, "listing-" + algorithm + "-" + pass);
        INFO(link);
        CHECK(window.driver.shows(probe(current_line(window))));
      }
    }
  }
}

TEST_CASE("the listing is the same picture twice, in every size, theme and language", "[repeats]") {
  const std::pair<Size, std::string> cases[] = {{{1600, 1000, 1}, "&theme=light"},
                                                {{1280, 720, 1}, "&lang=zh&source=1"},
                                                {{960, 600, 1}, "&tab=code"},
                                                {{780, 1688, 2}, "&tab=code&theme=light&lang=zh"},
                                                {{3200, 2000, 2}, ""}};
  for (const auto& [size, look] : cases) {
    const Headless window(target + look, size), again(target + look, size);
    keep(window, "listing-" + std::to_string(size.width) + look);
    const bool same = window.driver.picture() == again.driver.picture();
    CHECK(same);
    CHECK(window.driver.shows(probe(current_line(window))));
  }
}

TEST_CASE("a click on a line goes to its next event, and after the last one to the first") {
  Headless window("#seqlen=512&causal=1&cta=0,0,3,0", {});
  const auto& trace = subject_of(window).replay->trace;
  std::vector<sim::Cycles> begins;
  int load_of_k = 0;
  for (const sim::Event& event : trace.events) {
    if (event.verb != sim::Verb::load || event.tensor != sim::Tensor::K) continue;
    load_of_k = event.line;
    begins.push_back(event.begin);
  }
  REQUIRE(begins.size() == 4);
  if (begins.front() > sim::Cycles{}) begins.push_back(begins.front());
  for (const sim::Cycles begin : begins) {
    if (begin == sim::Cycles{}) continue;  // the playhead starts there
    window.driver.click(probe(load_of_k), 0.2f);
    CHECK(subject_of(window).time == begin);
  }
}

TEST_CASE("the bytes of a line are a number with a derivation") {
  for (const std::string& link : {target, std::string("#algorithm=flash1&pass=backward&seqlen=512&time=9000")}) {
    Headless window(link, {});
    const sim::Simulation& s = subject_of(window).simulation();
    int numbers = 0;
    for (std::size_t n = 0; n < s.lines.size(); ++n) {
      sim::Traffic moved;
      for (const sim::Event& event : s.traces[subject_of(window).replay->kernel].events) {
        if (event.line == s.lines[n].line) moved += sim::traffic_of(event);
      }
      const bool reads = moved.read >= moved.written;
      const std::string path = sim::text("tile_traffic.by_line.", n, reads ? ".read_bytes" : ".write_bytes");
      if (!window.driver.shows("number/" + path)) continue;
      ++numbers;
      const std::int64_t bytes = (reads ? moved.read : moved.written).count();
      CHECK(window.driver.screen.state.shown.at("number/" + path) ==
            explorer::number_text(path, static_cast<double>(bytes)));
      window.explorer.model.state.look.selection.clear();  // the previous explanation covers the window
      window.driver.frame();
      window.driver.click("number/" + path);
      CHECK(window.explorer.model.state.look.selection == path);
      window.driver.click("why/close");  // the explanation covers the other lines
      CHECK(sim::derive(s, path).value == std::to_string(bytes));
    }
    CHECK(numbers >= 2);
  }
}

TEST_CASE("the state of each line at any time follows from the trace") {
  Headless window(target, {});
  explorer::Model& model = window.explorer.model;
  const explorer::Replay& replay = *model.world.subject(0).replay;
  const explorer::Listing& listing = model.world.run().listings[replay.kernel];
  for (std::int64_t n = 0; n < 200; ++n) {
    model.seek(sim::Cycles(replay.index.end().count() * n / 200));
    const sim::Cycles now = model.world.time();
    int waiting = 0;
    for (const sim::WaitSpan& wait : replay.trace.waits) {
      if (wait.begin <= now && wait.end > now) waiting = replay.trace.events[static_cast<std::size_t>(wait.event)].line;
    }
    for (const explorer::ListingLine& line : listing.lines) {
      const explorer::LineMoment moment = explorer::moment_of(model.world.subject(0), line);
      CHECK((moment.wait >= 0) == (line.number == waiting));
      CHECK(moment.current == (line.number == current_line(window)));
      CHECK(moment.progress >= 0);
      CHECK(moment.progress < 1);
    }
  }
}

TEST_CASE("the listing switches to another kernel, and to the C++ source of the equations") {
  Headless window("#algorithm=standard&seqlen=256", {});
  window.driver.click("kernel/softmax");
  CHECK(subject_of(window).launch().name == "softmax");
  const std::vector<int> equations = lines_shown(window);
  window.driver.click("source");
  CHECK(window.explorer.model.state.look.source);
  CHECK(window.explorer.model.link().find("source=1") != std::string::npos);
  CHECK(lines_shown(window).size() >= equations.size());

  Headless narrow("#pass=backward&seqlen=256&tab=code", {780, 1688, 2});
  narrow.driver.click("kernel");
  narrow.driver.click("kernel/flash2_backward_finish");
  CHECK(subject_of(narrow).launch().name == "flash2_backward_finish");
}

TEST_CASE("the listing follows the playhead until the user scrolls, and again once the line is visible") {
  Headless window("#algorithm=flash1&pass=backward&seqlen=512&time=20000", {1280, 720, 1});
  const auto wheel = [&](float lines) { window.driver.wheel(probe(lines_shown(window).back()), lines); };
  for (int n = 0; n < 12; ++n) wheel(5);
  const std::vector<int> top = lines_shown(window);
  CHECK_FALSE(window.driver.shows(probe(current_line(window))));
  window.driver.frame();
  CHECK(lines_shown(window) == top);
  for (int n = 0; n < 12 && !window.driver.shows(probe(current_line(window))); ++n) wheel(-1);
  REQUIRE(window.driver.shows(probe(current_line(window))));
  window.driver.frame();
  for (const std::int64_t time : {9000, 15000, 18000}) {
    window.explorer.model.seek(sim::whole_cycles(time));
    window.driver.frame();
    CHECK(window.driver.shows(probe(current_line(window))));
  }
}

TEST_CASE("unusual runs have listings: all masked, one tile, many heads, released tilings, fp32, the toy") {
  for (const std::string link :
       {"#seqlen=64&padding=64", "#seqlen=1&head-dim=8", "#seqlen=1000&heads=8&kv-heads=2&pass=backward&window=100",
        "#algorithm=flash1&tiling=released&pass=forward%2Bbackward&seqlen=300", "#dtype=fp32&gpu=toy&seqlen=64",
        "#algorithm=standard&seqlen=131072", "#seqlen=131072&cta=0,0,1000,0&time=500000",
        "#algorithm=flash1&tiling=paper&pass=backward&seqlen=256"}) {
    const Headless window(link, {});
    INFO(link);
    CHECK(window.explorer.model.link_errors.empty());
    CHECK(window.explorer.model.world.error().empty());
    CHECK_FALSE(lines_shown(window).empty());
  }
}

TEST_CASE("exponentials of a tile and of its row statistics are attributed to the exp unit") {
  Headless window("#seqlen=1024", {});
  window.driver.screen.texts.emplace();
  window.driver.frame();
  const auto& texts = *window.driver.screen.texts;
  const auto count =
      std::count_if(texts.begin(), texts.end(), [](const auto& text) { return text.text == "exp unit"; });
  CHECK(count == 2);  // P = exp(S - m') and alpha = exp(m - m')
}
