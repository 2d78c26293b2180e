// The microscope: its numbers are those of simulate --row, its steps are events of the CTA, and clicks, keys and links
// reach each of them.
#include "viz/model/microscope.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/row_report.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/layout_faults.h"
#include "tests/explorer/pictures.h"
#include "viz/model/row_scores.h"
#include "viz/panels/microscope/microscope.h"
#include "viz/panels/scenario/number.h"

namespace {

using Catch::EndsWith;
using explorer::Headless;
using explorer::RowStage;
using Json = nlohmann::ordered_json;

const std::string microscope = "&center=microscope&without-alpha=1";

/// Scenarios as users type them: texts and drawn inputs, short and long, heads, masks, patterns, every algorithm.
const std::vector<std::string> scenarios = {"inputs=text:mouse&row=15&cta=0,3,3,0",
                                            "inputs=text:mao&row=13&algorithm=flash1",
                                            "inputs=text:fox&row=17&algorithm=flash-decoding&splits=3",
                                            "inputs=text:mouse&row=7&algorithm=memory-efficient",
                                            "inputs=text:river&row=12&algorithm=rabe-staats",
                                            "inputs=text:mouse&row=15&algorithm=standard&kernel=1",
                                            "inputs=text:mouse&row=9&algorithm=fmha&causal=1",
                                            "seqlen=1024&row=500&heads=3&batch=2&cta=1,2,3,0",
                                            "seqlen=300&row=123&causal=1&br=32&bc=16",
                                            "seqlen=512&row=400&window=64&padding=37&dropout=0.1",
                                            "seqlen=777&row=701&algorithm=flash1-q-outer&dtype=fp32&head-dim=32",
                                            "seqlen=2048&row=1500&algorithm=block-sparse&pattern=strided:3",
                                            "seqlen-q=1&seqlen-k=8192&heads=8&algorithm=flash-decoding&splits=4",
                                            "seqlen=1024&row=3&pass=forward%2Bbackward&heads=4&kv-heads=2",
                                            "seqlen=200&row=190&keys=down&bc=64",
                                            "seqlen=16384&row=9000&causal=1"};

/// Returns the row as the command line prints it.
Json printed_row(const Headless& window, std::int64_t head, std::int64_t query) {
  const auto& run = window.explorer.model.world.subject(0).run;
  sim::SoftmaxRow row({run, &run->simulation.plan}, head, query);
  row.finish();
  return report::to_json(row, true);
}

float number_of(const Json& json) { return json.is_null() ? sim::unseen_max : json.get<float>(); }

/// Formats the number at a path of the JSON as the view does once tile `now` is done.
std::string written(const Json& row, const std::string& path, std::size_t now) {
  const auto parts = sim::split(path, ".");
  if (path == "without_alpha.relative_error")
    return explorer::part_text(row.at("without_alpha").at("relative_error").get<double>());
  if (parts[0] == "shares")
    return explorer::part_text(row.at("without_alpha")
                                   .at("largest_shares")
                                   .at(std::stoul(std::string(parts[1])))
                                   .at(std::string(parts[2]))
                                   .get<double>());
  const std::size_t t = std::stoul(std::string(parts[1]));
  const Json& tile = row.at("tiles").at(t);
  const std::string leaf(parts[2]);
  const Json& value = parts.size() > 3 ? tile.at(leaf).at(std::stoul(std::string(parts[3]))) : tile.at(leaf);
  float number = number_of(value);
  // Weights of earlier tiles are relative to the current maximum, or to that of the last tile of their part.
  const auto& tiles = row.at("tiles");
  std::size_t reference = tile.at("of_parts") || tiles.at(now).at("part") == tile.at("part") ? now : t;
  while (reference != now && tiles.at(reference + 1).at("part") == tile.at("part")) ++reference;
  if (leaf == "weights" && tile.at("m") != tiles.at(reference).at("m"))
    number *= std::exp(number_of(tile.at("m")) - number_of(tiles.at(reference).at("m")));
  return explorer::row_number("{:.2f}", number);
}

void check_numbers(Headless& window, const Json& row, std::size_t tile) {
  std::size_t numbers = 0;
  const bool last = tile + 1 == row.at("tiles").size();
  for (const auto& [name, text] : window.driver.screen.state.shown) {
    if (!name.starts_with("row/")) continue;
    const std::string path = name.substr(4);
    const bool of_answer = path.starts_with("shares") || path.starts_with("without");
    if (of_answer && !last) continue;  // the JSON has the answer after all tiles
    INFO(path << " is " << text);
    if (path.ends_with(".alpha")) {
      const float alpha = number_of(row.at("tiles").at(tile).at("alpha"));
      const bool good = text.ends_with(explorer::row_number("{:.3f}", alpha)) ||
                        text.ends_with(explorer::row_number("{:.2f}", alpha));
      CHECK(good);
    } else {
      CHECK_THAT(text, EndsWith(written(row, path, tile)));
    }
    ++numbers;
  }
  CHECK(numbers >= 5);
}

std::string link_of(const std::string& scenario) { return scenario + microscope; }

}  // namespace

