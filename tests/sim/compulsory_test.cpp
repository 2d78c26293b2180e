// Compulsory traffic: hand counts under masks, and its place below HBM traffic and tile traffic in every scenario.
#include <catch2/catch.hpp>

#include "sim/base/block_mask.h"
#include "sim/catalogue/derivation.h"
#include "sim/model/simulation.h"
#include "sim/programs/ragged.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

Scenario scenario(const std::string& algorithm, const Shape& shape) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape = shape;
  return s;
}

Scenario ragged(Scenario s, SequenceClasses classes) {
  s.sequences = std::make_shared<const SequenceClasses>(std::move(classes));
  return s;
}

/// Checks both directions of every kernel, of every tensor and of the whole run.
void check_order(const Scenario& s) {
  const Simulation run = simulate(s);
  INFO(describe(s) << " on " << s.gpu->name << (s.sequences ? " seqlens " + text_of(*s.sequences) : ""));
  Traffic sum;
  for (const KernelMeters& kernel : run.kernels) {
    INFO(kernel.name);
    Traffic hbm;
    for (const auto& [tensor, moved] : kernel.hbm) hbm += moved;
    REQUIRE(kernel.compulsory.read <= hbm.read);
    REQUIRE(kernel.compulsory.written <= hbm.written);
    REQUIRE(hbm.read <= kernel.totals.total.read);
    REQUIRE(hbm.written <= kernel.totals.total.written);
    for (const auto& [tensor, least] : kernel.compulsory_by_tensor) {
      INFO(name_of(tensor));
      REQUIRE(least.read <= kernel.hbm.at(tensor).read);
      REQUIRE(least.written <= kernel.hbm.at(tensor).written);
    }
    sum += kernel.compulsory;
  }
  REQUIRE(run.compulsory == sum);
}

}  // namespace

TEST_CASE("keys that no query sees are not compulsory: a window, padding, parts of the keys") {
  // Mistral 7B, one new token after 131,071: 4,097 keys of 8 KV heads of 128 elements, K and V; 32 rows of Q.
  Scenario mistral = scenario("flash-decoding", {1, 32, 8, 1, 131072, 128, {.causal = true, .window = 4096}});
  const KernelMeters split = simulate(mistral).kernels[0];
  CHECK(split.compulsory_by_tensor.at(Tensor::K).read.count() == 4097 * 8 * 128 * 2);
  CHECK(split.compulsory_by_tensor.at(Tensor::V).read.count() == 4097 * 8 * 128 * 2);
  CHECK(split.compulsory_by_tensor.at(Tensor::Q).read.count() == 32 * 128 * 2);
  // The windows of 100 queries end at keys 4,900 to 4,999 and reach 10 keys back: 110 keys.
  const Simulation window = simulate(scenario("flash2", {1, 1, 1, 100, 5000, 64, {.causal = true, .window = 10}}));
  CHECK(window.compulsory.read.count() == (100 + 2 * 110) * 64 * 2);
  CHECK(window.compulsory.written.count() == 100 * 64 * 2 + 100 * 4);
  const Simulation padded = simulate(scenario("flash2", {1, 4, 2, 1024, 1024, 64, {.padding = 500}}));
  CHECK(padded.compulsory.read.count() == (4 * 1024 + 2 * 2 * 524) * 64 * 2);
}

TEST_CASE("rows of queries that see nothing are not read, and their zeros are written") {
  // 100 queries and 60 keys, aligned at the end: queries 0 to 39 see nothing.
  const Simulation causal = simulate(scenario("flash2", {1, 1, 1, 100, 60, 64, {.causal = true}}));
  CHECK(causal.compulsory.read.count() == (60 + 2 * 60) * 64 * 2);
  CHECK(causal.compulsory.written.count() == 100 * 64 * 2 + 100 * 4);
  const Simulation blind = simulate(scenario("flash2", {2, 3, 3, 128, 128, 64, {.padding = 128}}));
  CHECK(blind.compulsory.read.count() == 0);
  CHECK(blind.compulsory.written.count() == 2 * 3 * (128 * 64 * 2 + 128 * 4));
}

