#include "sim/programs/fp8.h"

#include <algorithm>
#include <cmath>

#include "sim/machine/cta.h"
#include "sim/programs/ragged.h"

namespace sim {
namespace {

/// The rows of a tensor of a plan, head after head, and those that share scales.
struct ScaledTensor {
  std::int64_t heads, rows, cols;
  std::int64_t block = 0;     ///< rows of a block that has a scale; 0: whole heads have
  std::int64_t together = 1;  ///< else the heads that share one

  ScaledTensor(const Plan& plan, DrawnTensor tensor) : cols(cols_of(tensor, plan.problem.shape)) {
    const Shape& shape = plan.problem.shape;
    const bool of_queries = tensor == DrawnTensor::Q;
    heads = shape.batch * (of_queries ? shape.heads : shape.kv_heads);
    rows = of_queries ? shape.seqlen_q : shape.seqlen_k;
    const Fp8Scales scales = fp8_scales(plan.problem);
    if (scales == Fp8Scales::block) block = of_queries ? plan.problem.tiling.br : plan.problem.tiling.bc;
    if (scales == Fp8Scales::head && of_queries) together = shape.heads / shape.kv_heads;
    if (scales == Fp8Scales::tensor) together = heads;
  }

  /// Scales of one head.
  std::int64_t scales_of_head() const { return block > 0 ? ceil_div(rows, block) : 1; }

