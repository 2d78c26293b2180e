#include "sim/machine/hbm.h"

namespace sim {
namespace {

#define FLASHSCOPE_MEMBER(name, ...) &Hbm::name,
constexpr HbmTensor Hbm::*members[] = {FLASHSCOPE_HBM_TENSORS(FLASHSCOPE_MEMBER)};
#undef FLASHSCOPE_MEMBER

}  // namespace

std::int64_t HbmTensor::owner_count(const Shape& shape) const {
  switch (owner) {
    case Owner::query_head:
      return checked_multiply(shape.batch, shape.heads);
    case Owner::kv_head:
      return checked_multiply(shape.batch, shape.kv_heads);
    case Owner::entry:
      return shape.batch;
    case Owner::everyone:
      break;
  }
  return 1;
}

Bytes HbmTensor::total_bytes(const Shape& shape) const {
  const std::int64_t all = checked_multiply(owner_count(shape), rows);
  return Bytes(product(all - checked_multiply(shape.kv_heads, shared_rows), cols, size_of(dtype)));
}

std::int64_t HbmTensor::stored_rows() const {
  const bool in_pages = pages != nullptr && owner != Owner::entry;
  return in_pages ? checked_multiply(ceil_div(rows, pages->rows), pages->rows) : rows;
}

HbmTensor& Hbm::operator[](Tensor tensor) {
  constexpr auto first_declared = static_cast<std::size_t>(Tensor::none) + 1;
  const auto index = static_cast<std::size_t>(tensor);
  if (index < std::size(members)) return this->*members[index];
  require(index >= first_declared && index - first_declared < declared.size(), name_of(tensor),
          " has no address in HBM");
  return declared[index - first_declared];
}

const HbmTensor& Hbm::operator[](Tensor tensor) const { return const_cast<Hbm&>(*this)[tensor]; }

Hbm make_hbm(const Shape& shape, Dtype dtype, std::int64_t parts, std::int64_t br, std::int64_t bc,
             const PageTable* pages) {
  const auto count = [&](const Extent& extent) {
    switch (extent.of) {
      case Extent::Of::Nq:
        return shape.seqlen_q;
      case Extent::Of::Nk:
        return shape.seqlen_k;
      case Extent::Of::d:
        return shape.head_dim;
      case Extent::Of::dv:
        return shape.value_dim();
      case Extent::Of::Tr:
        return ceil_div(shape.seqlen_q, br);
      case Extent::Of::Tc:
        return ceil_div(shape.seqlen_k, bc);
      case Extent::Of::Np:
        return pages == nullptr ? 0 : ceil_div(shape.seqlen_k, pages->rows);
      case Extent::Of::number:
        break;
    }
    return extent.number;
  };
  const std::span<const Tensor> tensors = hbm_tensors();
  Hbm hbm;
  hbm.declared.resize(tensors.size() - std::size(members));
  for (const Tensor tensor : tensors) {
    const TensorFacts& facts = facts_of(tensor);
    const std::int64_t cols = count(facts.cols);
    const bool is_result = facts.of_caller && facts.family == Tensor::O;
    hbm[tensor] = {.name = tensor,
                   .owner = facts.owner,
                   .rows = count(facts.rows),
                   .cols = facts.in_parts ? checked_multiply(parts, cols) : cols,
                   .part_cols = cols,
                   .dtype = facts.own_type.value_or(is_result ? result_dtype(dtype) : dtype)};
  }
  if (shape.kv_shared) hbm.V.rows = 0;
  hbm.K.pages = hbm.V.pages = hbm.block_table.pages = pages;
  return hbm;
}

namespace {

Axis all(std::int64_t size) { return {0, 0, size, Origin::whole}; }

}  // namespace

HbmBlock block(const HbmTensor& tensor, const Block& rows) { return {&tensor, rows.axis, all(tensor.cols), rows.in}; }

HbmBlock block(const HbmTensor& tensor, const Block& rows, const Block& cols) {
  return {&tensor, rows.axis, cols.axis};
}

HbmBlock part(const HbmTensor& tensor, const Block& rows, const Block& of) {
  const std::int64_t cols = tensor.part_cols;
  return {&tensor, rows.axis, {of.index(), of.index() * cols, cols, of.axis.origin}};
}

HbmBlock whole(const HbmTensor& tensor) { return {&tensor, all(tensor.rows), all(tensor.cols)}; }

HbmBlock heads_of(const HbmTensor& tensor, const Block& i) {
  return tensor.rows == 1 ? whole(tensor) : block(tensor, i);
}

HbmBlock pages_of(const HbmTensor& table, const Block& j) {
  const std::int64_t rows = table.pages->rows;
  const Axis& keys = j.axis;
  const Axis pages{keys.index, keys.begin / rows, ceil_div(keys.size, rows), keys.origin, ceil_div(keys.block, rows)};
  return {&table, pages, all(table.cols), j.in};
}

namespace {

Axis one(const Block& block) { return {block.index(), block.index(), 1, block.axis.origin, 1}; }

}  // namespace

HbmBlock row_of(const HbmTensor& tensor, const Block& i) { return {&tensor, one(i), all(tensor.cols)}; }
HbmBlock column_of(const HbmTensor& tensor, const Block& j) { return {&tensor, all(tensor.rows), one(j)}; }

}  // namespace sim
