// Kernels over ragged batches: values of every entry equal a separate run, and bytes equal the simulation's.
#include <random>

#include "kernels/attention/support.h"
#include "tests/support/ragged_kernels.h"

namespace {

using namespace ragged_kernels;

/// Draws tiles, dtype and pass: a supported tile on tensor cores, or the program's default if both passes run.
void choose_kernels(sim::Scenario& s, std::mt19937_64& random, bool on_tensor_cores) {
  const auto pick = [&](std::size_t count) { return random() % count; };
  s.pass = std::array{sim::Pass::forward, sim::Pass::backward, sim::Pass::forward_backward}.at(pick(3));
  s.dtype = std::array{sim::Dtype::fp16, sim::Dtype::bf16, sim::Dtype::fp32}.at(pick(on_tensor_cores ? 2 : 3));
  if (!on_tensor_cores) {
    s.dropout = pick(3) == 0 ? 0.3 : 0;
    return;
  }
  const kernels::MmaTile& tile = kernels::flash2_ragged_mma_tiles.at(pick(8));
  s.shape.head_dim = tile.head_dim;
  s.br = s.bc = std::nullopt;
  if (s.pass == sim::Pass::forward) s.br = tile.br, s.bc = tile.bc;
}

/// Draws a few classes with masks, grouped heads and dtypes: short tails, one query, several entries.
sim::Scenario random_scenario(std::mt19937_64& random, bool on_tensor_cores) {
  const auto pick = [&](std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
  };
  const std::int64_t longest = on_tensor_cores ? 200 : 60;
  Classes classes(static_cast<std::size_t>(pick(1, 3)));
  for (sim::SequenceClass& c : classes) c = {pick(1, 2), pick(0, 3) == 0 ? 1 : pick(1, longest), pick(1, longest)};
  sim::Scenario s = on_tensor_cores ? ragged(classes) : plain(classes);
  choose_kernels(s, random, on_tensor_cores);
  s.shape.heads = pick(1, 4);
  s.shape.kv_heads = s.shape.heads % 2 == 0 ? s.shape.heads / pick(1, 2) : s.shape.heads;
  s.shape.mask.causal = pick(0, 1) == 0;
  if (pick(0, 2) == 0) s.shape.mask.window = pick(0, 80);
  if (pick(0, 1) == 0) s.issue = sim::IssueOrder::longest;
  s.seed = random();
  return s;
}

}  // namespace

TEST_CASE("flash2 over a ragged batch computes every entry's own attention and its gradients") {
  for (const bool causal : {false, true}) {
    sim::Scenario s = plain({{2, 20, 33}, {1, 7, 50}, {3, 1, 5}});
    s.pass = sim::Pass::forward_backward;
    s.shape.mask.causal = causal;
    values("flash2", s);
    s = ragged({{1, 130, 70}, {2, 64, 128}, {3, 1, 77}});
    s.pass = sim::Pass::forward_backward;
    s.br = s.bc = std::nullopt;
    s.shape.mask.causal = causal;
    values("flash2_mma", s);
  }
}

TEST_CASE("flash2 on tensor cores takes every tile of its ragged menu in both types") {
  for (const kernels::MmaTile& tile : kernels::flash2_ragged_mma_tiles) {
    for (const sim::Dtype dtype : {sim::Dtype::fp16, sim::Dtype::bf16}) {
      sim::Scenario s = ragged({{1, tile.br + 1, tile.bc + 17}, {2, 3, 9}}, tile.head_dim, tile.br, tile.bc);
      s.dtype = dtype;
      values("flash2_mma", s);
    }
  }
}

TEST_CASE("flash2 over a ragged batch moves the bytes of its program, in 20 random schedules", "[repeats]") {
  sim::Scenario s = plain({{2, 20, 33}, {1, 7, 50}});
  s.shape.heads = 2, s.shape.kv_heads = 1;
  s.pass = sim::Pass::forward_backward;
  CHECK(wrong("flash2", s, 20) == "");
  s = ragged({{1, 100, 150}, {1, 30, 64}}, 32);
  s.shape.heads = 2, s.shape.kv_heads = 1;
  s.pass = sim::Pass::forward_backward;
  s.br = s.bc = std::nullopt;
  s.shape.mask.causal = true;
  CHECK(wrong("flash2_mma", s, 20) == "");
}

TEST_CASE("flash2 over ragged batches of typical user scenarios moves the bytes of its program") {
  sim::Scenario s = ragged({{1, 1024, 1024}, {1, 512, 512}, {2, 128, 128}}, 64, 128, 128);
  s.shape.heads = s.shape.kv_heads = 1;
  s.shape.mask.causal = true;
  CHECK(wrong("flash2_mma", s) == "");
  s = ragged({{3, 1, 777}, {1, 300, 1000}}, 128, 128, 64);
  s.shape.heads = 2, s.shape.kv_heads = 1;
  CHECK(wrong("flash2_mma", s) == "");
}

TEST_CASE("flash2 over random ragged batches agrees with its program") {
  for (const bool on_tensor_cores : {false, true}) {
    std::mt19937_64 random(5);
    for (int n = 0; n < 25; ++n) {
      const sim::Scenario s = random_scenario(random, on_tensor_cores);
      INFO(sim::text_of(*s.sequences) << ", case " << n);
      CHECK(wrong(on_tensor_cores ? "flash2_mma" : "flash2", s) == "");
    }
  }
}

TEST_CASE("entries of equal length equal a plain batch of them, including dropout") {
  sim::Scenario s = plain({{2, 20, 33}, {1, 20, 33}});
  s.dropout = 0.3;
  sim::Scenario alike = s;
  alike.sequences = nullptr;
  alike.shape = sim::shape_of(s, {3, 20, 33});
  const sim::AttentionInputs inputs = sim::inputs_of(s);
  CHECK(run("flash2", s, inputs).outputs.o == run("flash2", alike, inputs).outputs.o);
  CHECK(run("flash2", s, inputs).outputs.log_sum_exp == run("flash2", alike, inputs).outputs.log_sum_exp);
}
