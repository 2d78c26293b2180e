// Independent count of the backward passes, by plain loops over whole tiles. The column block of a KV head takes the
// query heads of its group one after the other.
#pragma once
#include "tests/support/independent_count.h"

namespace sim {

class IndependentBackwardCount : public IndependentCount {
 public:
  explicit IndependentBackwardCount(const Plan& plan) : IndependentCount(plan), group_(shape_.heads / shape_.kv_heads) {
    if (!plan.has_backward()) return;
    tiling_ = plan.launches.back().tiling;
    for (std::int64_t kv_head = 0; kv_head < shape_.batch * shape_.kv_heads; ++kv_head) {
      if (plan.code->name == "standard") standard_backward();
      if (plan.code->name == "memory-efficient") memory_efficient_backward();
      if (plan.code->name == "flash1") flash1_backward("flash1_backward", false);
      if (plan.code->name == "flash2") flash2_backward("flash2_backward");
      if (plan.code->name == "flash3") flash2_backward("flash3_backward");
      if (plan.code->name == "rabe-staats") flash2_backward("rabe_staats_backward");
      if (plan.code->name == "fmha") fmha_backward();
      if (plan.code->name == "block-sparse") flash1_backward("block_sparse_backward", true);
      if (plan.code->name == "flash2-block-sparse") flash2_backward("flash2_block_sparse_backward");
    }
  }

 private:
  /// A product C = A (rows, inner) B (inner, width of B) of one query head; the caller that sums over heads writes C.
  void product_with_width_d(Tensor a, Tensor b, Block rows, std::int64_t inner) {
    read(a, rows.size() * inner);
    read(b, inner * width(b));
    product(rows.size(), width(b), inner);
  }

  void standard_backward() {
    const std::int64_t nq = shape_.seqlen_q, nk = shape_.seqlen_k;
    const Tensor weights = dropout_ ? Tensor::P_dropped : Tensor::P;
    for (const Block j : col_blocks()) {
      kernel_ = "dv_gemm";
      for (std::int64_t h = 0; h < group_; ++h) product_with_width_d(weights, Tensor::dO, j, nq);
      write(Tensor::dV, j.size() * dv());
      kernel_ = "dk_gemm";
      for (std::int64_t h = 0; h < group_; ++h) product_with_width_d(Tensor::dS, Tensor::Q, j, nq);
      other(j.size() * d());
      write(Tensor::dK, j.size() * d());
    }
    for (std::int64_t h = 0; h < group_; ++h) {
      for (const Block i : row_blocks()) {
        for (const Block j : col_blocks()) gradient_of_weights(i, j);
        kernel_ = "dq_gemm";
        product_with_width_d(Tensor::dS, Tensor::K, i, nk);
        other(i.size() * d());
        write(Tensor::dQ, i.size() * d());
      }
      for (std::int64_t q = 0; q < nq; ++q) softmax_backward_of_row(nk);
    }
  }

  void gradient_of_weights(Block i, Block j) {
    const std::int64_t elements = i.size() * j.size();
    kernel_ = "dp_gemm";
    read(Tensor::dO, i.size() * dv());
    read(Tensor::V, j.size() * dv());
    product(i.size(), j.size(), dv());
    write(dropout_ ? Tensor::dP_dropped : Tensor::dP, elements);
    kernel_ = "dropout_backward";
    if (!dropout_) return;
    read(Tensor::dP_dropped, elements);
    ledger_.move(kernel_, Tensor::mask, Direction::read, Bucket::matrix, elements);
    other(elements);
    write(Tensor::dP, elements);
  }

  void softmax_backward_of_row(std::int64_t row) {
    kernel_ = "softmax_backward";
    const int passes = 2 * row * e_ <= row_capacity_ ? 1 : 2;
    for (int pass = 0; pass < passes; ++pass) {
      read(Tensor::P, row);
      read(Tensor::dP, row);
    }
    for (std::int64_t k = 0; k < row; ++k) other(2 + 2);  // into D: multiply, add; dS: subtract, multiply
    write(Tensor::dS, row);
  }