TEST_CASE("every number of the microscope is that of simulate --row") {
  for (const std::string& scenario : scenarios) {
    Headless window(link_of(scenario), {});
    finish(window);
    explorer::Model& model = window.explorer.model;
    const explorer::ShownRow shown = explorer::shown_row(model);
    INFO(scenario << ": head " << shown.head << " row " << shown.query);
    const Json row = printed_row(window, shown.head, shown.query);
    REQUIRE(shown.tiles().size() == row.at("tiles").size());
    const std::size_t count = shown.tiles().size();
    for (const std::size_t tile : {std::size_t{0}, count / 2, count - 1}) {
      explorer::go_to_stop(model, {tile, RowStage::output});
      finish(window);
      const explorer::RowMoment now = explorer::shown_row(model).moment;
      INFO("tile " << tile << " of " << count);
      REQUIRE(now.tile == tile);
      CHECK(now.steps_done == now.steps);
      check_numbers(window, row, tile);
    }
  }
}

TEST_CASE("steps of the microscope go through every stage of every tile, and back") {
  for (const std::string& scenario : scenarios) {
    if (scenario.find("16384") != std::string::npos) continue;
    INFO(scenario);
    Headless window(link_of(scenario), {});
    finish(window);
    explorer::Model& model = window.explorer.model;
    explorer::go_to_stop(model, {0, RowStage::output});
    finish(window);
    std::size_t tiles = 0, before = 0;
    sim::Cycles time{-1};
    for (int n = 0; n < 4000; ++n) {
      const explorer::ShownRow row = explorer::shown_row(model);
      if (row.moment.tile == row.tiles().size() - 1 && row.moment.complete() == row.tiles().size()) break;
      tiles = row.moment.tile;
      CHECK(tiles >= before);
      CHECK((tiles > before || model.world.time() > time || n == 0));
      before = tiles;
      time = row.clock->stops().size() == row.clock->passed(model.world.time()) ? sim::Cycles{-1} : model.world.time();
      explorer::step_row(model, 1);
      finish(window);
    }
    CHECK(explorer::shown_row(model).moment.complete() == explorer::shown_row(model).tiles().size());
    const std::size_t last = explorer::shown_row(model).moment.tile;
    explorer::step_row(model, -1);
    const explorer::RowMoment back = explorer::shown_row(model).moment;
    CHECK((back.tile < last || back.steps_done < back.steps));
  }
}

TEST_CASE("nothing in the microscope overlaps or leaves its panel in windows of any size", "[repeats]") {
  const explorer::Size sizes[] = {{1600, 1000, 1}, {1440, 900, 1}, {960, 600, 1}, {390, 844, 1}};
  std::size_t n = 0;
  for (const std::string& scenario : scenarios) {
    for (const explorer::Size& size : sizes) {
      const std::string look = n++ % 2 == 0 ? "" : "&lang=zh&theme=light";
      INFO(size.width << " x " << size.height << " #" << scenario << look);
      Headless window(link_of(scenario) + look, size);
      finish(window);
      window.driver.screen.texts.emplace();
      explorer::go_to_stop(window.explorer.model, {1, RowStage::output});
      finish(window);
      std::string message = layout::text_of_faults(window);
      CHECK(message == "");
    }
  }
}

