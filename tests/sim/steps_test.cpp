// Decoding over steps: golden numbers, counts by four ways, and the laws that hold between steps.
#include "sim/programs/steps.h"

#include <catch2/catch.hpp>

#include "sim/catalogue/options.h"
#include "sim/model/simulation.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

/// Steps of a cache of `cached` keys, by the options of the command line.
Scenario decode(std::int64_t cached, std::int64_t steps, OptionValues more = {}) {
  more.insert({{"algorithm", "flash-decoding"},
               {"seqlen-q", "1"},
               {"seqlen-k", std::to_string(cached)},
               {"steps", std::to_string(steps)}});
  return scenario_from(more, [](const std::string& name) { return built_in_gpu(name); });
}

/// A random decoding scenario, as users type it.
Scenario random_steps(Dice& dice, std::int64_t longest, std::int64_t most) {
  Scenario s = decode(dice.near_an_end(0, longest), dice.near_an_end(1, most));
  s.dtype = static_cast<Dtype>(dice.between(0, 2));
  s.shape.batch = dice.between(1, 4);
  s.shape.kv_heads = dice.near_an_end(1, 16);
  s.shape.heads = s.shape.kv_heads * dice.between(1, 8);
  s.shape.head_dim = dice.one_in(2) ? 64 * dice.between(1, 3) : dice.between(1, 200);
  s.shape.kv_shared = dice.one_in(8);
  s.own["pack"] = dice.between(0, 1);
  if (dice.one_in(3)) s.own["splits"] = dice.between(1, std::max<std::int64_t>(1, s.shape.seqlen_k / 256));
  s.shape.mask.causal = dice.one_in(3);
  if (dice.one_in(2)) s.page_size = std::int64_t{8} << dice.between(0, 2);  // 8, 16, 32 divide all key blocks
  if (dice.one_in(8)) s.page_size = 1024;
  return s;
}

std::string describe_steps(const Scenario& s) {
  return describe(s) + text(" steps ", s.steps, " pack ", own_value(s, "pack"));
}

/// Sums over every step, each planned and counted.
std::vector<Trace> counted_one_by_one(const Plan& plan) {
  std::vector<Trace> sums(plan.launches.size());
  for (std::int64_t t = 1; t <= plan.scenario.steps; ++t) {
    const std::vector<Trace> step = count(with_keys(plan, plan.scenario.cached_keys() + t));
    for (std::size_t k = 0; k < step.size(); ++k) {
      sums[k].kernel = step[k].kernel;
      sums[k].events.insert(sums[k].events.end(), step[k].events.begin(), step[k].events.end());
    }
  }
  return sums;
}

/// The sum as simulate() counts it, without time.
std::vector<Trace> counted_by_groups(const Plan& plan) {
  std::vector<Trace> sums(plan.launches.size());
  each_step(plan, [&](const Plan& step, std::int64_t times) {
    std::vector<Trace> counted = count(step);
    for (std::size_t k = 0; k < counted.size(); ++k) {
      sums[k].kernel = counted[k].kernel;
      for (Event event : counted[k].events) {
        event.times *= times;
        sums[k].events.push_back(event);
      }
    }
  });
  return sums;
}

Bytes appended(const Simulation& run, Tensor tensor) { return run.totals.tensor(tensor).written; }

struct Golden {
  std::int64_t cached, steps;
  OptionValues options;
  std::int64_t keys, appended, entries;  ///< entries: bytes of the page table, of pages of 16
};

TEST_CASE("the reference's runs over steps are met to the byte") {
  const OptionValues eight = {{"heads", "8"}, {"head-dim", "64"}};
  const OptionValues grouped = {{"heads", "64"}, {"kv-heads", "8"}, {"head-dim", "128"}};
  OptionValues apart = grouped;
  apart["pack"] = "0";
  const Golden goldens[] = {{500, 128, eight, 73'990'144, 131'072, 146'432},
                            {0, 100, eight, 5'171'200, 102'400, 11'648},
                            {4096, 256, apart, 17'718'837'248, 524'288, 17'334'272},
                            {4096, 256, grouped, 2'214'854'656, 524'288, 17'334'272 / 8}};
  for (const Golden& g : goldens) {
    const Simulation run = simulate(decode(g.cached, g.steps, g.options));
    for (const Tensor tensor : {Tensor::K, Tensor::V}) {
      CHECK(run.totals.tensor(tensor).read == Bytes(g.keys));
      CHECK(appended(run, tensor) == Bytes(g.appended));
    }
    Scenario paged = run.plan.scenario;
    paged.page_size = 16;
    const Simulation in_pages = simulate(paged);
    CHECK(in_pages.totals.tensor(Tensor::block_table).read == Bytes(g.entries + 4 * g.steps));
    CHECK(in_pages.kernels[0].totals.tensor(Tensor::block_table).read == Bytes(4 * g.steps));
    CHECK(in_pages.totals.tensor(Tensor::K) == run.totals.tensor(Tensor::K));
  }
}