TEST_CASE("a backward pass reads dO, O and L of the queries that see a key, and writes all gradients") {
  Scenario s =
      scenario("flash2", {1, 4, 2, 100, 60, 64, {.causal = true, .padding = 10}});  // queries 40 to 99, keys 0 to 49
  s.pass = Pass::backward;
  const Simulation run = simulate(s);
  std::map<Tensor, Traffic> all;
  for (const KernelMeters& kernel : run.kernels) {
    if (kernel.totals.tensor(Tensor::K).read.count() == 0) continue;
    all = kernel.compulsory_by_tensor;
  }
  CHECK(all.at(Tensor::K).read.count() == 2 * 50 * 64 * 2);
  CHECK(all.at(Tensor::Q).read.count() == 4 * 60 * 64 * 2);
  CHECK(all.at(Tensor::dO).read.count() == 4 * 60 * 64 * 2);
  CHECK(all.at(Tensor::L).read.count() == 4 * 60 * 4);
  CHECK(all.at(Tensor::dK).written.count() == 2 * 60 * 64 * 2);
  CHECK(all.at(Tensor::dV).written.count() == 2 * 60 * 64 * 2);
}

TEST_CASE("parts of a result that no kernel touches are not compulsory") {
  // 1,024 queries and keys in chunks of 512 keys: under a causal mask the second chunk's part of O has 512 rows.
  Scenario s = scenario("rabe-staats", {1, 2, 2, 1024, 1024, 64, {.causal = true}});
  const Simulation run = simulate(s);
  for (const KernelMeters& kernel : run.kernels) {
    for (const auto& [tensor, least] : kernel.compulsory_by_tensor) {
      CHECK(least.written <= kernel.totals.tensor(tensor).written);
      CHECK(least.read <= kernel.totals.tensor(tensor).read);
    }
  }
}

TEST_CASE("seen keys and seeing queries are those of a walk over all pairs, with a pattern and without") {
  Dice dice(742);
  for (int n = 0; n < 400; ++n) {
    Shape shape{1, 1, 1, dice.between(1, 60), dice.between(1, 60), 8, {}};
    shape.mask = random_mask(dice, shape.seqlen_k, 60);
    if (dice.one_in(2)) {
      const BlockedMatrix matrix{shape.seqlen_q, shape.seqlen_k, dice.between(1, 16), dice.between(1, 16)};
      shape.mask.blocks = std::make_shared<const BlockMask>(random_pattern(dice, 8), matrix, 7);
    }
    std::vector<bool> seen(static_cast<std::size_t>(shape.seqlen_k)), seeing(static_cast<std::size_t>(shape.seqlen_q));
    for (std::int64_t q = 0; q < shape.seqlen_q; ++q) {
      for (std::int64_t k = 0; k < shape.seqlen_k; ++k) {
        if (!shape.visible(q, k)) continue;
        seen[static_cast<std::size_t>(k)] = seeing[static_cast<std::size_t>(q)] = true;
      }
    }
    INFO("Nq " << shape.seqlen_q << " Nk " << shape.seqlen_k << " causal " << shape.mask.causal << " padding "
               << shape.mask.padding << " window " << shape.mask.window.value_or(-1) << " "
               << (shape.mask.blocks ? shape.mask.blocks->name() : ""));
    REQUIRE(count_seen_keys(shape) == std::count(seen.begin(), seen.end(), true));
    REQUIRE(count_seeing_queries(shape) == std::count(seeing.begin(), seeing.end(), true));
  }
}

namespace {

/// Lengths, heads and masks as users type them.
Shape typed_shape(Dice& dice, std::int64_t most) {
  const std::int64_t lengths[] = {1, 2, 100, 128, 500, 1000, 1024, 4096, 8192, 10000, 32768, 131072};
  const auto length = [&] { return std::min(most, lengths[dice.between(0, std::size(lengths) - 1)]); };
  const std::int64_t group[] = {1, 1, 2, 4, 8}, heads[] = {1, 2, 8, 16};
  Shape shape;
  shape.batch = dice.between(1, 4);
  shape.kv_heads = heads[dice.between(0, 3)];
  shape.heads = shape.kv_heads * group[dice.between(0, 4)];
  shape.seqlen_q = length();
  shape.seqlen_k = dice.one_in(2) ? shape.seqlen_q : length();
  const std::int64_t widths[] = {40, 64, 80, 96, 128};
  shape.head_dim = widths[dice.between(0, 4)];
  shape.mask.causal = dice.one_in(2);
  const std::int64_t windows[] = {0, 10, 128, 1000, 4096};
  if (dice.one_in(3)) shape.mask.window = windows[dice.between(0, 4)];
  const std::int64_t hidden[] = {1, 37, 500, shape.seqlen_k / 2, shape.seqlen_k};
  if (dice.one_in(3)) shape.mask.padding = std::min(shape.seqlen_k, hidden[dice.between(0, 4)]);
  return shape;
}

Scenario typed(Dice& dice, const std::string& name) {
  const bool of_scores = name.starts_with("standard") || name == "memory-efficient";
  Scenario s = scenario(name, typed_shape(dice, of_scores ? 10000 : 131072));
  s.pass = dice.one_in(2) ? all_passes(name) : Pass::forward;
  const char* gpus[] = {"h100-sxm", "a100-sxm-40gb", "t4", "b200"};
  s.gpu = built_in_gpu(gpus[dice.between(0, 3)]);
  if (dice.one_in(4)) s.dropout = 0.1;
  if (dice.one_in(4)) s.l2 = std::int64_t{1} << dice.between(10, 40);
  s = within_limits(s);
  if (name == "flash-decoding" && dice.one_in(2)) split_keys(dice, s);
  if (find_program(name)->pattern != PatternUse::none && dice.one_in(2)) s.pattern = random_pattern(dice, 8);
  return s;
}

}  // namespace

