#include "viz/model/model.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace {

std::shared_ptr<const sim::DeviceSpec> gpu(const std::string& name) { return sim::built_in_gpu(name); }

explorer::Model small_model() {
  explorer::Model model(gpu);
  model.follow("#seqlen=512&head-dim=128&causal=1&br=64&bc=64");
  return model;
}

}  // namespace

TEST_CASE("every view can be rebuilt from its link") {
  explorer::Model model = small_model();
  model.look_at(0, {0, 0, 5, 0});
  for (int n = 0; n < 17; ++n) model.step(explorer::Step::event, 1);
  model.state.look.theme = explorer::Theme::light;
  model.state.look.selection = "tile_traffic.by_tensor.K.read_bytes";
  explorer::Model other(gpu);
  other.follow("#" + model.link());
  CHECK(other.to_json() == model.to_json());
  CHECK(other.state.look.theme == explorer::Theme::light);
  CHECK(other.state.look.selection == model.state.look.selection);
  CHECK(other.world.time() == model.world.time());
}

TEST_CASE("each bad key of a link is named and the rest applies") {
  explorer::Model model(gpu);
  model.follow("#seqlen=2048&head-dim=abc&sqlen=3&time=-5&theme=blue&lang=zh&causal=1&causal=0&cta=1,2&x%zz=1");
  CHECK(model.world.run().simulation.plan.problem.shape.seqlen_q == 2048);
  CHECK(model.world.run().simulation.plan.problem.shape.mask.causal);
  CHECK(model.state.look.language == explorer::Language::zh);
  REQUIRE(model.link_errors.size() == 7);
  for (const char* name : {"head-dim", "sqlen", "time", "theme", "causal", "cta", "x%25zz"}) {
    INFO(name);
    CHECK(std::any_of(model.link_errors.begin(), model.link_errors.end(),
                      [&](const sim::Sentence& line) { return line.text().find(name) != std::string::npos; }));
  }
}

TEST_CASE("an impossible scenario keeps the last picture and shows its error") {
  explorer::Model model = small_model();
  const explorer::Run* before = &model.world.run();
  model.set_option("br", "4096");
  CHECK(&model.world.run() == before);
  CHECK_THAT(model.world.error().text(), Catch::Contains("KiB"));
  model.undo();
  CHECK(model.world.error().empty());
}

TEST_CASE("the worked example is part of a link, and other sizes leave its last picture") {
  explorer::Model model(gpu);
  model.follow("#seqlen=4&head-dim=2&inputs=worked");
  CHECK(model.world.error().empty());
  CHECK(model.world.run().simulation.plan.scenario.inputs == sim::InputRule::worked);
  CHECK_THAT(model.link(), Catch::Contains("inputs=worked"));
  explorer::Model again(gpu);
  again.follow(model.link());
  CHECK(again.link() == model.link());
  model.set_option("head-dim", "64");
  CHECK_THAT(model.world.error().text(), Catch::StartsWith("inputs: worked is one head"));
  CHECK(model.world.run().simulation.plan.problem.shape.head_dim == 2);
  model.set_option("inputs", "drawn");
  CHECK(model.world.error().empty());
}

TEST_CASE("a drag that starts at the option's current value leaves that value to undo") {
  explorer::Model model(sim::built_in_gpu);
  model.set_option("seqlen", "2048");
  for (const std::string value : {"2048", "4096", "8192"}) model.drag_option("seqlen", value);
  CHECK(model.state.options.at("seqlen") == "8192");
  model.undo();
  CHECK(model.state.options.at("seqlen") == "2048");
}

TEST_CASE("scenario changes can be undone and done again") {
  explorer::Model model = small_model();
  model.set_option("seqlen", "1024");
  model.set_option("seqlen", "2048");
  model.undo();
  CHECK(model.world.run().simulation.plan.problem.shape.seqlen_q == 1024);
  model.redo();
  CHECK(model.world.run().simulation.plan.problem.shape.seqlen_q == 2048);
  CHECK_FALSE(model.can_redo());
  model.undo();
  model.set_option("seqlen", "4096");
  CHECK_FALSE(model.can_redo());
}

TEST_CASE("stepping back retraces the steps forwards, across CTAs") {
  using explorer::Step;
  for (const Step unit : {Step::event, Step::line, Step::tile, Step::row_block}) {
    explorer::Model model = small_model();
    std::vector<std::string> links;
    for (int n = 0; n < 150; ++n) {
      links.push_back(model.link());
      model.step(unit, 1);
    }
    const bool moved = links.front() != links.back();
    CHECK(moved);
    for (int n = 0; n < 300 && model.link() != links.front(); ++n) model.step(unit, -1);
    CHECK(model.link() == links.front());
  }
}

