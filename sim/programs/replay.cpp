// Replaying one CTA event by event, and computing the values of all heads.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/programs/launch_cta.h"

namespace sim {
namespace {

bool all_finite(const AttentionInputs& inputs) {
  const auto finite = [](const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(), [](float x) { return x - x == 0.0f; });
  };
  return finite(inputs.q) && finite(inputs.k) && finite(inputs.v);
}

/// The tensors of one head: inputs and outputs point into the arrays of the caller, the rest is here.
class HeadTensors {
 public:
  HeadTensors(const Plan& plan, const AttentionInputs& inputs)
      : problem(plan.problem), inputs_(inputs), nonfinite(!all_finite(inputs)) {
    std::int64_t elements = 0;
    for (const Launch& launch : plan.launches) {
      for (const Tensor name : launch.outputs)
        elements = checked_add(elements, sim::product(problem.hbm[name].rows, problem.hbm[name].cols));
    }
    constexpr std::int64_t limit = std::int64_t{1} << 30;
    require(elements <= limit, "values: one head of ", plan.program->name, " needs ", elements * 4 >> 20,
            " MiB, more than the limit of ", limit * 4 >> 20, " MiB: use --numerics off or a shorter --seqlen");
    for (const Launch& launch : plan.launches) {
      for (const Tensor name : launch.outputs) {
        HbmTensor& tensor = problem.hbm[name];
        storage_.emplace_back(static_cast<std::size_t>(tensor.rows * tensor.cols));
        tensor.values = storage_.back().data();
      }
    }
  }

  void select(std::int64_t batch, std::int64_t head) {
    const Shape& s = problem.shape;
    const std::int64_t kv = (batch * s.kv_heads + s.kv_head_of(head)) * s.seqlen_k * s.head_dim;
    const auto at = [](const std::vector<float>& values, std::int64_t offset) {
      return const_cast<float*>(values.data()) + offset;  // programs only load their inputs
    };
    problem.hbm.Q.values = at(inputs_.q, (batch * s.heads + head) * s.seqlen_q * s.head_dim);
    problem.hbm.K.values = at(inputs_.k, kv);
    problem.hbm.V.values = at(inputs_.v, kv);
  }

  Problem problem;

 private:
  const AttentionInputs& inputs_;
  std::vector<std::vector<float>> storage_;

 public:
  const bool nonfinite;
};

template <class AfterCta>
void compute_kernel(const Plan& plan, const Launch& launch, const HeadTensors& tensors, AfterCta after_cta) {
  Trace unused;
  each_cta(plan.problem.shape, launch.grid, [&](const Block& row, const Block& col) {
    CtaSetup setup = replay_setup(plan, launch, row, col);
    setup.values = true;
    setup.keep_events = false;
    setup.nonfinite = tensors.nonfinite;
    run_cta(plan, launch, setup, tensors.problem, unused);
    after_cta();
  });
}

}  // namespace

Trace replay(const Plan& plan, const Launch& launch, const CtaPlace& place, const AttentionInputs* inputs) {
  const Shape& shape = plan.problem.shape;
  require(place.batch >= 0 && place.batch < shape.batch && place.head >= 0 && place.head < shape.heads,
          "replay: batch ", place.batch, ", head ", place.head, " is outside ", shape.batch, " x ", shape.heads);
  const GridAxes axes = grid_axes(shape, launch.grid);
  require(place.row >= 0 && place.row < axes.rows.count() && place.col >= 0 && place.col < axes.cols.count(),
          "replay: CTA (", place.row, ", ", place.col, ") is outside the grid of ", axes.rows.count(), " x ",
          axes.cols.count());
  CtaSetup setup = replay_setup(plan, launch, axes.row(place.row), axes.col(place.col));
  Trace trace = empty_trace(plan, launch);
  if (inputs == nullptr) {
    run_cta(plan, launch, setup, plan.problem, trace);
    return trace;
  }
  HeadTensors tensors(plan, *inputs);
  tensors.select(place.batch, place.head);
  for (const Launch& earlier : plan.launches) {
    if (&earlier == &launch || earlier.name == launch.name) break;
    compute_kernel(plan, earlier, tensors, [] {});
  }
  setup.values = setup.keep_values = true;
  setup.nonfinite = tensors.nonfinite;
  run_cta(plan, launch, setup, tensors.problem, trace);
  return trace;
}

namespace {

void append(std::vector<float>& all, const HbmTensor& tensor) {
  all.insert(all.end(), tensor.values, tensor.values + tensor.rows * tensor.cols);
}

/// L as the program left it, or m + log l.
void append_log_sum_exp(std::vector<float>& all, const Hbm& hbm) {
  if (hbm.L.values != nullptr) return append(all, hbm.L);
  if (hbm.l.values == nullptr) return;
  for (std::int64_t r = 0; r < hbm.l.rows; ++r) {
    const float l = hbm.l.values[r];
    all.push_back(l == 0.0f ? -std::numeric_limits<float>::infinity() : hbm.m.values[r] + std::log(l));
  }
}

}  // namespace

AttentionOutputs compute(const Plan& plan, const AttentionInputs& inputs, Progress progress) {
  const Shape& shape = plan.problem.shape;
  AttentionOutputs outputs;
  HeadTensors tensors(plan, inputs);
  const std::int64_t heads = checked_multiply(shape.batch, shape.heads);
  std::int64_t done = 0, all = 0;
  for (const Launch& launch : plan.launches) all = checked_add(all, make_grid(shape, launch.grid).ctas());
  const auto report = [&] {
    if (progress != nullptr) progress(++done, all);
  };
  for (std::int64_t index = 0; index < heads; ++index) {
    tensors.select(index / shape.heads, index % shape.heads);
    for (const Launch& launch : plan.launches) compute_kernel(plan, launch, tensors, report);
    append(outputs.o, tensors.problem.hbm.O);
    append_log_sum_exp(outputs.log_sum_exp, tensors.problem.hbm);
  }
  return outputs;
}

}  // namespace sim
