#include "sim/programs/head_tensors.h"

#include <algorithm>
#include <limits>
#include <set>

#include "sim/programs/ragged.h"

namespace sim {
namespace {

bool all_finite(const AttentionInputs& inputs) {
  const auto finite = [](const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(), [](float x) { return x - x == 0.0f; });
  };
  return finite(inputs.q) && finite(inputs.k) && finite(inputs.v) && finite(inputs.d_o);
}

/// True if V is the first columns of K, NaN included.
bool has_values_in_keys(const AttentionInputs& inputs, const Shape& shape) {
  const std::vector<float> expected = values_in(inputs.k, shape.head_dims());
  return std::equal(inputs.v.begin(), inputs.v.end(), expected.begin(), expected.end(),
                    [](float a, float b) { return a == b || (a != a && b != b); });
}

/// Tensors that the kernels of a plan write, each once.
std::vector<Tensor> outputs_of(const Plan& plan) {
  std::set<Tensor> names;
  for (const auto* launches : {&plan.before, &plan.launches, &plan.if_needed}) {
    for (const Launch& launch : *launches) {
      names.insert(launch.outputs.begin(), launch.outputs.end());
      names.insert(launch.scratch.begin(), launch.scratch.end());
    }
  }
  return {names.begin(), names.end()};
}

/// Number of query heads that run together.
std::int64_t group_of(const Plan& plan) {
  const auto by_kv_head = [](const Launch& launch) { return launch.grid.by_kv_head(); };
  const bool together = plan.has_backward() || std::any_of(plan.launches.begin(), plan.launches.end(), by_kv_head);
  return together ? plan.problem.shape.heads / plan.problem.shape.kv_heads : 1;
}

}  // namespace

HeadTensors::HeadTensors(const Plan& plan, const AttentionInputs& inputs)
    : plan_(plan), inputs_(inputs), problem_(plan.problem), nonfinite_(!all_finite(inputs)) {
  require_alike(plan.scenario, "values");
  require(plan.problem.fallback_blocks == 0, "fallback: ", plan.scenario.fallback.value_or(0),
          " counts row blocks without values; with values those out of --range are found: leave it out");
  const Shape& shape = plan.problem.shape;
  group_ = group_of(plan);
  if (plan.has_backward()) {
    const std::int64_t values = product(shape.batch, shape.heads, shape.seqlen_q, shape.value_dim());
    require(std::ssize(inputs.d_o) == values, "values: a backward pass needs dO, ", values,
            " values like O; there are ", inputs.d_o.size());
  }
  const std::int64_t queries = product(shape.batch, shape.heads, shape.seqlen_q, shape.head_dim);
  require(std::ssize(inputs.q) == queries, "values: Q has ", inputs.q.size(), " values, and the run reads ", queries);
  require(!shape.kv_shared || has_values_in_keys(inputs, shape), "values: V is not the first columns of K, as ",
          plan.program->name, " takes it here: give K alone");
  bundles_ = checked_multiply(shape.batch, shape.heads) / group_;
  check_value_size(plan);
  if (plan.problem.fp8()) fp8_ = quantised(plan, inputs);
  for (const Tensor name : outputs_of(plan)) {
    HbmTensor& tensor = problem_.hbm[name];
    storage_.emplace_back(static_cast<std::size_t>(tensor.elements() * copies(tensor)));
    tensor.values = storage_.back().data();
  }
}

void check_value_size(const Plan& plan) {
  if (plan.classes != nullptr) {
    for (const Plan& c : *plan.classes) check_value_size(c);
    return;
  }
  const std::int64_t group = group_of(plan);
  std::int64_t elements = 0;
  for (const Tensor name : outputs_of(plan)) {
    const HbmTensor& tensor = plan.problem.hbm[name];
    elements = checked_add(elements, product(tensor.rows, tensor.cols, tensor.per_kv_head() ? 1 : group));
  }
  constexpr std::int64_t limit = std::int64_t{1} << 30;
  const std::string heads = group == 1 ? "one head" : text(group, " heads that share K and V");
  require(elements <= limit, "values: ", heads, " of ", plan.program->name, " need ", elements * 4 >> 20,
          " MiB, more than the limit of ", limit * 4 >> 20, " MiB: use --numerics off or a shorter --seqlen");
}

