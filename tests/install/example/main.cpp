// Counts the bytes of a user's program: the largest score of each query, m_i = rowmax(Q_i K^T).
#include <iostream>

#include "sim/programs/launches.h"
#include "sim/programs/run.h"

namespace {

using namespace sim;

// clang-format off
void row_max(Cta& cta, const Problem& p) {
  const Block& i = cta.row();                        // row block of this CTA
  SmemTile Q = cta.load(block(p.hbm.Q, i));          // Q_i                     (Br, d)
  RegVec m = cta.vec(Tensor::m, i, minus_infinity);  // m = -inf                (Br)
  for (const Block& j : cta.key_blocks(i)) {
    SmemTile K = cta.load(block(p.hbm.K, j));        // K_j                     (Bc, d)
    RegTile S = cta.gemm_nt(Q, K);                   // S = Q_i K_j^T           (Br, Bc)
    m = cta.row_max(S, m);                           // m = max(m, rowmax(S))   (Br)
  }
  cta.store(m, block(p.hbm.m, i));                   // m_i                     (Br)
}
// clang-format on

Tiling tiles(const TilingCase&) { return {128, 64}; }

std::vector<Launch> launches(const Problem& p) {
  return {{.name = "row_max",
           .body = row_max,
           .grid = {GridKind::per_row_block, p.tiling.br, p.tiling.bc},
           .inputs = {Tensor::Q, Tensor::K},
           .outputs = {Tensor::m}}};
}

const bool added = add_program({.name = "row-max",
                                .title = "Largest score of each query",
                                .forward = {"main.cpp", "an example", tiles, launches},
                                .text = [](std::string_view) { return std::string_view("row-max"); }});

}  // namespace

int main() {
  Scenario scenario;
  scenario.algorithm = "row-max";
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 1024;
  Totals totals;
  for (const Trace& trace : count(make_plan(scenario))) add_to(totals, trace);
  for (const Tensor tensor : {Tensor::Q, Tensor::K, Tensor::m}) {
    const Traffic traffic = totals.by_tensor[tensor];
    std::cout << name_of(tensor) << " read " << traffic.read.count() << " written " << traffic.written.count() << "\n";
  }
}
