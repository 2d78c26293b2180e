// Counting of each kind of tile once against walking every tile, and relations between counts of related scenarios.
#include <catch2/catch.hpp>

#include "tests/support/random_scenario.h"

namespace sim {
namespace {

Totals totals_of(const Scenario& s) {
  Totals totals;
  for (const Trace& trace : count(make_plan(s))) add_to(totals, trace);
  return totals;
}

Totals doubled(Totals totals) {
  const auto twice = [](Traffic& traffic) { traffic += Traffic(traffic); };
  for (Traffic& traffic : totals.by_bucket) twice(traffic);
  for (auto& [tensor, traffic] : totals.by_tensor) twice(traffic);
  for (auto& [line, traffic] : totals.by_line) twice(traffic);
  twice(totals.total);
  totals.atomic = totals.atomic * 2;
  totals.matmul_flops = totals.matmul_flops * 2;
  totals.other_flops = totals.other_flops * 2;
  totals.exps = totals.exps * 2;
  return totals;
}

/// Calls check(scenario) for many small random scenarios; a failure prints the scenario.
template <class Check>
void for_random_scenarios(int number, std::uint64_t seed, const Limits& most, Check check) {
  Dice dice(seed);
  for (int i = 0; i < number; ++i) {
    const Scenario s = random_scenario(dice, most);
    INFO(describe(s));
    check(s);
  }
}

constexpr Limits small{40, 8, 12, 2, 2};
constexpr Limits medium{300, 16, 40, 3, 3};

TEST_CASE("counting each kind of tile once equals walking every tile") {
  for_random_scenarios(600, 11, small, [](const Scenario& s) {
    const Totals counted = totals_of(s), walked = count_by_brute_force(make_plan(s));
    REQUIRE(counted.by_line == walked.by_line);
    REQUIRE(counted == walked);
  });
}

TEST_CASE("counting equals walking under right windows, prefixes, documents and a diagonal from the top left") {
  Dice dice(31);
  for (int i = 0; i < 600; ++i) {
    Scenario s = random_scenario(dice, small);
    draw_more_masks(dice, s.shape);
    if (!scenario_error(s).empty()) continue;
    INFO(describe(s));
    REQUIRE(totals_of(s) == count_by_brute_force(make_plan(s)));
  }
}

TEST_CASE("total traffic is the sum over buckets, over tensors and over lines") {
  for_random_scenarios(500, 12, medium, [](const Scenario& s) {
    const Totals totals = totals_of(s);
    Traffic buckets, tensors, lines;
    for (const Traffic& traffic : totals.by_bucket) buckets += traffic;
    for (const auto& [tensor, traffic] : totals.by_tensor) tensors += traffic;
    for (const auto& [line, traffic] : totals.by_line) lines += traffic;
    REQUIRE(totals.total.total().count() > 0);
    REQUIRE(buckets == totals.total);
    REQUIRE(tensors == totals.total);
    REQUIRE(lines == totals.total);
  });
}

TEST_CASE("twice the heads move and compute twice as much") {
  for_random_scenarios(300, 13, medium, [](Scenario s) {
    if (s.shape.kv_shared) return;  // its heads share one KV head
    const Totals once = totals_of(s);
    s.shape.heads *= 2;
    s.shape.kv_heads *= 2;
    REQUIRE(totals_of(s) == doubled(once));
  });
}

TEST_CASE("swapping batch and heads leaves tile traffic unchanged") {
  for_random_scenarios(300, 14, medium, [](Scenario s) {
    if (s.shape.kv_shared) return;  // its heads share one KV head
    s.shape.kv_heads = s.shape.heads;
    const Totals before = totals_of(s);
    std::swap(s.shape.batch, s.shape.heads);
    s.shape.kv_heads = s.shape.heads;
    REQUIRE(totals_of(s) == before);
  });
}

TEST_CASE("forward, query heads that share a KV head each read its tiles: tile traffic is that of separate KV heads") {
  for_random_scenarios(300, 15, medium, [](Scenario s) {
    if (s.algorithm == "rabe-staats" || s.algorithm == "fmha") return;  // one CTA handles a KV head
    if (s.shape.kv_shared) return;                                      // its heads are always rows of one tile
    s.own["pack"] = 0;
    s = with_algorithm(s, s.algorithm);
    s.pass = Pass::forward;
    const Totals shared = totals_of(s);
    s.shape.kv_heads = s.shape.heads;
    REQUIRE(totals_of(s) == shared);
  });
}

TEST_CASE("backward, query heads that share a KV head read K and V of a column block together and write dK, dV once") {
  for_random_scenarios(300, 19, medium, [](Scenario s) {
    if (!has_backward(s)) return;
    s.pass = Pass::backward;
    s = within_limits(s);
    s.shape.kv_heads = 2;
    s.shape.heads = 6;
    const Totals shared = totals_of(s);
    s.shape.kv_heads = 6;
    const Totals apart = totals_of(s);
    for (const Tensor gradient : {Tensor::dK, Tensor::dV}) {
      REQUIRE(shared.tensor(gradient).written * 3 == apart.tensor(gradient).written);
    }
    for (const Tensor of_queries : {Tensor::Q, Tensor::dO, Tensor::dQ, Tensor::dQ_acc}) {
      REQUIRE(shared.tensor(of_queries) == apart.tensor(of_queries));
    }
    if (s.algorithm == "flash1" || s.algorithm == "flash2") {
      REQUIRE(shared.tensor(Tensor::K).read * 3 == apart.tensor(Tensor::K).read);
    }
    REQUIRE(shared.matmul_flops == apart.matmul_flops);
  });
}

TEST_CASE("both passes in one sequence move and compute what they do one by one") {
  for_random_scenarios(300, 20, medium, [](Scenario s) {
    if (!has_backward(s)) return;
    s.pass = Pass::forward_backward;
    s = within_limits(s);
    const Totals both = totals_of(s);
    s.pass = Pass::forward;
    const Totals forward = totals_of(s);
    s.pass = Pass::backward;
    const Totals backward = totals_of(s);
    REQUIRE(both.total.read == forward.total.read + backward.total.read);
    REQUIRE(both.total.written == forward.total.written + backward.total.written);
    REQUIRE(both.matmul_flops == forward.matmul_flops + backward.matmul_flops);
    REQUIRE(both.other_flops == forward.other_flops + backward.other_flops);
    REQUIRE(both.exps == forward.exps + backward.exps);
    REQUIRE(both.atomic == backward.atomic);
  });
}

TEST_CASE("dropout moves no byte in the fused programs, and in standard attention a mask of one byte per score") {
  for_random_scenarios(300, 21, medium, [](Scenario s) {
    if (has_own_option(s, "pack")) s.own["pack"] = 0;  // dropout turns packing off as well
    if (s.algorithm == "mla-decode") return;           // here too, and it has no such option
    s.dropout = 0;
    const Totals plain = totals_of(s);
    s.dropout = 0.25;
    if (!takes(s)) return;
    const Totals dropped = totals_of(s);
    if (s.algorithm != "standard") {
      REQUIRE(dropped.total == plain.total);
      return;
    }
    const std::int64_t scores = product(s.shape.batch, s.shape.heads, s.shape.seqlen_q, s.shape.seqlen_k);
    const std::int64_t writes = s.pass == Pass::backward ? 0 : 1, reads = s.pass == Pass::forward ? 0 : 1;
    REQUIRE(dropped.tensor(Tensor::mask) == Traffic{Bytes(scores * reads), Bytes(scores * writes)});
  });
}

TEST_CASE("a mask that hides nothing changes nothing in the programs that skip tiles") {
  for_random_scenarios(300, 16, medium, [](Scenario s) {
    if (!skips_tiles(s)) return;
    if (has_own_option(s, "pack")) s.own["pack"] = 0;  // a window turns packing off as well
    if (s.algorithm == "mla-decode") return;           // here too, and it has no such option
    s.shape.mask = {};
    if (s.algorithm == "flash3") s.pass = Pass::forward;
    const Totals unmasked = totals_of(s);
    if (s.algorithm == "flash3") s.bc = make_plan(s).problem.tiling.bc;  // a window has tiles of its own
    s.shape.mask.window = s.shape.seqlen_q + s.shape.seqlen_k;
    REQUIRE(totals_of(s) == unmasked);
  });
}

TEST_CASE("which keys a mask hides does not change what standard attention moves") {
  for_random_scenarios(300, 17, medium, [](Scenario s) {
    s = with_algorithm(s, "standard");
    if (!s.shape.mask.any()) return;
    const Totals masked = totals_of(s);
    s.shape.mask = {};
    s.shape.mask.padding = 1;
    REQUIRE(totals_of(s) == masked);
  });
}

TEST_CASE("when every key is padding the fused programs read no matrix and still write O") {
  for_random_scenarios(100, 18, medium, [](Scenario s) {
    if (!skips_tiles(s)) return;
    s.pass = Pass::forward;
    s.shape.mask.padding = s.shape.seqlen_k;
    const Totals totals = totals_of(s);
    const Traffic parts = totals.tensor(Tensor::O_part),
                  of_rows = program_of(s)->unified_max ? totals.tensor(Tensor::l_part) : totals.tensor(Tensor::L_part);
    Traffic asked = totals.tensor(Tensor::mask_blocks);  // read to learn that a program sees nothing
    if (program_of(s)->name == "block-sparse")
      asked += Traffic{totals.tensor(Tensor::K).read + totals.tensor(Tensor::V).read, {}};
    // Read by the combine kernel of flash-decoding; the pattern.
    REQUIRE(totals.total.read == parts.written + of_rows.written + asked.read);
    REQUIRE(totals.tensor(Tensor::O).written ==
            Bytes(product(s.shape.batch, s.shape.heads, s.shape.seqlen_q, s.shape.head_dim, size_of(s.dtype))));
    REQUIRE(totals.exps == Exps(0));
  });
}

TEST_CASE("when every key is padding the fused backward passes read no K, V or Q and still write every gradient") {
  for_random_scenarios(200, 22, medium, [](Scenario s) {
    if (!skips_tiles(s) || !has_backward(s)) return;
    s.pass = Pass::backward;
    s = within_limits(s);
    s.shape.mask.padding = s.shape.seqlen_k;
    const Totals totals = totals_of(s);
    for (const Tensor input : {Tensor::Q, Tensor::K, Tensor::V, Tensor::L}) {
      if (program_of(s)->name == "block-sparse" && input != Tensor::Q) continue;  // reads K and V even so
      REQUIRE(totals.tensor(input).read == Bytes(0));
    }
    const std::int64_t row = s.shape.batch * s.shape.head_dim * size_of(s.dtype);
    const Bytes queries(row * s.shape.heads * s.shape.seqlen_q), keys(row * s.shape.kv_heads * s.shape.seqlen_k);
    REQUIRE(totals.tensor(Tensor::dQ).written == queries);
    const std::int64_t times =
        program_of(s)->name == "block-sparse" ? 2 : 1;  // set to 0, then stored for each block of keys
    REQUIRE(totals.tensor(Tensor::dK).written == keys * times);
    REQUIRE(totals.tensor(Tensor::dV).written == keys * times);
    REQUIRE(totals.exps == Exps(0));
  });
}

}  // namespace
}  // namespace sim