TEST_CASE("the effect of alpha is shown four clicks from the first screen") {
  Headless window("", {});
  finish(window);
  explorer::Model& model = window.explorer.model;
  window.driver.click("center/microscope");
  window.driver.click("row/text");
  window.driver.click("row/text/mouse");
  finish(window);
  const explorer::ShownRow row = explorer::shown_row(model);
  CHECK(row.query == 15);
  CHECK(row.head == 3);
  CHECK(row.moment.tile == 2);  // in which a new maximum arrives
  CHECK(row.tiles()[2].alpha < 0.25f);
  CHECK_FALSE(window.driver.screen.state.shown.contains("row/without_alpha.relative_error"));
  window.driver.click("without-alpha");
  window.driver.frame();
  CHECK(window.driver.screen.state.shown.contains("row/without_alpha.relative_error"));
  CHECK(model.state.look.without_alpha);
}

TEST_CASE("a link without a row opens one that sees several tiles, and names the run it shows") {
  Headless window("seqlen=2048&heads=4&causal=1&center=microscope", {});
  finish(window);
  const explorer::ShownRow row = explorer::shown_row(window.explorer.model);
  CHECK(row.query == 1984);  // the middle of the last of 16 row blocks
  CHECK(row.tiles().size() == 16);
  const auto says = [&](std::string_view words) {
    window.driver.screen.texts.emplace();
    window.driver.frame();
    const auto& texts = *window.driver.screen.texts;
    return std::any_of(texts.begin(), texts.end(), [&](const auto& t) { return t.text == words; });
  };
  CHECK_FALSE(says("Flash-2 alone"));
  window.explorer.model.compare({{{"algorithm", "flash1"}}});
  CHECK(says("Flash-2 alone"));
  const Headless dense("seqlen=2048&heads=4&center=microscope", {});
  CHECK(dense.explorer.model.state.look.row == -1);
  const Headless windowed("seqlen=2048&causal=1&window=64&br=64&bc=64&center=microscope", {});
  CHECK(windowed.explorer.model.state.look.row == 2016);
}

TEST_CASE("the microscope is part of the link, works by keyboard, and draws nothing when idle") {
  Headless window("inputs=text:mouse&row=15&center=microscope&time=0", {});
  finish(window);
  explorer::Model& model = window.explorer.model;
  CHECK(model.world.replay().place.row == 3);  // the CTA of the row
  CHECK_FALSE(window.explorer.update(0.1));
  window.driver.key(ImGuiKey_RightArrow);
  CHECK(explorer::shown_row(model).moment.steps_done == 1);
  CHECK(explorer::shown_row(model).moment.is(RowStage::keys));
  window.driver.key(ImGuiKey_RightArrow);
  CHECK(explorer::shown_row(model).moment.is(RowStage::scores));
  window.driver.key(ImGuiKey_LeftArrow);
  CHECK_FALSE(explorer::shown_row(model).moment.is(RowStage::scores));
  window.driver.key(ImGuiKey_UpArrow);
  CHECK(explorer::shown_row(model).query == 14);
  CHECK(model.state.look.unit == explorer::Look{}.unit);
  window.driver.key(ImGuiKey_DownArrow);
  window.driver.key(ImGuiKey_DownArrow);  // 15 is the last
  CHECK(explorer::shown_row(model).query == 15);
  window.driver.key(ImGuiKey_Escape);
  CHECK(model.state.look.row == -1);
  finish(window);
  window.driver.click("row/step/2/alpha");
  finish(window);
  CHECK(explorer::shown_row(model).moment.tile == 2);
  CHECK(explorer::shown_row(model).moment.is(RowStage::alpha));
  CHECK_FALSE(explorer::shown_row(model).moment.is(RowStage::weights));
  window.driver.click("row/tile/1");
  finish(window);
  CHECK(explorer::shown_row(model).moment.complete() == 2);
  Headless again(model.link(), {});
  finish(again);
  INFO(model.link() << " at " << model.world.time().count() << ", again " << again.explorer.model.world.time().count());
  CHECK(explorer::shown_row(again.explorer.model).moment.tile == 1);
  CHECK(again.explorer.model.link() == model.link());
}

