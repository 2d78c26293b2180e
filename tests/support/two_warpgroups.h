// FlashAttention-2 with two warpgroups: a producer loads K and V into rings, a consumer computes by asynchronous
// products. It shows what warp-specialised programs have in the tile machine; it is not a built-in algorithm.
#pragma once
#include "sim/machine/roles.h"
#include "sim/programs/launches.h"

namespace two_warpgroups {

using namespace sim;

inline constexpr std::int64_t stages = 2;

struct Rings {
  Rings(Cta& cta, const Problem& p)
      : Q(cta, Tensor::Q, p.tiling.br, p.shape.head_dim, 1, 1),
        K(cta, Tensor::K, p.tiling.bc, p.shape.head_dim, stages, 1),
        V(cta, Tensor::V, p.tiling.bc, p.shape.head_dim, stages, 1) {}
  Ring Q, K, V;
};

inline Warpgroup producer(Cta& cta, const Problem& p, Rings& r) {
  r.Q[0] = cta.load(block(p.hbm.Q, cta.row()), r.Q.full(0));
  std::int64_t n = 0;
  for (const Block& j : cta.key_blocks(cta.row())) {
    co_await r.K.empty(n);
    r.K[n] = cta.load(block(p.hbm.K, j), r.K.full(n));
    co_await r.V.empty(n);
    r.V[n] = cta.load(block(p.hbm.V, j), r.V.full(n));
    ++n;
  }
}

inline Warpgroup consumer(Cta& cta, const Problem& p, Rings& r) {
  const Block& i = cta.row();
  RegTile O = cta.zeros(Tensor::O, i, p.hbm.O);
  RegVec l = cta.vec(Tensor::l, i, 0), m = cta.vec(Tensor::m, i, minus_infinity);
  co_await r.Q.full(0);
  std::int64_t n = 0;
  for (const Block& j : cta.key_blocks(i)) {
    co_await r.K.full(n);
    RegTile S = cta.wgmma_nt(r.Q[0], r.K[n]);
    cta.products(0);
    r.K.release(n);
    cta.scale(S, p.scale);
    if (j.masked) cta.mask(S, i, j);
    RegVec m_new = cta.row_max(S, m);
    RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);
    RegTile P = cta.exp_sub(std::move(S), m_new);
    l = cta.add_row_sum(l, alpha, P);
    m = std::move(m_new);
    cta.scale_rows(O, alpha);
    co_await r.V.full(n);
    cta.wgmma_nn_add(O, P, r.V[n]);
    cta.products(0);
    r.V.release(n);
    ++n;
  }
  cta.divide_rows(O, l);
  cta.store(O, block(p.hbm.O, i));
  cta.store(cta.log_sum_exp(m, l), block(p.hbm.L, i));
}

inline void body(Cta& cta, const Problem& p) {
  Rings rings(cta, p);
  std::vector<RoleRun> roles;
  roles.push_back({"producer", 24, producer(cta, p, rings)});
  roles.push_back({"consumer", 240, consumer(cta, p, rings)});
  run_roles(cta, std::move(roles));
}

/// The plan of flash2 with this body.
inline Plan plan(Scenario scenario) {
  scenario.algorithm = "flash2";
  Plan plan = make_plan(scenario);
  plan.launches[0].name = "two_warpgroups";
  plan.launches[0].body = body;
  plan.launches[0].threads = 2 * warpgroup_threads;
  plan.launches[0].products = Products::wgmma;
  return plan;
}

}  // namespace two_warpgroups
