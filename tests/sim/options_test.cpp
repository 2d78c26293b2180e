// The table of scenario options: each row reads the value it writes, and an alias equals the options it covers.
#include "sim/catalogue/options.h"

#include <catch2/catch.hpp>
#include <set>

#include "sim/programs/plan.h"

namespace {

std::shared_ptr<const sim::DeviceSpec> find_gpu(const std::string& name) { return sim::built_in_gpu(name); }

/// All explicitly set values of a scenario, as options.
sim::OptionValues asked_of(const sim::Scenario& scenario) {
  sim::OptionValues options;
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    const std::string value = option.asked ? sim::text_of(option.asked(scenario)) : "";
    if (!value.empty()) options[std::string(option.name)] = value;
  }
  return options;
}

}  // namespace

TEST_CASE("a scenario is rebuilt from the options that its rows read") {
  const sim::OptionValues options = {{"algorithm", "flash1"},
                                     {"pass", "backward"},
                                     {"batch", "2"},
                                     {"heads", "8"},
                                     {"kv-heads", "4"},
                                     {"seqlen-q", "100"},
                                     {"seqlen-k", "300"},
                                     {"head-dim", "80"},
                                     {"dtype", "bf16"},
                                     {"causal", "1"},
                                     {"padding", "17"},
                                     {"window", "64"},
                                     {"causal-from", "top-left"},
                                     {"prefix", "0"},
                                     {"documents", "100 205"},
                                     {"dropout", "0.25"},
                                     {"scale", "0.125"},
                                     {"gpu", "t4"},
                                     {"sram", "98304"},
                                     {"l2", "0"},
                                     {"tiling", "paper"},
                                     {"br", "32"},
                                     {"bc", "16"},
                                     {"head-dim-v", "24"},
                                     {"kv-shared", "1"},
                                     {"inputs", "worked"},
                                     {"seed", "7"},
                                     {"chunk", "16"},
                                     {"splits", "3"},
                                     {"pack", "0"},
                                     {"pattern", "window:3"},
                                     {"layers", "20+4:63"},
                                     {"issue", "file"},
                                     {"steps", "5"},
                                     {"gpus", "4"},
                                     {"parallel", "zigzag"},
                                     {"keys", "down"},
                                     {"softcap", "30"},
                                     {"alibi", "1"},
                                     {"score", "s+1;s-k"},
                                     {"sink", "0.5"},
                                     {"schedule", "ping-pong"},
                                     {"partition", "1024"},
                                     {"grid", "one"},
                                     {"stages", "3"},
                                     {"arrive", "issued"},
                                     {"fp8-scales", "head"},
                                     {"rotate", "0"},
                                     {"page-size", "16"},
                                     {"samples", "4"},
                                     {"shared-prefix", "64"},
                                     {"weights", "1024"},
                                     {"context", "2048"},
                                     {"phi", "2"},
                                     {"range", "-3,3"},
                                     {"fallback", "0.25"},
                                     {"clock", "1200000000"}};
  CHECK(asked_of(sim::scenario_from(options, find_gpu)) == options);
  const sim::OptionValues ragged = {{"issue", "longest"}, {"seqlens", "1 64 64, 2 32 32"}};  // replaces the lengths
  const sim::OptionValues again = asked_of(sim::scenario_from(ragged, find_gpu));
  for (const auto& given : ragged) CHECK(again.at(given.first) == given.second);
  CHECK(options.size() + 4 ==
        sim::scenario_options().size());  // model, seqlen and cu-seqlens set others, seqlens replaces the lengths
}

TEST_CASE("switching from flash3 in e4m3 to another program takes bf16 and leaves the quantiser's options out") {
  const sim::OptionValues e4m3 = {{"algorithm", "flash3"}, {"dtype", "e4m3"}, {"rotate", "0"}, {"heads", "2"}};
  CHECK(sim::without_others(e4m3) == e4m3);
  sim::OptionValues other = e4m3;
  other["algorithm"] = "flash2";
  CHECK(sim::without_others(other) == sim::OptionValues{{"algorithm", "flash2"}, {"dtype", "bf16"}, {"heads", "2"}});
}

