// The race of whole runs, as users see and operate it. FLASHSCOPE_PICTURES=folder writes its pictures there.
#include "viz/panels/race/race.h"

#include <catch2/catch.hpp>

#include "tests/explorer/command_line_numbers.h"
#include "tests/explorer/finish.h"
#include "tests/explorer/pictures.h"
#include "viz/model/edit.h"
#include "viz/panels/scenario/number.h"

namespace {

using explorer::Headless;

constexpr const char* three =
    "#batch=4&heads=32&seqlen=2048&algorithm=standard&compare=algorithm:flash1,algorithm:flash2&play=run&run-time=1000";

const std::string& shown(const Headless& window, const std::string& name) {
  return window.driver.screen.state.shown.at(name);
}

}  // namespace

TEST_CASE("a race shows each run with its lanes, in every size, theme and language") {
  struct Case {
    const char* name;
    std::string more;
    explorer::Size size;
  };
  const Case cases[] = {{"dark", "", {}},
                        {"light-zh", "&theme=light&lang=zh", {}},
                        {"row-blocks", "&lanes=row-block", {}},
                        {"finish", "&run-time=1e9", {}},
                        {"begin", "&run-time=0", {}},
                        {"small", "", {1280, 720, 1}},
                        {"laptop", "", {1440, 900, 1}},
                        {"tablet", "", {960, 600, 1}},
                        {"phone", "", {780, 1688, 2}},
                        {"large", "", {3200, 2000, 2}}};
  for (const Case& c : cases) {
    INFO(c.name);
    std::string link = three;
    if (c.more.find("run-time") != std::string::npos) link = link.substr(0, link.rfind('&'));
    Headless window(link + c.more, c.size);
    window.finish();
    CHECK(window.explorer.model.link_errors.empty());
    CHECK(window.driver.shows("race/lanes"));
    CHECK(window.driver.shows("race/lanes@3"));
    keep(window, std::string("race-") + c.name);
  }
}

TEST_CASE("the memory links of a race have the command line's numbers for the running kernel") {
  for (const char* scenario :
       {"batch=4&heads=32&seqlen=2048&algorithm=standard&compare=flash1,flash2",
        "seqlen=16384&heads=32&kv-heads=4&causal=1&head-dim=128&compare=standard",
        "seqlen=4096&heads=8&pass=forward%2Bbackward&gpu=a100-sxm-40gb&compare=standard",
        "seqlen-q=1&seqlen-k=65536&heads=64&batch=16&algorithm=flash-decoding&compare=standard"}) {
    Headless window(scenario + std::string("&play=run"), {1920, 1080, 1});
    window.finish();
    explorer::Model& model = window.explorer.model;
    for (const double part : {0.02, 0.3, 0.6, 0.9}) {
      INFO(scenario << " at " << part);
      model.seek_run(part * model.world.run_end());
      window.driver.frame();
      for (std::size_t n = 0; n < model.world.subjects(); ++n) {
        const explorer::RaceRun& clock = *model.world.subject(n).clock;
        if (model.state.look.run_time >= clock.end()) continue;
        const std::string run = n == 0 ? "" : sim::text("@", n + 1);
        for (const char* link : {"l2", "hbm"}) {
          const std::string path =
              sim::text("links.kernels.", clock.kernel_at(model.state.look.run_time), ".", link, ".percent_of_peak");
          const double value = command_line_number(window, path + run);
          CHECK_THAT(shown(window, "number/" + path + run), Catch::StartsWith(explorer::number_text(path, value)));
        }
      }
    }
  }
}

TEST_CASE("a teacher shows which of three runs is first and why, with five actions from the first screen") {
  Headless window("", {});
  explorer::Model& model = window.explorer.model;
  window.driver.type("c");
  window.driver.click("compare/add");
  window.driver.click("compare/add/flash1");
  window.driver.type("r");
  REQUIRE(model.state.plays_run());
  const auto time = [&](std::size_t n) { return model.world.subject(n).simulation().microseconds; };
  const auto name = [&](std::size_t n) { return model.world.subject(n).simulation().plan.program->name; };
  REQUIRE((name(0) == "flash2" && name(1) == "standard" && name(2) == "flash1"));
  CHECK(time(0) < time(2));
  CHECK(time(2) < time(1));
  const auto slower = [&](std::size_t n) { return explorer::times_text(time(n) / time(0)) + " x slower"; };
  CHECK(shown(window, "race/ratio@2") == slower(1));
  CHECK(shown(window, "race/ratio@3") == slower(2));
  window.driver.click("number/time.microseconds@2");
  CHECK(model.state.look.selection == "time.microseconds@2");
  window.finish();
  window.driver.screen.texts.emplace();
  window.driver.frame();
  const auto& texts = *window.driver.screen.texts;
  const auto says = [&](std::string_view words) {
    return std::any_of(texts.begin(), texts.end(), [&](const auto& t) { return t.text.find(words) != t.text.npos; });
  };
  const sim::Budget& budget = model.world.subject(1).simulation().budget;
  CHECK(budget[sim::Cause::bandwidth] > budget.total() / 2);
  CHECK(says("bandwidth"));
  keep(window, "race-teacher");
}

