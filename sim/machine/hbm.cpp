#include "sim/machine/hbm.h"

#include "sim/trace/tensors.h"

namespace sim {

std::int64_t HbmTensor::head_count(const Shape& shape) const {
  return checked_multiply(shape.batch, per_entry ? 1 : per_kv_head ? shape.kv_heads : shape.heads);
}

Bytes HbmTensor::total_bytes(const Shape& shape) const {
  return Bytes(product(head_count(shape), rows, cols, size_of(dtype)));
}

HbmTensor& Hbm::operator[](Tensor tensor) {
  static constexpr std::array<HbmTensor Hbm::*, hbm_tensor_count> members = {
      &Hbm::Q,      &Hbm::K,        &Hbm::V,         &Hbm::O,           &Hbm::S,        &Hbm::P,
      &Hbm::L,      &Hbm::m,        &Hbm::l,         &Hbm::D,           &Hbm::dO,       &Hbm::dQ,
      &Hbm::dK,     &Hbm::dV,       &Hbm::dS,        &Hbm::dP,          &Hbm::dQ_acc,   &Hbm::O_tmp,
      &Hbm::dQ_tmp, &Hbm::S_masked, &Hbm::P_dropped, &Hbm::dP_dropped,  &Hbm::mask,     &Hbm::O_part,
      &Hbm::L_part, &Hbm::m_part,   &Hbm::l_part,    &Hbm::mask_blocks, &Hbm::sequences};
  const auto index = static_cast<std::size_t>(tensor);
  require(index < members.size(), name_of(tensor), " has no address in HBM");
  return this->*members[index];
}

const HbmTensor& Hbm::operator[](Tensor tensor) const { return const_cast<Hbm&>(*this)[tensor]; }

namespace {

/// Of one part, where there are parts.
std::int64_t columns_of(Tensor tensor, const Shape& shape) {
  return is_per_row(tensor) ? 1 : is_score_matrix(tensor) ? shape.seqlen_k : shape.head_dim;
}

}  // namespace

Hbm make_hbm(const Shape& shape, Dtype dtype, std::int64_t parts, std::int64_t br, std::int64_t bc) {
  Hbm hbm;
  for (int n = 0; n < hbm_tensor_count; ++n) {
    const TensorFacts& facts = facts_of(static_cast<Tensor>(n));
    const bool per_kv_head = facts.extent == Extent::keys;
    const std::int64_t cols = columns_of(facts.tensor, shape);
    hbm[facts.tensor] = {.name = facts.tensor,
                         .per_kv_head = per_kv_head,
                         .rows = per_kv_head ? shape.seqlen_k : shape.seqlen_q,
                         .cols = is_in_parts(facts.tensor) ? checked_multiply(parts, cols) : cols,
                         .part_cols = cols,
                         .dtype = facts.own_type.value_or(dtype)};
  }
  hbm.sequences.per_entry = true;
  hbm.sequences.rows = 1;
  hbm.sequences.cols = hbm.sequences.part_cols = 4;
  hbm.mask_blocks.rows = ceil_div(shape.seqlen_q, br);
  hbm.mask_blocks.cols = hbm.mask_blocks.part_cols = ceil_div(shape.seqlen_k, bc);
  return hbm;
}

namespace {

Axis all(std::int64_t size) { return {0, 0, size, Origin::whole}; }

}  // namespace

HbmBlock block(const HbmTensor& tensor, const Block& rows) { return {&tensor, rows.axis, all(tensor.cols)}; }

HbmBlock block(const HbmTensor& tensor, const Block& rows, const Block& cols) {
  return {&tensor, rows.axis, cols.axis};
}

HbmBlock part(const HbmTensor& tensor, const Block& rows, const Block& of) {
  const std::int64_t cols = tensor.part_cols;
  return {&tensor, rows.axis, {of.index(), of.index() * cols, cols, of.axis.origin}};
}

HbmBlock whole(const HbmTensor& tensor) { return {&tensor, all(tensor.rows), all(tensor.cols)}; }

namespace {

Axis one(const Block& block) { return {block.index(), block.index(), 1, block.axis.origin, 1}; }

}  // namespace

HbmBlock row_of(const HbmTensor& tensor, const Block& i) { return {&tensor, one(i), all(tensor.cols)}; }
HbmBlock column_of(const HbmTensor& tensor, const Block& j) { return {&tensor, all(tensor.rows), one(j)}; }

}  // namespace sim
