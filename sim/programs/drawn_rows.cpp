#include "sim/programs/drawn_rows.h"

#include <algorithm>

#include "sim/base/worked_example.h"

namespace sim {

namespace {

std::vector<float> elements_of(const AttentionInputs& inputs, Interval elements, DrawnTensor tensor,
                               const char* source) {
  constexpr std::vector<float> AttentionInputs::*members[] = {&AttentionInputs::q, &AttentionInputs::k,
                                                              &AttentionInputs::v, &AttentionInputs::d_o};
  const std::vector<float>& values = inputs.*members[static_cast<int>(tensor)];
  require(elements.begin >= 0 && elements.end <= std::ssize(values), "inputs: elements ", elements.begin, " to ",
          elements.end - 1, " are outside ", source);
  return {values.begin() + elements.begin, values.begin() + elements.end};
}

}  // namespace

std::vector<float> input_elements(const Scenario& s, Interval elements, DrawnTensor tensor) {
  if (s.inputs == InputRule::drawn) return draw_elements(elements, s.dtype, s.seed, tensor);
  return elements_of(worked_example::inputs(), elements, tensor, "the worked example");
}

AttentionInputs inputs_of(const Scenario& s) {
  const bool drawn = s.inputs == InputRule::drawn;
  AttentionInputs inputs = drawn ? draw_inputs(s.shape, s.dtype, s.seed) : worked_example::inputs();
  if (s.pass == Pass::forward) inputs.d_o.clear();
  if (s.pass != Pass::forward && drawn) inputs.d_o = draw_output_gradient(s.shape, s.dtype, s.seed);
  return inputs;
}

DrawnRows::DrawnRows(const Plan& plan, std::int64_t head, DrawnTensor tensor,
                     std::shared_ptr<const AttentionInputs> given)
    : scenario_(plan.scenario), given_(std::move(given)), tensor_(tensor), cols_(plan.problem.shape.head_dim) {
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
  values = elements({(first_row_ + rows.begin) * cols_, (first_row_ + rows.end) * cols_});
  return values.data();
}

std::vector<float> DrawnRows::elements(Interval of) const {
  return given_ == nullptr ? input_elements(scenario_, of, tensor_)
                           : elements_of(*given_, of, tensor_, "the given inputs");
}

std::int64_t DrawnRows::bytes() const { return static_cast<std::int64_t>(pages_.size()) * page_rows * cols_ * 4; }

}  // namespace sim