/// Copies the rows of a tensor to their pages. Slots that hold no key are NaN, so that reading one shows.
void HeadTensors::place_in_pages(HbmTensor& tensor, std::vector<float>& pool) const {
  tensor.pages = &pages_;
  if (tensor.rows == 0) return;  // V that is a part of K
  pool.assign(static_cast<std::size_t>(tensor.stored_rows() * tensor.cols), std::numeric_limits<float>::quiet_NaN());
  for (std::int64_t row = 0; row < tensor.rows; ++row) {
    const std::int64_t at = pages_.physical_row(row) * tensor.cols;
    std::copy_n(tensor.values + row * tensor.cols, tensor.cols, pool.data() + at);
  }
  tensor.values = pool.data();
}

void HeadTensors::select(std::int64_t bundle) {
  bundle_ = bundle;
  const Shape& s = problem_.shape;
  const std::int64_t head = bundle * group_, batch = head / s.heads;
  const std::int64_t kv_head = batch * s.kv_heads + s.kv_head_of(head % s.heads);
  const auto at = [](const std::vector<float>& values, std::int64_t offset) {
    return const_cast<float*>(values.data()) + offset;  // programs only load their inputs
  };
  problem_.hbm.Q.values = at(read().q, head * problem_.hbm.Q.elements());
  problem_.hbm.K.values = at(read().k, kv_head * problem_.hbm.K.elements());
  problem_.hbm.V.values = at(read().v, kv_head * problem_.hbm.V.elements());
  if (fp8_) {
    problem_.hbm.q_scale.values = at(fp8_->q_scale, head * problem_.hbm.q_scale.elements());
    problem_.hbm.k_scale.values = at(fp8_->k_scale, kv_head * problem_.hbm.k_scale.elements());
    problem_.hbm.v_scale.values = at(fp8_->v_scale, kv_head * problem_.hbm.v_scale.elements());
  }
  if (problem_.paged()) {
    pages_ = drawn_page_table(problem_.pages->rows, problem_.hbm.block_table.rows, plan_.scenario.seed, batch);
    place_in_pages(problem_.hbm.K, paged_k_);
    place_in_pages(problem_.hbm.V, paged_v_);
  }
  if (plan_.has_backward()) problem_.hbm.dO.values = at(inputs_.d_o, head * problem_.hbm.dO.elements());
}

Problem HeadTensors::problem_of(std::int64_t head) const {
  Problem seen = problem_;
  for (const Tensor name : hbm_tensors()) {
    HbmTensor& tensor = seen.hbm[name];
    if (tensor.values != nullptr && !tensor.per_kv_head()) tensor.values += head * tensor.elements();
  }
  return seen;
}

void HeadTensors::prepare(CtaSetup& setup, std::int64_t head) const {
  setup.values = true;
  setup.nonfinite = nonfinite_;
  setup.head = bundle_ * group_ + head;
}

std::span<const float> HeadTensors::values_of(Tensor name) const {
  const HbmTensor& tensor = problem_.hbm[name];
  if (tensor.values == nullptr) return {};
  return {tensor.values, static_cast<std::size_t>(tensor.elements() * copies(tensor))};
}

void HeadTensors::run_quietly(const Launch& launch, const Problem& seen, std::int64_t head, const Block& row,
                              const Block& col, FirstNonfinite* watch) const {
  CtaSetup setup = replay_setup(plan_, launch, row, col);
  setup.keep_events = false;
  setup.watch = watch;
  prepare(setup, head);
  Trace unused;
  run_cta(plan_, launch, setup, seen, unused);
}

}  // namespace sim