  void fmha_backward() {
    kernel_ = "fmha_backward";
    const std::int64_t nq = shape_.seqlen_q, nk = shape_.seqlen_k;
    for (const Tensor t : {Tensor::K, Tensor::V}) read(t, nk * width(t));
    for (const Tensor t : {Tensor::dK, Tensor::dV}) write(t, nk * width(t));
    for (std::int64_t row = 0; row < group_ * nq; ++row) {
      for (const Tensor t : {Tensor::dO, Tensor::Q}) read(t, width(t));
      write(Tensor::dQ, d());
      read(Tensor::P, nk);
      write(Tensor::dS, nk);
      read(Tensor::dS, nk);
      for (const std::int64_t inner : {dv(), dv(), d(), d()}) product(1, nk, inner);  // dV, dP, dQ, dK
      for (std::int64_t k = 0; k < nk; ++k) other(2 + 3);  // into D: multiply, add; dS: subtract, multiply, scale
      if (dropout_) other(2 * nk);                         // P and dP
    }
  }

  /// Recomputes S and P of one tile from L, and dP and dS if `gradient`.
  void recompute(Block i, Block j, bool gradient) {
    const std::int64_t elements = i.size() * j.size();
    product(i.size(), j.size(), d());
    other(2 * elements);  // scale, subtraction
    exponentials(elements);
    if (!gradient) return;
    product(i.size(), j.size(), dv());
    other(2 * elements);  // subtraction and product of dS
  }

  void memory_efficient_backward() {
    for (std::int64_t h = 0; h < group_; ++h) {
      memory_efficient_d_and_dq();
    }
    const Tiling upright = tiling_;
    tiling_ = {upright.bc, upright.br, upright.slice};  // one key at a time
    for (const bool values : {true, false}) {
      for (const Block j : col_blocks()) memory_efficient_keys(j, values);
    }
    tiling_ = upright;
  }

  void memory_efficient_d_and_dq() {
    for (const Block i : row_blocks()) {
      kernel_ = "memory_efficient_d";
      read(Tensor::dO, i.size() * dv());
      read(Tensor::O, i.size() * dv());
      other(2 * i.size() * dv());
      write_statistic(Tensor::D, i.size());
      kernel_ = "memory_efficient_dq";
      bool any = false;
      for (const Block j : col_blocks()) {
        if (!live(i, j)) continue;
        any = true;
        read(Tensor::K, j.size() * d());
        read(Tensor::V, j.size() * dv());
        recompute(i, j, true);
        drop(i, j);
        product(i.size(), d(), j.size());
      }
      if (any) read_query_block(i, true);
      other(i.size() * d());
      write(Tensor::dQ, i.size() * d());
    }
  }

  void read_query_block(Block i, bool with_d) {
    read(Tensor::Q, i.size() * d());
    read(Tensor::dO, i.size() * dv());
    read_statistic(Tensor::L, i.size());
    if (with_d) read_statistic(Tensor::D, i.size());
  }

  /// dV (if `values`) or dK of a block of keys.
  void memory_efficient_keys(Block j, bool values) {
    kernel_ = values ? "memory_efficient_dv" : "memory_efficient_dk";
    bool any = false;
    for (std::int64_t h = 0; h < group_; ++h) {
      for (const Block i : row_blocks()) {
        if (!live(i, j)) continue;
        any = true;
        read_query_block(i, !values);
        recompute(i, j, !values);
        drop(i, j);
        product(i.size(), values ? dv() : d(), j.size());
      }
    }
    if (any) read(Tensor::K, j.size() * d());
    if (any && !values) read(Tensor::V, j.size() * dv());
    if (!values) other(j.size() * d());
    write(values ? Tensor::dV : Tensor::dK, j.size() * (values ? dv() : d()));
  }