TEST_CASE("compulsory traffic <= HBM traffic <= tile traffic in each direction, for every program and mask") {
  Dice dice(743);
  int ran = 0;
  for (int n = 0; n < 25; ++n) {
    for (const std::string& name : all_program_names()) {
      const Scenario s = typed(dice, name);
      if (!scenario_error(s).empty()) continue;
      check_order(s);
      ++ran;
    }
  }
  CHECK(ran > 250);
}

TEST_CASE("the order of traffic holds under right windows, prefixes, documents and a diagonal from the top left") {
  Dice dice(745);
  int ran = 0;
  for (int n = 0; n < 15; ++n) {
    for (const std::string& name : all_program_names()) {
      Scenario s = typed(dice, name);
      draw_more_masks(dice, s.shape);
      if (!scenario_error(s).empty()) continue;
      check_order(s);
      ++ran;
    }
  }
  CHECK(ran > 120);
}

TEST_CASE("compulsory traffic <= HBM traffic <= tile traffic in each direction, for ragged batches") {
  Dice dice(744);
  for (int n = 0; n < 60; ++n) {
    const char* names[] = {"flash1", "flash2", "flash-decoding"};
    Scenario s = scenario(names[dice.between(0, 2)], typed_shape(dice, 8192));
    s.shape.batch = 1;
    s.shape.mask.padding = 0;
    SequenceClasses classes;
    for (std::int64_t entries = dice.between(1, 5); entries > 0; --entries) {
      const std::int64_t keys = dice.between(1, 8192);
      classes.push_back({dice.between(1, 3), dice.one_in(3) ? 1 : dice.between(1, 8192), keys});
    }
    s = ragged(std::move(s), std::move(classes));
    check_order(s);
  }
}

TEST_CASE("the compulsory traffic of a ragged batch is the sum of its entries") {
  Scenario s = scenario("flash2", {1, 8, 2, 1024, 1024, 64, {.causal = true, .window = 100}});
  Bytes read, written;
  for (const auto& [queries, keys] : {std::pair{100, 5000}, std::pair{700, 300}, std::pair{1, 2000}}) {
    s.shape.seqlen_q = queries;
    s.shape.seqlen_k = keys;
    const Traffic one = simulate(s).compulsory;
    read += one.read;
    written += one.written;
  }
  const Simulation all = simulate(ragged(s, {{1, 100, 5000}, {1, 700, 300}, {1, 1, 2000}}));
  Traffic tables;  // each kernel's table of lengths
  for (const KernelMeters& kernel : all.kernels) {
    const auto table = kernel.compulsory_by_tensor.find(Tensor::sequences);
    if (table != kernel.compulsory_by_tensor.end()) tables += table->second;
  }
  CHECK(all.compulsory.read == read + tables.read);
  CHECK(all.compulsory.written == written);
}

TEST_CASE("the two directions of compulsory traffic add up, and derive to their values") {
  const Simulation s = simulate(scenario("flash2", {2, 8, 2, 100, 5000, 64, {.causal = true, .window = 10}}));
  const auto value = [&](const std::string& path) {
    const Derivation derived = derive(s, path);
    std::int64_t sum = 0;
    for (const DerivationTerm& term : derived.terms) sum += term.total();
    CHECK(std::to_string(sum) == derived.value);
    return sum;
  };
  CHECK(value("hbm_traffic.compulsory_read_bytes") == s.compulsory.read.count());
  CHECK(value("hbm_traffic.compulsory_write_bytes") == s.compulsory.written.count());
  CHECK(value("hbm_traffic.compulsory_bytes") == s.compulsory.total().count());
}

}  // namespace sim
