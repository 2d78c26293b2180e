#include "sim/model/several_gpus.h"

#include <algorithm>

#include "sim/base/interrupt.h"
#include "sim/model/live_tiles.h"
#include "sim/programs/gpus.h"
#include "sim/programs/run.h"

namespace sim {
namespace {

/// The scenario of one GPU on some of the queries and keys.
Scenario kind_with(const Scenario& all, std::int64_t queries, std::int64_t keys, bool causal) {
  Scenario kind = all;
  kind.gpus = 1;
  kind.layers.reset();
  if (!is_drawn(kind.inputs)) kind.inputs = InputRule::drawn;
  kind.shape.seqlen_q = queries;
  kind.shape.seqlen_k = keys;
  kind.shape.mask.causal = causal;
  kind.shape.mask.diagonal = DiagonalFrom::bottom_right;
  return kind;
}

std::vector<Scenario> kinds_of(const Scenario& s) {
  const std::int64_t tokens = s.shape.seqlen_k, n = tokens / s.gpus;
  if (s.parallel == Parallel::ulysses) {
    Scenario kind = kind_with(s, tokens, tokens, s.shape.mask.causal);
    kind.shape.heads /= s.gpus;
    kind.shape.kv_heads /= s.gpus;
    return {kind};
  }
  if (s.parallel == Parallel::gather) {
    std::vector<Scenario> kinds;
    for (std::int64_t r = 0; r < (s.shape.mask.causal ? s.gpus : 1); ++r)
      kinds.push_back(kind_with(s, n, s.shape.mask.causal ? (r + 1) * n : tokens, s.shape.mask.causal));
    return kinds;
  }
  if (!s.shape.mask.causal) return {kind_with(s, n, n, false)};
  const Scenario own = kind_with(s, n, n, true);
  if (s.parallel == Parallel::ring) return {own, kind_with(s, n, n, false)};
  if (s.parallel == Parallel::zigzag) return {own, kind_with(s, n, n / 2, false), kind_with(s, n / 2, n, false)};
  if (n == 1) return {own};  // no key is before the one query
  return {own, kind_with(s, n, n - 1, true)};
}

/// Bytes of K and V of some tokens, all KV heads.
Bytes kv_bytes(const Scenario& s, std::int64_t tokens) {
  const Shape& shape = s.shape;
  return Bytes(product(shape.batch, tokens, shape.kv_heads, shape.head_dim + shape.value_dim(), size_of(s.dtype)));
}

/// Bytes of rows of all query heads: elements of each, of a size.
Bytes row_bytes(const Shape& shape, std::int64_t rows, std::int64_t elements, std::int64_t size) {
  return Bytes(product(shape.batch, rows, shape.heads, elements, size));
}

double as_number(std::int64_t n) { return static_cast<double>(n); }

GpuKind measured_kind(const Scenario& scenario) {
  check_interrupt();
  GpuKind kind{.plan = make_plan(scenario)};
  kind.traces = count(kind.plan);
  for (std::size_t k = 0; k < kind.traces.size(); ++k) {
    kind.kernels.push_back(measure(kind.plan, kind.plan.launches[k], kind.traces[k]));
    kind.microseconds += kind.kernels.back().time.microseconds;
  }
  const Shape& shape = kind.plan.problem.shape;
  const GridShape& grid = kind.plan.launches.front().grid;
  kind.pairs = pairs_of_kind(shape);
  kind.elements = product(shape.batch, shape.heads, sum_live_tiles(shape, grid.br, grid.bc, shape.seqlen_q).elements);
  kind.merge_microseconds = 1e6 * as_number(merged_bytes(shape).count()) /
                            known_number(*scenario.gpu, &DeviceSpec::hbm_measured_bytes_per_second);
  return kind;
}

/// True if a kind has more pairs than another one, or takes longer for as many.
bool is_slower(const GpuKind& a, const GpuKind& b) {
  if (a.pairs != b.pairs) return a.pairs > b.pairs;
  return a.microseconds + a.merge_microseconds > b.microseconds + b.merge_microseconds;
}

/// Adds the steps of the slowest GPU of each.
void add_timeline(const DeviceSpec& gpu, GpuMeters& m) {
  const double beside = transfer_microseconds(gpu, m.run.sent_beside);
  for (std::int64_t step = 0; step < m.run.steps; ++step) {
    const int first = m.run.kind_of(step, 0), last = m.run.kind_of(step, m.run.gpus - 1);
    const auto of = [&](int kind) -> GpuKind& { return m.kinds[static_cast<std::size_t>(kind)]; };
    for (const int kind : {first, last}) {
      if (kind >= 0 && of(kind).traces.empty()) of(kind) = measured_kind(m.run.kinds[static_cast<std::size_t>(kind)]);
    }
    const int slowest = last < 0 || (first >= 0 && is_slower(of(first), of(last))) ? first : last;
    if (slowest < 0) continue;
    const GpuKind& kind = of(slowest);
    ++m.times[static_cast<std::size_t>(slowest)];
    m.pairs = checked_add(m.pairs, kind.pairs);
    m.elements = checked_add(m.elements, kind.elements);
    const bool merges = step > 0;
    if (merges) m.merged += merged_bytes(kind.plan.problem.shape);
    const double merge = merges ? kind.merge_microseconds : 0;
    m.merge_microseconds += merge;
    m.timeline.push_back({slowest, kind.microseconds + merge, step + 1 < m.run.steps ? beside : 0});
  }
}

void add_transfer(const DeviceSpec& gpu, Bytes bytes, GpuMeters& m) {
  if (bytes.count() > 0) m.timeline.push_back({-1, 0, transfer_microseconds(gpu, bytes)});
}

}  // namespace

int GpuRun::kind_of(std::int64_t step, std::int64_t gpu) const {
  if (kinds.size() == 1 && parallel != Parallel::striped) return 0;
  if (parallel == Parallel::gather) return static_cast<int>(gpu);
  const std::int64_t from = (gpu - step + gpus) % gpus;  // GPU whose keys it has
  if (from == gpu) return 0;
  if (parallel == Parallel::ring) return from < gpu ? 1 : -1;
  if (parallel == Parallel::zigzag) return from < gpu ? 1 : 2;
  const bool dense = !kinds.front().shape.mask.causal;
  return from < gpu || dense ? 0 : kinds.size() > 1 ? 1 : -1;
}

GpuRun gpu_run(const Scenario& s) {
  const std::int64_t tokens = s.shape.seqlen_k, n = tokens / s.gpus;
  const Bytes slice = kv_bytes(s, n);
  GpuRun run{.parallel = s.parallel, .gpus = s.gpus, .kinds = kinds_of(s)};
  if (s.parallel == Parallel::gather) {
    run.sent_before = slice * (s.gpus - 1);
    run.held = slice * s.gpus;
    return run;
  }
  run.held = slice * 2;
  run.kept = slice;
  if (s.parallel == Parallel::ulysses) {  // of each head's tokens it keeps a Pth
    const Bytes q = row_bytes(s.shape, n, s.shape.head_dim, size_of(s.dtype)),
                o = row_bytes(s.shape, n, s.shape.value_dim(), size_of(s.dtype));
    run.sent_before = Bytes((slice + q).count() / s.gpus) * (s.gpus - 1);
    run.sent_after = Bytes(o.count() / s.gpus) * (s.gpus - 1);
    run.kept += q + o;
    return run;
  }
  run.steps = s.gpus;
  run.sent_beside = slice;
  run.kept += row_bytes(s.shape, n, s.shape.value_dim() + 1, size_of(Dtype::fp32));
  return run;
}

std::int64_t pairs_of_kind(const Shape& shape) {
  const std::int64_t queries = shape.seqlen_q, keys = shape.seqlen_k;
  const std::int64_t hidden = shape.mask.causal ? queries * (queries - 1) / 2 : 0;  // of the last `queries` keys
  const std::int64_t seen = keys >= queries || !shape.mask.causal ? checked_multiply(queries, keys) - hidden
                                                                  : checked_multiply(keys, keys + 1) / 2;
  return product(shape.batch, shape.heads, seen);
}

Bytes merged_bytes(const Shape& shape) {
  return row_bytes(shape, shape.seqlen_q, shape.value_dim() + 1, 2 * size_of(Dtype::fp32));
}

double transfer_microseconds(const DeviceSpec& gpu, Bytes bytes) {
  if (bytes.count() == 0) return 0;
  return 1e6 * as_number(bytes.count()) / as_number(gpu.link_bytes_per_second) +
         1e-3 * as_number(gpu.link_latency_nanoseconds);
}

double GpuMeters::balance() const { return as_number(all_pairs) / (as_number(run.gpus) * as_number(pairs)); }

GpuMeters measure_gpus(const Scenario& given) {
  const Scenario s = make_plan(given).scenario;  // checked, with its sizes
  GpuMeters m{.run = gpu_run(s)};
  m.kinds.resize(m.run.kinds.size());
  m.times.assign(m.run.kinds.size(), 0);
  m.all_pairs = pairs_of_kind(s.shape);
  add_transfer(*s.gpu, m.run.sent_before, m);
  add_timeline(*s.gpu, m);
  add_transfer(*s.gpu, m.run.sent_after, m);
  for (const GpuStep& step : m.timeline) m.exposed_microseconds += step.exposed();
  return m;
}

std::size_t main_kind(const GpuMeters& m) {
  std::size_t main = 0;
  const auto share = [&](std::size_t kind) { return as_number(m.times[kind]) * as_number(m.kinds[kind].elements); };
  for (std::size_t kind = 1; kind < m.kinds.size(); ++kind) {
    if (share(kind) > share(main)) main = kind;
  }
  return main;
}

}  // namespace sim
