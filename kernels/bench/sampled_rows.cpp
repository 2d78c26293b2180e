#include "kernels/bench/sampled_rows.h"

#include <algorithm>

#include "sim/base/block_mask.h"

namespace bench {
namespace {

using sim::Interval;
using sim::Tensor;

constexpr std::int64_t rows_at_a_place = 16;

/// Number of leading keys that rows up to `end` may see.
std::int64_t keys_before(const sim::Shape& shape, std::int64_t end) {
  if (!shape.mask.causal) return shape.seqlen_k;
  return std::min(shape.seqlen_k, end + shape.seqlen_k - shape.seqlen_q);
}

/// Mask of the blocks that some rows of a head see: its blocks are one row high.
std::shared_ptr<const sim::BlockMask> blocks_of_rows(const sim::BlockMask& all, Interval rows, std::int64_t keys) {
  const sim::BlockedMatrix matrix{rows.size(), keys, 1, all.matrix().bc};
  auto picture = std::make_shared<sim::Picture>(sim::Picture{matrix.cols(), matrix.rows(), {}});
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    for (std::int64_t j = 0; j < matrix.cols(); ++j) picture->black.push_back(all.visible(row / all.matrix().br, j));
  }
  const sim::Pattern pattern{.kind = sim::PatternKind::picture, .picture = std::move(picture)};
  return std::make_shared<const sim::BlockMask>(pattern, matrix, 0);
}

/// Shape of a small attention over some rows of a head.
sim::Shape shape_of_rows(const sim::Shape& all, Interval rows) {
  sim::Shape shape = all;
  shape.batch = shape.heads = shape.kv_heads = 1;
  shape.seqlen_q = rows.size();
  shape.seqlen_k = keys_before(all, rows.end);
  shape.mask.padding = std::max<std::int64_t>(0, all.mask.padding - (all.seqlen_k - shape.seqlen_k));
  if (all.mask.blocks && shape.seqlen_k > 0) {
    shape.mask.blocks = blocks_of_rows(*all.mask.blocks, rows, shape.seqlen_k);
  }
  return shape;
}

sim::AttentionInputs inputs_of_rows(const SamplePlace& place, std::int64_t keys, DrawnInputs& drawn) {
  const Interval own = query_elements(place, place.at.head, place.elements),
                 seen = key_elements(place, place.kv_head(), {0, keys});
  return {drawn.floats(Tensor::Q, own), drawn.floats(Tensor::K, seen), drawn.floats(Tensor::V, seen),
          drawn.floats(Tensor::dO, own)};
}

void compute(Compared& compared, Tensor tensor, const sim::Problem& problem, const sim::Shape& shape,
             const sim::AttentionInputs& inputs) {
  if (tensor == Tensor::O) {
    compared.reference = sim::attention_reference(shape, problem.scale, inputs).o;
    compared.plain = sim::attention_plain(shape, problem.scale, problem.dtype, inputs);
  } else {
    compared.reference = sim::attention_reference_backward(shape, problem.scale, inputs).d_q;
    compared.plain = sim::attention_plain_backward(shape, problem.scale, problem.dtype, inputs).d_q;
  }
}

}  // namespace

std::int64_t SamplePlace::kv_head() const {
  return at.head / shape().heads * shape().kv_heads + shape().kv_head_of(at.head % shape().heads);
}

Interval query_elements(const SamplePlace& place, std::int64_t head, Interval rows) {
  const std::int64_t first = place.at.queries_before + head * place.shape().seqlen_q, d = place.shape().head_dim;
  return {(first + rows.begin) * d, (first + rows.end) * d};
}

Interval key_elements(const SamplePlace& place, std::int64_t kv_head, Interval rows) {
  const std::int64_t first = place.at.keys_before + kv_head * place.shape().seqlen_k, d = place.shape().head_dim;
  return {(first + rows.begin) * d, (first + rows.end) * d};
}

std::vector<float> part(const std::vector<float>& all, Interval elements) {
  return {all.begin() + elements.begin, all.begin() + elements.end};
}

std::vector<SamplePlace> sample_places(const sim::Plan& plan, std::int64_t sim::Shape::*length, std::int64_t count) {
  const std::int64_t heads = plan.problem.shape.batch * plan.problem.shape.heads;
  std::vector<SamplePlace> places;
  for (const std::int64_t third : {0, 1, 2}) {
    const sim::HeadInClass at = sim::head_in_class(plan, (heads - 1) * third / 2);
    const std::int64_t all = at.plan.problem.shape.*length, some = std::min(count, all);
    const std::int64_t begin = (all - some) * third / 2;
    places.push_back({at, {begin, begin + some}});
  }
  return places;
}

std::vector<Compared> compared_rows(const sim::Plan& plan, const kernels::Tensors& tensors, Tensor tensor,
                                    DrawnInputs& drawn) {
  const std::vector<float> values = tensors.download(tensor);
  std::vector<Compared> rows;
  for (const SamplePlace& place : sample_places(plan, &sim::Shape::seqlen_q, rows_at_a_place)) {
    if (keys_before(place.shape(), place.elements.end) < 1) continue;  // rows that see nothing
    const sim::Shape shape = shape_of_rows(place.shape(), place.elements);
    Compared compared{part(values, query_elements(place, place.at.head, place.elements)), {}, {}};
    compute(compared, tensor, place.problem(), shape, inputs_of_rows(place, shape.seqlen_k, drawn));
    rows.push_back(std::move(compared));
  }
  return rows;
}

}  // namespace bench
