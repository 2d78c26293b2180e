// Kernels with softcap, ALiBi and sinks, and under right windows and prefixes: values and exact bytes.
#include <cmath>

#include "kernels/attention/support.h"
#include "kernels/verify/choice.h"
#include "tests/support/ragged_kernels.h"
#include "tests/support/random_scenario.h"

namespace {

using Steps = std::map<std::string, std::string, std::less<>>;
using ragged_kernels::wrong;

const Steps softcap = {{"softcap", "2"}}, alibi = {{"alibi", "1"}}, both = {{"softcap", "3"}, {"alibi", "1"}};

sim::Scenario scenario(const std::string& algorithm, const sim::Shape& shape, const Steps& steps) {
  sim::Scenario s;
  s.algorithm = algorithm;
  s.shape = shape;
  s.score_steps = steps;
  s.seed = 5;
  return s;
}

/// For the plain kernels: both passes, tiles of 16 x 16, so that short sequences have several.
sim::Scenario plain(const std::string& algorithm, const sim::Shape& shape, const Steps& steps) {
  sim::Scenario s = scenario(algorithm, shape, steps);
  s.pass = sim::all_passes(algorithm);
  s.dtype = sim::Dtype::fp32;
  s.br = s.bc = 16;
  return s;
}

/// Adds a right window, or else a prefix, to a mask.
void draw_more(sim::Dice& dice, sim::Shape& shape) {
  sim::Mask& mask = shape.mask;
  if (dice.one_in(2)) mask.window_right = dice.near_an_end(0, shape.seqlen_k);
  if (dice.one_in(2) || !mask.after()) return;
  mask.window.reset();
  mask.prefix = dice.near_an_end(0, shape.seqlen_k);
}

sim::Shape random_shape(sim::Dice& dice, std::int64_t longest, std::int64_t d) {
  sim::Shape shape;
  shape.batch = dice.between(1, 2);
  shape.kv_heads = dice.between(1, 2);
  shape.heads = shape.kv_heads * dice.between(1, 4);
  shape.seqlen_q = dice.near_an_end(1, longest);
  shape.seqlen_k = dice.near_an_end(1, longest);
  shape.head_dim = d;
  shape.mask = sim::random_mask(dice, shape.seqlen_k, longest);
  draw_more(dice, shape);
  return shape;
}

Steps random_steps(sim::Dice& dice) {
  return std::array{Steps{}, softcap, alibi, both}.at(static_cast<std::size_t>(dice.between(0, 3)));
}

/// One of the families, plain or on tensor cores; parts of the keys for flash-decoding.
sim::Scenario random_scenario(sim::Dice& dice, const std::string& algorithm, bool on_tensor_cores) {
  const std::int64_t d = on_tensor_cores ? 64 * dice.between(1, 2) : 8 * dice.between(1, 3);
  const sim::Shape shape = random_shape(dice, on_tensor_cores ? 290 : 60, d);
  sim::Scenario s =
      on_tensor_cores ? scenario(algorithm, shape, random_steps(dice)) : plain(algorithm, shape, random_steps(dice));
  if (on_tensor_cores && dice.one_in(2)) s.dtype = sim::Dtype::bf16;
  if (!on_tensor_cores && dice.one_in(3)) s.dropout = 0.2;
  if (!on_tensor_cores) s.bc = 8 * dice.between(1, 4);
  sim::draw_sinks(dice, s);
  if (algorithm != "flash-decoding") return s;
  s.shape.seqlen_q = on_tensor_cores ? dice.between(1, 16) : s.shape.seqlen_q;
  sim::split_keys(dice, s);
  return s;
}

sim::Scenario with_sinks(sim::Scenario s, std::vector<float> logits) {
  s.sinks = std::make_shared<const std::vector<float>>(std::move(logits));
  return s;
}

const sim::Mask masks[] = {{.window = 9, .window_right = 4},   {.window_right = 0},
                           {.padding = 5, .window_right = 20}, {.causal = true, .prefix = 21},
                           {.window_right = 3, .prefix = 40},  {.causal = true, .padding = 30, .prefix = 35}};

std::string refusal(const sim::Scenario& s, const std::optional<std::string>& kernel = {}) {
  try {
    kernels::choose_kernel(sim::make_plan(s), kernel, dev::Flavour::emulated);
  } catch (const sim::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("plain kernels with softcap and ALiBi compute and move what their programs do, in both passes") {
  for (const char* algorithm : {"flash2", "flash-decoding", "flash2-block-sparse"}) {
    for (const Steps& steps : {softcap, alibi, both}) {
      INFO(algorithm << ' ' << steps.begin()->first);
      CHECK(wrong(algorithm, plain(algorithm, {2, 4, 2, 37, 53, 16, {.causal = true}}, steps)) == "");
      CHECK(wrong(algorithm, plain(algorithm, {1, 3, 1, 50, 20, 8, {.padding = 3, .window = 12}}, steps)) == "");
    }
  }
}

TEST_CASE("kernels on tensor cores with softcap and ALiBi compute and move what their programs do") {
  for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16}) {
    for (const std::int64_t d : {64, 128}) {
      for (const Steps& steps : {softcap, alibi, both}) {
        INFO(sim::name_of(dtype) << " d " << d << ' ' << steps.begin()->first << ' ' << steps.size());
        sim::Scenario s = scenario("flash2", {1, 4, 2, 140, 270, d, {.causal = true}}, steps);
        s.dtype = dtype;
        CHECK(wrong("flash2_mma", s) == "");
        s = scenario("flash-decoding", {2, 4, 1, 3, 700, d, {.causal = true, .padding = 2}}, steps);
        s.dtype = dtype;
        CHECK(wrong("flash-decoding_mma", s) == "");
      }
    }
  }
}

TEST_CASE("query heads that are packed as rows have their own slopes, and stand at the last key") {
  for (const std::int64_t pack : {0, 1}) {
    for (const Steps& steps : {alibi, both}) {
      sim::Scenario s = plain("flash-decoding", {2, 6, 2, 1, 70, 8, {}}, steps);
      s.own = {{"pack", pack}, {"splits", 2}};
      CHECK(wrong("flash-decoding", s) == "");
      s = scenario("flash-decoding", {2, 24, 2, 1, 900, 64, {}}, steps);
      s.own = {{"pack", pack}, {"splits", 3}};
      CHECK(wrong("flash-decoding_mma", s) == "");
    }
  }
}

TEST_CASE("plain kernels take right windows and prefixes, in both passes") {
  for (const sim::Mask& mask : masks) {
    for (const char* algorithm : {"standard", "flash1", "flash2", "flash-decoding", "flash2-block-sparse"}) {
      INFO(algorithm << " window_right " << mask.window_right.value_or(-1) << " prefix " << mask.prefix);
      kernel_check::traffic(algorithm, plain(algorithm, {1, 2, 1, 45, 50, 8, mask}, {}));
      kernel_check::traffic(algorithm, plain(algorithm, {1, 1, 1, 60, 45, 8, mask}, {}));
    }
  }
}

TEST_CASE("kernels on tensor cores take right windows and prefixes, also without score steps") {
  for (const sim::Mask& mask : masks) {
    for (const std::int64_t d : {64, 128}) {
      CHECK(wrong("flash2_mma", scenario("flash2", {1, 2, 1, 200, 190, d, mask}, {})) == "");
      CHECK(wrong("flash-decoding_mma", scenario("flash-decoding", {1, 2, 1, 16, 600, d, mask}, {})) == "");
    }
  }
}

TEST_CASE("plain kernels with random score steps, masks and sinks agree with their programs") {
  sim::Dice dice(23);
  for (int n = 0; n < 60; ++n) {
    const auto which = static_cast<std::size_t>(dice.between(0, 2));
    const std::string algorithm = std::array{"flash2", "flash-decoding", "flash2-block-sparse"}.at(which);
    const sim::Scenario s = random_scenario(dice, algorithm, false);
    INFO(n << ' ' << sim::describe(s) << ' ' << s.score_steps.size());
    kernel_check::traffic(algorithm, s);
  }
}

TEST_CASE("kernels on tensor cores with random score steps, masks and sinks agree with their programs") {
  sim::Dice dice(29);
  for (int n = 0; n < 40; ++n) {
    const std::string algorithm = dice.one_in(2) ? "flash2" : "flash-decoding";
    const sim::Scenario s = random_scenario(dice, algorithm, true);
    INFO(n << ' ' << sim::describe(s) << ' ' << s.score_steps.size());
    kernel_check::traffic(algorithm + "_mma", s);
  }
}

TEST_CASE("entries of a ragged batch have slopes and windows of their own lengths") {
  sim::Scenario s = ragged_kernels::plain({{2, 20, 33}, {1, 7, 50}, {1, 40, 9}});
  s.pass = sim::Pass::forward_backward;
  s.score_steps = both;
  s.shape.mask = {.window = 12, .window_right = 3};
  CHECK(wrong("flash2", s) == "");
}

TEST_CASE("a ragged batch on tensor cores refuses right windows, prefixes and softcap by name") {
  sim::Scenario s = ragged_kernels::ragged({{1, 130, 70}, {2, 64, 128}});
  s.shape.mask = {.window = 50, .window_right = 20};
  CHECK(refusal(s) ==
        "kernel: flash2_mma with --seqlens has no right window: the plain kernel has; or --kernel flash2");
  s.shape.mask = {.causal = true, .prefix = 5};
  CHECK(refusal(s) == "kernel: flash2_mma with --seqlens has no prefix: the plain kernel has; or --kernel flash2");
  s.score_steps = softcap;
  CHECK(refusal(s) == "kernel: flash2_mma with --seqlens has no softcap: the plain kernel has; or --kernel flash2");
}

TEST_CASE("right windows and prefixes that the chosen kernel lacks are refused by name") {
  sim::Scenario s = scenario("flash2", {1, 2, 1, 64, 64, 64, {.causal = true, .prefix = 7}}, {});
  CHECK(refusal(s) == "");
  s.pass = sim::Pass::forward_backward;
  CHECK(refusal(s) == "kernel: flash2_mma backward has no prefix: the plain kernel has; or --kernel flash2");
  CHECK(refusal(s, "flash2") == "");
  s.shape.mask = {.window_right = 7};
  CHECK(refusal(s) == "kernel: flash2_mma backward has no right window: the plain kernel has; or --kernel flash2");
  s = scenario("flash-decoding", {1, 2, 1, 20, 600, 64, {.window_right = 7}}, {});
  CHECK(
      refusal(s) ==
      "kernel: flash-decoding_mma has no right window for a tile of 32 x 256 and head dim 64: it has 16 x 256 for head "
      "dim 64, 16 x 128 for head dim 128; or --kernel flash-decoding");
  s = scenario("flash2-block-sparse", {1, 2, 1, 64, 64, 64, {.window_right = 7}}, {});
  s.pattern = sim::read_pattern("causal");
  CHECK(
      refusal(s) ==
      "kernel: flash2-block-sparse_mma has no right window: flash2-block-sparse has; or --kernel flash2-block-sparse");
}

TEST_CASE("score steps that the chosen kernel lacks are refused with the kernels that have them") {
  const sim::Shape shape{1, 2, 1, 64, 64, 64};
  CHECK(refusal(scenario("flash2", shape, softcap)) == "");
  CHECK(refusal(scenario("flash2", shape, both), "flash2") == "");
  CHECK(refusal(scenario("flash2", shape, {{"score", "s*2"}})) ==
        "score: kernels have softcap and alibi, and no other formula: leave it out");
  CHECK(refusal(scenario("flash1", shape, alibi)) ==
        "alibi: the kernels flash1 take none; those that do are flash2, flash2_mma, flash-decoding, "
        "flash-decoding_mma, flash2-block-sparse");
  CHECK_THAT(refusal(scenario("standard", shape, softcap)),
             Catch::StartsWith("softcap: the kernels standard take none"));
  sim::Scenario s = scenario("flash2", shape, softcap);
  s.shape.head_dim = 32;
  CHECK(refusal(s) ==
        "kernel: flash2_mma has no softcap for a tile of 128 x 128 and head dim 32: it has 128 x 128 for head dim 64, "
        "128 x 64 for head dim 128; or --kernel flash2");
  s.shape.head_dim = 64;
  s.dropout = 0.1;
  CHECK(refusal(s) == "kernel: flash2_mma has no dropout with softcap: the plain kernel has; or --kernel flash2");
  s.dropout = 0;
  s.pass = sim::Pass::forward_backward;
  CHECK(refusal(s) == "kernel: flash2_mma backward has no softcap: the plain kernel has; or --kernel flash2");
  s = scenario("flash2", {1, 1, 1, 32, 64, 64, {.diagonal = sim::DiagonalFrom::top_left}}, alibi);
  CHECK_THAT(refusal(s), Catch::StartsWith("causal-from: no kernel has this mask"));
  s = scenario("flash2", shape, {{"softcap", "1e-39"}});
  CHECK(refusal(s) == "softcap: 1e-39 is not in the range of fp32, as kernels need it");
}

TEST_CASE("plain kernels with sinks compute and move what their programs do, in both passes, with dropout too") {
  for (const char* algorithm : {"flash2", "flash-decoding", "flash2-block-sparse"}) {
    for (const double dropout : {0.0, 0.2}) {
      INFO(algorithm << " dropout " << dropout);
      sim::Scenario s = plain(algorithm, {2, 4, 2, 37, 53, 16, {.causal = true}}, {});
      s.dropout = dropout;
      CHECK(wrong(algorithm, with_sinks(s, {1})) == "");
      CHECK(wrong(algorithm, with_sinks(s, {0.5f, -2, 100, -INFINITY})) == "");
    }
  }
}

TEST_CASE("kernels on tensor cores with sinks compute and move what their programs do") {
  const std::vector<float> logits = {0.5f, -2, 100, -INFINITY};
  for (const std::int64_t d : {64, 128}) {
    for (const Steps& steps : {Steps{}, both}) {
      const sim::Scenario s = scenario("flash2", {1, 4, 2, 140, 270, d, {.causal = true}}, steps);
      CHECK(wrong("flash2_mma", with_sinks(s, logits)) == "");
      for (const std::int64_t parts : {1, 2}) {
        sim::Scenario few = scenario("flash-decoding", {2, 4, 1, 3, 700, d, {.causal = true}}, steps);
        few.own["splits"] = parts;
        INFO("d " << d << " parts " << parts);
        CHECK(wrong("flash-decoding_mma", with_sinks(few, logits)) == "");
      }
    }
  }
}

TEST_CASE("parts of the keys have sinks at every tile on tensor cores, since another kernel combines them") {
  for (const std::int64_t queries : {3, 20, 40}) {
    sim::Scenario s = scenario("flash-decoding", {1, 4, 1, queries, 700, 32, {.causal = true}}, {});
    s.own["splits"] = 2;
    CHECK(wrong("flash-decoding_mma", with_sinks(s, {0.5f, -2, 100, -INFINITY})) == "");
  }
}

TEST_CASE("gradients on tensor cores need no sinks, which L contains") {
  sim::Scenario s = scenario("flash2", {1, 4, 2, 140, 270, 64, {.causal = true}}, {});
  s.pass = sim::Pass::forward_backward;
  CHECK(wrong("flash2_mma", with_sinks(s, {0.5f, -2, 4, -INFINITY})) == "");
}

TEST_CASE("query heads that are packed as rows have their own sinks") {
  for (const std::int64_t parts : {1, 3}) {
    for (const std::int64_t pack : {0, 1}) {
      sim::Scenario s = plain("flash-decoding", {2, 6, 2, 1, 70, 8, {}}, {});
      s.own = {{"pack", pack}, {"splits", parts}};
      CHECK(wrong("flash-decoding", with_sinks(s, {0, 1, 2, -1, -INFINITY, 100})) == "");
      s = scenario("flash-decoding", {2, 12, 2, 1, 900, 64, {}}, pack == 1 ? both : Steps{});
      s.own = {{"pack", pack}, {"splits", parts}};
      CHECK(wrong("flash-decoding_mma", with_sinks(s, {0, 1, 2, -1, 3, 9, -3, 0.5f, 100, -INFINITY, 4, 2})) == "");
    }
  }
}

TEST_CASE("entries of a ragged batch have sinks") {
  sim::Scenario s = ragged_kernels::plain({{2, 20, 33}, {1, 7, 50}, {1, 40, 9}});
  s.pass = sim::Pass::forward_backward;
  CHECK(wrong("flash2", with_sinks(s, {1, 0, -1, 2})) == "");
}

TEST_CASE("a query that sees no key has O = 0, and L is its sink") {
  const sim::Shape shape{1, 2, 1, 40, 20, 64, {.causal = true}};  // the first 20 queries see nothing
  for (const auto& [algorithm, kernel] : {std::pair{"flash2", "flash2"},
                                          {"flash2", "flash2_mma"},
                                          {"flash-decoding", "flash-decoding"},
                                          {"flash-decoding", "flash-decoding_mma"}}) {
    for (const std::int64_t parts : {1, 2}) {
      sim::Scenario s = with_sinks(scenario(algorithm, shape, {}), {1.5f, -INFINITY});
      if (s.algorithm == "flash-decoding") s.bc = 8, s.own["splits"] = parts;
      if (std::string_view(kernel) == "flash-decoding_mma") s.br = 16, s.bc = 256, s.own["splits"] = 1;
      INFO(kernel << " parts " << parts);
      const sim::AttentionOutputs outputs = ragged_kernels::run(kernel, s, sim::inputs_of(s)).outputs;
      for (std::size_t row = 0; row < 20; ++row) {
        CHECK(outputs.log_sum_exp[row] == Approx(1.5).epsilon(1e-6));
        CHECK(outputs.log_sum_exp[40 + row] == -INFINITY);
        CHECK(outputs.o[64 * row] == 0);
        CHECK(outputs.o[64 * (40 + row) + 63] == 0);
      }
    }
  }
}

TEST_CASE("sinks of -infinity leave every bit of a kernel as it is without sinks") {
  for (const auto& [algorithm, kernel] : {std::pair{"flash2", "flash2"},
                                          {"flash2", "flash2_mma"},
                                          {"flash-decoding", "flash-decoding"},
                                          {"flash-decoding", "flash-decoding_mma"}}) {
    const bool own_kernel = std::string_view(kernel) == "flash2_mma";  // compiled for sinks, and for softcap
    sim::Scenario s = scenario(algorithm, {1, 2, 1, 9, 300, 64, {.causal = true}}, own_kernel ? softcap : Steps{});
    if (s.algorithm == "flash-decoding") s.own["splits"] = 2;
    const sim::AttentionInputs inputs = sim::inputs_of(s);
    const sim::AttentionOutputs without = ragged_kernels::run(kernel, s, inputs).outputs;
    const sim::AttentionOutputs with = ragged_kernels::run(kernel, with_sinks(s, {-INFINITY}), inputs).outputs;
    INFO(kernel);
    CHECK(with.o == without.o);
    CHECK(with.log_sum_exp == without.log_sum_exp);
  }
}

TEST_CASE("sinks that the chosen kernel lacks, or that are too large, are refused by name") {
  const sim::Scenario s = with_sinks(scenario("flash2", {1, 2, 1, 64, 64, 64}, {}), {1});
  CHECK(refusal(s) == "");
  CHECK(refusal(s, "flash2") == "");
  CHECK(refusal(with_sinks(scenario("standard", s.shape, {}), {1})) ==
        "sink: the kernels standard take none; those that do are flash2, flash2_mma, flash-decoding, "
        "flash-decoding_mma, flash2-block-sparse");
  sim::Scenario more = s;
  more.shape.head_dim = 32;
  CHECK(refusal(more) ==
        "kernel: flash2_mma has no sinks for a tile of 128 x 128 and head dim 32: it has 128 x 128 for head dim 64, "
        "128 x 64 for head dim 128; or --kernel flash2");
  more.shape.head_dim = 64;
  more.dropout = 0.1;
  CHECK(refusal(more) == "kernel: flash2_mma has no dropout with sinks: the plain kernel has; or --kernel flash2");
  CHECK(refusal(with_sinks(s, {1, 2e38f})) == "sink: 2e+38 is not between -1e+38 and 1e+38, as kernels need it");
}
