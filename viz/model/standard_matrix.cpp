#include "viz/model/standard_matrix.h"

#include <algorithm>

#include "sim/machine/tile_math.h"
#include "viz/model/tile_machine.h"

namespace explorer {

using sim::DrawnTensor;
using sim::Interval;
using sim::Tensor;

const sim::Launch& StandardMatrix::kernel(std::string_view name) const {
  for (const auto* launches : {&plan().before, &plan().launches}) {
    for (const sim::Launch& launch : *launches) {
      if (launch.name == name) return launch;
    }
  }
  throw sim::Error(sim::text("values: ", plan().program->name, " has no kernel ", name));
}

const sim::Launch& StandardMatrix::writer(Tensor product) const {
  return kernel(product == Tensor::S ? "qk_gemm" : "dp_gemm");
}

sim::Blocking StandardMatrix::row_blocks(Tensor product) const {
  return {problem().shape.seqlen_q, writer(product).grid.br};
}

sim::Blocking StandardMatrix::col_blocks(Tensor product) const {
  return {problem().shape.seqlen_k, writer(product).grid.bc};
}

std::vector<float> StandardMatrix::Slices::packed(const std::vector<float>& rows, std::int64_t d, Interval columns) {
  std::vector<float> part;
  const auto count = static_cast<std::int64_t>(rows.size()) / d;
  part.reserve(static_cast<std::size_t>(count * columns.size()));
  for (std::int64_t row = 0; row < count; ++row) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(row * d);
    part.insert(part.end(), first + static_cast<std::ptrdiff_t>(columns.begin),
                first + static_cast<std::ptrdiff_t>(columns.end));
  }
  return part;
}

StandardMatrix::Slices StandardMatrix::slices(Tensor product, Interval queries, Interval keys) const {
  const bool scores = product == Tensor::S;
  const DrawnTensor left = scores ? DrawnTensor::Q : DrawnTensor::dO, right = scores ? DrawnTensor::K : DrawnTensor::V;
  return {left, right, queries, keys, drawn(plan(), head_, left, queries), drawn(plan(), head_, right, keys)};
}

std::vector<float> StandardMatrix::tile(Tensor product, Interval queries, Interval keys) const {
  const Slices of = slices(product, queries, keys);
  const std::int64_t d = problem().shape.head_dim, slice = writer(product).tiling.slice;
  std::vector<float> values(static_cast<std::size_t>(queries.size() * keys.size()));
  const sim::Blocking depth{d, slice};
  for (std::int64_t n = 0; n < depth.count(); ++n) {
    const Interval columns = depth.elements(n);
    sim::math::gemm_nt(values, Slices::packed(of.of_left, d, columns), Slices::packed(of.of_right, d, columns),
                       queries.size(), keys.size(), columns.size(), true);
  }
  if (product == Tensor::S) {
    for (float& s : values) s *= problem().scale;
  }
  sim::round_all(problem().dtype, values);
  return values;
}

std::vector<float> StandardMatrix::product(Tensor product, Interval queries, Interval keys) const {
  const sim::Blocking rows = row_blocks(product), cols = col_blocks(product);
  const Interval of_rows = rows.touching(queries), of_cols = cols.touching(keys);
  std::vector<float> part(static_cast<std::size_t>(queries.size() * keys.size()));
  for (std::int64_t i = of_rows.begin; i < of_rows.end; ++i) {
    for (std::int64_t j = of_cols.begin; j < of_cols.end; ++j) {
      const Interval tile_rows = rows.elements(i), tile_cols = cols.elements(j);
      const Interval shared_rows = overlap(tile_rows, queries), shared_cols = overlap(tile_cols, keys);
      const std::vector<float> values = tile(product, tile_rows, tile_cols);
      for (std::int64_t row = shared_rows.begin; row < shared_rows.end; ++row) {
        const auto from = (row - tile_rows.begin) * tile_cols.size() + shared_cols.begin - tile_cols.begin;
        const auto to = (row - queries.begin) * keys.size() + shared_cols.begin - keys.begin;
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(from), shared_cols.size(),
                    part.begin() + static_cast<std::ptrdiff_t>(to));
      }
    }
  }
  return part;
}

void StandardMatrix::mask(std::vector<float>& S, Interval queries, Interval keys) const {
  if (problem().shape.mask.any()) sim::math::apply_mask(S, problem().shape, queries, keys);
}

std::vector<float> StandardMatrix::weights(std::vector<float> S, const RowNumbers& rows, Interval keys) const {
  sim::math::exp_sub(S, rows.m, keys.size());
  sim::math::divide_rows(S, rows.l, keys.size());
  sim::round_all(problem().dtype, S);
  return S;
}

std::vector<float> StandardMatrix::dropped(std::vector<float> values, Interval queries, Interval keys) const {
  const sim::Dropout& dropout = problem().dropout;
  if (!dropout.any()) return values;
  sim::math::apply_keep(values, sim::math::keep_mask(dropout, head_, queries, keys), dropout.factor());
  sim::round_all(problem().dtype, values);
  return values;
}

}  // namespace explorer
