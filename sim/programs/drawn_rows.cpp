#include "sim/programs/drawn_rows.h"

#include <algorithm>

namespace sim {

DrawnRows::DrawnRows(const Plan& plan, std::int64_t head, DrawnTensor tensor)
    : dtype_(plan.problem.dtype), seed_(plan.scenario.seed), tensor_(tensor), cols_(plan.problem.shape.head_dim) {
  const Shape& s = plan.problem.shape;
  const bool of_queries = tensor == DrawnTensor::Q || tensor == DrawnTensor::dO;
  const std::int64_t kv_head = head / s.heads * s.kv_heads + s.kv_head_of(head % s.heads);
  rows_ = of_queries ? s.seqlen_q : s.seqlen_k;
  first_row_ = (of_queries ? head : kv_head) * rows_;
}

const float* DrawnRows::row(std::int64_t index) {
  if (index / page_rows != newest_) values_ = page(newest_ = index / page_rows);
  return values_ + index % page_rows * cols_;
}

const float* DrawnRows::page(std::int64_t index) {
  const auto known = pages_.find(index);
  if (known != pages_.end()) return known->second.data();
  const Interval rows{index * page_rows, std::min(rows_, (index + 1) * page_rows)};
  if (!order_.empty() && bytes() + 4 * page_rows * cols_ > most_bytes) {
    pages_.erase(order_.front());
    order_.pop_front();
  }
  order_.push_back(index);
  drawn_ += rows.size() * cols_;
  std::vector<float>& values = pages_[index];
  values = draw_elements({(first_row_ + rows.begin) * cols_, (first_row_ + rows.end) * cols_}, dtype_, seed_, tensor_);
  return values.data();
}

std::int64_t DrawnRows::bytes() const { return static_cast<std::int64_t>(pages_.size()) * page_rows * cols_ * 4; }

}  // namespace sim