  /// Rows of all heads that share scale n of a head.
  Interval rows_of(std::int64_t head, std::int64_t n) const {
    if (block > 0) return {head * rows + n * block, head * rows + std::min(rows, (n + 1) * block)};
    const std::int64_t first = head / together * together;
    return {first * rows, (first + together) * rows};
  }
};

/// The elements of some rows.
std::span<float> elements_of(std::vector<float>& values, Interval rows, std::int64_t cols) {
  return std::span(values).subspan(static_cast<std::size_t>(rows.begin * cols),
                                   static_cast<std::size_t>(rows.size() * cols));
}

void rotate_all(std::span<float> values, const Rotation& rotation, std::int64_t cols) {
  const auto size = static_cast<std::size_t>(cols);
  for (std::size_t at = 0; at < values.size(); at += size) rotation.apply(values.subspan(at, size));
}

std::optional<Rotation> rotation_of(const Plan& plan, DrawnTensor tensor) {
  if (tensor == DrawnTensor::V || !rotates(plan.scenario)) return std::nullopt;
  return Rotation(plan.problem.shape.head_dim, plan.scenario.seed);
}

/// Quantises a tensor in place; returns its scales.
std::vector<float> quantise_tensor(const Plan& plan, DrawnTensor tensor, std::vector<float>& values) {
  const ScaledTensor sizes(plan, tensor);
  if (const auto rotation = rotation_of(plan, tensor)) rotate_all(values, *rotation, sizes.cols);
  std::vector<float> scales;
  Interval before;
  for (std::int64_t head = 0; head < sizes.heads; ++head) {
    for (std::int64_t n = 0; n < sizes.scales_of_head(); ++n) {
      const Interval rows = sizes.rows_of(head, n);
      const std::span<float> shared = elements_of(values, rows, sizes.cols);
      const bool is_done = rows == before;
      scales.push_back(is_done ? scales.back() : e4m3_scale(shared));
      if (!is_done) quantise(shared, scales.back());
      before = rows;
    }
  }
  return scales;
}

/// Multiplies a tensor by its scales in place.
void multiply_by_scales(const Plan& plan, DrawnTensor tensor, const std::vector<float>& scales,
                        std::vector<float>& values) {
  const ScaledTensor sizes(plan, tensor);
  const std::int64_t each = sizes.scales_of_head(), block = sizes.block > 0 ? sizes.block : sizes.rows;
  for (std::int64_t row = 0; row < sizes.heads * sizes.rows; ++row) {
    const std::int64_t at = row / sizes.rows * each + row % sizes.rows / block;
    for (float& x : elements_of(values, {row, row + 1}, sizes.cols)) x *= scales[static_cast<std::size_t>(at)];
  }
}

}  // namespace

Fp8Scales fp8_scales(const Problem& problem) { return static_cast<Fp8Scales>(problem.own("fp8-scales")); }

bool rotates(const Scenario& s) {
  const auto given = own_option(s, "rotate");
  return given ? *given == 1 : is_power_of_two(s.shape.head_dim);
}

Fp8Inputs quantised(const Plan& plan, const AttentionInputs& inputs) {
  Fp8Inputs result{inputs, {}, {}, {}};
  result.q_scale = quantise_tensor(plan, DrawnTensor::Q, result.x8.q);
  result.k_scale = quantise_tensor(plan, DrawnTensor::K, result.x8.k);
  result.v_scale = quantise_tensor(plan, DrawnTensor::V, result.x8.v);
  return result;
}

const AttentionInputs& as_read(const Plan& plan, const AttentionInputs& inputs, AttentionInputs& room) {
  if (!plan.problem.fp8()) return inputs;
  Fp8Inputs scaled = quantised(plan, inputs);
  room = std::move(scaled.x8);
  multiply_by_scales(plan, DrawnTensor::Q, scaled.q_scale, room.q);
  multiply_by_scales(plan, DrawnTensor::K, scaled.k_scale, room.k);
  multiply_by_scales(plan, DrawnTensor::V, scaled.v_scale, room.v);
  return room;
}

Fp8Rows::Fp8Rows(const Plan& plan, std::int64_t head, DrawnTensor tensor, DrawnRows& exact) : exact_(exact) {
  const HeadInClass at = head_in_class(plan, head);
  const Shape& shape = at.plan.problem.shape;
  const ScaledTensor sizes(at.plan, tensor);
  const bool of_queries = tensor == DrawnTensor::Q;
  const std::int64_t own =
      of_queries ? at.head : at.head / shape.heads * shape.kv_heads + shape.kv_head_of(at.head % shape.heads);
  const std::int64_t before = of_queries ? at.queries_before : at.keys_before;
  rotation_ = rotation_of(at.plan, tensor);
  cols_ = sizes.cols;
  own_ = {before + own * sizes.rows, before + (own + 1) * sizes.rows};
  rows_of_scale_ = sizes.block > 0 ? sizes.block : std::max<std::int64_t>(1, sizes.rows);
  for (std::int64_t n = 0; n < sizes.scales_of_head(); ++n) {
    const Interval rows = sizes.rows_of(own, n);
    scaled_together_.push_back({rows.begin + before, rows.end + before});
  }
}

/// Largest magnitude of some rows of all heads, NaN if one is; rows of this head are drawn once.
float Fp8Rows::largest_of(Interval rows) {
  float largest = 0;
  for (std::int64_t row = rows.begin; row < rows.end && !std::isnan(largest); ++row) {
    const float* const own = own_.contains({row, row + 1}) ? exact_.row(row - own_.begin) : nullptr;
    std::vector<float> values = own != nullptr ? std::vector<float>(own, own + cols_) : exact_.row_of_all(row);
    if (rotation_) rotation_->apply(values);
    for (const float x : values) largest = std::isnan(x) ? x : std::max(largest, std::abs(x));
  }
  return largest;
}

float Fp8Rows::scale(std::int64_t index) {
  const auto found = known_.find(index);
  if (found != known_.end()) return found->second;
  const float largest = largest_of(scaled_together_.at(static_cast<std::size_t>(index)));
  return known_[index] = e4m3_scale({&largest, 1});
}

const float* Fp8Rows::row(std::int64_t index) {
  const float* const exact = exact_.row(index);
  row_.assign(exact, exact + cols_);
  if (rotation_) rotation_->apply(row_);
  quantise(row_, scale_of_row(index));
  return row_.data();
}

Fp8Head::Fp8Head(const Plan& plan, std::int64_t head, DrawnInputs& exact)
    : Q(plan, head, DrawnTensor::Q, exact.Q),
      K(plan, head, DrawnTensor::K, exact.K),
      V(plan, head, DrawnTensor::V, exact.V) {}

DrawnInputs::DrawnInputs(const Plan& plan, std::int64_t head, const std::shared_ptr<const AttentionInputs>& given)
    : Q(plan, head, DrawnTensor::Q, given),
      K(plan, head, DrawnTensor::K, given),
      V(plan, head, DrawnTensor::V, given),
      dO(plan, head, DrawnTensor::dO, given) {
  if (plan.problem.fp8()) fp8 = std::make_shared<Fp8Head>(plan, head, *this);
}

std::vector<float> DrawnInputs::value(std::int64_t key) {
  const float* const row = fp8 == nullptr ? V.row(key) : fp8->V.row(key);
  std::vector<float> values(row, row + V.cols());
  if (fp8 == nullptr) return values;
  for (float& x : values) x *= fp8->V.scale_of_row(key);
  return values;
}

float DrawnInputs::unit_of_output(std::int64_t key) {
  return fp8 == nullptr ? 1 : fp8->V.scale_of_row(key) / e4m3_weights;
}

}  // namespace sim
