// Several GPUs: golden numbers, what each computes against an independent count of pairs, values, times and refusals.
#include "sim/model/several_gpus.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/catalogue/options.h"
#include "sim/model/closed_form.h"
#include "sim/model/simulation.h"
#include "sim/model/validation.h"
#include "tests/support/random_scenario.h"
#include "tests/support/values_rule.h"

namespace sim {
namespace {

Scenario shared(std::int64_t tokens, std::int64_t gpus, const std::string& parallel, OptionValues more = {}) {
  more.insert(
      {{"seqlen", std::to_string(tokens)}, {"gpus", std::to_string(gpus)}, {"parallel", parallel}, {"causal", "1"}});
  return scenario_from(more, [](const std::string& name) { return built_in_gpu(name); });
}

const std::vector<std::string> ways = {"ring", "zigzag", "striped", "gather", "ulysses"};

/// Queries and keys that a GPU owns, by the definition of each way, not by the product's code.
std::vector<std::int64_t> owned(const std::string& way, std::int64_t tokens, std::int64_t gpus, std::int64_t gpu) {
  std::vector<std::int64_t> mine;
  const std::int64_t chunk = tokens / (2 * gpus);
  for (std::int64_t t = 0; t < tokens; ++t) {
    const bool contiguous = t / (tokens / gpus) == gpu, striped = t % gpus == gpu;
    const bool folded =
        t / std::max<std::int64_t>(1, chunk) == gpu || t / std::max<std::int64_t>(1, chunk) == 2 * gpus - 1 - gpu;
    if (way == "striped" ? striped : way == "zigzag" ? folded : contiguous) mine.push_back(t);
  }
  return mine;
}

/// Pairs that a GPU sees in a step, one by one.
std::int64_t counted_pairs(const Scenario& s, const std::string& way, std::int64_t step, std::int64_t gpu) {
  const std::int64_t tokens = s.shape.seqlen_k, heads = s.shape.batch * s.shape.heads;
  std::int64_t pairs = 0;
  const auto add = [&](std::int64_t q, std::int64_t k) { pairs += !s.shape.mask.causal || k <= q ? 1 : 0; };
  if (way == "ulysses") {
    for (std::int64_t q = 0; q < tokens; ++q) {
      for (std::int64_t k = 0; k < tokens; ++k) add(q, k);
    }
    return pairs * heads / s.gpus;
  }
  for (const std::int64_t q : owned(way, tokens, s.gpus, gpu)) {
    for (std::int64_t from = 0; from < s.gpus; ++from) {
      if (way != "gather" && from != (gpu - step + s.gpus) % s.gpus) continue;
      for (const std::int64_t k : owned(way, tokens, s.gpus, from)) add(q, k);
    }
  }
  return pairs * heads;
}

std::int64_t kind_pairs(const GpuRun& run, std::int64_t step, std::int64_t gpu) {
  const int kind = run.kind_of(step, gpu);
  return kind < 0 ? 0 : pairs_of_kind(run.kinds[static_cast<std::size_t>(kind)].shape);
}

/// A scenario as users type it, that its GPUs can share.
Scenario random_shared(Dice& dice, std::int64_t longest, std::int64_t most_gpus) {
  const std::string way = ways[static_cast<std::size_t>(dice.between(0, 4))];
  const std::int64_t gpus = dice.one_in(2) ? std::int64_t{1} << dice.between(1, 3) : dice.between(2, most_gpus);
  const std::int64_t unit = 2 * gpus, tokens = unit * dice.near_an_end(1, std::max<std::int64_t>(1, longest / unit));
  Scenario s = shared(tokens, gpus, way, {{"causal", dice.one_in(4) ? "0" : "1"}});
  s.shape.kv_heads = dice.between(1, 4) * (way == "ulysses" ? gpus : 1);
  s.shape.heads = s.shape.kv_heads * dice.between(1, 4);
  s.shape.batch = dice.between(1, 3);
  s.shape.head_dim = dice.one_in(2) ? 64 * dice.between(1, 2) : dice.between(1, 160);
  if (dice.one_in(3)) s.shape.head_dim_v = dice.between(1, 128);
  s.dtype = dice.one_in(2) ? Dtype::bf16 : Dtype::fp16;
  return s;
}

std::string described(const Scenario& s) { return describe(s) + text(" gpus ", s.gpus, " ", name_of(s.parallel)); }

}  // namespace

TEST_CASE("the slowest GPU computes the pairs of the golden table") {
  struct Row {
    std::int64_t tokens, gpus;
    const char* way;
    std::int64_t pairs;
    double balance;  // percent, to two decimals
  };
  const Row rows[] = {{64, 4, "ring", 904, 57.52},       {64, 4, "striped", 544, 95.59},
                      {64, 4, "zigzag", 520, 100},       {128, 8, "ring", 1928, 53.53},
                      {128, 8, "striped", 1088, 94.85},  {128, 8, "zigzag", 1032, 100},
                      {1024, 8, "ring", 122'944, 53.36}, {1024, 8, "striped", 66'048, 99.32},
                      {1024, 8, "zigzag", 65'600, 100},  {64, 4, "gather", 904, 57.52}};
  for (const Row& row : rows) {
    INFO(row.way << " " << row.tokens);
    const Simulation s = simulate(shared(row.tokens, row.gpus, row.way));
    CHECK(s.gpus->pairs == row.pairs);
    CHECK(std::round(1e4 * s.gpus->balance()) / 100 == Approx(row.balance));
  }
  for (const auto& [gpus, percent] : {std::pair{2, 66.67}, {4, 57.14}, {8, 53.33}, {64, 50.39}})
    CHECK(std::round(1e4 * simulate(shared(4096 * gpus, gpus, "ring")).gpus->balance()) / 100 == Approx(percent));
}

TEST_CASE("tiles of 128: the elements of the slowest GPU of 8 with 1,024 tokens each") {
  const OptionValues tiles = {{"br", "128"}, {"bc", "128"}};
  const auto elements = [&](const char* way) { return simulate(shared(8192, 8, way, tiles)).gpus->elements; };
  CHECK(elements("ring") == 7'929'856);
  CHECK(elements("zigzag") == 4'259'840);
  const double all = 8192.0 * 8193 / 2 / 8;
  CHECK(std::round(1e4 * all / static_cast<double>(elements("striped"))) / 100 == Approx(88.90));
  const auto longer = simulate(shared(65'536, 8, "striped", tiles)).gpus->elements;
  CHECK(std::round(1e4 * 65'536.0 * 65'537 / 2 / 8 / static_cast<double>(longer)) / 100 == Approx(98.46));
}

TEST_CASE("bytes on the link and in memory are those of the golden table") {
  struct Row {
    std::int64_t tokens, gpus, heads, kv_heads, ring, ulysses, held, gathered;
  };
  const Row rows[] = {{65'536, 8, 32, 8, 234'881'024, 146'800'640, 67'108'864, 268'435'456},
                      {65'536, 8, 32, 32, 939'524'096, 234'881'024, 268'435'456, 1'073'741'824},
                      {1'048'576, 16, 128, 8, 4'026'531'840, 4'278'190'080, 536'870'912, 4'294'967'296}};
  for (const Row& row : rows) {
    const auto run = [&](const char* way) {
      Scenario s = shared(row.tokens, row.gpus, way, {{"head-dim", "128"}});
      s.shape.heads = row.heads;
      s.shape.kv_heads = row.kv_heads;
      return gpu_run(s);
    };
    for (const char* way : {"ring", "zigzag", "striped", "gather"}) CHECK(run(way).sent().count() == row.ring);
    CHECK(run("ulysses").sent().count() == row.ulysses);  // the third row: a formula, since 16 do not divide 8 KV heads
    CHECK(run("ring").held.count() == row.held);
    CHECK(run("gather").held.count() == row.gathered);
  }
}

TEST_CASE("kinds cover all pairs, and the first or the last GPU is the slowest, by an independent count") {
  Dice dice(1);
  for (int n = 0; n < 400; ++n) {
    const Scenario s = random_shared(dice, 96, 9);
    const std::string way(name_of(s.parallel));
    INFO(described(s));
    const GpuRun run = gpu_run(s);
    std::int64_t all = 0, slowest = 0;
    for (std::int64_t step = 0; step < run.steps; ++step) {
      std::int64_t most = 0;
      for (std::int64_t gpu = 0; gpu < s.gpus; ++gpu) {
        const std::int64_t pairs = kind_pairs(run, step, gpu);
        REQUIRE(pairs == counted_pairs(s, way, step, gpu));
        most = std::max(most, pairs);
        all += pairs;
      }
      slowest += most;
    }
    CHECK(all == pairs_of_kind(s.shape));
    CHECK(measure_gpus(s).pairs == slowest);
  }
}

TEST_CASE("sums over GPUs of tile elements are those of one where tiles divide what a GPU owns") {
  for (const auto& [way, n] : {std::pair{"ring", 256}, {"gather", 256}, {"zigzag", 512}}) {
    const Scenario s = shared(8 * n, 8, way, {{"br", "128"}, {"bc", "128"}, {"heads", "2"}});
    const GpuRun run = gpu_run(s);
    std::int64_t exps = 0;
    for (std::int64_t step = 0; step < run.steps; ++step) {
      for (std::int64_t gpu = 0; gpu < 8; ++gpu) {
        const int kind = run.kind_of(step, gpu);
        if (kind >= 0) exps += simulate(run.kinds[static_cast<std::size_t>(kind)]).totals.exps.count();
      }
    }
    Scenario one = s;
    one.gpus = 1;
    CHECK(exps == simulate(one).totals.exps.count());
  }
}

TEST_CASE("counts of the slowest GPU are the sums of their closed forms, at lengths that users type") {
  Dice dice(2);
  for (int n = 0; n < 60; ++n) {
    const Scenario s = random_shared(dice, 131'072, 64);
    INFO(described(s));
    const Simulation run = simulate(s);
    Traffic all;
    for (const TrafficTerm& term : closed_form_traffic(run.plan))
      (term.direction == Direction::read ? all.read : all.written) += term.bytes;
    CHECK(all == run.totals.total);
    std::int64_t flops = 0, exps = 0;
    for (const WorkTerm& term : closed_form_work(run.plan)) {
      flops += term.quantity == "matmul_flops" ? term.count : 0;
      exps += term.quantity == "exp_count" ? term.count : 0;
    }
    CHECK(flops == run.totals.matmul_flops.count());
    CHECK(exps == run.totals.exps.count());
    CHECK(run.gpus->elements == exps);
  }
}

TEST_CASE("steps, waits for the link and merges add up to the time of a run") {
  Dice dice(3);
  for (int n = 0; n < 40; ++n) {
    const Scenario s = random_shared(dice, 65'536, 16);
    INFO(described(s));
    const Simulation run = simulate(s);
    double all = 0;
    for (const GpuStep& step : run.gpus->timeline) {
      CHECK(step.microseconds() == Approx(std::max(step.compute, step.transfer)));
      all += step.microseconds();
    }
    CHECK(run.microseconds == Approx(all));
    CHECK(run.budget.total() == Approx(run.microseconds));
    CHECK(run.budget[Cause::link] == Approx(run.gpus->exposed_microseconds));
  }
}

TEST_CASE("a slow link is exposed, a fast one is hidden beside steps of 8k tokens, and gathering is always exposed") {
  const OptionValues llama = {{"heads", "32"}, {"kv-heads", "8"}, {"head-dim", "128"}, {"dtype", "bf16"}};
  const auto exposed = [&](const char* way, const char* gpu) {
    OptionValues options = llama;
    options["gpu"] = gpu;
    return simulate(shared(65'536, 8, way, options)).gpus->exposed_microseconds;
  };
  CHECK(exposed("zigzag", "h100-sxm") == 0);
  CHECK(exposed("zigzag", "h100-sxm:link_bytes_per_second=8G") > 10'000);
  CHECK(exposed("gather", "h100-sxm") == Approx(234'881'024 / 450e9 * 1e6 + 2.5));
}

TEST_CASE("GPUs that share a sequence compute what one computes, within the rule of values") {
  for (const char* dtype : {"fp16", "bf16", "fp32"}) {
    for (const std::string& way : ways) {
      for (const char* causal : {"0", "1"}) {
        const Scenario s = shared(96, 4, way,
                                  {{"heads", "8"},
                                   {"kv-heads", "4"},
                                   {"head-dim", "32"},
                                   {"dtype", dtype},
                                   {"causal", causal},
                                   {"br", "16"},
                                   {"bc", "16"},
                                   {"batch", "2"}});
        INFO(described(s));
        const AttentionInputs inputs = draw_inputs(s.shape, s.dtype, 7);
        Scenario one = s;
        one.gpus = 1;
        const Problem p = make_plan(one).problem;
        const AttentionReference exact = attention_reference(p.shape, static_cast<double>(p.scale), inputs);
        const AttentionOutputs got = compute_on_gpus(s, inputs);
        check_by_rule("O", 2, got.o, attention_plain(p.shape, p.scale, p.dtype, inputs), exact.o, p.dtype);
        CHECK(check_values(got.log_sum_exp, exact.log_sum_exp, true).max_abs_error < 1e-4);
      }
    }
  }
  const Scenario wide = shared(512, 4, "zigzag", {{"algorithm", "flash3"}, {"heads", "2"}, {"kv-heads", "1"}});
  const AttentionInputs inputs = draw_inputs(wide.shape, wide.dtype, 7);
  const Problem p = make_plan(wide).problem;
  const AttentionReference exact = attention_reference(p.shape, static_cast<double>(p.scale), inputs);
  check_by_rule("O", 2, compute_on_gpus(wide, inputs).o, attention_plain(p.shape, p.scale, p.dtype, inputs), exact.o,
                p.dtype);
}

TEST_CASE("one GPU is a run as before, whatever --parallel") {
  const Simulation one = simulate(shared(1024, 1, "ulysses"));
  CHECK_FALSE(one.gpus);
  CHECK(one.budget[Cause::link] == 0);
  CHECK(one.plan.repeats == nullptr);
}

TEST_CASE("what GPUs cannot share is refused by the name of its option") {
  const std::pair<OptionValues, const char*> refused[] = {
      {{{"gpus", "3"}}, "gpus: 3 GPUs do not share 1024 tokens evenly by --parallel ring: use a multiple of 3 tokens"},
      {{{"gpus", "2"}, {"parallel", "zigzag"}, {"seqlen", "6"}}, "use a multiple of 4 tokens"},
      {{{"gpus", "4"}, {"parallel", "ulysses"}, {"heads", "8"}, {"kv-heads", "2"}}, "4 GPUs do not share 2 KV heads"},
      {{{"gpus", "2"}, {"window", "64"}}, "window: "},
      {{{"gpus", "2"}, {"prefix", "64"}, {"causal", "1"}}, "prefix: "},
      {{{"gpus", "2"}, {"documents", "512 512"}, {"causal", "1"}}, "documents: "},
      {{{"gpus", "2"}, {"padding", "64"}}, "padding: "},
      {{{"gpus", "2"}, {"dropout", "0.5"}}, "dropout: "},
      {{{"gpus", "2"}, {"pattern", "window:2"}}, "gpus: flash2 has none with --pattern"},
      {{{"gpus", "2"}, {"seqlens", "512, 512"}}, "seqlens: "},
      {{{"gpus", "2"}, {"page-size", "16"}}, "page-size: "},
      {{{"gpus", "2"}, {"pass", "backward"}}, "gpus: 2 run the forward pass alone"},
      {{{"gpus", "2"}, {"seqlen-q", "512"}}, "gpus: 2 share as many queries as keys"},
      {{{"gpus", "2"}, {"alibi", "1"}}, "alibi: "},
      {{{"gpus", "2"}, {"sink", "1"}}, "sink: "},
      {{{"gpus", "2"}, {"algorithm", "standard"}}, "gpus: is an option of flash2, flash3; standard has none"},
      {{{"gpus", "2"}, {"algorithm", "flash-decoding"}}, "gpus: is an option of flash2, flash3"},
      {{{"gpus", "2"}, {"algorithm", "flash3"}, {"dtype", "e4m3"}}, "dtype: e4m3"},
      {{{"gpus", "2"}, {"gpu", "rtx-4090"}}, "gpus: rtx-4090 has no link_bytes_per_second"}};
  for (const auto& [options, message] : refused) {
    INFO(message);
    CHECK_THROWS_WITH(simulate(scenario_from(options, [](const std::string& name) { return built_in_gpu(name); })),
                      Catch::Contains(message));
  }
}

TEST_CASE("shares of 8 x one GPU: the imbalance explains ring's, and not those of zigzag and striped") {
  std::int64_t points = 0;
  for (const PublishedPoint& p : published_points()) {
    if (p.quantity != Published::share) continue;
    ++points;
    const Prediction made = prediction_of(p, {});
    CHECK(made.predicted > p.value);
    CHECK((made.error() < 0.1) == (p.scenario.parallel == Parallel::ring));
  }
  CHECK(points == 3);
}

}  // namespace sim
