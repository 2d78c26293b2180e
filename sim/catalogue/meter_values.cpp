// Values of memory, work and the check of values.
#include <algorithm>

#include "sim/catalogue/run_values.h"
#include "sim/model/kv_cache.h"
#include "sim/model/published_memory.h"

namespace sim {
namespace {

Explanation explain_peak(const Simulation& s, bool extra) {
  const Plan& plan = s.plan_in_memory();
  const LiveTensors peak = memory_peak(plan);
  Explanation e{{extra ? /*say*/ "at the peak, without Q, K, V, O and their gradients, which are the caller's"
                       : /*say*/ "maximum over kernels of the live tensors"}};
  for (const Tensor name : peak.tensors) {
    if (extra && owned_by_caller(name)) continue;
    e.terms.push_back({peak.kernel, std::string(name_of(name)), total_bytes(plan, name).count(), 1});
  }
  if (s.gpus && s.gpus->run.kept.count() > 0)
    e.terms.push_back({"", /*say*/ "what travels, once more, and merged O and L", s.gpus->run.kept.count(), 1});
  return e;
}

Explanation explain_sram(const Simulation& s) {
  Explanation kernels;
  for (const Trace& trace : s.traces)
    kernels.formula.push_back(Sentence("{}: {}", trace.kernel, trace.peak_smem.count()));
  return kernels;
}

Explanation explain_capacity(const Simulation& s) {
  const char* what = s.plan.scenario.sram    ? "--sram"
                     : s.plan.capacity.paper ? "l1_smem_bytes_per_sm"
                                             : "smem_bytes_per_cta";
  return {{{/*say*/ "{} of the device {}", what, s.plan.scenario.gpu->name}}};
}

void add_published_memory(const Simulation& s, RunValues& values) {
  const std::string path = "memory.published";
  const auto published = published_memory(s.plan);
  if (!published) return values.text(path, {});
  values.number(path + ".bytes", published->bytes.count(), [published] {
    Explanation e{{{"{} ({})", published->equation, published->source}}};
    e.formula.insert(e.formula.end(), published->differences.begin(), published->differences.end());
    return e;
  });
  values.text(path + ".equation", published->equation);
  values.text(path + ".source", published->source);
  values.text(path + ".differences", published->differences);
}

std::string layer_words(const Layers& layers) {
  std::string counts;
  for (const LayerKind& kind : layers.kinds) counts += (counts.empty() ? "" : " + ") + std::to_string(kind.count);
  return counts;
}

/// One term for each kind of layers, with a token or with the keys that it keeps of a sequence of `keys`.
std::vector<DerivationTerm> layer_terms(const Scenario& asked, const Layers& layers, std::int64_t keys) {
  std::vector<DerivationTerm> terms;
  for (const LayerKind& kind : layers.kinds) {
    const Sentence what = kind.kept == KeptKeys::all      ? Sentence{/*say*/ "layers that keep all keys"}
                               : kind.kept == KeptKeys::window ? Sentence{/*say*/ "layers with a window"}
                                                               : Sentence{/*say*/ "layers with chunks of keys"};
    terms.push_back({"", what, product(bytes_of_token(kind, asked), keys_kept(kind, keys)), kind.count});
  }
  return terms;
}

Explanation explain_token(const Simulation& s, const KvCache& cache) {
  const Scenario& asked = s.plan.scenario;
  const auto& kinds = cache.layers.kinds;
  if (std::any_of(kinds.begin(), kinds.end(), [](const LayerKind& k) { return k.kv_heads || k.head_dim; }))
    return {{{/*say*/ "2 x KV heads x d x bytes of an element, of each layer"}}, layer_terms(asked, cache.layers, 1)};
  if (kinds.size() == 1 && kinds.front().latent)
    return {{{/*say*/ "layers x elements of a latent row x bytes of an element = {} x {} x {}", kinds.front().count,
              *kinds.front().latent, size_of(asked.dtype)}}};
  if (shares_kv(asked))
    return {{{/*say*/ "layers x KV heads x d of K, which holds V, x bytes of an element = {} x {} x {} x {}",
              layer_words(cache.layers), asked.shape.kv_heads, asked.shape.head_dim, size_of(asked.dtype)}}};
  if (const auto [d, dv] = asked.shape.head_dims(); d != dv)
    return {{{/*say*/ "layers x KV heads x (d of K + d of V) x bytes of an element = {} x {} x ({} + {}) x {}",
              layer_words(cache.layers), asked.shape.kv_heads, d, dv, size_of(asked.dtype)}}};
  return {{{/*say*/ "2 x layers x KV heads x d x bytes of an element = 2 x {} x {} x {} x {}",
            layer_words(cache.layers), asked.shape.kv_heads, asked.shape.head_dim, size_of(asked.dtype)}}};
}

Explanation explain_sequence(const Simulation& s, const KvCache& cache) {
  return {{{/*say*/ "bytes per token of the layers x the keys that each keeps"}},
          layer_terms(s.plan.scenario, cache.layers, s.plan.scenario.shape.seqlen_k)};
}

void add_kv_cache(const Simulation& s, RunValues& values) {
  const auto cache = kv_cache_of(s.plan.scenario);
  if (!cache) return;
  const std::string path = "memory.kv_cache.";
  values.number(path + "layers", cache->layers.all(), [cache] {
    return Explanation{{{/*say*/ "{} layers of the model; traffic, work, time and peak memory are those of one layer",
                         layer_words(cache->layers)}}};
  });
  values.number(path + "bytes_per_token", cache->bytes_per_token, [&s, cache] { return explain_token(s, *cache); });
  values.number(path + "bytes_per_sequence", cache->bytes_per_sequence,
                [&s, cache] { return explain_sequence(s, *cache); });
  values.number(path + "bytes", cache->bytes, [&s, cache] {
    if (cache->shared_bytes > 0)
      return Explanation{{{/*say*/ "bytes per sequence x {} sequences - {} bytes that lie in pages of another sequence",
                           s.plan.problem.shape.batch, cache->shared_bytes}}};
    return Explanation{{{/*say*/ "bytes per sequence x batch {}", s.plan.problem.shape.batch}}};
  });
  values.number(path + "sequences_that_fit", cache->sequences_that_fit, [&s, cache] {
    return Explanation{
        {{/*say*/ "HBM of the device / bytes per sequence = {} / {}; weights and activations are left out",
          s.plan.scenario.gpu->hbm_bytes, cache->bytes_per_sequence}}};
  });
}

Explanation explain_work(const Simulation& s, const std::string& quantity, std::int64_t Event::*member) {
  Explanation e;
  std::vector<WorkTerm> terms = closed_form_work(s.plan);
  std::erase_if(terms, [&](const WorkTerm& term) { return term.quantity != quantity; });
  for (const WorkTerm& term : terms) {
    e.formula.emplace_back("{} {}: {} = {}", term.kernel, term.what, equation_of(term), term.count);
  }
  explain_symbols(e.formula, terms);
  if (!has_closed_forms(s.plan)) e.formula.push_back(no_closed_form);
  e.terms = event_terms(s, [=](const Event& event) { return event.*member; });
  return e;
}

void add_errors(RunValues& values, const std::string& path, const ValueCheck& check, const Sentence& rule) {
  const auto explain = [rule] { return Explanation{{rule}}; };
  values.number(path + ".max_abs_error", check.max_abs_error, explain);
  values.number(path + ".max_rel_error", check.max_rel_error, explain);
}

}  // namespace

void add_memory(const Simulation& s, RunValues& values) {
  const std::string path = "memory.";
  values.number(path + "peak_hbm_bytes", s.memory.peak_hbm.count(), [&s] { return explain_peak(s, false); });
  values.number(path + "extra_hbm_bytes", s.memory.extra_hbm.count(), [&s] { return explain_peak(s, true); });
  values.number(path + "peak_sram_bytes", s.memory.peak_sram.count(), [&s] { return explain_sram(s); });
  values.number(path + "sram_capacity_bytes", s.memory.sram_capacity.count(), [&s] { return explain_capacity(s); });
  add_kv_cache(s, values);
  add_published_memory(s, values);
}

void add_work(const Simulation& s, RunValues& values) {
  const auto add = [&](const std::string& quantity, std::int64_t value, std::int64_t Event::*member) {
    values.number("work." + quantity, value, [&s, quantity, member] { return explain_work(s, quantity, member); });
  };
  add("matmul_flops", s.totals.matmul_flops.count(), &Event::matmul_flops);
  add("other_flops", s.totals.other_flops.count(), &Event::other_flops);
  add("exp_count", s.totals.exps.count(), &Event::exps);
  if (s.plan.problem.modified()) add("tanh_count", s.totals.tanhs.count(), &Event::tanhs);
}

void add_check(const Simulation& s, RunValues& values) {
  if (!s.check) return values.text("check", {});
  const Sentence rule =
      /*say*/ "values of all heads against attention in double precision; relative to the largest |reference|";
  add_errors(values, "check", s.check->worst(), {/*say*/ "the largest error of {}", rule});
  for (const auto& [name, check] : s.check->by_tensor)
    add_errors(values, text("check.by_tensor.", name_of(name)), check, rule);
  if (s.check->of_unquantised)
    values.number("values.rmse", s.check->of_unquantised->root_mean(), [] {
      return Explanation{{/*say*/ "root of the mean square of O - attention in double precision, of Q, K and V as they "
                                  "were before e4m3: what quantisation and the kernel cost together"}};
    });
}

}  // namespace sim