TEST_CASE("a link to the microscope that names no time opens at the largest rescale, one that names it keeps it") {
  const auto shown_in = [](const std::string& link) {
    const Headless window(link, {});
    return explorer::shown_row(window.explorer.model);
  };
  const std::string mouse = "inputs=text:mouse&cta=0,3,3,0&row=15&center=microscope";
  const explorer::ShownRow row = shown_in(mouse);
  CHECK(row.moment.tile == 2);
  CHECK(row.moment.complete() == 3);
  for (const sim::SoftmaxTile& tile : row.tiles())
    CHECK((tile.m_before == sim::unseen_max || tile.alpha >= row.tiles()[2].alpha));
  CHECK(shown_in(mouse + "&time=0").moment.steps_done == 0);
  const explorer::ShownRow alone = shown_in("seqlen=512&bc=512&br=64&row=3&center=microscope");  // nothing to rescale
  CHECK(alone.moment.complete() == alone.tiles().size());
  Headless window(mouse + "&time=0", {});  // a moment at 0 is kept by the link
  const Headless again(window.explorer.model.link(), {});
  CHECK(again.explorer.model.world.time() == sim::Cycles{});
}

TEST_CASE("the strips of a row's scores are the events of its tile, with the values of simulate --row") {
  for (const std::string algorithm : {"flash2", "flash1", "standard"}) {
    INFO(algorithm);
    Headless window("inputs=text:mouse&row=13&causal=1&softcap=2&alibi=1&center=microscope&algorithm=" + algorithm, {});
    finish(window);
    const explorer::ShownRow row = explorer::shown_row(window.explorer.model);
    const explorer::ScoreStrips strips = explorer::score_strips(window.explorer.model, row);
    const sim::SoftmaxTile& tile = row.tiles()[row.moment.tile];
    REQUIRE(!strips.all.empty());
    CHECK((strips.keys.begin == tile.keys.begin && strips.keys.end == tile.keys.end));
    const auto last_of = [&](sim::Tensor family) {
      const auto found = std::find_if(strips.all.rbegin(), strips.all.rend(), [&](const auto& strip) {
        return sim::facts_of(strip.tensor).family == family && strip.verb != sim::Verb::divide;
      });
      REQUIRE(found != strips.all.rend());
      return found->values;
    };
    CHECK(last_of(sim::Tensor::S) == tile.scores);
    CHECK(last_of(sim::Tensor::P) == tile.weights);
  }
}

TEST_CASE("each formula of the score steps has a strip of its own, with its cost") {
  Headless window("inputs=text:mouse&row=13&causal=1&softcap=2&alibi=1&center=microscope", {});
  finish(window);
  const explorer::ShownRow row = explorer::shown_row(window.explorer.model);
  const std::vector<explorer::ScoreStrip> strips = explorer::score_strips(window.explorer.model, row).all;
  std::vector<sim::Verb> verbs;
  for (const explorer::ScoreStrip& strip : strips) verbs.push_back(strip.verb);
  using sim::Verb;
  REQUIRE(verbs == std::vector<Verb>{Verb::gemm, Verb::scale, Verb::modify, Verb::modify, Verb::mask, Verb::exp});
  CHECK(strips[0].matmul_flops == 2 * 64);
  CHECK(strips[1].other_flops == 1);
  CHECK((strips[2].tanhs == 1 && strips[2].other_flops == 2));
  CHECK((strips[3].tanhs == 0 && strips[3].other_flops == 2));
  CHECK(strips[5].exps == 1);
  for (std::size_t key = 0; key < strips[1].values.size(); ++key)
    CHECK(strips[2].values[key] == Approx(2 * std::tanh(strips[1].values[key] / 2)));
  explorer::step_row(window.explorer.model, -1);
  const explorer::ShownRow before = explorer::shown_row(window.explorer.model);
  CHECK(explorer::score_strips(window.explorer.model, before).all[5].done == before.moment.is(RowStage::weights));
}

