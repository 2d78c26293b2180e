#include "kernels/verify/ragged.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/trace/tensors.h"

namespace kernels {
namespace {

/// Rows of one head, summed over all entries.
std::int64_t rows_of(const sim::Plan& plan, sim::Tensor tensor) {
  std::int64_t rows = 0;
  for (const sim::Plan& c : sim::classes_of(plan)) rows += c.problem.shape.batch * c.problem.hbm[tensor].rows;
  return rows;
}

/// Calls f(first row of the entry, number of its query or KV heads, rows of a head) for each batch entry.
template <class F>
void each_entry(const sim::Plan& plan, sim::Tensor tensor, F f) {
  std::int64_t first = 0;
  for (const sim::Plan& c : sim::classes_of(plan)) {
    const sim::HbmTensor& own = c.problem.hbm[tensor];
    const sim::Shape& shape = c.problem.shape;
    for (std::int64_t entry = 0; entry < shape.batch; ++entry, first += own.rows)
      f(first, own.owner_count(shape) / shape.batch, own.rows);
  }
}

/// Calls f(index in entry order, index in packed order) for each row, in units of rows.
template <class F>
void each_row(const sim::Plan& plan, sim::Tensor tensor, F f) {
  const std::int64_t all = rows_of(plan, tensor);
  const bool statistic = sim::is_statistic(tensor);
  std::int64_t place = 0;
  each_entry(plan, tensor, [&](std::int64_t first, std::int64_t heads, std::int64_t rows) {
    for (std::int64_t head = 0; head < heads; ++head) {
      for (std::int64_t row = first; row < first + rows; ++row)
        f(place++, statistic ? head * all + row : row * heads + head);
    }
  });
}

/// Reorders rows from entry order to packed order, or back.
std::vector<float> reordered(const sim::Plan& plan, sim::Tensor tensor, const std::vector<float>& values, bool pack) {
  if (plan.classes == nullptr) return values;
  const std::int64_t cols = plan.problem.hbm[tensor].cols;
  std::vector<float> result(values.size());
  each_row(plan, tensor, [&](std::int64_t entry, std::int64_t place) {
    const std::int64_t from = pack ? entry : place, to = pack ? place : entry;
    std::copy_n(values.begin() + from * cols, cols, result.begin() + to * cols);
  });
  return result;
}

std::int32_t small(std::int64_t size) { return static_cast<std::int32_t>(size); }

}  // namespace

RaggedBatch ragged_batch(const sim::Plan& plan, const sim::Launch& launch) {
  RaggedBatch batch;
  std::int64_t entries = 0;
  for (const sim::Plan& c : sim::classes_of(plan)) {
    const sim::Shape& shape = c.problem.shape;
    batch.classes.push_back({small(entries), small(shape.batch), small(shape.seqlen_q), small(shape.seqlen_k)});
    entries += shape.batch;
    batch.query_rows += shape.batch * shape.seqlen_q;
  }
  const auto loop = launch.grid.cuts_rows() ? &RaggedClass::seqlen_k : &RaggedClass::seqlen_q;
  const auto longer = [loop](const RaggedClass& a, const RaggedClass& b) { return a.*loop > b.*loop; };
  if (plan.scenario.issue == sim::IssueOrder::longest)
    std::stable_sort(batch.classes.begin(), batch.classes.end(), longer);
  return batch;
}

std::vector<std::int32_t> sequence_table(const sim::Plan& plan) {
  std::vector<std::int32_t> table;
  std::int64_t queries = 0, keys = 0;
  for (const sim::Plan& c : sim::classes_of(plan)) {
    const sim::Shape& shape = c.problem.shape;
    for (std::int64_t entry = 0; entry < shape.batch; ++entry) {
      for (const std::int64_t number : {queries, shape.seqlen_q, keys, shape.seqlen_k}) table.push_back(small(number));
      queries += shape.seqlen_q;
      keys += shape.seqlen_k;
    }
  }
  return table;
}

std::vector<float> packed(const sim::Plan& plan, sim::Tensor tensor, const std::vector<float>& values) {
  return reordered(plan, tensor, values, true);
}

std::vector<float> unpacked(const sim::Plan& plan, sim::Tensor tensor, const std::vector<float>& values) {
  return reordered(plan, tensor, values, false);
}

}  // namespace kernels
