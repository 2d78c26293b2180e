// The counts once more: plain loops over whole tiles that follow the conventions by hand. Of the simulator they use the
// plan and Shape::visible, pair by pair; neither the tile machine nor interval arithmetic.
#pragma once
#include "tests/support/ledger.h"

namespace sim {

class IndependentCount {
 public:
  explicit IndependentCount(const Plan& plan)
      : shape_(plan.problem.shape),
        tiling_(plan.problem.tiling),
        e_(size_of(plan.problem.dtype)),
        dropout_(plan.problem.dropout.any()),
        row_capacity_(plan.problem.row_capacity.count()),
        parts_(plan.problem.parts) {
    if (plan.has_forward() && !is_released(plan.scenario.tiling)) {
      for (head_ = 0; head_ < shape_.batch * shape_.heads; ++head_) forward(plan.program->name);
    }
  }
  const Ledger& ledger() const { return ledger_; }

 protected:
  void forward(std::string_view algorithm) {
    if (algorithm == "standard") standard();
    if (algorithm == "memory-efficient") memory_efficient();
    if (algorithm == "flash1") flash1("flash1_forward", false);
    if (algorithm == "flash2") flash2("flash2_forward", false);
    if (algorithm == "rabe-staats") rabe_staats();
    if (algorithm == "flash-decoding") flash_decoding();
    if (algorithm == "block-sparse") flash1("block_sparse_forward", true);
    if (algorithm == "flash2-block-sparse") flash2("flash2_block_sparse_forward", true);
    require(!kernel_.empty(), "there is no count by hand for ", algorithm,
            " yet: write one, and name it in forward() of ", "tests/support/independent_count.h");
  }

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

  /// S, its row maximum, P and its row sum of one tile: scale, maximum, subtraction and exp, sum.
  void scores_and_softmax(Block i, Block j) {
    product(i.size(), j.size(), shape_.head_dim);
    for (std::int64_t element = 0; element < i.size() * j.size(); ++element) {
      other(4);
      exponentials(1);
    }
  }

  /// One product per element, whether it is kept or not.
  void drop(Block i, Block j) {
    if (dropout_) other(i.size() * j.size());
  }

  void standard() {
    const std::int64_t d = shape_.head_dim, row = shape_.seqlen_k;
    const Tensor scores = shape_.mask.any() ? Tensor::S_masked : Tensor::S;
    const bool row_fits = row * e_ <= row_capacity_;
    for (const Block i : row_blocks()) {
      for (const Block j : col_blocks()) {
        kernel_ = "qk_gemm";
        read(Tensor::Q, i.size() * d);
        read(Tensor::K, j.size() * d);
        product(i.size(), j.size(), d);
        other(i.size() * j.size());
        write(Tensor::S, i.size() * j.size());
        kernel_ = "mask";
        if (!shape_.mask.any()) continue;
        read(Tensor::S, i.size() * j.size());
        write(Tensor::S_masked, i.size() * j.size());
      }
      kernel_ = "dropout";
      if (dropout_) {
        read(Tensor::P, i.size() * row);
        other(i.size() * row);
        ledger_.move(kernel_, Tensor::mask, Direction::write, Bucket::matrix, i.size() * row);
        write(Tensor::P_dropped, i.size() * row);
      }
      kernel_ = "pv_gemm";
      read(dropout_ ? Tensor::P_dropped : Tensor::P, i.size() * row);
      read(Tensor::V, row * d);
      product(i.size(), d, row);
      write(Tensor::O, i.size() * d);
    }
    kernel_ = "softmax";
    for (std::int64_t q = 0; q < shape_.seqlen_q; ++q) {
      read(scores, row);
      if (!row_fits) read(scores, row);
      other(row_fits ? 4 * row : 5 * row);
      exponentials(row_fits ? row : 2 * row);
      write(Tensor::P, row);
    }
  }

  void memory_efficient() {
    kernel_ = "memory_efficient_forward";
    const std::int64_t d = shape_.head_dim;
    for (const Block i : row_blocks()) {
      bool any = false;
      for (const Block j : col_blocks()) {
        if (!live(i, j)) continue;
        any = true;
        read(Tensor::K, j.size() * d);  // first pass
        scores_and_softmax(i, j);
        read(Tensor::K, j.size() * d);  // second pass
        product(i.size(), j.size(), d);
        other(3 * i.size() * j.size());  // scale, subtraction, sum
        exponentials(i.size() * j.size());
        drop(i, j);
        read(Tensor::V, j.size() * d);
        product(i.size(), d, j.size());
      }
      if (any) read(Tensor::Q, i.size() * d);
      write_statistic(Tensor::L, i.size());
      if (any) read_statistic(Tensor::L, i.size());
      other(i.size() * d);  // O / l
      write(Tensor::O, i.size() * d);
    }
  }

  /// One byte for each tile, skipped ones too.
  void read_pattern() {
    for (std::size_t n = 0; n < row_blocks().size() * col_blocks().size(); ++n)
      ledger_.move(kernel_, Tensor::mask_blocks, Direction::read, Bucket::matrix, 1);
  }

