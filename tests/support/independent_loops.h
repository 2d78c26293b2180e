// Shared code of the independent counts: plain loops over whole tiles that follow the counting conventions. From the
// simulator they use the plan and Shape::visible, pair by pair; neither the tile machine nor interval arithmetic.
#pragma once
#include "tests/support/ledger.h"

namespace sim {

class IndependentLoops {
 public:
  explicit IndependentLoops(const Plan& plan)
      : shape_(plan.problem.shape),
        tiling_(plan.problem.tiling),
        e_(size_of(plan.problem.dtype)),
        dropout_(plan.problem.dropout.any()),
        row_capacity_(plan.problem.row_capacity.count()),
        parts_(plan.problem.parts),
        page_(plan.problem.paged() ? plan.problem.pages->rows : 0) {}
  const Ledger& ledger() const { return ledger_; }

 protected:
  /// A range of rows or keys.
  struct Block {
    std::int64_t begin, end;
    std::int64_t size() const { return end - begin; }
  };

  static std::vector<Block> cut(std::int64_t extent, std::int64_t size) {
    std::vector<Block> blocks;
    for (std::int64_t at = 0; at < extent; at += size) blocks.push_back({at, at + size < extent ? at + size : extent});
    return blocks;
  }
  std::vector<Block> row_blocks() const { return cut(shape_.seqlen_q, tiling_.br); }
  std::vector<Block> col_blocks() const { return cut(shape_.seqlen_k, tiling_.bc); }

  bool live(Block i, Block j) const {
    for (std::int64_t q = i.begin; q < i.end; ++q) {
      for (std::int64_t k = j.begin; k < j.end; ++k) {
        if (shape_.visible(q, k)) return true;
      }
    }
    return false;
  }

  void read(Tensor t, std::int64_t elements) {
    ledger_.move(kernel_, t, Direction::read, Bucket::matrix, elements * e_);
  }
  void write(Tensor t, std::int64_t elements) {
    ledger_.move(kernel_, t, Direction::write, Bucket::matrix, elements * e_);
  }
  void read_statistic(Tensor t, std::int64_t rows) {
    ledger_.move(kernel_, t, Direction::read, Bucket::statistics, rows * 4);
  }
  void write_statistic(Tensor t, std::int64_t rows) {
    ledger_.move(kernel_, t, Direction::write, Bucket::statistics, rows * 4);
  }
  void initialise(Tensor t, std::int64_t bytes) {
    ledger_.move(kernel_, t, Direction::write, Bucket::initialisation, bytes);
  }
  void product(std::int64_t rows, std::int64_t cols, std::int64_t inner) {
    ledger_.compute(kernel_, "matmul_flops", 2 * rows * cols * inner);
  }
  void other(std::int64_t flops) { ledger_.compute(kernel_, "other_flops", flops); }
  void exponentials(std::int64_t count) { ledger_.compute(kernel_, "exp_count", count); }

  std::int64_t d() const { return shape_.head_dim; }
  std::int64_t dv() const { return shape_.value_dim(); }
  std::int64_t width(Tensor t) const {
    return t == Tensor::V || t == Tensor::O || t == Tensor::dV || t == Tensor::dO ? dv() : d();
  }

  /// S, its row maximum, P and its row sum of one tile: scale, maximum, subtraction and exp, sum.
  void scores_and_softmax(Block i, Block j) {
    product(i.size(), j.size(), d());
    for (std::int64_t element = 0; element < i.size() * j.size(); ++element) {
      other(4);
      exponentials(1);
    }
  }

  /// Entries of the page table for a tile: one of each page that holds one of its keys.
  void look_up(Block j) {
    for (std::int64_t k = j.begin; page_ > 0 && k < j.end; ++k) {
      if (k == j.begin || k % page_ == 0)
        ledger_.move(kernel_, Tensor::block_table, Direction::read, Bucket::matrix, 4);
    }
  }

  /// Dropout: one product per element, kept or not.
  void drop(Block i, Block j) {
    if (dropout_) other(i.size() * j.size());
  }

  /// Reads or writes O of a part of the keys, in fp32.
  void part(Direction direction, Block i) {
    ledger_.move(kernel_, Tensor::O_part, direction, Bucket::matrix, i.size() * dv() * 4);
  }

  bool first_of_group() const { return head_ % (shape_.heads / shape_.kv_heads) == 0; }

  Shape shape_;
  Tiling tiling_;
  std::int64_t e_;
  bool dropout_;
  std::int64_t row_capacity_, parts_, page_, head_ = 0;  ///< page_: 0: K and V are in one piece
  std::string kernel_;
  Ledger ledger_;
};

}  // namespace sim