TEST_CASE("paged-attention over steps looks up each page twice and reads the keys of every query head") {
  const OptionValues eight = {{"algorithm", "paged-attention"}, {"heads", "8"}, {"head-dim", "64"}};
  const OptionValues grouped = {
      {"algorithm", "paged-attention"}, {"heads", "64"}, {"kv-heads", "8"}, {"head-dim", "128"}};
  const Golden goldens[] = {{500, 128, eight, 73'990'144, 131'072, 292'864},
                            {0, 100, eight, 5'171'200, 102'400, 23'296},
                            {4096, 256, grouped, 17'718'837'248, 524'288, 34'668'544}};
  for (const Golden& g : goldens) {
    const Simulation run = simulate(decode(g.cached, g.steps, g.options));
    CHECK(run.totals.tensor(Tensor::K).read == Bytes(g.keys));
    CHECK(run.totals.tensor(Tensor::block_table).read == Bytes(g.entries + 4 * g.steps));
    CHECK(appended(run, Tensor::V) == Bytes(g.appended));
  }
}

TEST_CASE("paged-attention has the sum over every step, with as many parts as each step has keys for") {
  Dice dice(65);
  for (int n = 0; n < 40; ++n) {
    const std::string partition = dice.one_in(3) ? "0" : dice.one_in(2) ? "512" : "64";
    Scenario s = decode(dice.near_an_end(0, 3000), dice.near_an_end(1, 600),
                        {{"algorithm", "paged-attention"}, {"partition", partition}});
    s.shape.heads = s.shape.kv_heads = dice.between(1, 4);
    s.page_size = std::int64_t{8} << dice.between(0, 2);
    INFO(describe_steps(s) << " partition " << partition);
    const Plan plan = make_plan(s);
    const Ledger few = counted(counted_by_groups(plan));
    REQUIRE(few == closed_form(plan));
    REQUIRE(few == counted(counted_one_by_one(plan)));
  }
}

TEST_CASE("the sum over few steps is that over every step, and that of the closed forms") {
  Dice dice(61);
  for (int n = 0; n < 120; ++n) {
    const Scenario s = random_steps(dice, n % 8 == 0 ? 131'072 : 9'000, n % 40 == 1 ? 4096 : 400);
    INFO(describe_steps(s));
    const Plan plan = make_plan(s);
    const Ledger few = counted(counted_by_groups(plan));
    REQUIRE(few == closed_form(plan));
    REQUIRE(few == counted(counted_one_by_one(plan)));
  }
}

TEST_CASE("under a mask that hides keys every step counts, as its closed form says") {
  Dice dice(62);
  for (int n = 0; n < 60; ++n) {
    Scenario s = random_steps(dice, 3000, 200);
    if (dice.one_in(2)) s.shape.mask.window = dice.near_an_end(0, 2000);
    s.shape.mask.padding = dice.near_an_end(0, std::min<std::int64_t>(600, s.cached_keys() + 1));
    INFO(describe_steps(s));
    const Plan plan = make_plan(s);
    const Ledger few = counted(counted_by_groups(plan));
    REQUIRE(few == closed_form(plan));
    REQUIRE(few == counted(counted_one_by_one(plan)));
  }
}

