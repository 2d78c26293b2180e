// A single-file program in the explorer: every panel draws it, shows the values of its tiles and rows, and derives its
// numbers. With FLASHSCOPE_PICTURES=folder the pictures are written there.
#include <catch2/catch.hpp>
#include <cstring>

#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"
#include "tests/model/replayed_tile.h"
#include "viz/model/center_view.h"
#include "viz/model/explained.h"
#include "viz/model/microscope.h"
#include "viz/model/tiles/tile_stage.h"
#include "viz/model/values/head_values.h"
#include "viz/panels/microscope/microscope.h"

namespace {

using explorer::Headless;
using explorer::Size;
using explorer::Subject;
using explorer::Visit;

/// Four blocks of keys, each visited twice: the eight visits of the selected row block.
const std::string program = "#algorithm=two-pass&seqlen=512&causal=1&cta=0,0,3,0";
constexpr std::size_t second_pass = 4;

const Subject& subject_of(const Headless& window) { return window.explorer.model.world.subject(0); }

const Visit& visit_of(const Headless& window, std::size_t n) { return subject_of(window).replay->index.visits().at(n); }

void seek(Headless& window, sim::Cycles time) {
  window.explorer.model.seek(time);
  finish(window);
}

/// True if a text of the last frame contains the words.
bool says(const Headless& window, const std::string& words) {
  const auto& texts = *window.driver.screen.texts;
  return std::any_of(texts.begin(), texts.end(), [&](const auto& text) { return text.text.find(words) != words.npos; });
}

/// The index of the visit that the panels show.
std::size_t shown_in(const Headless& window) {
  return static_cast<std::size_t>(explorer::TileMatrix(subject_of(window)).visit);
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && !a.empty() && std::memcmp(a.data(), b.data(), 4 * a.size()) == 0;
}

/// The result of the newest event of a kind before the end of a visit, in a replay with values.
const std::vector<float>& newest(const Subject& subject, const sim::Trace& values, const Visit& visit, sim::Verb verb,
                                 sim::Tensor tensor) {
  const auto& events = subject.replay->trace.events;
  const std::vector<float>* found = nullptr;
  for (std::size_t n = 0; n < events.size(); ++n) {
    if (events[n].verb == verb && events[n].tensor == tensor && events[n].end <= visit.end)
      found = &values.values[static_cast<std::size_t>(values.events[n].value)].values;
  }
  REQUIRE(found != nullptr);
  return *found;
}

/// The paths of all numbers drawn.
std::vector<std::string> numbers_on(const Headless& window) {
  const std::string kind = "number/";
  std::vector<std::string> names;
  for (const auto& [name, rect] : window.driver.screen.state.probes) {
    if (name.starts_with(kind)) names.push_back(name);
  }
  return names;
}

/// Opens a view, lets it finish, and checks what every view must satisfy.
void check_view(const std::string& look, Size size, const std::string& name) {
  Headless window(program + "&time=5000" + look, size);
  window.driver.screen.texts.emplace();
  finish(window);
  keep(window, "two-pass-" + name);
  std::string message = layout::text_of_faults(window);
  INFO(look << message);
  CHECK(window.explorer.model.world.error().empty());
  CHECK(window.explorer.model.link_errors.empty());
  CHECK(message.empty());
  CHECK_FALSE(window.explorer.update(1));  // no computation is pending
}

}  // namespace

TEST_CASE("every view of the explorer draws a single-file program, in both themes and languages") {
  for (const std::string look : {"", "&theme=light", "&theme=light&lang=zh"}) {
    for (const explorer::CenterView& shown : explorer::center_views) {
      const std::string center(shown.name);
      check_view("&center=" + center + look, {}, center + look);
    }
    check_view("&timeline=grid&compare=flash2,standard" + look, {}, "compare" + look);
  }
}

TEST_CASE("every tab of a small window draws a single-file program") {
  for (const std::string look : {"", "&theme=light"}) {
    for (const std::string tab : {"matrix", "memory", "code", "softmax", "counters"})
      check_view("&tab=" + tab + look, {960, 600, 1}, "960-" + tab + look);
  }
}

TEST_CASE("the matrix shows the values of a single-file program, equal to a replay bit for bit") {
  Headless window(program, {});
  const sim::Trace values = trace_with_values(subject_of(window));
  for (const std::size_t n : {std::size_t{1}, second_pass - 1, second_pass + 1}) {
    const Visit visit = visit_of(window, n);
    for (int part = 1; part <= 3; ++part) {
      seek(window, sim::Cycles(visit.begin.count() + (visit.end - visit.begin).count() * part / 4));
      INFO("visit " << n << ", part " << part);
      REQUIRE(shown_in(window) == n);
      window.driver.click("matrix/tile");  // the tile is now large enough for values
      finish(window);
      const auto layers =
          explorer::stage_of(*subject_of(window).replay, static_cast<std::int32_t>(n), subject_of(window).time).layers;
      const explorer::TileLayers* const seen =
          explorer::layers_seen(window.explorer.model, 0, explorer::TileMatrix(subject_of(window)));
      const std::vector<float>* const replay = replayed(subject_of(window), values, visit);
      REQUIRE((seen != nullptr && replay != nullptr));
      CHECK(same_bits(seen->after(layers)->values, *replay));
    }
  }
}

