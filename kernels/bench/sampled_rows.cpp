#include "kernels/bench/sampled_rows.h"

#include <algorithm>

#include "sim/base/block_mask.h"

namespace bench {
namespace {

using sim::Interval;
using sim::Tensor;

constexpr std::int64_t rows_at_a_place = 16;

/// The keys that rows up to `end` may see, as a number of leading keys.
std::int64_t keys_before(const sim::Shape& shape, std::int64_t end) {
  if (!shape.mask.causal) return shape.seqlen_k;
  return std::min(shape.seqlen_k, end + shape.seqlen_k - shape.seqlen_q);
}

/// The blocks that rows of a head see, as a mask of their own: a block is one row high there.
std::shared_ptr<const sim::BlockMask> blocks_of_rows(const sim::BlockMask& all, Interval rows, std::int64_t keys) {
  const sim::BlockedMatrix matrix{rows.size(), keys, 1, all.matrix().bc};
  auto picture = std::make_shared<sim::Picture>(sim::Picture{matrix.cols(), matrix.rows(), {}});
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    for (std::int64_t j = 0; j < matrix.cols(); ++j) picture->black.push_back(all.visible(row / all.matrix().br, j));
  }
  const sim::Pattern pattern{.kind = sim::PatternKind::picture, .picture = std::move(picture)};
  return std::make_shared<const sim::BlockMask>(pattern, matrix, 0);
}

/// The rows of a head as an attention of their own.
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

sim::AttentionInputs inputs_of_rows(const sim::Shape& all, std::int64_t head, Interval rows, std::int64_t keys,
                                    DrawnInputs& drawn) {
  const std::int64_t d = all.head_dim, batch = head / all.heads,
                     kv_head = batch * all.kv_heads + all.kv_head_of(head % all.heads);
  const Interval own = elements_of(head, all.seqlen_q, rows, d),
                 seen = elements_of(kv_head, all.seqlen_k, {0, keys}, d);
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

Interval elements_of(std::int64_t head, std::int64_t length, Interval rows, std::int64_t d) {
  const std::int64_t first = head * length;
  return {(first + rows.begin) * d, (first + rows.end) * d};
}

std::vector<float> part(const std::vector<float>& all, Interval elements) {
  return {all.begin() + elements.begin, all.begin() + elements.end};
}

std::vector<SamplePlace> sample_places(std::int64_t heads, std::int64_t length, std::int64_t count) {
  count = std::min(count, length);
  std::vector<SamplePlace> places;
  for (const std::int64_t third : {0, 1, 2}) {
    const std::int64_t begin = (length - count) * third / 2;
    places.push_back({(heads - 1) * third / 2, {begin, begin + count}});
  }
  return places;
}

std::vector<Compared> compared_rows(const sim::Plan& plan, const kernels::Tensors& tensors, Tensor tensor,
                                    DrawnInputs& drawn) {
  const sim::Shape& all = plan.problem.shape;
  const std::vector<float> values = tensors.download(tensor);
  std::vector<Compared> rows;
  for (const SamplePlace& place : sample_places(all.batch * all.heads, all.seqlen_q, rows_at_a_place)) {
    if (keys_before(all, place.elements.end) < 1) continue;  // rows that see nothing
    const sim::Shape shape = shape_of_rows(all, place.elements);
    Compared compared{part(values, elements_of(place.head, all.seqlen_q, place.elements, all.head_dim)), {}, {}};
    compute(compared, tensor, plan.problem, shape,
            inputs_of_rows(all, place.head, place.elements, shape.seqlen_k, drawn));
    rows.push_back(std::move(compared));
  }
  return rows;
}

}  // namespace bench