TEST_CASE("a walk over every CTA of every step moves the bytes of the sum") {
  Dice dice(63);
  for (int n = 0; n < 30; ++n) {
    Scenario s = random_steps(dice, 900, 40);
    s.shape.batch = 1;
    INFO(describe_steps(s));
    const Plan plan = make_plan(s);
    Totals walked, few;
    for (std::int64_t t = 1; t <= s.steps; ++t) {
      const Totals step = count_by_brute_force(with_keys(plan, s.cached_keys() + t));
      walked.total += step.total;
      walked.matmul_flops += step.matmul_flops;
      walked.other_flops += step.other_flops;
      walked.exps += step.exps;
    }
    for (const Trace& trace : counted_by_groups(plan)) add_to(few, trace);
    REQUIRE(walked.total == few.total);
    REQUIRE(walked.matmul_flops == few.matmul_flops);
    REQUIRE(walked.other_flops == few.other_flops);
    REQUIRE(walked.exps == few.exps);
  }
}

TEST_CASE("steps move the bytes of a ragged batch with an entry for each, and what is appended") {
  for (const char* pack : {"0", "1"}) {
    const Scenario s =
        decode(300, 90, {{"heads", "12"}, {"kv-heads", "3"}, {"head-dim", "80"}, {"pack", pack}, {"splits", "2"}});
    Scenario ragged = s;
    SequenceClasses classes;
    for (std::int64_t t = 1; t <= s.steps; ++t) classes.push_back({1, 1, s.cached_keys() + t});
    ragged.steps = 0;
    ragged.sequences = std::make_shared<const SequenceClasses>(std::move(classes));
    const Simulation run = simulate(s), batch = simulate(ragged);
    const Bytes row(2 * 3 * 80 * s.steps);
    for (const Tensor tensor : {Tensor::Q, Tensor::K, Tensor::V, Tensor::O_part, Tensor::L_part})
      CHECK(run.totals.tensor(tensor).read == batch.totals.tensor(tensor).read);
    CHECK(run.totals.total.read == batch.totals.total.read - batch.totals.tensor(Tensor::sequences).read + row * 2);
    CHECK(run.totals.total.written == batch.totals.total.written + row * 2);
    CHECK(run.totals.matmul_flops == batch.totals.matmul_flops);
    CHECK(run.totals.exps == batch.totals.exps);
  }
}

TEST_CASE("a million steps are counted exactly") {
  constexpr std::int64_t steps = 1 << 20, cached = 4096, heads = 8, d = 128;
  const Plan plan = make_plan(decode(cached, steps, {{"heads", "8"}, {"head-dim", "128"}}));
  Totals sum;
  for (const Trace& trace : counted_by_groups(plan)) add_to(sum, trace);
  constexpr std::int64_t keys = steps * cached + steps * (steps + 1) / 2;
  CHECK(sum.tensor(Tensor::K).read == Bytes(keys * heads * d * 2));
  CHECK(sum.tensor(Tensor::V).read == Bytes(keys * heads * d * 2));
  CHECK(sum.tensor(Tensor::K).written == Bytes(steps * heads * d * 2));
  CHECK(sum.tensor(Tensor::O).written == Bytes(steps * heads * d * 2));
  CHECK(sum.exps == Exps(keys * heads));
  CHECK(sum.matmul_flops == Flops(4 * keys * heads * d));
}

TEST_CASE("a single step is one over one key more, with what it appends") {
  const Scenario s = decode(777, 1, {{"heads", "12"}, {"kv-heads", "4"}, {"batch", "2"}, {"head-dim", "64"}});
  Scenario one = s;
  one.steps = 0;
  const Simulation run = simulate(s), other = simulate(one);
  CHECK(one.shape.seqlen_k == 778);
  REQUIRE(run.kernels.size() == other.kernels.size() + 1);
  const KernelMeters& append = run.kernels[0];
  CHECK(append.name == "append");
  CHECK(append.ctas == 2);
  CHECK(append.totals.total == Traffic{Bytes(2 * 2 * 4 * 64 * 2), Bytes(2 * 2 * 4 * 64 * 2)});
  CHECK(append.compulsory == append.totals.total);
  for (std::size_t k = 0; k < other.kernels.size(); ++k) {
    CHECK(run.kernels[k + 1].totals == other.kernels[k].totals);
    CHECK(run.kernels[k + 1].compulsory == other.kernels[k].compulsory);
    CHECK(run.kernels[k + 1].hbm == other.kernels[k].hbm);
    CHECK(run.kernels[k + 1].time.microseconds == other.kernels[k].time.microseconds);
  }
  CHECK(run.microseconds == Approx(other.microseconds + append.time.microseconds));
  CHECK(run.memory.peak_hbm == other.memory.peak_hbm);
}

