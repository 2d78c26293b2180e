// Single-file programs whose loop nests have no known time: their counts are right, and requests for their time or
// their HBM traffic fail with the reason, instead of giving wrong numbers.
#include <catch2/catch.hpp>

#include "sim/model/simulation.h"
#include "sim/programs/kernel_form.h"
#include "sim/programs/launches.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"

namespace {

using namespace sim;
using Catch::Contains;

constexpr std::int64_t slice = 8;

/// S = Q_i K_j^T, summed over slices of d: K_j is loaded slice by slice.
RegTile sliced_scores(Cta& cta, const Problem& p, const Block& i, const Block& j) {
  RegTile S = cta.zeros(Tensor::S, i, j);
  for (const Block& c : cta.chunks(p.shape.head_dim, slice)) {
    SmemTile Q = cta.load(block(p.hbm.Q, i, c));
    SmemTile K = cta.load(block(p.hbm.K, j, c));
    cta.gemm_nt_add(S, Q, K);
  }
  return S;
}

void in_a_cta_of_a_block(Cta& cta, const Problem& p) {
  const Block& i = cta.row();
  RegVec l = cta.vec(Tensor::l, i, 0);
  for (const Block& j : cta.key_blocks(i)) l = cta.add_row_sum(l, sliced_scores(cta, p, i, j));
  cta.store(l, block(p.hbm.L, i));
}

void in_a_cta_of_a_head(Cta& cta, const Problem& p) {
  for (const Block& j : cta.live_key_blocks()) {
    for (const Block& i : cta.query_blocks(j)) cta.store(cta.row_sum(sliced_scores(cta, p, i, j)), block(p.hbm.L, i));
  }
}

/// Keys from last to first, after another loop over keys.
void down_after_up(Cta& cta, const Problem& p) {
  const Block& i = cta.row();
  RegVec l = cta.vec(Tensor::l, i, 0);
  for (const Block& j : cta.key_blocks(i)) cta.load(block(p.hbm.V, j));
  for (const Block& j : cta.key_blocks_down(i)) cta.load(block(p.hbm.K, j));
  cta.store(l, block(p.hbm.L, i));
}

/// Keys from last to first, each of them written.
void down_writing(Cta& cta, const Problem& p) {
  for (const Block& j : cta.key_blocks_down(cta.row())) {
    SmemTile K = cta.load(block(p.hbm.K, j));
    cta.store(K, block(p.hbm.dK, j));
  }
}

template <GridKind kind, void (*body)(Cta&, const Problem&)>
std::vector<Launch> launches(const Problem& p) {
  return {{.name = "sums",
           .body = body,
           .grid = {kind, p.tiling.br, p.tiling.bc},
           .inputs = {Tensor::Q, Tensor::K},
           .outputs = {Tensor::L}}};
}

template <void (*body)(Cta&, const Problem&), Tensor written>
std::vector<Launch> downward_launches(const Problem& p) {
  return {{.name = "sums",
           .body = body,
           .grid = {GridKind::per_row_block, p.tiling.br, p.tiling.bc},
           .inputs = {Tensor::K, Tensor::V},
           .outputs = {written}}};
}

constexpr Tiling tiling(const TilingCase&) { return {32, 32}; }
std::span<const NamedForm> no_forms() { return {}; }
std::string_view no_text(std::string_view) { return {}; }

const bool added =
    add_program({.name = "sliced-block",
                 .title = "Sums of scores, slice by slice",
                 .short_title = "Sliced",
                 .forward = {"tests/sliced_block.cpp", "a test", tiling,
                             launches<GridKind::per_row_block, in_a_cta_of_a_block>},
                 .forms = no_forms,
                 .text = no_text}) &&
    add_program(
        {.name = "sliced-head",
         .title = "Sums of scores, slice by slice",
         .short_title = "Sliced",
         .forward = {"tests/sliced_head.cpp", "a test", tiling, launches<GridKind::per_head, in_a_cta_of_a_head>},
         .forms = no_forms,
         .text = no_text}) &&
    add_program({.name = "down-after-up",
                 .title = "Keys upwards, then downwards",
                 .short_title = "Down after up",
                 .forward = {"tests/down_after_up.cpp", "a test", tiling, downward_launches<down_after_up, Tensor::L>},
                 .forms = no_forms,
                 .text = no_text}) &&
    add_program({.name = "down-writing",
                 .title = "Keys downwards, written",
                 .short_title = "Down, writing",
                 .forward = {"tests/down_writing.cpp", "a test", tiling, downward_launches<down_writing, Tensor::dK>},
                 .forms = no_forms,
                 .text = no_text});

Scenario scenario(const std::string& algorithm) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape = {2, 4, 2, 300, 200, 40, {true, 7, 90}};
  return s;
}

}  // namespace

TEST_CASE("a loop over slices of d inside a loop over keys has no time, and the error names its line") {
  const auto refused = [](const std::string& algorithm, const std::vector<std::string>& words) {
    INFO(algorithm);
    for (const std::string& word : words) CHECK_THROWS_WITH(simulate(scenario(algorithm)), Contains(word));
  };
  refused("sliced-block", {"sliced_block.cpp:23: sums takes K", "no known time and L2 hits", "in a CTA of a block",
                           "process whole rows in the outer loop"});
  refused("sliced-head", {"sliced_head.cpp:22: sums takes Q", "in a CTA of a head", "process whole rows"});
}

TEST_CASE("keys downwards next to another loop, or written by their loop, have no time, and the error names the line") {
  const auto refused = [](const std::string& algorithm, const std::string& words) {
    CHECK_THROWS_WITH(simulate(scenario(algorithm)), Contains(words) &&
                                                         Contains("takes blocks from the last to the first") &&
                                                         Contains("take them from the first to the last"));
  };
  refused("down-after-up", "down_after_up.cpp:47: sums");
  refused("down-after-up", "next to other loops, or in a CTA of a head");
  refused("down-writing", "down_writing.cpp:53: sums");
  refused("down-writing", "if the loop writes blocks of keys");
}

TEST_CASE("a loop over slices of d inside a loop over keys is counted as in a walk over every tile") {
  for (const std::string algorithm : {"sliced-block", "sliced-head", "down-after-up", "down-writing"}) {
    INFO(algorithm);
    const Plan plan = make_plan(scenario(algorithm));
    Totals totals;
    for (const Trace& trace : count(plan)) add_to(totals, trace);
    CHECK(totals == count_by_brute_force(plan));
  }
}