TEST_CASE("kinds of layers are written as they are parsed, and none are left out but those of no layer") {
  const auto written = [](const std::string& layers) {
    return sim::text_of(*sim::scenario_from({{"layers", layers}}, find_gpu).layers);
  };
  for (const char* same :
       {"32", "21+21:4095", "0+32:4095", "12+36/8192", "8+40:1023@8x256", "2+1@4", "3@2x64+1:7", "61~576", "2+1~72"})
    CHECK(written(same) == same);
  CHECK(written("21+0:5") == "21");
  CHECK(written("0+0/5+3:1") == "0+3:1");
}

TEST_CASE("an option that is not given has no value, and the plan derives it if the table marks it automatic") {
  const sim::Plan plan = sim::make_plan(sim::Scenario{});
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    INFO(option.name);
    if (!option.asked) continue;
    const bool asked = option.asked(plan.scenario) != sim::OptionValue();
    CHECK((asked || option.is(sim::automatic)));
    const bool none = option.name == "window" || option.name == "layers" || option.name == "seqlens" ||
                      option.name == "cu-seqlens" || option.name == "pattern" || option.name == "documents" ||
                      option.name == "page-size" || option.name == "softcap" || option.name == "score" ||
                      option.name == "sink" || option.name == "context" || !applies_to(option, plan.scenario);
    CHECK((option.resolved(plan) == sim::OptionValue()) == none);
  }
}

TEST_CASE("a seldom option is reported only if it differs from the default, any other whenever it has a value") {
  sim::Scenario scenario;
  std::set<std::string_view> left_out;
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    if (applies_to(option, scenario) && !sim::is_reported(option, scenario)) left_out.insert(option.name);
  }
  CHECK(left_out == std::set<std::string_view>{"model",   "inputs",    "layers",    "seqlens",    "cu-seqlens",
                                               "issue",   "keys",      "pattern",   "softcap",    "alibi",
                                               "score",   "sink",      "clock",     "head-dim-v", "causal-from",
                                               "prefix",  "documents", "page-size", "samples",    "shared-prefix",
                                               "weights", "context",   "gpus",      "parallel"});
  scenario.inputs = sim::InputRule::worked;
  CHECK(sim::is_reported(sim::option_called("inputs"), scenario));
}

TEST_CASE("an alias sets its options unless they are given, and may replace them when folded") {
  CHECK(sim::expanded({{"seqlen", "8"}, {"heads", "2"}}) ==
        sim::OptionValues{{"heads", "2"}, {"seqlen-k", "8"}, {"seqlen-q", "8"}});
  CHECK(sim::expanded({{"seqlen", "8"}, {"seqlen-q", "4"}}) == sim::OptionValues{{"seqlen-k", "8"}, {"seqlen-q", "4"}});
  CHECK(sim::folded({{"seqlen-k", "8"}, {"seqlen-q", "8"}}) == sim::OptionValues{{"seqlen", "8"}});
  const sim::OptionValues two = {{"seqlen-k", "8"}, {"seqlen-q", "4"}}, one = {{"seqlen-k", "8"}};
  CHECK(sim::folded(two) == two);
  CHECK(sim::folded(one) == one);
  const sim::OptionValues wrong = {{"seqlen", "many"}};
  CHECK(sim::expanded(wrong) == wrong);
  CHECK_THROWS_WITH(sim::scenario_from(wrong, find_gpu), Catch::StartsWith("seqlen: \"many\" is not a whole number"));
}

TEST_CASE("every option has a unique name and help, and the options it covers follow it") {
  std::set<std::string_view> seen;
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    INFO(option.name);
    CHECK(seen.insert(option.name).second);
    CHECK_FALSE((option.help.empty() || option.label.empty() || option.note.empty()));
    CHECK((option.kind == sim::OptionKind::name) == (option.words != nullptr));
    for (const std::string_view covered : option.covers) {
      CHECK(sim::find_option(covered) != nullptr);
      CHECK(seen.count(covered) == 0);
    }
  }
}