TEST_CASE("compulsory traffic of steps is exact, and bounds the traffic of HBM from below, tile traffic from above") {
  Dice dice(64);
  for (int n = 0; n < 12; ++n) {
    const Scenario s = random_steps(dice, 9000, n == 0 ? 700 : 60);
    INFO(describe_steps(s));
    const Simulation run = simulate(s);
    Traffic compulsory;
    for (std::int64_t t = 1; t <= s.steps; ++t) {
      const Plan step = with_keys(run.plan, s.cached_keys() + t);
      for (const Launch& launch : step.launches) {
        for (const auto& [tensor, least] : compulsory_of(step, launch, count(step, launch))) compulsory += least;
      }
    }
    CHECK(run.compulsory == compulsory);
    CHECK(run.compulsory.read <= run.hbm.read);
    CHECK(run.compulsory.written <= run.hbm.written);
    CHECK(run.hbm.read <= run.totals.total.read);
    CHECK(run.hbm.written <= run.totals.total.written);
  }
}

TEST_CASE("the time of 256 of 4,096 lengths, linear between them, is that of all within 0.01 %") {
  const Simulation run = simulate(decode(3000, 4096, {{"heads", "8"}, {"head-dim", "64"}}));
  double microseconds = 0;
  std::int64_t hbm = 0;
  for (std::int64_t t = 1; t <= 4096; ++t) {
    const Plan step = with_keys(run.plan, 3000 + t);
    for (const Launch& launch : step.launches) {
      const KernelMeters kernel = measure(step, launch, count(step, launch));
      microseconds += kernel.time.microseconds;
      hbm += kernel.hbm_total().count();
    }
  }
  CHECK(run.microseconds == Approx(microseconds).epsilon(1e-4));
  CHECK(static_cast<double>(run.hbm.total().count()) == Approx(hbm).epsilon(1e-4));
}

TEST_CASE("steps that are none, too many or of another kind are refused by name") {
  const auto refused = [](const std::string& steps, const OptionValues& more, const std::string& message) {
    OptionValues values = more;
    values.insert({{"algorithm", "flash-decoding"}, {"seqlen-q", "1"}, {"seqlen-k", "64"}, {"steps", steps}});
    const auto plan = [&] { return make_plan(scenario_from(values, built_in_gpu)); };
    CHECK_THROWS_WITH(plan(), Catch::Matchers::Contains(message));
  };
  refused("0", {}, "steps: \"0\" is not a whole number from 1 to 1048576");
  refused("1048577", {}, "steps: \"1048577\" is not a whole number from 1 to 1048576");
  refused("4", {{"algorithm", "flash2"}},
          "steps: is an option of flash-decoding, flash-decoding-plus, paged-attention; flash2 has none");
  refused("4", {{"pass", "backward"}}, "pass: flash-decoding has no backward pass");
  const auto ragged = [] {
    Scenario s = decode(64, 4);
    s.sequences = std::make_shared<const SequenceClasses>(SequenceClasses{{1, 1, 64}, {1, 1, 65}});
    return make_plan(s);
  };
  CHECK_THROWS_WITH(ragged(), Catch::Matchers::Contains("steps: the entries of a batch have one length"));
  refused("4", {{"seqlen-q", "2"}}, "steps: a step has one query, not 2: add --seqlen-q 1");
  refused("3", {{"inputs", "worked"}, {"seqlen-q", "4"}, {"seqlen-k", "1"}, {"head-dim", "2"}},
          "steps: a step has one query, not 4");
  refused("4", {{"padding", "66"}}, "steps: the first one has 65 keys, fewer than the 66 of --padding");
  refused("4", {{"documents", "60 8"}}, "steps: documents have the keys of one step: leave out --documents");
  refused("4097", {{"window", "9"}},
          "steps: 4097 under a mask that hides keys are counted one by one: use at most 4096");
  const auto empty = [] { return make_plan(scenario_from({{"seqlen-k", "0"}}, built_in_gpu)); };
  CHECK_THROWS_WITH(empty(), Catch::Matchers::Contains("seqlen-k is 0: allowed are 1 to"));
}

}  // namespace
}  // namespace sim