TEST_CASE("bars of O keep one axis over all steps of a row") {
  Headless window("inputs=text:mouse&cta=0,3,3,0&row=15&center=microscope&time=0", {});
  finish(window);
  explorer::go_to_stop(window.explorer.model, {1, RowStage::output});
  finish(window);
  const auto [begin, end] = window.driver.screen.state.places.equal_range("tensor:O");
  REQUIRE(begin != end);
  const ui::Rect lines = begin->second;
  constexpr float names = 46;
  const float each = (lines.width - names) / 3;
  const auto bars_in = [&](float column) {  // pixels in the colour of O
    const platform::Picture picture = window.driver.picture();
    const float left = lines.x + names + column * each;
    int bars = 0;
    for (float y = lines.y; y < lines.bottom(); ++y) {
      for (float x = left; x < left + each - 2; ++x) {
        const ui::Color c = picture.at(static_cast<int>(x), static_cast<int>(y));
        if (c.red > c.green + 30) ++bars;
      }
    }
    return bars;
  };
  const int after = bars_in(2);  // O after tile 1
  explorer::step_row(window.explorer.model, 1);
  finish(window);
  const int before = bars_in(0);  // O before tile 2
  CHECK(after > 0);
  CHECK(std::abs(after - before) < after / 20);
}

TEST_CASE("thumbnails of P keep at most 16 KiB, and are absent with a message for long rows") {
  const std::pair<const char*, bool> cases[] = {
      {"inputs=text:mouse", true},   {"seqlen=300", true},     {"seqlen-q=4&seqlen-k=16384", true},
      {"seqlen=4096&heads=2", true}, {"seqlen=131072", false}, {"seqlen=1024&pass=backward", false}};
  for (const auto& [scenario, drawn] : cases) {
    INFO(scenario);
    Headless window(std::string(scenario), {});
    const auto& run = window.explorer.model.world.subject(0).run;
    explorer::Thumbnail thumbnail(run, 0, std::make_shared<sim::DrawnInputs>(run->simulation.plan, 0));
    CHECK(thumbnail.queries().empty() != drawn);
    CHECK(4 * thumbnail.scores().size() <= 16384);
    const auto keys = run->simulation.plan.problem.shape.seqlen_k;
    CHECK(std::ssize(thumbnail.queries()) * keys <= explorer::Thumbnail::most_scores);
  }
}

TEST_CASE("a thumbnail has the largest score of each group of keys") {
  Headless window("seqlen=200&heads=2", {});
  const auto& run = window.explorer.model.world.subject(0).run;
  explorer::Thumbnail thumbnail(run, 1, std::make_shared<sim::DrawnInputs>(run->simulation.plan, 1));
  while (thumbnail.advance()) {
  }
  CHECK(thumbnail.keys_per_cell() == 4);
  for (const std::size_t line : {std::size_t{0}, thumbnail.queries().size() / 2, thumbnail.queries().size() - 1}) {
    const Json row = printed_row(window, 1, thumbnail.queries()[line]);
    std::vector<float> largest(static_cast<std::size_t>(thumbnail.columns()), sim::unseen_max);
    for (const Json& tile : row.at("tiles")) {
      for (std::size_t key = 0; key < tile.at("scores").size(); ++key) {
        float& cell = largest[(tile.at("first_key").get<std::size_t>() + key) / 4];
        cell = std::max(cell, number_of(tile.at("scores")[key]));
      }
    }
    const auto begin = thumbnail.scores().begin() + static_cast<std::ptrdiff_t>(line * largest.size());
    CHECK(std::equal(largest.begin(), largest.end(), begin));
  }
}

TEST_CASE("a backward pass has no row, and the microscope reports it") {
  Headless window("seqlen=512&pass=backward&center=microscope", {});
  finish(window);
  CHECK_FALSE(explorer::shown_row(window.explorer.model).task->error().empty());
  window.driver.key(ImGuiKey_RightArrow);  // steps as in other views
  CHECK(window.explorer.model.world.time() > sim::Cycles{});
}
