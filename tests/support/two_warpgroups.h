// FlashAttention-2 with two warpgroups: a producer loads K and V into a ring of stages, a consumer computes. It shows
// that warp-specialised programs fit the tile machine; it is not in the catalogue.
#pragma once
#include <array>

#include "sim/machine/warpgroups.h"
#include "sim/programs/launches.h"

namespace two_warpgroups {

using namespace sim;

/// A ring of K and V tiles, and a barrier pair per stage: full (data is there), empty (may be overwritten).
struct Ring {
  static constexpr std::int64_t stages = 2;
  std::array<SmemTile, stages> K, V;
  std::array<Barrier, stages> full, empty;
};

inline Warpgroup producer(Cta& cta, const Problem& p, Ring& ring) {
  std::int64_t n = 0;
  for (const Block& j : cta.key_blocks(cta.row())) {
    const std::size_t stage = static_cast<std::size_t>(n % Ring::stages);
    if (n >= Ring::stages) co_await wait(ring.empty[stage], n / Ring::stages - 1);
    ring.K[stage] = SmemTile{};
    ring.K[stage] = cta.load(block(p.hbm.K, j));
    ring.V[stage] = SmemTile{};
    ring.V[stage] = cta.load(block(p.hbm.V, j));
    ring.full[stage].arrive(cta.ready_at(ring.V[stage]));
    ++n;
  }
}

inline Warpgroup consumer(Cta& cta, const Problem& p, Ring& ring) {
  const Block& i = cta.row();
  SmemTile Q = cta.load(block(p.hbm.Q, i));
  RegTile O = cta.zeros(Tensor::O, i, p.hbm.O);
  RegVec l = cta.vec(Tensor::l, i, 0), m = cta.vec(Tensor::m, i, minus_infinity);
  std::int64_t n = 0;
  for (const Block& j : cta.key_blocks(i)) {
    const std::size_t stage = static_cast<std::size_t>(n % Ring::stages);
    co_await wait(ring.full[stage], n / Ring::stages);
    RegTile S = cta.gemm_nt(Q, ring.K[stage]);
    cta.scale(S, p.scale);
    if (j.masked) cta.mask(S, i, j);
    RegVec m_new = cta.row_max(S, m);
    RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);
    RegTile P = cta.exp_sub(std::move(S), m_new);
    l = cta.add_row_sum(l, alpha, P);
    m = std::move(m_new);
    cta.scale_rows(O, alpha);
    cta.gemm_nn_add(O, P, ring.V[stage]);
    ring.empty[stage].arrive(cta.ready_at(O));
    ++n;
  }
  cta.divide_rows(O, l);
  cta.store(O, block(p.hbm.O, i));
  cta.store(cta.log_sum_exp(m, l), block(p.hbm.L, i));
}

inline void body(Cta& cta, const Problem& p) {
  Ring ring;
  std::vector<Warpgroup> warpgroups;
  warpgroups.push_back(producer(cta, p, ring));
  warpgroups.push_back(consumer(cta, p, ring));
  run_warpgroups(cta, std::move(warpgroups));
}

/// The plan of flash2 with this body.
inline Plan plan(Scenario scenario) {
  scenario.algorithm = "flash2";
  Plan plan = make_plan(scenario);
  plan.launches[0].name = "two_warpgroups";
  plan.launches[0].body = body;
  return plan;
}

}  // namespace two_warpgroups
