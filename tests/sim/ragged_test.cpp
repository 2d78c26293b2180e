// Ragged batches: golden numbers, three independent counts, and changes that leave them equal.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/sequences.h"
#include "sim/catalogue/options.h"
#include "sim/model/closed_form.h"
#include "sim/model/hbm_traffic.h"
#include "sim/model/simulation.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

Scenario with(Scenario s, SequenceClasses classes) {
  s.sequences = std::make_shared<const SequenceClasses>(std::move(classes));
  return s;
}

/// A random scenario of a program that takes ragged batches, with lengths of up to `most_classes` classes.
Scenario random_ragged(Dice& dice, std::int64_t longest, std::int64_t most_classes) {
  const std::array<std::string, 3> names = {"flash1", "flash2", "flash-decoding"};
  Scenario s;
  s.algorithm = names[static_cast<std::size_t>(dice.between(0, 2))];
  if (s.algorithm != "flash-decoding") s.pass = static_cast<Pass>(dice.between(0, 2));
  s.dtype = static_cast<Dtype>(dice.between(0, 2));
  if (dice.one_in(3)) s.dropout = 0.1;
  s.shape.kv_heads = dice.between(1, 3);
  s.shape.heads = s.shape.kv_heads * dice.between(1, 3);
  s.shape.head_dim = dice.between(1, 24);
  s.shape.mask.causal = dice.one_in(2);
  if (dice.one_in(3)) s.shape.mask.window = dice.near_an_end(0, longest);
  s.br = dice.between(8, 40);
  s.bc = dice.between(8, 40);
  SequenceClasses classes;
  const bool one_query = dice.one_in(4);
  for (std::int64_t n = dice.between(1, most_classes); n > 0; --n) {
    const std::int64_t queries = one_query ? 1 : dice.near_an_end(1, longest);
    classes.push_back({dice.between(1, 3), queries, dice.one_in(3) ? queries : dice.near_an_end(1, longest)});
  }
  return with(std::move(s), std::move(classes));
}

std::string describe_ragged(const Scenario& s) { return describe(s) + " seqlens " + text_of(*s.sequences); }

Totals totals_of(const Plan& plan) {
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  return totals;
}

struct Golden {
  SequenceClasses classes;
  Shape shape;
  std::int64_t bc, queries, keys, statistics, table, ctas, flops, exps;
};

