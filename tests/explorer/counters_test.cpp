// Numbers on screen, against the JSON of the same run.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/report/quantities.h"
#include "sim/report/run_json.h"
#include "tests/explorer/pictures.h"
#include "viz/model/explained.h"
#include "viz/model/run_progress.h"
#include "viz/panels/scenario/number.h"

namespace {

using Json = nlohmann::ordered_json;

double sum(const Json& traffic) {
  return report::number_at(traffic, "read_bytes") + report::number_at(traffic, "write_bytes");
}

/// Computes a ratio to standard attention or another derived number from the JSON.
double computed(const std::string& path, const Json& json, const Json& standard) {
  const auto at = [&](const char* other) { return report::number_at(json, other); };
  const auto ratio = [&](const char* other) { return at(other) / report::number_at(standard, other); };
  if (path == "tile_traffic.ratio") return sum(json["tile_traffic"]["total"]) / sum(standard["tile_traffic"]["total"]);
  if (path == "hbm_traffic.ratio") return sum(json["hbm_traffic"]) / sum(standard["hbm_traffic"]);
  if (path == "memory.ratio") return ratio("memory.peak_hbm_bytes");
  if (path == "time.ratio") return ratio("time.microseconds");
  if (path == "memory.sram_share") return at("memory.peak_sram_bytes") / at("memory.sram_capacity_bytes");
  if (path == "hbm_traffic.l2_hit_rate") return 1 - at("hbm_traffic.read_bytes") / at("tile_traffic.total.read_bytes");
  if (path == "tile_traffic.bytes") return sum(json["tile_traffic"]["total"]);
  if (path == "hbm_traffic.bytes") return sum(json["hbm_traffic"]);
  if (path == "hbm_traffic.intensity") return at("work.matmul_flops") / sum(json["hbm_traffic"]);
  return at(path.c_str());
}

/// Formats a ratio to standard attention with three digits: "32.7" for 1 / 32.7 as well as for 32.7; "" for 1.
std::string times(double ratio) {
  const double n = ratio < 1 ? 1 / ratio : ratio;
  return ratio == 1 ? "" : fmt::format("{:.{}f}", n, n < 9.995 ? 2 : n < 99.95 ? 1 : 0);
}

/// Formats a ratio to standard attention: "3.1 %" for 1 / 32.7, "1.20 x" for 1.2.
std::string percent(double ratio) {
  if (ratio >= 1) return times(ratio) + " x";
  const double n = 100 * ratio;
  return fmt::format("{:.{}f} %", n, n < 0.995 ? 2 : n < 9.95 ? 1 : 0);
}

/// Checks every number that a window shows, wherever it appears: it must be in the JSON with the same text.
std::size_t check_numbers(const explorer::Headless& window) {
  const explorer::Run& run = window.explorer.model.world.run();
  const Json json = report::to_json(run.simulation);
  const Json standard = run.standard ? report::to_json(*run.standard) : Json();
  std::size_t checked = 0;
  for (const auto& [name, text] : window.driver.screen.state.shown) {
    if (!name.starts_with("number/")) continue;
    std::string path = name.substr(std::string("number/").size());
    path = path.substr(0, path.find('/'));
    const bool of_standard = path.starts_with(explorer::of_standard);
    if (of_standard) path = path.substr(explorer::of_standard.size());
    const double value = computed(path, of_standard ? standard : json, standard);
    INFO(name << " is written " << text);
    const bool is_ratio = path.ends_with(".ratio");
    const bool as_part = is_ratio && text.find(percent(value)) != std::string::npos;  // if space is short
    const bool even = is_ratio && explorer::is_even(value) && text.find("nearly like standard") != std::string::npos;
    CHECK((as_part || even ||
           text.find(is_ratio ? times(value) : explorer::number_text(path, value)) != std::string::npos));
    CHECK_NOTHROW(explorer::explain(run, path));
    ++checked;
  }
  return checked;
}

}  // namespace

TEST_CASE("every number of the window is the one in the JSON, for every algorithm and pass") {
  for (const std::string& algorithm : sim::program_names()) {
    for (const std::string pass : {"forward", "backward", "forward%2Bbackward"}) {
      if (pass != "forward" && !sim::find_program(algorithm)->has_backward()) continue;
      const bool paged = algorithm == "paged-attention";                                 // has one query
      const std::string dropout = algorithm == "flash3" || paged ? "" : "&dropout=0.1";  // they have none
      const std::string kv_heads = algorithm == "mla-decode" ? "1" : "2";                // all heads share a row of K
      const std::string link = "#seqlen=500&heads=4&kv-heads=" + kv_heads + "&causal=1" + (paged ? "&seqlen-q=1" : "") +
                               dropout + "&algorithm=" + algorithm + "&pass=" + pass;
      INFO(link);
      const explorer::Headless window(link, {});
      CHECK(window.explorer.model.world.error().empty());
      CHECK(check_numbers(window) >= 14);
    }
  }
}