TEST_CASE("hovering over a cell shows the number of a replay of a single-file program there") {
  constexpr std::int64_t query = 230, key = 97;  // 0.45 and 0.19 of 512
  Headless window(program + "&matrix-zoom=200&matrix-x=0.19&matrix-y=0.45", {});
  window.driver.screen.texts.emplace();
  const sim::Trace values = trace_with_values(subject_of(window));
  const Visit visit = visit_of(window, second_pass + 1);
  for (const sim::Event& event : subject_of(window).replay->trace.events) {
    if (event.tensor == sim::Tensor::P && event.verb == sim::Verb::exp && event.end <= visit.end)
      seek(window, event.end);
  }
  REQUIRE(shown_in(window) == second_pass + 1);
  const std::vector<float>& P = *replayed(subject_of(window), values, visit);
  const auto& grid = subject_of(window).launch().grid;
  const auto p = static_cast<double>(
      P.at(static_cast<std::size_t>((query - visit.row * grid.br) * grid.bc + key - visit.col * grid.bc)));
  window.driver.hover("matrix", 0.5f);
  keep(window, "two-pass-numbers");
  CHECK(says(window, sim::text("query ", query, ", key ", key, ": S = ")));
  CHECK(says(window, fmt::format("P = {:.4g}", p)));
  const auto& texts = *window.driver.screen.texts;
  CHECK(
      std::any_of(texts.begin(), texts.end(), [&](const auto& cell) { return cell.text == fmt::format("{:.2f}", p); }));
}

TEST_CASE("the softmax panel follows both passes of a single-file program") {
  Headless window(program, {});
  window.driver.screen.texts.emplace();
  const sim::Trace values = trace_with_values(subject_of(window));
  const auto of = [&](std::size_t n, sim::Verb verb, sim::Tensor tensor) -> const std::vector<float>& {
    return newest(subject_of(window), values, visit_of(window, n), verb, tensor);
  };
  for (const std::size_t n : {std::size_t{0}, second_pass - 1, second_pass, second_pass + 3}) {
    seek(window, visit_of(window, n).end);
    const std::size_t shown = shown_in(window);  // at that time the next one may begin and be shown
    INFO("visit " << n << ", shown " << shown);
    const explorer::ShownRow row = explorer::shown_row(window.explorer.model);
    const auto at = static_cast<std::size_t>(row.query - row.queries.begin);
    const sim::SoftmaxTile& tile = row.tiles().at(shown);
    const float m = of(shown, sim::Verb::max, sim::Tensor::m)[at], l = of(shown, sim::Verb::sum, sim::Tensor::l)[at];
    CHECK(same_bits({tile.m, tile.l}, {m, l}));
    CHECK(says(window, explorer::row_number("{:.2f}", of(n, sim::Verb::max, sim::Tensor::m)[at])));
    CHECK(says(window, explorer::row_number("{:.2f}", of(n, sim::Verb::sum, sim::Tensor::l)[at])));
    CHECK(tile.max_runs == (shown < second_pass));
  }
  keep(window, "two-pass-softmax");
}

TEST_CASE("the memory panel names the tensors of a single-file program, and no others") {
  Headless window(program + "&time=5000", {});
  for (const sim::Tensor tensor : sim::hbm_tensors()) {
    const std::string name(sim::name_of(tensor));
    CHECK(window.driver.shows("hbm/" + name) == (std::string("Q K V O L").find(name) != std::string::npos));
  }
}

TEST_CASE("the lines of a single-file program are typeset, and each leads to its events") {
  Headless window(program, {});
  window.driver.screen.texts.emplace();
  finish(window);
  CHECK(says(window, "Attention in two passes"));
  const explorer::Listing listing = window.explorer.model.world.run().listings.at(0);
  int lines = 0;
  for (const explorer::ListingLine& line : listing.lines) {
    if (!line.runs || !line.work) continue;
    ++lines;
    INFO(line.code);
    CHECK(line.typeset);
    CHECK_FALSE(line.shape.empty());
    const auto& events = subject_of(window).replay->trace.events;
    const auto first = std::find_if(events.begin(), events.end(), [&](const auto& e) { return e.line == line.number; });
    REQUIRE(first != events.end());
    seek(window, first->begin);
    if (!window.driver.shows("line/" + std::to_string(line.number))) continue;  // scrolled out of view
    window.driver.click("line/" + std::to_string(line.number), 0.2f);
    const sim::Cycles now = subject_of(window).time;
    CHECK(std::any_of(events.begin(), events.end(),
                      [&](const auto& e) { return e.line == line.number && e.begin == now; }));
  }
  CHECK(lines > 15);
}

TEST_CASE("every number of a single-file program has a derivation") {
  for (const std::string look : {"", "&center=tiles", "&center=roofline"}) {
    Headless window(program + "&time=5000" + look, {});
    finish(window);
    const std::vector<std::string> names = numbers_on(window);
    CHECK(names.size() > 8);
    for (const std::string& name : names) {
      INFO(look << " " << name);
      window.explorer.model.state.look.selection.clear();  // the previous explanation covers the window
      window.driver.frame();
      window.driver.click(name);
      CHECK(window.driver.shows("why/close"));
      CHECK_NOTHROW(explorer::explain(window.explorer.model.world.run(), window.explorer.model.state.look.selection));
    }
  }
  const Headless window(program, {});
  for (const std::string& path : explorer::explained_paths(window.explorer.model.world.run()))
    CHECK_NOTHROW(explorer::explain(window.explorer.model.world.run(), path));
}
