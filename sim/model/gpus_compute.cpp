// Values of a run on several GPUs: each computes its slices of the inputs, and merges what it gets in fp32.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/model/several_gpus.h"
#include "sim/programs/run.h"

namespace sim {
namespace {

using Tokens = std::vector<std::int64_t>;

/// Rows of a tensor in memory: which of `all` rows of each head, and of which heads of each batch entry.
struct Slice {
  std::int64_t batch, heads, all, width;
  Interval taken;  ///< heads
  const Tokens& tokens;
};

/// Calls visit(offset of a row in the whole tensor) for each row of a slice, in its order.
template <class Visit>
void each_row_of_slice(const Slice& slice, Visit visit) {
  for (std::int64_t b = 0; b < slice.batch; ++b) {
    for (std::int64_t h = slice.taken.begin; h < slice.taken.end; ++h) {
      for (const std::int64_t token : slice.tokens) visit(((b * slice.heads + h) * slice.all + token) * slice.width);
    }
  }
}

std::vector<float> cut(const std::vector<float>& whole, const Slice& slice) {
  std::vector<float> part;
  each_row_of_slice(
      slice, [&](std::int64_t at) { part.insert(part.end(), whole.begin() + at, whole.begin() + at + slice.width); });
  return part;
}

/// Merges a row of O and its L into what the whole has so far.
void merge_row(float* o, float& l, const float* part, float part_l, std::int64_t width) {
  if (part_l == -std::numeric_limits<float>::infinity()) return;
  const float most = std::max(l, part_l), mine = std::exp(l - most), other = std::exp(part_l - most);
  const float sum = mine + other;
  for (std::int64_t c = 0; c < width; ++c) o[c] = (o[c] * mine + part[c] * other) / sum;
  l = most + std::log(sum);
}

/// The tokens that a kind takes: its last queries, or its first keys.
Tokens last_of(const Tokens& tokens, std::int64_t count) { return {tokens.end() - count, tokens.end()}; }
Tokens first_of(const Tokens& tokens, std::int64_t count) { return {tokens.begin(), tokens.begin() + count}; }

/// All GPUs, one after another, on the inputs of the whole sequence.
class GpuValues {
 public:
  GpuValues(const Scenario& scenario, const AttentionInputs& inputs)
      : shape_(scenario.shape), run_(gpu_run(scenario)), inputs_(inputs) {
    const std::int64_t rows = product(shape_.batch, shape_.heads, shape_.seqlen_q);
    outputs_.o.assign(static_cast<std::size_t>(rows * shape_.value_dim()), 0.0f);
    outputs_.log_sum_exp.assign(static_cast<std::size_t>(rows), -std::numeric_limits<float>::infinity());
    for (const Scenario& kind : run_.kinds) plans_.push_back(make_plan(kind));
  }

  AttentionOutputs compute_all(Dtype dtype) && {
    for (std::int64_t gpu = 0; gpu < run_.gpus; ++gpu) {
      for (std::int64_t step = 0; step < run_.steps; ++step) {
        const int kind = run_.kind_of(step, gpu);
        if (kind >= 0) add(plans_[static_cast<std::size_t>(kind)], gpu, step);
      }
    }
    round_all(dtype, outputs_.o);
    return std::move(outputs_);
  }

 private:
  void add(const Plan& plan, std::int64_t gpu, std::int64_t step) {
    const Shape& part = plan.problem.shape;
    const bool all_keys = run_.parallel == Parallel::gather || run_.parallel == Parallel::ulysses;
    const Tokens own = tokens_of(run_, shape_.seqlen_q, gpu);
    Tokens everything(static_cast<std::size_t>(shape_.seqlen_k));
    std::iota(everything.begin(), everything.end(), 0);
    const Tokens queries = last_of(run_.parallel == Parallel::ulysses ? everything : own, part.seqlen_q);
    const Tokens from = all_keys ? everything : tokens_of(run_, shape_.seqlen_k, (gpu - step + run_.gpus) % run_.gpus);
    const Tokens keys = first_of(from, part.seqlen_k);
    const Interval heads = taken(shape_.heads, part.heads, gpu), kv = taken(shape_.kv_heads, part.kv_heads, gpu);
    const auto rows = [&](const Interval& of, std::int64_t all_heads, std::int64_t width, const Tokens& tokens) {
      return Slice{shape_.batch, all_heads, shape_.seqlen_k, width, of, tokens};
    };
    const AttentionOutputs done = compute(plan, {cut(inputs_.q, rows(heads, shape_.heads, shape_.head_dim, queries)),
                                                 cut(inputs_.k, rows(kv, shape_.kv_heads, shape_.head_dim, keys)),
                                                 cut(inputs_.v, rows(kv, shape_.kv_heads, shape_.value_dim(), keys))});
    merge(done, rows(heads, shape_.heads, 1, queries));
  }

  void merge(const AttentionOutputs& done, const Slice& rows) {
    const std::int64_t width = shape_.value_dim();
    std::int64_t row = 0;
    each_row_of_slice(rows, [&](std::int64_t at) {
      merge_row(outputs_.o.data() + at * width, outputs_.log_sum_exp[static_cast<std::size_t>(at)],
                done.o.data() + row * width, done.log_sum_exp[static_cast<std::size_t>(row)], width);
      ++row;
    });
  }

  /// Heads of a GPU: all, or its share of them.
  static Interval taken(std::int64_t all, std::int64_t of_part, std::int64_t gpu) {
    return of_part == all ? Interval{0, all} : Interval{gpu * of_part, (gpu + 1) * of_part};
  }

  const Shape& shape_;
  GpuRun run_;
  const AttentionInputs& inputs_;
  std::vector<Plan> plans_;
  AttentionOutputs outputs_;
};

}  // namespace

std::vector<std::int64_t> tokens_of(const GpuRun& run, std::int64_t tokens, std::int64_t gpu) {
  const std::int64_t n = tokens / run.gpus, chunk = n / 2;
  Tokens owned;
  for (std::int64_t i = 0; i < n; ++i) {
    if (run.parallel == Parallel::striped)
      owned.push_back(i * run.gpus + gpu);
    else if (run.parallel == Parallel::zigzag && i >= chunk)
      owned.push_back((2 * run.gpus - 1 - gpu) * chunk + i - chunk);
    else
      owned.push_back(gpu * (run.parallel == Parallel::zigzag ? chunk : n) + i);
  }
  return owned;
}

AttentionOutputs compute_on_gpus(const Scenario& scenario, const AttentionInputs& inputs) {
  const Scenario checked = make_plan(scenario).scenario;
  return GpuValues(checked, inputs).compute_all(checked.dtype);
}

}  // namespace sim