TEST_CASE("numbers keep their units from bytes to petabytes") {
  using explorer::number_text;
  CHECK(number_text("hbm_traffic.read_bytes", 512) == "512 B");
  CHECK(number_text("hbm_traffic.read_bytes", 33554432) == "33.6 MB");
  CHECK(number_text("memory.peak_sram_bytes", 65536) == "64.0 KiB");
  CHECK(number_text("work.matmul_flops", 1140850688) == "1.14 GFLOP");
  CHECK(number_text("time.microseconds", 62.34) == "62.3 µs");
  CHECK(number_text("time.kernels.0.budget.exp", 1500) == "1.50 ms");
  CHECK(number_text("hbm_traffic.by_tensor.K.l2_hit_rate", 0.882353) == "88.2 %");
  CHECK(number_text("kernels.0.ctas", 12345) == "12,345");
  CHECK(number_text("kernels.0.smem_bytes", 49152) == "48.0 KiB");
  CHECK(number_text("kernels.0.intensity.hbm", 295.4) == "295 FLOP/B");
  CHECK(number_text("check.by_tensor.dQ.max_rel_error", 0.00012) == "1.2e-04");
  CHECK(number_text("time.ratio", 0.207) == "0.21 x");
  CHECK(number_text("standard.tile_traffic.bytes", 512) == "512 B");
}

TEST_CASE("the bars of the counters follow the playhead to the end of the CTA") {
  explorer::Headless window("#seqlen=1024", {});
  const auto& replay = window.explorer.model.world.replay();
  std::int64_t read = 0, flops = 0;
  for (const sim::Event& event : replay.trace.events) {
    read += sim::traffic_of(event).read.count();
    flops += event.matmul_flops;
  }
  CHECK(replay.progress.all().read_bytes == read);
  CHECK(replay.progress.all().matmul_flops == flops);
  CHECK(replay.progress.at(sim::Cycles{}).matmul_flops == 0);
  const sim::Cycles middle(replay.index.end().count() / 2);
  std::int64_t half = 0;
  for (const sim::Event& event : replay.trace.events) {
    if (event.end <= middle) half += sim::traffic_of(event).read.count();
  }
  CHECK(replay.progress.at(middle).read_bytes == half);
  CHECK(replay.progress.at(replay.index.end()).read_bytes == read);
}

TEST_CASE("counters rise through the whole run, and their bars with them") {
  explorer::Headless window("#batch=4&heads=32&algorithm=standard&seqlen=1024", {});
  auto& model = window.explorer.model;
  const std::string so_far = "so far/tile_traffic.bytes", all = "number/tile_traffic.bytes";
  const auto shown = [&](const std::string& name) { return window.driver.screen.state.shown.at(name); };
  CHECK(window.driver.screen.state.shown.count(so_far) == 0);  // the total alone is shown at the start
  const std::string total = shown(all);
  double before = 0;
  for (const auto& [kernel, batch] : {std::pair{0, 3}, {1, 0}, {1, 2}, {2, 3}}) {
    model.look_at(static_cast<std::size_t>(kernel), {batch, 5, 1, 0});
    model.seek(sim::Cycles(model.world.replay().index.end().count() / 2));
    window.driver.frame();
    const double now = std::stod(shown(so_far));
    CHECK(now > before);
    CHECK(shown(all) == "of " + total);
    before = now;
  }
  // At the start of the last kernel it is the amount moved by the two preceding kernels.
  model.look_at(2, {});
  model.seek({});
  window.driver.frame();
  const auto& kernels = model.world.run().simulation.kernels;
  const auto moved = [&](std::size_t k) { return static_cast<double>(kernels[k].totals.total.total().count()); };
  const double whole = moved(0) + moved(1) + moved(2);
  CHECK(shown(so_far) == explorer::number_in_unit_of("tile_traffic.bytes", moved(0) + moved(1), whole));
}

