// Appends the newest row of K and of V to the cache, before a step of decoding attends to it. A CTA takes a sequence,
// and copies the rows of all its KV heads, 16 at a time. With pages it looks up the page that they lie in.
// Source: reshape_and_cache of vLLM, which has a CTA for each token.
#include "sim/programs/kernel_form.h"
#include "sim/programs/launches.h"
#include "sim/programs/steps.h"
namespace sim {
namespace {
const Tensor K_new =
    declare_tensor({.name = "K_new", .owner = Owner::kv_head, .rows = extents::one, .family = Tensor::K});
const Tensor V_new = declare_tensor(
    {.name = "V_new", .owner = Owner::kv_head, .rows = extents::one, .cols = extents::dv, .family = Tensor::V});
Block last_key(const Problem& p) { return make_block({p.shape.seqlen_k, 1}, p.shape.seqlen_k - 1, Origin::whole); }
// clang-format off
void append(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block n = last_key(p);                                // the new key
  if (p.paged()) cta.load_vec(pages_of(hbm.block_table, n));  // its page                 (1)
  for (const Block& h : cta.chunks(p.shape.kv_heads, 16)) {   // KV heads of the sequence
    SmemTile K = cta.load(block(hbm[K_new], h));              // k of the new token       (16, d)
    cta.store(K, block(hbm.K, h));                            // the last row of their K  (16, d)
    SmemTile V;
    if (!p.kv_shared()) V = cta.load(block(hbm[V_new], h));   // v of the new token       (16, d)
    if (!p.kv_shared()) cta.store(V, block(hbm.V, h));        // the last row of their V  (16, d)
  }
}
// clang-format on
KernelForm append_form(const Problem& p) {
  using namespace form;
  KernelForm copies{{{K_new, read, matrix, "B Hk d e"}, {Tensor::K, write, matrix, "B Hk d e"}}, {}};
  if (p.paged()) copies.traffic.push_back({Tensor::block_table, read, matrix, "4 B"});
  if (p.kv_shared()) return copies;
  copies.traffic.push_back({V_new, read, matrix, "B Hk dv e"});
  copies.traffic.push_back({Tensor::V, write, matrix, "B Hk dv e"});
  return copies;
}

}  // namespace

Launch append_launch(const Problem& p, const Tiling& tiling) {
  Launch launch{"append", append, GridShape::per_entry(p.shape), 128};
  launch.inputs = {K_new};
  launch.outputs = {Tensor::K};
  if (p.paged()) launch.inputs.push_back(Tensor::block_table);
  if (!p.kv_shared()) {
    launch.inputs.push_back(V_new);
    launch.outputs.push_back(Tensor::V);
  }
  launch.listing = "programs/steps/append.cpp";
  launch.form = append_form;
  launch.tiling = tiling;
  return launch;
}

}  // namespace sim
