// `--tiling released` of flash2: the tiles, the order and the instructions of FlashAttention-2's library.
#include <catch2/catch.hpp>

#include "sim/model/compiled_kernels.h"
#include "sim/model/simulation.h"
#include "tests/support/values_rule.h"

namespace sim {
namespace {

Scenario library(std::int64_t d, std::string_view gpu = "a100-sxm-80gb", Pass pass = Pass::forward) {
  Scenario s;
  s.algorithm = "flash2";
  s.tiling = TilingRule::released;
  s.pass = pass;
  s.shape = {2, 16, 16, 2048, 2048, d, {}};
  s.gpu = built_in_gpu(gpu);
  return s;
}

std::pair<std::int64_t, std::int64_t> tiles(const Scenario& s) {
  const Tiling t = make_plan(s).launches[s.pass == Pass::forward ? 0 : 1].tiling;
  return {t.br, t.bc};
}

Scenario causal(Scenario s) {
  s.shape.mask.causal = true;
  return s;
}

Scenario dropped(Scenario s) {
  s.dropout = 0.1;
  return s;
}

std::string refusal(const Scenario& s) {
  try {
    make_plan(s);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Instructions per HMMA of the row that times the main kernel.
double per_hmma(const Scenario& s) {
  const Plan plan = make_plan(s);
  const CompiledKernel* row = compiled_kernel(plan, plan.launches[s.pass == Pass::forward ? 0 : 1]);
  REQUIRE(row != nullptr);
  CHECK(row->counted);
  return static_cast<double>(row->instructions) / static_cast<double>(row->products);
}

}  // namespace

TEST_CASE("flash2 as released has the library's forward tiles") {
  using Pair = std::pair<std::int64_t, std::int64_t>;
  CHECK(tiles(library(32)) == Pair(128, 128));
  CHECK(tiles(library(64)) == Pair(128, 128));
  CHECK(tiles(dropped(library(64))) == Pair(128, 64));
  CHECK(tiles(library(96)) == Pair(128, 64));
  CHECK(tiles(causal(library(96, "rtx-4090"))) == Pair(64, 64));
  CHECK(tiles(library(128)) == Pair(128, 64));
  CHECK(tiles(dropped(library(128))) == Pair(128, 32));
  CHECK(tiles(library(128, "rtx-3090")) == Pair(128, 32));
  CHECK(tiles(causal(library(128, "rtx-3090"))) == Pair(64, 64));
  CHECK(tiles(library(192)) == Pair(128, 64));
  CHECK(tiles(library(256)) == Pair(128, 64));
  CHECK(tiles(library(256, "h100-sxm")) == Pair(64, 64));
  CHECK(tiles(library(256, "rtx-3090")) == Pair(64, 64));
}

TEST_CASE("flash2 as released has the library's backward tiles, smaller where a CTA has less shared memory") {
  using Pair = std::pair<std::int64_t, std::int64_t>;
  const auto backward = [](std::int64_t d, const char* gpu) { return tiles(library(d, gpu, Pass::backward)); };
  CHECK(backward(64, "a100-sxm-80gb") == Pair(128, 128));
  CHECK(backward(64, "rtx-3090") == Pair(64, 128));
  CHECK(backward(128, "a100-sxm-80gb") == Pair(64, 128));
  CHECK(backward(128, "rtx-3090") == Pair(64, 64));
  CHECK(backward(256, "a100-sxm-80gb") == Pair(64, 64));
  CHECK(backward(256, "rtx-3090") == Pair(64, 32));
}

TEST_CASE("every d of the library fits the GPUs that it runs on, in both passes") {
  for (const char* gpu : {"a100-sxm-80gb", "rtx-3090", "rtx-4090", "h100-sxm", "b200", "rtx-5090"}) {
    for (const std::int64_t d : {32, 40, 64, 96, 128, 192, 256}) {
      INFO(gpu << " d " << d);
      CHECK(simulate(library(d, gpu, Pass::forward_backward)).microseconds > 0);
    }
  }
}

TEST_CASE("the library's main loops have its counted instructions on an H100") {
  CHECK(per_hmma(library(64, "h100-sxm")) == Approx(4.63).epsilon(0.001));
  CHECK(per_hmma(library(128, "h100-sxm")) == Approx(3.67).epsilon(0.001));
  CHECK(per_hmma(library(64, "h100-sxm", Pass::backward)) == Approx(3.52).epsilon(0.001));
  CHECK(per_hmma(library(128, "h100-sxm", Pass::backward)) == Approx(2.78).epsilon(0.002));
}

TEST_CASE("instructions that were not counted in the library are estimated, and no error is stated") {
  for (const Scenario& s : {library(96), dropped(library(64)), library(256)}) {
    const Simulation run = simulate(s);
    CHECK(is_estimated(run.plan));
    CHECK_FALSE(why_estimated(run.plan).empty());
    CHECK_FALSE(run.accuracy.validated);
  }
  CHECK_FALSE(is_estimated(make_plan(library(128))));
  Scenario near = library(128, "h100-sxm");
  near.shape.batch = 8;
  CHECK(simulate(near).accuracy.validated);
}

TEST_CASE("the library visits keys from the last block, and moves the tile traffic of flash2 with its tiles") {
  Scenario own = causal(library(64)), up = own;
  own.tiling = TilingRule::kernel;
  up.own["keys"] = 0;
  const Simulation released = simulate(causal(library(64)));
  CHECK(released.totals.total.total() == simulate(own).totals.total.total());
  CHECK(released.plan.problem.own("keys") == static_cast<std::int64_t>(BlockOrder::down));
  CHECK(make_plan(up).problem.own("keys") == static_cast<std::int64_t>(BlockOrder::up));
}

TEST_CASE("flash2 as released computes attention") {
  Scenario s = causal(library(64));
  s.shape.batch = s.shape.heads = s.shape.kv_heads = 1;
  s.shape.seqlen_q = s.shape.seqlen_k = 200;
  check_values_by_rule(s, 7);
  s.pass = Pass::forward_backward;
  check_values_by_rule(s, 7);
}

TEST_CASE("a report says whose kernel a time is of") {
  Scenario own = library(64, "h100-sxm");
  CHECK(timed_kernel(make_plan(own)) == "the released code, instructions as compiled");
  own.tiling = TilingRule::kernel;
  CHECK(timed_kernel(make_plan(own)) == "FlashScope's flash2_mma, instructions as compiled");
  own.algorithm = "flash1";
  CHECK(timed_kernel(make_plan(own)) == "the program as its authors describe it, instructions by a general rule");
}

TEST_CASE("flash2 as released rejects what the library does not have") {
  Scenario s = library(64);
  s.dtype = Dtype::fp32;
  CHECK(refusal(s).starts_with("dtype: fp32 is not in FlashAttention-2's library"));
  CHECK(refusal(library(288)).starts_with("head-dim: 288 is more than the 256"));
  CHECK(refusal(library(64, "t4")).starts_with("tiling: FlashAttention-2's library is of sm_80 and later"));
  s = library(64, "a100-sxm-80gb", Pass::backward);
  s.shape.kv_heads = 4;
  CHECK(refusal(s).starts_with("kv-heads: 4 for 16 heads: backward"));
  s.pass = Pass::forward;
  CHECK(refusal(s).empty());
  CHECK(refusal(dropped(library(256, "rtx-3090", Pass::backward))).starts_with("dropout: FlashAttention-2's library"));
}

}  // namespace sim
