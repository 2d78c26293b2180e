#include "sim/machine/hbm.h"

namespace sim {

std::int64_t HbmTensor::head_count(const Shape& shape) const {
  return checked_multiply(shape.batch, per_kv_head ? shape.kv_heads : shape.heads);
}

Bytes HbmTensor::total_bytes(const Shape& shape) const {
  return Bytes(product(head_count(shape), rows, cols, size_of(dtype)));
}

HbmTensor& Hbm::operator[](Tensor tensor) {
  switch (tensor) {
    case Tensor::Q:
      return Q;
    case Tensor::K:
      return K;
    case Tensor::V:
      return V;
    case Tensor::O:
      return O;
    case Tensor::S:
      return S;
    case Tensor::S_masked:
      return S_masked;
    case Tensor::P:
      return P;
    case Tensor::L:
      return L;
    case Tensor::m:
      return m;
    case Tensor::l:
      return l;
    default:
      throw Error(text(name_of(tensor), " has no address in HBM"));
  }
}

const HbmTensor& Hbm::operator[](Tensor tensor) const { return const_cast<Hbm&>(*this)[tensor]; }

Hbm make_hbm(const Shape& shape, Dtype dtype) {
  const auto queries = [&](Tensor name, std::int64_t cols, Dtype type) {
    return HbmTensor{name, false, shape.seqlen_q, cols, type, nullptr};
  };
  const auto keys = [&](Tensor name) { return HbmTensor{name, true, shape.seqlen_k, shape.head_dim, dtype, nullptr}; };
  Hbm hbm;
  hbm.Q = queries(Tensor::Q, shape.head_dim, dtype);
  hbm.K = keys(Tensor::K);
  hbm.V = keys(Tensor::V);
  hbm.O = queries(Tensor::O, shape.head_dim, dtype);
  for (const Tensor name : {Tensor::S, Tensor::S_masked, Tensor::P}) hbm[name] = queries(name, shape.seqlen_k, dtype);
  for (const Tensor name : {Tensor::L, Tensor::m, Tensor::l}) hbm[name] = queries(name, 1, Dtype::fp32);
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