  void flash1_backward(const std::string& kernel, bool sparse) {
    kernel_ = kernel;
    for (std::int64_t h = 0; h < group_ && sparse; ++h) read_pattern();
    initialise(Tensor::dQ, group_ * shape_.seqlen_q * d() * e_);
    initialise(Tensor::dK, shape_.seqlen_k * d() * e_);
    initialise(Tensor::dV, shape_.seqlen_k * dv() * e_);
    for (const Block j : col_blocks()) {
      bool any = false;
      for (std::int64_t h = 0; h < group_; ++h) {
        for (const Block i : row_blocks()) {
          if (!live(i, j)) continue;
          any = true;
          for (const Tensor t : {Tensor::Q, Tensor::O, Tensor::dO, Tensor::dQ}) read(t, i.size() * width(t));
          read_statistic(Tensor::l, i.size());
          read_statistic(Tensor::m, i.size());
          recompute(i, j, true);
          other(2 * i.size() * j.size());  // division by l, scale of dS
          drop(i, j);
          drop(i, j);
          other(2 * i.size() * dv());                                                          // D
          for (const std::int64_t cols : {dv(), d(), d()}) product(i.size(), cols, j.size());  // dV, dQ, dK
          write(Tensor::dQ, i.size() * d());
        }
      }
      if (!any && !sparse) continue;
      for (const Tensor t : {Tensor::K, Tensor::V}) read(t, j.size() * width(t));
      for (const Tensor t : {Tensor::dK, Tensor::dV}) write(t, j.size() * width(t));
    }
  }

  /// Column blocks that add to dQ_acc. Checkpointed: the part of O is recomputed, with its maximum and sum. Sparse: the
  /// pattern is read as well.
  void flash2_backward(const std::string& name) {
    const bool checkpointed = name == "rabe_staats_backward", sparse = name == "flash2_block_sparse_backward";
    for (std::int64_t h = 0; h < group_; ++h) {
      kernel_ = name + "_prepare";
      for (const Tensor t : {Tensor::O, Tensor::dO}) read(t, shape_.seqlen_q * width(t));
      other(2 * shape_.seqlen_q * dv());
      write_statistic(Tensor::D, shape_.seqlen_q);
      initialise(Tensor::dQ_acc, 4 * shape_.seqlen_q * d());
      kernel_ = name + "_finish";
      ledger_.move(kernel_, Tensor::dQ_acc, Direction::read, Bucket::matrix, 4 * shape_.seqlen_q * d());
      other(shape_.seqlen_q * d());
      write(Tensor::dQ, shape_.seqlen_q * d());
    }
    kernel_ = name;
    for (std::int64_t h = 0; h < group_ && sparse; ++h) read_pattern();
    for (const Block j : col_blocks()) {
      bool any = false;
      for (std::int64_t h = 0; h < group_; ++h) {
        for (const Block i : row_blocks()) {
          if (!live(i, j)) continue;
          any = true;
          read_query_block(i, true);
          recompute(i, j, true);
          drop(i, j);
          drop(i, j);
          if (checkpointed) product(i.size(), dv(), j.size());  // the part of O
          if (checkpointed) other(3 * i.size() * j.size());     // maximum, sum, P to the maximum of all chunks
          if (checkpointed) drop(i, j);                         // P_d to the maximum of all chunks
          for (const std::int64_t cols : {dv(), d(), d()}) product(i.size(), cols, j.size());  // dV, dQ, dK
          for (const Direction direction : {Direction::read, Direction::write})
            ledger_.move(kernel_, Tensor::dQ_acc, direction, Bucket::matrix, 4 * i.size() * d());
        }
      }
      if (any) read(Tensor::K, j.size() * d());
      if (any) read(Tensor::V, j.size() * dv());
      other(j.size() * d());
      for (const Tensor t : {Tensor::dK, Tensor::dV}) write(t, j.size() * width(t));
    }
  }

  std::int64_t group_;
};

}  // namespace sim