TEST_CASE("no text of a race is truncated, and its finish compares time and bytes", "[repeats]") {
  const std::string cards = "lesson=01&lesson-step=9";
  const std::string other = "batch=4&heads=32&algorithm=standard&compare=flash1,flash2&play=run";
  for (const explorer::Size size :
       {explorer::Size{1600, 1000, 1}, {1440, 900, 1}, {1280, 720, 1}, {960, 600, 1}, {390, 844, 1}}) {
    for (const std::string& link : {cards, other}) {
      for (const std::string language : {"en", "zh"}) {
        if (link == cards && size.width < 1200) continue;  // the lesson shows one run there
        for (const double time : {0., 0.05, 0.5, 1.}) {
          Headless window(link + "&lang=" + language, size);
          window.explorer.model.seek_run(time * window.explorer.model.world.run_end());
          window.driver.screen.texts.emplace();
          window.finish();
          window.driver.screen.texts->clear();
          window.driver.frame();
          std::string cut;
          const auto& texts = *window.driver.screen.texts;
          for (std::size_t n = 1; n < texts.size(); ++n) {
            if (texts[n].text == "…") cut += "\n  " + texts[n - 1].text;
          }
          INFO(link << " " << language << " " << size.width << " at " << time << cut);
          CHECK(cut.empty());
          for (const std::string path : {"time.microseconds", "hbm_traffic.bytes"}) {
            for (const std::string run : {"@2", "@3"}) {
              INFO(path << run);
              CHECK(window.driver.screen.state.shown.contains("finish/" + path + run) == (size.width > 400));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("equal totals of a race are reported as equal") {
  const std::string small_l2 =
      "#batch=4&heads=32&seqlen=2048&algorithm=standard&gpu=a100-sxm-40gb&compare=l2:8388608&play=run";
  Headless window(small_l2, {1440, 900, 1});
  window.finish();
  CHECK(shown(window, "finish/hbm_traffic.bytes@2") == "nearly equal");  // 4.44 GB to 4.43 GB
  Headless chinese(small_l2 + "&lang=zh", {1440, 900, 1});
  chinese.finish();
  CHECK(shown(chinese, "finish/tile_traffic.bytes@2") == "相同");
}

TEST_CASE("the counters of a race rise to the totals of the simulation") {
  Headless window(three, {});
  window.finish();
  const auto& model = window.explorer.model;
  for (std::size_t n = 0; n < 3; ++n) {
    const explorer::Subject& s = model.world.subject(n);
    const std::string at = n == 0 ? "" : "@" + std::to_string(n + 1);
    const double all = static_cast<double>(s.simulation().hbm.total().count());
    const double now = s.clock->amount(1000, explorer::hbm_bytes_of);
    CHECK(shown(window, "race/hbm_traffic.bytes" + at) == explorer::number_in_unit_of("hbm_traffic.bytes", now, all));
    CHECK(shown(window, "number/hbm_traffic.bytes" + at) == "of " + explorer::number_text("hbm_traffic.bytes", all));
    CHECK((now < all) == (s.simulation().microseconds > 1000));
  }
  window.explorer.model.seek_run(1e9);
  window.finish();
  for (std::size_t n = 0; n < 3; ++n) {
    const std::string at = n == 0 ? "" : "@" + std::to_string(n + 1);
    const double all = static_cast<double>(model.world.subject(n).simulation().hbm.total().count());
    const std::string text = explorer::number_text("hbm_traffic.bytes", all);
    CHECK(text.starts_with(shown(window, "race/hbm_traffic.bytes" + at) + " "));
  }
}

TEST_CASE("a run of a race shows its speedup over the first run, from the predicted times") {
  Headless window(three, {});
  window.finish();
  const auto time = [&](std::size_t n) { return window.explorer.model.world.subject(n).simulation().microseconds; };
  CHECK(shown(window, "race/ratio@3") == fmt::format("{:.2f} x faster", time(0) / time(2)));
  CHECK(shown(window, "race/ratio@2") == fmt::format("{:.2f} x faster", time(0) / time(1)));
  CHECK(window.explorer.description().find("finished") != std::string::npos);
}

TEST_CASE("the clock of a race follows the pointer on lanes and plot, keys and buttons") {
  Headless window(three, {});
  auto& model = window.explorer.model;
  const double end = model.world.run_end();
  window.driver.click("race/lanes@2", 0.25f);
  CHECK(model.state.look.run_time == Approx(end / 4).epsilon(0.01));
  CHECK(model.state.plays_run());
  window.driver.click("race/plot", 0.75f);
  CHECK(model.state.look.run_time == Approx(end * 3 / 4).epsilon(0.01));
  window.driver.click("to-start");
  CHECK(model.state.look.run_time == 0);
  window.driver.click("step");
  CHECK(model.state.look.run_time == Approx(end / 100));
  window.driver.click("to-end");
  CHECK(model.state.look.run_time == end);
  window.driver.click("play");
  CHECK(model.playing());
  CHECK(model.state.look.run_time < end);
  window.driver.click("play-what/cta");
  CHECK_FALSE(window.driver.shows("race/lanes"));
  window.driver.click("play-what/run");
  CHECK(window.driver.shows("race/lanes"));
}

TEST_CASE("a click on a lane opens the CTA that runs there, at that time") {
  Headless window("#batch=4&heads=32&seqlen=2048&play=run", {});
  window.finish();
  const ui::Rect lanes = window.driver.screen.state.probes.at("race/lanes");
  REQUIRE(lanes.width > 100);
  window.driver.click("race/lanes");
  const auto& model = window.explorer.model;
  CHECK_FALSE(model.state.plays_run());
  const double time = model.state.look.run_time;
  const explorer::RaceRun& clock = *model.world.subject(0).clock;
  const std::int64_t cta = explorer::cta_of_place(model.world.run().simulation, 0, model.world.replay().place);
  const explorer::CtaSpan* span = clock.kernels()[0].grid.find(cta);
  REQUIRE(span != nullptr);
  CHECK(clock.on_clock(0, span->begin) <= time);
  CHECK(clock.on_clock(0, span->end) >= time);
  CHECK(model.world.time() > sim::Cycles{});
}

TEST_CASE("R plays the race, from the start if it is at its end, and returns to the CTA") {
  Headless window("#batch=4&heads=32&seqlen=2048", {});
  auto& model = window.explorer.model;
  model.seek_run(1e9);
  window.driver.type("r");
  CHECK(model.state.plays_run());
  CHECK(model.playing());
  CHECK(model.state.look.run_time == 0);
  window.driver.type("r");
  CHECK_FALSE(model.state.plays_run());
  CHECK_FALSE(model.playing());
}

TEST_CASE("a race of one run fills its card") {
  for (const explorer::Size size : {explorer::Size{1600, 1000, 1}, {1440, 900, 1}, {960, 600, 1}}) {
    Headless window("#batch=4&heads=32&seqlen=2048&play=run&run-time=200", size);
    window.finish();
    keep(window, sim::text("race-one-", size.width));
    const ui::Rect card =
        ui::make_race_layout(static_cast<float>(size.width), static_cast<float>(size.height), 1, 1).cards.front().card;
    window.driver.screen.texts.emplace();
    window.driver.frame();
    const auto& texts = *window.driver.screen.texts;
    const auto middle = [&](const ui::DrawnText& text) {
      return card.contains(text.box.center()) && text.box.center().x < card.x + card.width / 4 &&
             std::abs(text.box.center().y - card.center().y) < card.height / 6;
    };
    CHECK(std::any_of(texts.begin(), texts.end(), middle));
  }
}

TEST_CASE("compared runs state how long each has run since its first launch") {
  Headless window("#batch=4&heads=32&seqlen=2048&algorithm=standard&compare=flash1,flash2&time=3000", {});
  const auto& model = window.explorer.model;
  const std::string at = explorer::number_text("time.microseconds", model.world.common(model.state.look.sync).value());
  const explorer::Subject& last = model.world.subject(2);
  CHECK(model.world.common(model.state.look.sync).value() >= last.microseconds(last.time));
  window.driver.screen.texts.emplace();
  window.driver.frame();
  const auto& texts = *window.driver.screen.texts;
  CHECK(std::any_of(texts.begin(), texts.end(), [&](const ui::DrawnText& text) {
    return text.text == "The same inputs, each run " + at + " after its first launch.";
  }));
}

TEST_CASE("a race replays no CTA until it ends, and then shows the same as if it had not taken place") {
  const std::string link = "#batch=4&heads=32&algorithm=standard&compare=flash1,flash2&time=3000";
  Headless raced(link + "&play=run", {}), other(link, {});
  for (const char* keys : {"1024", "2048", "1536"}) {
    raced.explorer.model.apply(explorer::SetNumber{"seqlen", keys, true});
    other.explorer.model.apply(explorer::SetNumber{"seqlen", keys, true});
    raced.driver.frame();
    CHECK(raced.explorer.model.world.previewing());
  }
  raced.driver.click("play-what/cta");
  CHECK_FALSE(raced.explorer.model.world.previewing());
  CHECK(raced.explorer.model.world.time() == other.explorer.model.world.time());
  for (std::size_t n = 0; n < 3; ++n) {
    const explorer::Subject &a = raced.explorer.model.world.subject(n), &b = other.explorer.model.world.subject(n);
    CHECK(a.simulation().microseconds == b.simulation().microseconds);
    CHECK(a.replay->trace.events.size() == b.replay->trace.events.size());
    CHECK(a.time == b.time);
  }
}

TEST_CASE("a race draws nothing when idle") {
  Headless window(three, {});
  window.finish();
  CHECK_FALSE(window.explorer.update(0.1));
  window.explorer.model.play(true);
  CHECK(window.explorer.update(0.1));
}