TEST_CASE("no counter or memory level shows a fraction of an element at any time") {
  for (const std::string link : {"gpu=toy&seqlen=4&head-dim=2&dtype=fp32&br=2&bc=2&inputs=worked",
                                 "gpu=toy&seqlen=4&head-dim=2&dtype=fp32&br=2&bc=2&causal=1&heads=2",
                                 "gpu=toy&seqlen=4&head-dim=2&dtype=fp32&algorithm=standard&br=2&bc=2"}) {
    INFO(link);
    explorer::Headless window(link, {});
    std::size_t checked = 0;
    const auto check = [&] {
      window.driver.frame();
      for (const auto& [name, text] : window.driver.screen.state.shown) {
        const bool bytes = name.starts_with("so far/tile") || name.starts_with("so far/hbm") ||
                           name.starts_with("memory/hbm/") || name.starts_with("memory/tile/") ||
                           name.starts_with("race/hbm") || name.starts_with("race/tile");
        if (!bytes) continue;
        INFO(name << ": " << text);
        const std::size_t digits = text.find_first_of("0123456789");
        CHECK(text.find('.') == std::string::npos);
        CHECK(std::stoll(text.substr(digits)) % 4 == 0);
        ++checked;
      }
    };
    const sim::Trace trace = window.explorer.model.world.replay().trace;
    for (const sim::Event& event : trace.events) {
      for (const sim::Cycles time : {event.begin, sim::Cycles((event.begin + event.end).count() / 2), event.end}) {
        window.explorer.model.seek(time);
        check();
      }
    }
    window.explorer.model.state.look.play = explorer::Play::run;
    for (int n = 0; n <= 40; ++n) {
      window.explorer.model.seek_run(window.explorer.model.world.run_end() * n / 40);
      check();
    }
    CHECK(checked > 150);
  }
}

TEST_CASE("a window without a link opens in the middle of a run, in the matrix and in every counter") {
  for (const char* link : {"", "theme=light", "lang=zh&still=1"}) {
    INFO(link);
    const explorer::Headless window(link, {});
    const auto& model = window.explorer.model;
    CHECK(model.world.time() > sim::Cycles{});
    CHECK(model.world.replay().place.row > 0);
    for (const char* path : {"tile_traffic.bytes", "hbm_traffic.bytes", "work.matmul_flops"})
      CHECK(window.driver.screen.state.shown.count(std::string("so far/") + path) == 1);
  }
  for (const char* link :
       {"tab=matrix", "seqlen=1024", "compare=standard", "cta=0,0,1,0", "overlay=tour&tour-step=2", "nonsense=1"})
    CHECK(explorer::Headless(link, {}).explorer.model.world.time() == sim::Cycles{});
}

TEST_CASE("one CTA of the default run moves its counters by a tenth of the run and more") {
  explorer::Headless window("batch=4&heads=32&seqlen=2048", {});
  auto& model = window.explorer.model;
  const explorer::Subject& s = model.world.subject(0);
  model.seek(model.world.replay().index.end());
  const explorer::RunProgress progress(s);
  const double all = static_cast<double>(s.simulation().totals.total.total().count());
  CHECK(progress.microseconds() > 0.1 * s.simulation().microseconds);
  CHECK(progress.tile_bytes() > 0.1 * all);
}

TEST_CASE("a run that exceeds the card's memory shows how many cards it needs") {
  explorer::Headless window("#seqlen=131072&batch=4&heads=32&algorithm=standard", {});
  window.driver.screen.texts.emplace();
  window.driver.frame();
  const sim::Simulation& s = window.explorer.model.world.run().simulation;
  const std::int64_t cards = sim::ceil_div(s.memory.peak_hbm.count(), s.plan.scenario.gpu->hbm_bytes);
  REQUIRE(cards == 103);
  std::size_t said = 0;
  for (const ui::DrawnText& text : *window.driver.screen.texts)
    said += text.text.find("needs 103 of these") != std::string::npos ? 1 : 0;
  CHECK(said == 2);  // in the counter and next to the HBM
}

TEST_CASE("a ratio far below standard attention has three digits, never 0.00") {
  explorer::Headless window("#seqlen=131072&batch=4&heads=32", {});
  const std::string text = window.driver.screen.state.shown.at("number/memory.ratio");
  CHECK((text.find("x less") != std::string::npos || text.find("% of standard") != std::string::npos));
  CHECK(text.find("0.00") == std::string::npos);
}

TEST_CASE("counters are drawn on phones, without a reference to compare with, and for huge runs") {
  const char* links[] = {"#algorithm=standard", "#seqlen=131072&batch=64&heads=40&head-dim=256", "#seqlen=1",
                         "#lang=zh"};
  for (const char* link : links) {
    INFO(link);
    const explorer::Headless window(link, {}), phone(std::string(link) + "&tab=counters", {780, 1688, 2});
    keep(window, std::string("counters") + (link + 1));
    keep(phone, std::string("counters-phone") + (link + 1));
    CHECK(check_numbers(window) >= 10);
    CHECK(check_numbers(phone) >= 8);
  }
}
