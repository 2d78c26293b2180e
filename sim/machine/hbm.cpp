#include "sim/machine/hbm.h"

namespace sim {

std::int64_t HbmTensor::head_count(const Shape& shape) const {
  return checked_multiply(shape.batch, per_kv_head ? shape.kv_heads : shape.heads);
}

Bytes HbmTensor::total_bytes(const Shape& shape) const {
  return Bytes(product(head_count(shape), rows, cols, size_of(dtype)));
}

HbmTensor& Hbm::operator[](Tensor tensor) {
  static constexpr std::array<HbmTensor Hbm::*, hbm_tensor_count> members = {
      &Hbm::Q,      &Hbm::K,     &Hbm::V,      &Hbm::O,        &Hbm::S,         &Hbm::P,          &Hbm::L,   &Hbm::m,
      &Hbm::l,      &Hbm::D,     &Hbm::dO,     &Hbm::dQ,       &Hbm::dK,        &Hbm::dV,         &Hbm::dS,  &Hbm::dP,
      &Hbm::dQ_acc, &Hbm::O_tmp, &Hbm::dQ_tmp, &Hbm::S_masked, &Hbm::P_dropped, &Hbm::dP_dropped, &Hbm::mask};
  const auto index = static_cast<std::size_t>(tensor);
  require(index < members.size(), name_of(tensor), " has no address in HBM");
  return this->*members[index];
}

const HbmTensor& Hbm::operator[](Tensor tensor) const { return const_cast<Hbm&>(*this)[tensor]; }

Hbm make_hbm(const Shape& shape, Dtype dtype) {
  using enum Tensor;
  Hbm hbm;
  const auto describe = [&](std::initializer_list<Tensor> names, bool per_kv_head, std::int64_t cols, Dtype type) {
    for (const Tensor name : names) {
      hbm[name] = {name, per_kv_head, per_kv_head ? shape.seqlen_k : shape.seqlen_q, cols, type, nullptr};
    }
  };
  describe({Q, O, dO, dQ}, false, shape.head_dim, dtype);
  describe({K, V, dK, dV}, true, shape.head_dim, dtype);
  describe({S, S_masked, P, P_dropped, dP, dP_dropped, dS}, false, shape.seqlen_k, dtype);
  describe({mask}, false, shape.seqlen_k, Dtype::u8);
  describe({L, m, l, D}, false, 1, Dtype::fp32);
  describe({dQ_acc, O_tmp, dQ_tmp}, false, shape.head_dim, Dtype::fp32);
  return hbm;
}

namespace {

Axis all(std::int64_t size) { return {0, 0, size, Origin::whole}; }

}  // namespace

HbmBlock block(const HbmTensor& tensor, const Block& rows) { return {&tensor, rows.axis, all(tensor.cols)}; }

HbmBlock block(const HbmTensor& tensor, const Block& rows, const Block& cols) {
  return {&tensor, rows.axis, cols.axis};
}

HbmBlock whole(const HbmTensor& tensor) { return {&tensor, all(tensor.rows), all(tensor.cols)}; }

}  // namespace sim