TEST_CASE("playing ends at the end of the last CTA of the last kernel") {
  explorer::Model model(gpu);
  model.follow("#algorithm=standard&seqlen=128&head-dim=64");
  model.play(true);
  model.set_speed(100);
  int ticks = 0;
  while (model.tick(1.0)) REQUIRE(++ticks < 100'000);
  CHECK(model.world.replay().kernel == 2);
  CHECK(model.world.time() == model.world.replay().index.end());
}

TEST_CASE("a change of a long CTA shows its counts and a preview at once, and is replayed in full later") {
  explorer::Model model = small_model(), other(gpu);
  model.step(explorer::Step::row_block, 1);
  const std::string place = model.link().substr(model.link().find("time="));
  model.drag_option("algorithm", "flash1");
  CHECK_FALSE(model.world.previewing());  // a short CTA
  model.drag_option("seqlen", "8192");
  REQUIRE(model.world.previewing());
  CHECK(model.world.run().simulation.plan.problem.shape.seqlen_q == 8192);
  CHECK_THAT(model.link(), Catch::Contains(place));  // the playhead does not move
  const double events = sim::events_of_cta(model.world.run().simulation, 0);
  CHECK(static_cast<double>(model.world.replay().trace.events.size()) < events / 10);
  REQUIRE(model.advance());
  CHECK(model.world.previewing());  // further changes may follow: one frame without any is needed
  REQUIRE(model.advance());
  CHECK_FALSE(model.world.previewing());
  CHECK(static_cast<double>(model.world.replay().trace.events.size()) == events);
  CHECK_FALSE(model.advance());
  other.follow("#" + model.link());
  CHECK(other.to_json() == model.to_json());
}

TEST_CASE("an action that moves the playhead of a preview first replays the CTA in full") {
  using explorer::Model;
  const std::vector<void (*)(Model&)> moves = {[](Model& m) { m.step(explorer::Step::tile, 1); },
                                               [](Model& m) { m.seek(sim::Cycles(1'000'000)); },
                                               [](Model& m) {
                                                 m.look_at(0, {0, 1, 0, 0});
                                               },
                                               [](Model& m) { m.toggle_bookmark(); },
                                               [](Model& m) {
                                                 m.compare({{{"algorithm", "flash2"}}});
                                               },
                                               [](Model& m) { m.play(true), m.tick(0.1); }};
  for (const auto move : moves) {
    Model model(gpu), whole(gpu);
    for (const auto& [name, value] : sim::OptionValues{{"algorithm", "flash1"}, {"seqlen", "4096"}}) {
      model.set_option(name, value);
      whole.set_option(name, value);
    }
    REQUIRE(model.world.previewing());
    while (whole.advance()) {
    }
    move(model);
    move(whole);
    CHECK_FALSE(model.world.previewing());
    CHECK(model.to_json() == whole.to_json());
  }
}

TEST_CASE("a link without a scenario opens a scenario that fills the card, any scenario key opens one head") {
  const auto shape_of = [](std::string_view link) {
    explorer::Model model(gpu);
    model.follow(link);
    return model.world.run().simulation.plan.problem.shape;
  };
  for (const char* bare : {"", "#theme=light&lang=zh", "time=2000", "compare=flash1,standard", "overlay=tour"}) {
    INFO(bare);
    CHECK((shape_of(bare).batch == 4 && shape_of(bare).heads == 32));
  }
  for (const char* asked : {"seqlen=1024", "algorithm=flash1", "causal=1&theme=light", "compare=flash1,gpu:t4"}) {
    INFO(asked);
    CHECK((shape_of(asked).batch == 1 && shape_of(asked).heads == 1));
  }
}

TEST_CASE("a copied link writes batch and heads, so that it reopens the same") {
  const auto link_of = [](std::string_view link) {
    explorer::Model model(gpu);
    model.follow(link);
    return model.link();
  };
  CHECK(link_of("").starts_with("batch=4&heads=32&"));
  CHECK(link_of("theme=light&tab=matrix&time=0") == "batch=4&heads=32&theme=light");
  CHECK(link_of("causal=1") == "batch=1&causal=1&heads=1");
  CHECK(link_of("model=llama-3-8b") == "batch=1&head-dim=128&heads=32&kv-heads=8&layers=32&model=llama-3-8b");
  CHECK(explorer::Model(gpu).link() == "batch=1&heads=1");
  for (const char* link : {"", "causal=1", "model=llama-3-8b", "heads=6&kv-heads=2", "compare=flash1"})
    CHECK(link_of(link_of(link)) == link_of(link));
}

TEST_CASE("links take names as people type them, and write the exact ones") {
  explorer::Model model(gpu);
  model.follow("gpu=A100&seqlen=8k&algorithm=FA1&heads=2&compare=fa2,gpu:h100");
  CHECK(model.link_errors.empty());
  CHECK(model.link() == "algorithm=flash1&batch=1&gpu=a100-sxm-40gb&heads=2&seqlen=8192&compare=flash2,gpu:h100-sxm");
}
