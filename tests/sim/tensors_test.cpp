// The table of tensors: its rows, and what follows from them.
#include "sim/trace/tensors.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/base/text.h"
#include "sim/machine/hbm.h"
#include "sim/programs/flash1_released/tensors.h"

namespace {

using namespace sim;

/// Names in the order of the table; tensors declared by programs follow, sorted, as their order depends on the linker.
std::string names_where(bool (*holds)(Tensor)) {
  std::vector<std::string_view> names, declared;
  for (const Tensor tensor : all_tensors()) {
    if (holds(tensor)) (tensor < Tensor::none ? names : declared).push_back(name_of(tensor));
  }
  std::sort(declared.begin(), declared.end());
  names.insert(names.end(), declared.begin(), declared.end());
  return joined(names, " ");
}

}  // namespace

TEST_CASE("the tensor table distinguishes statistics, gradients, scores and tensors owned by the caller") {
  CHECK(names_where(is_statistic) == "L m l D L_part m_part l_part");
  CHECK(names_where(is_score_matrix) ==
        "S P dS dP S_masked P_dropped dP_dropped mask G S_row P_soft S_modified bias dP_weighted hidden");
  CHECK(names_where([](Tensor t) { return facts_of(t).of_caller; }) == "Q K V O dO dQ dK dV");
  CHECK(names_where([](Tensor t) { return facts_of(t).gradient; }) ==
        "dO dQ dK dV dS dP dQ_acc dP_dropped dK_scaled dP_weighted dQ_scaled dQ_tmp");
}

TEST_CASE("a tensor is named by its family, with a d prefix for gradients and its stage as a suffix") {
  for (const Tensor tensor : hbm_tensors()) {
    const TensorFacts& facts = facts_of(tensor);
    if (facts.family == Tensor::none) continue;
    CHECK(stem_of(tensor) == (facts.gradient ? "d" : "") + std::string(name_of(facts.family)));
  }
  CHECK(stage_of(Tensor::dQ_acc) == "acc");
  CHECK(stage_of(Tensor::dQ).empty());
}

TEST_CASE("every tensor in HBM has a member of its name, and the sizes of its row") {
  Shape shape;
  shape.seqlen_q = 3;
  shape.seqlen_k = 5;
  shape.head_dim = 8;
  const Hbm hbm = make_hbm(shape, Dtype::fp16);
  CHECK(hbm.dQ_acc.name == Tensor::dQ_acc);
  CHECK(hbm.mask.name == Tensor::mask);
  const auto sizes = [&](Tensor tensor) {
    const HbmTensor& t = hbm[tensor];
    return text(t.rows, " x ", t.cols, " ", name_of(t.dtype), t.per_kv_head() ? " per KV head" : "");
  };
  CHECK(sizes(Tensor::Q) == "3 x 8 fp16");
  CHECK(sizes(Tensor::dV) == "5 x 8 fp16 per KV head");
  CHECK(sizes(Tensor::P_dropped) == "3 x 5 fp16");
  CHECK(sizes(Tensor::mask) == "3 x 5 u8");
  CHECK(sizes(Tensor::L) == "3 x 1 fp32");
  CHECK(sizes(Tensor::dQ_acc) == "3 x 8 fp32");
  CHECK(sizes(Tensor::sequences) == "1 x 4 i32");
  CHECK(sizes(O_tmp) == "3 x 8 fp32");
}

namespace {

/// One number per key and KV head, one per key and batch entry, and one for all.
const Tensor norms = declare_tensor({.name = "norms_of_test",
                                     .owner = Owner::kv_head,
                                     .rows = extents::Nk,
                                     .cols = extents::one,
                                     .own_type = Dtype::fp32});
const Tensor bias_of_keys =
    declare_tensor({.name = "bias_of_test", .owner = Owner::entry, .rows = extents::Nk, .cols = extents::one});
const Tensor only_one = declare_tensor({.name = "one_of_test", .owner = Owner::everyone, .rows = extents::one});

}  // namespace

TEST_CASE("a declared tensor has the owner, the size and the type of its declaration") {
  Shape shape;
  shape.batch = 2;
  shape.heads = 6;
  shape.kv_heads = 3;
  shape.seqlen_q = 7;
  shape.seqlen_k = 5;
  shape.head_dim = 8;
  const Hbm hbm = make_hbm(shape, Dtype::fp16);
  CHECK(hbm[norms].total_bytes(shape) == Bytes(2 * 3 * 5 * 4));
  CHECK(hbm[bias_of_keys].total_bytes(shape) == Bytes(2 * 5 * 2));
  CHECK(hbm[only_one].total_bytes(shape) == Bytes(8 * 2));
  CHECK(name_of(norms) == "norms_of_test");
  CHECK_FALSE(is_statistic(norms));
}

TEST_CASE("a second tensor of the same name is refused, as is an on-chip tensor used as one in HBM") {
  REQUIRE_THROWS_WITH(declare_tensor({.name = "O_tmp"}), "tensor O_tmp is declared twice: rename one of them");
  REQUIRE_THROWS_WITH(declare_tensor({.name = "Q"}), "tensor Q is declared twice: rename one of them");
  const Hbm hbm = make_hbm(Shape{}, Dtype::fp16);
  REQUIRE_THROWS_WITH(hbm[Tensor::PV], "PV has no address in HBM");
  REQUIRE_THROWS_WITH(hbm[Tensor::none], "- has no address in HBM");
}
