#include "sim/model/kv_pages.h"

#include <algorithm>
#include <bit>

#include "sim/machine/device_fields.h"
#include "sim/model/kv_cache.h"
#include "sim/model/simulation.h"
#include "sim/programs/page_pool.h"
#include "sim/programs/steps.h"

namespace sim {
namespace {

/// Rows of the last page of a sequence that hold no key.
std::int64_t empty_rows(const Plan& of_class) {
  const std::int64_t page = of_class.problem.pages->rows, keys = of_class.problem.shape.seqlen_k;
  return ceil_div(keys, page) * page - keys;
}

/// Bytes of K and V of the rows that a kernel would read in addition, if it read the last tile to the end of its page.
Bytes rounding_of(const Plan& of_class, const Launch& launch) {
  const Shape& shape = of_class.problem.shape;
  const GridShape& grid = launch.grid;
  const Interval tile{(shape.seqlen_k - 1) / grid.bc * grid.bc, shape.seqlen_k};
  const Interval queries = grid.skips ? shape.live_queries(tile) : Interval{0, shape.seqlen_q};
  if (queries.empty()) return {};
  const std::int64_t readers = Blocking{shape.seqlen_q, grid.br}.touching(queries).size();
  const auto [d, dv] = shape.head_dims();
  return Bytes(product(empty_rows(of_class), readers, shape.batch, shape.heads, shape.kv_shared ? d : d + dv,
                       size_of(of_class.problem.dtype)));
}

Bytes rounding_of(const Plan& of_class) {
  Bytes bytes;
  for (const Launch& launch : of_class.launches) {
    if (launch.reads(Tensor::K)) bytes += rounding_of(of_class, launch);
  }
  return bytes;
}

/// Tokens that all layers keep of a sequence, in bytes.
std::int64_t bytes_of_tokens(const Scenario& s, std::int64_t tokens) {
  std::int64_t bytes = 0;
  for (const LayerKind& kind : s.layers->kinds)
    bytes = checked_add(bytes, product(bytes_of_token(kind, s), kind.count, keys_kept(kind, tokens)));
  return bytes;
}

/// In pages: a prompt with its samples shares them in layers that keep all keys.
CacheFit paged_fit(const Scenario& s) {
  CacheFit fit;
  const PageDemand demand = page_demands(s).front();
  const std::int64_t tokens = checked_add(demand.prompt, demand.own);
  fit.reserved = checked_multiply(ceil_div(tokens, demand.rows), demand.rows);
  for (const LayerKind& kind : s.layers->kinds) {
    const std::int64_t page = product(bytes_of_token(kind, s), kind.count, demand.rows);
    const std::int64_t apart = checked_multiply(demand.samples, ceil_div(keys_kept(kind, tokens), demand.rows));
    const bool shares = kind.kept == KeptKeys::all;
    fit.bytes_of_all = checked_add(fit.bytes_of_all, shares ? checked_multiply(page, demand.shared_by_all()) : 0);
    fit.bytes = checked_add(fit.bytes, checked_multiply(page, shares ? demand.blocks_of_prompt() : apart));
  }
  return fit;
}

CacheFit fit_of(const Scenario& s, CacheWay way) {
  const PageDemand demand = page_demands(s).front();
  const std::int64_t tokens = checked_add(demand.prompt, demand.own);
  if (way == CacheWay::paged) return paged_fit(s);
  CacheFit fit;
  fit.way = way;
  fit.reserved = way == CacheWay::power_of_two
                     ? static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(tokens)))
                 : way == CacheWay::longest ? *s.context
                                            : tokens;
  fit.bytes = bytes_of_tokens(s, fit.reserved);
  return fit;
}

/// The scenario with as many sequences as fit; only pages are shared.
Scenario with_sequences(Scenario s, const CacheFit& fit) {
  s.layers.reset();
  if (fit.way != CacheWay::paged) s = with_entry_per_sample(std::move(s));
  s.shape.batch = fit.sequences / s.samples;
  return s;
}

void add_throughput(const Scenario& s, CacheFit& fit) {
  fit.tokens_per_second = 0;
  if (fit.sequences == 0) return;
  Plan plan = make_plan(with_sequences(s, fit));
  plan.scenario.steps = 0;  // of steps the last one
  std::vector<Trace> traces = count(plan);
  fit.microseconds = read_meters(std::move(plan), std::move(traces)).microseconds;
  const double weights = static_cast<double>(s.weights) / static_cast<double>(s.gpu->hbm_bytes_per_second);
  const double step = weights + static_cast<double>(s.layers->all()) * *fit.microseconds * 1e-6;
  fit.tokens_per_second = static_cast<double>(fit.sequences) / step;
}

bool decodes(const Scenario& s) {
  return s.shape.seqlen_q == 1 && s.pass == Pass::forward && is_drawn(s.inputs) && has_time(*s.gpu);
}

}  // namespace

std::optional<KvPages> kv_pages_of(const Plan& plan) {
  if (!plan.problem.paged()) return std::nullopt;
  KvPages pages;
  for (const PageDemand& demand : page_demands(plan.scenario)) {
    pages.size = demand.rows;
    pages.blocks = checked_add(pages.blocks, demand.blocks());
    pages.blocks_unshared = checked_add(pages.blocks_unshared, demand.blocks_unshared());
    pages.copies = checked_add(pages.copies, demand.copies());
    pages.filled = checked_add(pages.filled, demand.filled());
    pages.tokens = checked_add(pages.tokens, demand.tokens());
  }
  const Shape& shape = plan.problem.shape;
  const auto [d, dv] = shape.head_dims();
  pages.copied = Bytes(
      product(pages.copies, pages.size, shape.kv_heads, shape.kv_shared ? d : d + dv, size_of(plan.problem.dtype)));
  for (const Plan& c : classes_of(plan)) {
    if (plan.scenario.steps == 0) pages.rounding += rounding_of(c);
  }
  if (plan.scenario.steps > 0)
    each_step(plan, [&](const Plan& step, std::int64_t times) { pages.rounding += rounding_of(step) * times; });
  return pages;
}

std::string_view name_of(CacheWay way) {
  constexpr std::string_view names[] = {"paged", "power_of_two", "longest", "exact"};
  return names[static_cast<int>(way)];
}

std::vector<CacheFit> cache_fits(const Scenario& s) {
  std::vector<CacheFit> fits;
  if (!s.page_size || !s.layers || s.sequences != nullptr) return fits;
  const std::int64_t left = std::max<std::int64_t>(0, s.gpu->hbm_bytes - s.weights);
  for (const CacheWay way : {CacheWay::paged, CacheWay::power_of_two, CacheWay::longest, CacheWay::exact}) {
    if (way == CacheWay::longest && !s.context) continue;
    CacheFit& fit = fits.emplace_back(fit_of(s, way));
    const std::int64_t sharers =
        std::max<std::int64_t>(0, left - fit.bytes_of_all) / std::max<std::int64_t>(1, fit.bytes);
    fit.sequences = way == CacheWay::paged ? checked_multiply(sharers, s.samples) : sharers;
    if (decodes(s)) add_throughput(s, fit);
  }
  return fits;
}

}  // namespace sim
