#include "viz/results/npy_tensor.h"

#include "viz/results/packed_rows.h"

namespace results {

NpyTensor npy_tensor(const ValueRequest& request, const sim::Plan& plan, sim::Tensor name, std::vector<float> values) {
  if (plan.classes == nullptr)
    return {npy_axes(plan, name, request.layout, request.output_rank),
            to_layout(request.layout, npy_sizes(plan, name), std::move(values))};
  const sim::Shape& shape = plan.scenario.shape;
  const sim::SequenceClasses& classes = *plan.scenario.sequences;
  const std::int64_t heads = plan.problem.hbm[name].per_kv_head() ? shape.kv_heads : shape.heads;
  const std::int64_t cols = sim::is_statistic(name) ? 1 : shape.head_dim;
  NpyTensor packed{{packed_rows(classes, name), heads}, to_packed(classes, name, heads, cols, values)};
  if (!sim::is_statistic(name)) packed.axes.push_back(cols);
  return packed;
}

}  // namespace results
