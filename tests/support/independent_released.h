// Independent count of `--tiling released`, by plain loops over whole tiles. The first and last pass over a row block
// are found by testing every pair for visibility.
#pragma once
#include "sim/programs/flash1_released/tensors.h"
#include "tests/support/independent_count.h"

namespace sim {

class IndependentReleasedCount : public IndependentCount {
 public:
  explicit IndependentReleasedCount(const Plan& plan) : IndependentCount(plan) {
    for (const Launch& launch : plan.launches) {
      tiling_ = launch.tiling;
      kernel_ = launch.name;
      for (std::int64_t head = 0; head < shape_.batch * shape_.heads; ++head) {
        if (kernel_ == "flash1_released_forward") walk([this](Block i, Block j) { forward_tile(i, j); }, false);
        if (kernel_ == "flash1_released_backward") walk([this](Block i, Block j) { backward_tile(i, j); }, true);
      }
    }
  }

 private:
  std::int64_t d() const { return shape_.head_dim; }

  /// Visits the live tiles, and moves the tensors of each column block.
  template <class Tile>
  void walk(Tile tile, bool gradients) {
    for (const Block j : col_blocks()) {
      bool any = false;
      for (const Block i : row_blocks()) {
        if (!live(i, j)) continue;
        any = true;
        tile(i, j);
      }
      if (!any) continue;
      read(Tensor::K, j.size() * d());
      read(Tensor::V, j.size() * d());
      if (!gradients) continue;
      other(j.size() * d());  // scale of dK
      write(Tensor::dK, j.size() * d());
      write(Tensor::dV, j.size() * d());
    }
  }

  /// True if another live tile of row block i precedes or follows column block j.
  bool met_before(Block i, Block j) const { return j.begin > 0 && live(i, {0, j.begin}); }
  bool met_again(Block i, Block j) const { return j.end < shape_.seqlen_k && live(i, {j.end, shape_.seqlen_k}); }

  /// Moves the running result of row block i, (rows, d): in fp32 between passes, in the dtype after the last.
  void carry(Tensor between, Tensor result, Block i, Block j) {
    const std::int64_t elements = i.size() * d();
    if (met_before(i, j)) ledger_.move(kernel_, between, Direction::read, Bucket::matrix, 4 * elements);
    if (met_again(i, j)) {
      ledger_.move(kernel_, between, Direction::write, Bucket::matrix, 4 * elements);
    } else {
      write(result, elements);
    }
  }

  void forward_tile(Block i, Block j) {
    read(Tensor::Q, i.size() * d());
    if (met_before(i, j)) read_statistic(Tensor::L, i.size());
    if (met_before(i, j)) other(i.size() * d());  // exp(L - m) O
    scores_and_softmax(i, j);
    drop(i, j);
    product(i.size(), d(), j.size());
    other(i.size() * d());  // O / l
    carry(O_tmp, Tensor::O, i, j);
    write_statistic(Tensor::L, i.size());
  }

  void backward_tile(Block i, Block j) {
    read(Tensor::Q, i.size() * d());
    read(Tensor::dO, i.size() * d());
    if (!met_before(i, j)) {
      read(Tensor::O, i.size() * d());
      other(2 * i.size() * d());  // D
      write_statistic(Tensor::D, i.size());
    }
    read_statistic(Tensor::L, i.size());
    read_statistic(Tensor::D, i.size());
    for (int scores = 0; scores < 2; ++scores) product(i.size(), j.size(), d());  // S and dP
    for (int sums = 0; sums < 3; ++sums) product(i.size(), d(), j.size());        // dV, dQ and dK
    other(4 * i.size() * j.size());  // scale, subtraction; subtraction and product of dS
    exponentials(i.size() * j.size());
    drop(i, j);
    drop(i, j);
    carry(dQ_tmp, Tensor::dQ, i, j);
    if (!met_again(i, j)) other(i.size() * d());  // scale of dQ
  }
};

}  // namespace sim
