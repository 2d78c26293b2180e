// standard-pytorch: standard attention as PyTorch runs it. Counts, values, and the options that it rejects.
#include <catch2/catch.hpp>

#include "sim/model/simulation.h"
#include "sim/programs/standard_pytorch/tensors.h"
#include "tests/support/independent_count.h"
#include "tests/support/random_scenario.h"
#include "tests/support/values_rule.h"

namespace sim {
namespace {

Scenario pytorch(std::int64_t n, std::int64_t d, bool causal = false, Pass pass = Pass::forward) {
  Scenario s;
  name_algorithm(s, "standard-pytorch");
  s.pass = pass;
  s.shape.seqlen_q = s.shape.seqlen_k = n;
  s.shape.head_dim = d;
  s.shape.mask.causal = causal;
  s.gpu = built_in_gpu("h100-sxm");
  return s;
}

/// A random scenario of those that it takes.
Scenario random_pytorch(Dice& dice, const Limits& most) {
  Scenario s = with_algorithm(random_scenario(dice, most), "standard");
  s.tiling = TilingRule::released;
  s.sram = std::nullopt;
  s.dropout = 0;
  s.pattern = {};
  s.shape.heads = s.shape.kv_heads;
  s.shape.mask = {.causal = s.shape.mask.causal};
  return s;
}

Totals totals_of(const Plan& plan) {
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  return totals;
}

/// Bytes of the matrices with an entry per query and key, divided by their number of entries.
double bytes_per_entry(const Scenario& s) {
  const Totals totals = totals_of(make_plan(s));
  std::int64_t bytes = 0;
  for (const auto& [tensor, traffic] : totals.by_tensor) bytes += is_score_matrix(tensor) ? traffic.total().count() : 0;
  return static_cast<double>(bytes) /
         static_cast<double>(product(s.shape.batch, s.shape.heads, s.shape.seqlen_q, s.shape.seqlen_k));
}

}  // namespace

TEST_CASE("PyTorch's standard attention counted by kinds of tiles equals its closed forms and walking every tile") {
  Dice dice(43);
  for (int n = 0; n < 700; ++n) {
    const Scenario s = random_pytorch(dice, {60, 8, 12, 2, 2});
    INFO(describe(s));
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
    REQUIRE(totals_of(plan) == count_by_brute_force(plan));
  }
  for (int n = 0; n < 500; ++n) {
    const Scenario s = random_pytorch(dice, {3000, 128, 64, 4, 4});
    INFO(describe(s));
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
  }
}

TEST_CASE(
    "PyTorch moves 16 bytes for a score forward, 22 with a causal mask and 20 backward, of which fp32 doubles 14") {
  for (const auto& [n, d] : {std::pair<std::int64_t, std::int64_t>{1000, 64}, {515, 128}, {1, 16}}) {
    CHECK(bytes_per_entry(pytorch(n, d)) == 16);  // QK^T 2, softmax 4, comparison 3, its reduction 1, selection 4, PV 2
    CHECK(bytes_per_entry(pytorch(n, d, true)) == 22);                   // S and the mask read, their sum written
    CHECK(bytes_per_entry(pytorch(n, d, false, Pass::backward)) == 20);  // dP 2, dV 2, P o dP 6, softmax 6, dQ 2, dK 2
    CHECK(bytes_per_entry(pytorch(n, d, true, Pass::backward)) == 20);
  }
  Scenario fp32 = pytorch(1000, 64);
  fp32.dtype = Dtype::fp32;
  CHECK(bytes_per_entry(fp32) == 2 * 14 + 2);
}

TEST_CASE("the causal mask is one matrix of all heads: it leaves HBM once where the L2 keeps it, else for every head") {
  Scenario s = pytorch(512, 64, true);
  s.shape.batch = 2;
  s.shape.heads = s.shape.kv_heads = 4;
  const std::int64_t matrix = 2 * 512 * 512;
  const Simulation kept = simulate(s);
  CHECK(kept.hbm_by_tensor.at(bias).read.count() == matrix);
  CHECK(totals_of(make_plan(s)).tensor(bias).read.count() == 8 * matrix);
  s.l2 = matrix;
  CHECK(simulate(s).hbm_by_tensor.at(bias).read.count() == 8 * matrix);
}

TEST_CASE("values of PyTorch's standard attention meet the numerics rule", "[repeats]") {
  for (const auto& [n, d] : {std::pair<std::int64_t, std::int64_t>{1, 16}, {113, 64}, {257, 32}, {300, 128}}) {
    for (const bool causal : {false, true}) {
      for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp32}) {
        Scenario s = pytorch(n, d, causal, Pass::forward_backward);
        s.shape.heads = s.shape.kv_heads = 2;
        s.shape.seqlen_q = n + (n % 2) * 5;  // with a causal mask the first rows of more queries than keys see nothing
        s.dtype = dtype;
        INFO(describe(s));
        check_values_by_rule(s, 7);
      }
    }
  }
}

