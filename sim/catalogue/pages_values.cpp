// Values of the pages of a KV cache, and of the sequences that fit into HBM.
#include "sim/catalogue/run_values.h"
#include "sim/programs/page_pool.h"

namespace sim {
namespace {

Explanation explain_blocks(const Simulation& s) {
  Explanation e{{{/*say*/ "full pages of the prefix once, of each prompt once, and the others of each sequence"}}};
  for (const PageDemand& of : page_demands(s.plan.scenario)) {
    e.terms.push_back({"", /*say*/ "pages of the shared prefix", of.shared_by_all(), 1});
    e.terms.push_back({"", /*say*/ "pages of a prompt that its samples share", of.shared_by_samples(), of.prompts});
    e.terms.push_back({"", /*say*/ "pages of a sequence's own", of.own_pages(), of.sequences()});
  }
  return e;
}

Explanation explain_fit(const Simulation& s, const CacheFit& fit) {
  const Scenario& asked = s.plan.scenario;
  const Sentence held(/*say*/ "HBM of the device - weights = {} - {} bytes; activations are left out",
                      asked.gpu->hbm_bytes, asked.weights);
  if (fit.way != CacheWay::paged)
    return {{{/*say*/ "{} tokens are reserved for a sequence, {} bytes in all layers", fit.reserved, fit.bytes}, held}};
  return {
      {{/*say*/ "{} bytes of pages for the {} samples of a prompt in all layers, beside {} bytes of the shared prefix",
        fit.bytes, asked.samples, fit.bytes_of_all},
       held}};
}

Explanation explain_throughput(const Simulation& s, const CacheFit& fit) {
  const Scenario& asked = s.plan.scenario;
  return {{{/*say*/ "{} sequences / (weights read once, {} bytes at {} bytes/s, + {} layers x {} us of attention)",
            fit.sequences, asked.weights, asked.gpu->hbm_bytes_per_second, asked.layers->all(),
            fit.microseconds.value_or(0)}}};
}

void add_fits(const Simulation& s, RunValues& values) {
  for (const CacheFit& fit : s.cache_fits)
    values.number(text("pages.sequences_that_fit.", name_of(fit.way)), fit.sequences,
                  [&s, fit] { return explain_fit(s, fit); });
  for (const CacheFit& fit : s.cache_fits) {
    if (fit.tokens_per_second)
      values.number(text("pages.tokens_per_second.", name_of(fit.way)), *fit.tokens_per_second,
                    [&s, fit] { return explain_throughput(s, fit); });
  }
}

}  // namespace

void add_pages(const Simulation& s, RunValues& values) {
  const std::optional<KvPages> pages = kv_pages_of(s.plan);
  if (!pages) return;
  const KvPages& p = *pages;
  const auto add = [&](const char* leaf, auto value, const Sentence& why) {
    values.number(text("pages.", leaf), value, [why] { return Explanation{{why}}; });
  };
  add("size", p.size, {/*say*/ "tokens of a page: --page-size"});
  values.number("pages.blocks", p.blocks, [&s] { return explain_blocks(s); });
  add("blocks_unshared", p.blocks_unshared, {/*say*/ "pages of each sequence, rounded up, if it shared none"});
  add("copies", p.copies,
      {/*say*/ "a partly filled last page is copied by each sequence that writes to it while others hold it"});
  add("copied_bytes", p.copied.count(),
      {/*say*/ "copies x tokens of a page x KV heads x elements of K and V: read, and as many written, by copies that "
               "are "
               "not kernels of the run"});
  add("filled_share", p.filled_share(),
      {/*say*/ "slots that hold a token / slots of all pages = {} / {}", p.filled, p.slots()});
  add("logical_share", p.logical_share(),
      {/*say*/ "tokens of all sequences / slots of all pages = {} / {}: above 1 if they share", p.tokens, p.slots()});
  add("page_rounding_bytes", p.rounding.count(),
      {/*say*/ "rows of last pages that hold no key x the CTAs that read such a page, K and V; not counted in the "
               "traffic"});
  add_fits(s, values);
}

}  // namespace sim