  void flash1(const char* kernel, bool sparse) {
    kernel_ = kernel;
    const std::int64_t d = shape_.head_dim;
    if (sparse) read_pattern();
    initialise(Tensor::O, shape_.seqlen_q * d * e_);
    initialise(Tensor::l, shape_.seqlen_q * 4);
    initialise(Tensor::m, shape_.seqlen_q * 4);
    for (const Block j : col_blocks()) {
      bool any = false;
      for (const Block i : row_blocks()) {
        if (!live(i, j)) continue;
        any = true;
        read(Tensor::Q, i.size() * d);
        read(Tensor::O, i.size() * d);
        read_statistic(Tensor::l, i.size());
        read_statistic(Tensor::m, i.size());
        scores_and_softmax(i, j);
        drop(i, j);
        product(i.size(), d, j.size());
        other(3 * i.size() * d);  // two scalings and an addition
        write(Tensor::O, i.size() * d);
        write_statistic(Tensor::l, i.size());
        write_statistic(Tensor::m, i.size());
      }
      for (const Tensor t : {Tensor::K, Tensor::V}) read(t, any || sparse ? j.size() * d : 0);
    }
  }

  /// A tile of flash2: K_j and V_j pass by, O is rescaled.
  void stream(Block i, Block j) {
    const std::int64_t d = shape_.head_dim;
    read(Tensor::K, j.size() * d);
    read(Tensor::V, j.size() * d);
    scores_and_softmax(i, j);
    drop(i, j);
    other(i.size() * d);  // alpha O
    product(i.size(), d, j.size());
  }

  void flash2(const char* kernel, bool sparse) {
    kernel_ = kernel;
    if (sparse) read_pattern();
    const std::int64_t d = shape_.head_dim;
    for (const Block i : row_blocks()) {
      bool any = false;
      for (const Block j : col_blocks()) {
        if (!live(i, j)) continue;
        any = true;
        stream(i, j);
      }
      if (any) read(Tensor::Q, i.size() * d);
      other(i.size() * d);  // O / l
      write(Tensor::O, i.size() * d);
      write_statistic(Tensor::L, i.size());
    }
  }

  /// O of a part in fp32.
  void part(Direction direction, Block i) {
    ledger_.move(kernel_, Tensor::O_part, direction, Bucket::matrix, i.size() * shape_.head_dim * 4);
  }

  void rabe_staats() {
    const bool first_of_group = head_ % (shape_.heads / shape_.kv_heads) == 0;
    const std::int64_t d = shape_.head_dim;
    for (const Block j : col_blocks()) {
      bool any = false;
      for (const Block i : row_blocks()) {
        if (!live(i, j)) continue;
        any = true;
        kernel_ = "rabe_staats_chunk";
        read(Tensor::Q, i.size() * d);
        scores_and_softmax(i, j);
        drop(i, j);
        product(i.size(), d, j.size());
        part(Direction::write, i);
        write_statistic(Tensor::m_part, i.size());
        write_statistic(Tensor::l_part, i.size());
        kernel_ = "rabe_staats_combine";
        part(Direction::read, i);
        read_statistic(Tensor::m_part, i.size());
        read_statistic(Tensor::l_part, i.size());
        other(3 * i.size() * d);  // two scalings and an addition
      }
      kernel_ = "rabe_staats_chunk";
      if (any && first_of_group) read(Tensor::K, j.size() * d);
      if (any && first_of_group) read(Tensor::V, j.size() * d);
    }
    kernel_ = "rabe_staats_combine";
    write(Tensor::O, shape_.seqlen_q * d);
    write_statistic(Tensor::L, shape_.seqlen_q);
  }

  void flash_decoding() {
    const std::int64_t d = shape_.head_dim, splits = parts_ == 0 ? 1 : parts_;
    const std::vector<Block> columns = col_blocks();
    const std::int64_t blocks = static_cast<std::int64_t>(columns.size()), of_split = (blocks + splits - 1) / splits;
    const char* const first_kernel = parts_ == 0 ? "flash_decoding" : "flash_decoding_split";
    for (const Block i : row_blocks()) {
      for (std::int64_t s = 0; s < splits; ++s) {
        kernel_ = first_kernel;
        bool any = false;
        for (std::int64_t n = s * of_split; n < (s + 1) * of_split && n < blocks; ++n) {
          const Block j = columns[static_cast<std::size_t>(n)];
          if (!live(i, j)) continue;
          any = true;
          stream(i, j);
        }
        if (any) read(Tensor::Q, i.size() * d);
        other(i.size() * d);  // O / l
        if (parts_ == 0) continue;
        part(Direction::write, i);
        write_statistic(Tensor::L_part, i.size());
        kernel_ = "flash_decoding_combine";
        part(Direction::read, i);
        read_statistic(Tensor::L_part, i.size());
        other(3 * i.size() * d);  // two scalings and an addition
      }
    }
    kernel_ = parts_ == 0 ? first_kernel : "flash_decoding_combine";
    write(Tensor::O, shape_.seqlen_q * d);
    write_statistic(Tensor::L, shape_.seqlen_q);
  }

  Shape shape_;
  Tiling tiling_;
  std::int64_t e_;
  bool dropout_;
  std::int64_t row_capacity_, parts_, head_ = 0;
  std::string kernel_;
  Ledger ledger_;
};

}  // namespace sim
