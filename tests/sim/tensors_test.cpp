// The table of tensors: what its rows say, and what follows from them.
#include "sim/trace/tensors.h"

#include <catch2/catch.hpp>

#include "sim/machine/hbm.h"

namespace {

using namespace sim;

std::string names_where(bool (*holds)(Tensor)) {
  std::string names;
  for (int n = 0; n < tensor_count; ++n) {
    const auto tensor = static_cast<Tensor>(n);
    if (holds(tensor)) names += (names.empty() ? "" : " ") + std::string(name_of(tensor));
  }
  return names;
}

}  // namespace

TEST_CASE("the tensors tell statistics, gradients, scores and what the caller owns apart") {
  CHECK(names_where(is_statistic) == "L m l D L_part m_part l_part");
  CHECK(names_where(is_score_matrix) == "S P dS dP S_masked P_dropped dP_dropped mask");
  CHECK(names_where([](Tensor t) { return facts_of(t).of_caller; }) == "Q K V O dO dQ dK dV");
  CHECK(names_where([](Tensor t) { return facts_of(t).gradient; }) == "dO dQ dK dV dS dP dQ_acc dQ_tmp dP_dropped");
}

TEST_CASE("a tensor has the name of its family, with a d before it where it is a gradient, and its stage after it") {
  for (int n = 0; n < hbm_tensor_count; ++n) {
    const TensorFacts& facts = facts_of(static_cast<Tensor>(n));
    if (facts.family == Tensor::none) continue;
    CHECK(stem_of(facts.tensor) == (facts.gradient ? "d" : "") + std::string(name_of(facts.family)));
  }
  CHECK(stage_of(Tensor::dQ_acc) == "acc");
  CHECK(stage_of(Tensor::dQ).empty());
}

TEST_CASE("every tensor in HBM has the member of its name, and the sizes that its row says") {
  Shape shape;
  shape.seqlen_q = 3;
  shape.seqlen_k = 5;
  shape.head_dim = 8;
  const Hbm hbm = make_hbm(shape, Dtype::fp16);
  CHECK(hbm.dQ_acc.name == Tensor::dQ_acc);
  CHECK(hbm.mask.name == Tensor::mask);
  const auto sizes = [&](Tensor tensor) {
    const HbmTensor& t = hbm[tensor];
    return text(t.rows, " x ", t.cols, " ", name_of(t.dtype), t.per_kv_head ? " per KV head" : "");
  };
  CHECK(sizes(Tensor::Q) == "3 x 8 fp16");
  CHECK(sizes(Tensor::dV) == "5 x 8 fp16 per KV head");
  CHECK(sizes(Tensor::P_dropped) == "3 x 5 fp16");
  CHECK(sizes(Tensor::mask) == "3 x 5 u8");
  CHECK(sizes(Tensor::L) == "3 x 1 fp32");
  CHECK(sizes(Tensor::dQ_acc) == "3 x 8 fp32");
}