TEST_CASE("the reference batches R1 and R2 are met to the byte") {
  const SequenceClasses r1 = {{1, 1024, 1024}, {1, 512, 512}, {2, 128, 128}}, r2 = {{3, 1, 777}, {1, 300, 1000}};
  Shape eight, four;
  eight.heads = eight.kv_heads = 8;
  eight.head_dim = 64;
  four.heads = 4;
  four.kv_heads = 2;
  four.head_dim = 128;
  Shape eight_causal = eight, four_causal = four;
  eight_causal.mask.causal = four_causal.mask.causal = true;
  const Golden goldens[] = {{r1, eight, 128, 1'835'008, 10'747'904, 57'344, 1'792, 112, 2'751'463'424, 10'747'904},
                            {r1, eight_causal, 128, 1'835'008, 6'291'456, 57'344, 1'792, 112, 1'610'612'736, 6'291'456},
                            {r2, four, 64, 310'272, 5'458'944, 4'848, 384, 24, 619'173'888, 1'209'324},
                            {r2, four_causal, 64, 310'272, 5'245'952, 4'848, 384, 24, 564'647'936, 1'102'828}};
  for (const Golden& g : goldens) {
    Scenario s;
    s.shape = g.shape;
    s.br = 128;
    s.bc = g.bc;
    const Simulation run = simulate(with(s, g.classes));
    CHECK(run.totals.tensor(Tensor::Q).read == Bytes(g.queries));
    CHECK(run.totals.tensor(Tensor::O).written == Bytes(g.queries));
    CHECK(run.totals.tensor(Tensor::K).read == Bytes(g.keys));
    CHECK(run.totals.tensor(Tensor::V).read == Bytes(g.keys));
    CHECK(run.totals.tensor(Tensor::L).written == Bytes(g.statistics));
    CHECK(run.totals.tensor(Tensor::sequences).read == Bytes(g.table));
    CHECK(run.kernels[0].ctas == g.ctas);
    CHECK(run.totals.matmul_flops == Flops(g.flops));
    CHECK(run.totals.exps == Exps(g.exps));
  }
}

TEST_CASE("a ragged batch moves and computes the bytes and FLOPs of its closed forms and of a walk over every CTA") {
  Dice dice(42);
  for (int n = 0; n < 2000; ++n) {
    const Scenario s = random_ragged(dice, 120, 4);
    INFO(describe_ragged(s));
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
    if (n % 10 == 0) REQUIRE(totals_of(plan) == count_by_brute_force(plan));
  }
}

TEST_CASE("the order of the batch entries changes no total, nor the memory") {
  Dice dice(43);
  for (int n = 0; n < 100; ++n) {
    const Scenario s = random_ragged(dice, 4000, 5);
    SequenceClasses reversed = *s.sequences;
    std::reverse(reversed.begin(), reversed.end());
    INFO(describe_ragged(s));
    const Simulation one = simulate(s), other = simulate(with(s, reversed));
    CHECK(one.totals == other.totals);
    CHECK(one.compulsory == other.compulsory);
    CHECK(one.memory.peak_hbm == other.memory.peak_hbm);
  }
}

TEST_CASE("a ragged batch of one class equals a plain batch in every number except the table") {
  Dice dice(44);
  for (int n = 0; n < 100; ++n) {
    const Scenario s = random_ragged(dice, 8000, 1);
    Scenario plain = s;
    plain.sequences = nullptr;
    plain.shape.batch = s.sequences->front().count;
    plain.shape.seqlen_q = s.sequences->front().seqlen_q;
    plain.shape.seqlen_k = s.sequences->front().seqlen_k;
    INFO(describe_ragged(s));
    Simulation ragged = simulate(s);
    const Simulation batch = simulate(plain);
    std::int64_t ctas = 0;
    for (const KernelMeters& kernel : ragged.kernels) ctas += kernel.ctas;
    CHECK(ragged.totals.tensor(Tensor::sequences).read == Bytes(16 * ctas));
    CHECK(ragged.totals.total.read == batch.totals.total.read + Bytes(16 * ctas));
    ragged.totals.by_tensor.erase(Tensor::sequences);
    ragged.hbm_by_tensor.erase(Tensor::sequences);
    CHECK(ragged.totals.by_tensor == batch.totals.by_tensor);
    CHECK(ragged.hbm_by_tensor == batch.hbm_by_tensor);
    CHECK(ragged.totals.matmul_flops == batch.totals.matmul_flops);
    CHECK(ragged.totals.other_flops == batch.totals.other_flops);
    CHECK(ragged.totals.exps == batch.totals.exps);
    CHECK(ragged.memory.peak_hbm == batch.memory.peak_hbm + Bytes(16 * plain.shape.batch));
    CHECK(ragged.microseconds == Approx(batch.microseconds).epsilon(0.1).margin(1));  // reading the table takes time
  }
}

TEST_CASE("a million batch entries of one class are counted with as many events as one entry") {
  Scenario s;
  const Simulation one = simulate(with(s, {{1, 512, 512}})), all = simulate(with(s, {{1 << 20, 512, 512}}));
  CHECK(all.totals.total.read == one.totals.total.read * (1 << 20));
  CHECK(all.kernels[0].ctas == one.kernels[0].ctas * (1 << 20));
  CHECK(all.traces[0].events.size() == one.traces[0].events.size());
}

// The others are flash1 and backward kernels of a few short entries next to each other, in an L2 that holds some of
// them: the tiles that stay depend on which CTAs still run, and the model gives each class one part of the L2.

TEST_CASE("a CTA of a batch entry is that of its class, and the entries of all classes are counted on") {
  Scenario s;
  s.br = s.bc = 16;
  Scenario plain = s;
  plain.shape.batch = 2;
  plain.shape.seqlen_q = 32;
  plain.shape.seqlen_k = 48;
  const Plan ragged = make_plan(with(s, {{1, 64, 64}, {2, 32, 48}})), alike = make_plan(plain);
  const auto moved = [](const Plan& plan, const CtaPlace& place) {
    Totals totals;
    add_to(totals, replay(plan, plan.launches[0], place));
    totals.by_tensor.erase(Tensor::sequences);
    return totals.by_tensor;
  };
  CHECK(moved(ragged, {.batch = 2, .row = 1}) == moved(alike, {.batch = 1, .row = 1}));
  CHECK_THROWS_WITH(moved(ragged, {.batch = 3}), Catch::Matchers::Contains("batch 3 is outside 3 batch entries"));
}

TEST_CASE("one long sequence determines when the kernel ends, unless it starts first") {
  Scenario s;
  s.shape.heads = s.shape.kv_heads = 8;
  const SequenceClasses late = {{63, 128, 128}, {1, 16384, 16384}}, many = {{600, 2048, 2048}, {1, 16384, 16384}};
  Scenario longest = with(s, late);
  longest.issue = IssueOrder::longest;
  CHECK(simulate(longest).microseconds <= simulate(with(s, late)).microseconds);
  longest = with(s, many);
  longest.issue = IssueOrder::longest;
  CHECK(simulate(longest).microseconds < simulate(with(s, many)).microseconds);
  CHECK(simulate(longest).totals == simulate(with(s, many)).totals);
}

TEST_CASE("lengths round-trip through text") {
  const SequenceClasses classes = {{1, 1024, 1024}, {2, 128, 128}};
  CHECK(read_sequences("1 1024 1024, 2 128 128") == classes);
  CHECK(read_sequences("# long ones\r\n1 1024\t1024 # one\r\n\r\n2 128 128\r\n") == classes);
  CHECK(read_sequences(text_of(classes)) == classes);
  CHECK(names_sequence_file("lengths.txt"));
  CHECK(names_sequence_file("a folder/lengths.txt"));
  CHECK_FALSE(names_sequence_file("1 2 3"));
}

TEST_CASE("malformed lengths are refused with their line") {
  const auto check = [](const std::string& typed, const std::string& message) {
    INFO(typed);
    CHECK_THROWS_WITH(read_sequences(typed), Catch::Matchers::Contains(message));
  };
  check("", "holds no lengths");
  check("# 1 2 3\n", "holds no lengths");
  check("1 2 3\n0 4 5", "line 2: count \"0\" is not a whole number from 1 to 1048576");
  check("1 -2 3", "line 1: Nq \"-2\"");
  check("1 2 3.5", "line 1: Nk \"3.5\"");
  check("1 2", "line 1: \"1 2\" has 2 numbers, not 3");
  check("one two three", "line 1: count \"one\"");
  check(
      "\xef\xbb\xbf"
      "1 2 3",
      "byte order mark");
  check("1000000 1 1, 1000000 1 1", "2000000 batch entries are more than 1048576");
  check("no-such-file", "no such file can be read");
  check("/tmp", "/tmp: is not a regular file");
  std::string many;
  for (int n = 0; n < 4097; ++n) many += "1 2 3\n";
  check(many, "line 4097: more than 4096 lines");
}

TEST_CASE("options that contradict ragged lengths are refused, as are programs that take none") {
  const auto refused = [](OptionValues values, const std::string& message) {
    values.emplace("seqlens", "1 64 64, 2 32 32");
    const auto plan = [&] { return make_plan(scenario_from(values, built_in_gpu)); };
    CHECK_THROWS_WITH(plan(), Catch::Matchers::Contains(message));
  };
  for (const char* other : {"batch", "seqlen", "seqlen-q", "seqlen-k", "padding", "layers"})
    refused({{other, "2"}}, text(other, ": is for entries of one length, but --seqlens gives each its own"));
  refused({{"algorithm", "standard"}},
          "seqlens: is an option of flash1, flash2, flash3, flash-decoding, flash-decoding-plus, mla-decode, "
          "paged-attention; "
          "standard has none");
  refused({{"inputs", "worked"}}, "leave out --inputs");
  const auto plan = [] { return make_plan(scenario_from({{"issue", "longest"}}, built_in_gpu)); };
  CHECK_THROWS_WITH(plan(), Catch::Matchers::Contains("order of the lines of --seqlens"));
}

}  // namespace
}  // namespace sim
