#include "viz/model/head_values.h"

#include <algorithm>

namespace explorer {

/// Where one CTA goes over all row blocks, each has its part of the memory, so that all can be come back to.
std::shared_ptr<RowValues> HeadValues::row(std::int64_t row) {
  const sim::Plan& plan = run_->simulation.plan;
  const sim::GridShape grid = plan.launches[kernel_].grid;
  const std::int64_t blocks = grid.cuts_rows() ? 1 : sim::ceil_div(plan.problem.shape.seqlen_q, grid.br);
  const std::int64_t most = std::min(RowHistory::most_bytes, most_bytes / blocks);
  return rows_.get(row, [&] { return std::make_shared<RowValues>(run_, kernel_, head_, row, most); });
}

std::shared_ptr<RowsTask> HeadValues::numbers(std::int64_t row) {
  const sim::Plan& plan = run_->simulation.plan;
  const sim::Interval queries = queries_needed(plan, plan.launches[kernel_], row);
  const std::int64_t key = queries.begin * plan.problem.shape.seqlen_q + queries.size();
  return numbers_.get(key, [&] { return make_rows(run_, kernel_, head_, row); });
}

}  // namespace explorer