TEST_CASE("a negative scale has its sign in Q") {
  Scenario s = pytorch(70, 32, true, Pass::forward_backward);
  s.scale = -0.3;
  check_values_by_rule(s, 3);
}

TEST_CASE("rows that see no key are cleared, and have zero gradients") {
  Scenario s = pytorch(20, 16, true, Pass::forward_backward);
  s.shape.seqlen_q = 50;
  const AttentionOutputs got = compute(make_plan(s), draw_with_gradient(s, 5));
  for (std::size_t n = 0; n < 30 * 16; ++n) {
    REQUIRE(got.o[n] == 0);
    REQUIRE(got.d_q[n] == 0);
  }
}

TEST_CASE("standard with released tiles is standard-pytorch, and takes what standard takes of shapes and types") {
  Scenario s = pytorch(100, 24);
  const std::int64_t bytes = totals_of(make_plan(s)).total.total().count();
  name_algorithm(s, "standard");
  CHECK(totals_of(make_plan(s)).total.total().count() != bytes);
  s.tiling = TilingRule::released;
  CHECK(totals_of(make_plan(s)).total.total().count() == bytes);
  CHECK(make_plan(s).code->name == "standard-pytorch");
  for (const std::string& gpu : device_names()) {
    if (gpu == "toy") continue;  // its SMEM is 16 KiB
    for (const std::int64_t d : {16, 64, 128, 256}) {
      for (const Dtype dtype : {Dtype::fp16, Dtype::fp32}) {
        Scenario any = pytorch(1024, d, true, Pass::forward_backward);
        any.gpu = built_in_gpu(gpu);
        any.dtype = dtype;
        INFO(describe(any));
        CHECK_NOTHROW(simulate(any));
      }
    }
  }
}

TEST_CASE("what PyTorch's listing leaves out is refused by name") {
  const auto refused = [](auto change, const std::string& why) {
    Scenario s = pytorch(1024, 64);
    change(s);
    CHECK_THROWS_WITH(make_plan(s), Catch::Contains(why));
  };
  const std::string instead = ": leave it out, or use --algorithm standard";
  refused([](Scenario& s) { s.shape.mask.window = 100; }, "window: standard-pytorch has no window" + instead);
  refused([](Scenario& s) { s.shape.mask.padding = 1; }, "padding: standard-pytorch has no padding" + instead);
  refused([](Scenario& s) { s.dropout = 0.1; }, "dropout: standard-pytorch has no dropout" + instead);
  refused([](Scenario& s) { s.shape.heads = 4, s.shape.kv_heads = 2; },
          "kv-heads: 2 for 4 heads: standard-pytorch has no grouped heads, kv-heads = heads");
  refused([](Scenario& s) { s.tiling = TilingRule::paper; }, "tiling: paper is not for standard-pytorch");
  refused([](Scenario& s) { s.tiling = TilingRule::released_1; },
          "tiling: standard-pytorch has no released-1 code: kernel");
}

}  // namespace sim
