// Independent count of the forward passes, one function per program: plain loops over whole tiles.
#pragma once
#include <algorithm>

#include "sim/programs/paged_attention/paged_attention.h"
#include "sim/programs/paged_attention/tensors.h"
#include "tests/support/independent_loops.h"

namespace sim {

class IndependentCount : public IndependentLoops {
 public:
  explicit IndependentCount(const Plan& plan)
      : IndependentLoops(plan), keys_of_part_(keys_of_paged_part(plan.problem)) {
    if (plan.has_forward() && !is_released(plan.scenario.tiling)) {
      for (head_ = 0; head_ < shape_.batch * shape_.heads; ++head_) forward(plan.code->name);
    }
  }

 protected:
  void forward(std::string_view algorithm) {
    if (algorithm == "standard") standard();
    if (algorithm == "memory-efficient") memory_efficient();
    if (algorithm == "flash1") flash1("flash1_forward", false);
    if (algorithm == "flash1-q-outer") flash1_q_outer();
    if (algorithm == "flash2") flash2("flash2_forward", false);
    if (algorithm == "flash3") flash2("flash3_forward", false);
    if (algorithm == "fmha") fmha();
    if (algorithm == "rabe-staats") rabe_staats();
    if (algorithm == "flash-decoding" || algorithm == "mla-decode") flash_decoding();
    if (algorithm == "flash-decoding-plus") flash_decoding_plus();
    if (algorithm == "paged-attention") paged_attention();
    if (algorithm == "block-sparse") flash1("block_sparse_forward", true);
    if (algorithm == "flash2-block-sparse") flash2("flash2_block_sparse_forward", true);
    require(!kernel_.empty(), "there is no count by hand for ", algorithm,
            " yet: write one, and name it in forward() of ", "tests/support/independent_count.h");
  }

  void standard() {
    const std::int64_t row = shape_.seqlen_k;
    const Tensor scores = shape_.mask.any() ? Tensor::S_masked : Tensor::S;
    const bool row_fits = row * e_ <= row_capacity_;
    for (const Block i : row_blocks()) {
      for (const Block j : col_blocks()) {
        kernel_ = "qk_gemm";
        read(Tensor::Q, i.size() * d());
        read(Tensor::K, j.size() * d());
        product(i.size(), j.size(), d());
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
      read(Tensor::V, row * dv());
      product(i.size(), dv(), row);
      write(Tensor::O, i.size() * dv());
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
    for (const Block i : row_blocks()) {
      bool any = false;
      for (const Block j : col_blocks()) {
        if (!live(i, j)) continue;
        any = true;
        read(Tensor::K, j.size() * d());  // first pass
        scores_and_softmax(i, j);
        read(Tensor::K, j.size() * d());  // second pass
        product(i.size(), j.size(), d());
        other(3 * i.size() * j.size());  // scale, subtraction, sum
        exponentials(i.size() * j.size());
        drop(i, j);
        read(Tensor::V, j.size() * dv());
        product(i.size(), dv(), j.size());
      }
      if (any) read(Tensor::Q, i.size() * d());
      write_statistic(Tensor::L, i.size());
      if (any) read_statistic(Tensor::L, i.size());
      other(i.size() * dv());  // O / l
      write(Tensor::O, i.size() * dv());
    }
  }

  /// Reads one byte for each tile, skipped ones included.
  void read_pattern() {
    for (std::size_t n = 0; n < row_blocks().size() * col_blocks().size(); ++n)
      ledger_.move(kernel_, Tensor::mask_blocks, Direction::read, Bucket::matrix, 1);
  }

  void flash1(const char* kernel, bool sparse) {
    kernel_ = kernel;
    if (sparse) read_pattern();
    initialise(Tensor::O, shape_.seqlen_q * dv() * e_);
    initialise(Tensor::l, shape_.seqlen_q * 4);
    initialise(Tensor::m, shape_.seqlen_q * 4);
    for (const Block j : col_blocks()) {
      bool any = false;
      for (const Block i : row_blocks()) {
        if (!live(i, j)) continue;
        any = true;
        read(Tensor::Q, i.size() * d());
        read(Tensor::O, i.size() * dv());
        read_statistic(Tensor::l, i.size());
        read_statistic(Tensor::m, i.size());
        scores_and_softmax(i, j);
        drop(i, j);
        product(i.size(), dv(), j.size());
        other(3 * i.size() * dv());  // two scalings and an addition
        write(Tensor::O, i.size() * dv());
        write_statistic(Tensor::l, i.size());
        write_statistic(Tensor::m, i.size());
      }
      for (const Tensor t : {Tensor::K, Tensor::V}) read(t, any || sparse ? j.size() * width(t) : 0);
    }
  }

  /// A tile of flash2: K_j and V_j are loaded, O is rescaled.
  void stream(Block i, Block j) {
    look_up(j);
    read(Tensor::K, j.size() * d());
    if (!shape_.kv_shared) read(Tensor::V, j.size() * dv());
    scores_and_softmax(i, j);
    drop(i, j);
    other(i.size() * dv());  // alpha O
    product(i.size(), dv(), j.size());
  }

  void flash2(const char* kernel, bool sparse) {
    kernel_ = kernel;
    if (sparse) read_pattern();
    for (const Block i : row_blocks()) {
      bool any = false;
      for (const Block j : col_blocks()) {
        if (!live(i, j)) continue;
        any = true;
        stream(i, j);
      }
      if (any) read(Tensor::Q, i.size() * d());
      other(i.size() * dv());  // O / l
      write(Tensor::O, i.size() * dv());
      write_statistic(Tensor::L, i.size());
    }
  }

  void flash1_q_outer() {
    kernel_ = "flash1_q_outer";
    for (const Block i : row_blocks()) {
      bool any = false;
      for (const Block j : col_blocks()) {
        if (!live(i, j)) continue;
        any = true;
        stream(i, j);
        other(2 * i.size() * dv());  // beta P V, and its addition
      }
      if (any) read(Tensor::Q, i.size() * d());
      write(Tensor::O, i.size() * dv());
    }
  }

  void fmha() {
    kernel_ = "fmha_forward";
    const std::int64_t keys = shape_.seqlen_k;
    if (first_of_group()) read(Tensor::K, keys * d());
    if (first_of_group()) read(Tensor::V, keys * dv());
    for (std::int64_t q = 0; q < shape_.seqlen_q; ++q) {
      read(Tensor::Q, d());
      scores_and_softmax({q, q + 1}, {0, keys});
      other(keys);  // P / l
      write(Tensor::P, keys);
      drop({q, q + 1}, {0, keys});
      product(1, dv(), keys);
      write(Tensor::O, dv());
    }
  }

  void rabe_staats() {
    for (const Block j : col_blocks()) {
      bool any = false;
      for (const Block i : row_blocks()) {
        if (!live(i, j)) continue;
        any = true;
        kernel_ = "rabe_staats_chunk";
        read(Tensor::Q, i.size() * d());
        scores_and_softmax(i, j);
        drop(i, j);
        product(i.size(), dv(), j.size());
        part(Direction::write, i);
        write_statistic(Tensor::m_part, i.size());
        write_statistic(Tensor::l_part, i.size());
        kernel_ = "rabe_staats_combine";
        part(Direction::read, i);
        read_statistic(Tensor::m_part, i.size());
        read_statistic(Tensor::l_part, i.size());
        other(3 * i.size() * dv());  // two scalings and an addition
      }
      kernel_ = "rabe_staats_chunk";
      if (any && first_of_group()) read(Tensor::K, j.size() * d());
      if (any && first_of_group()) read(Tensor::V, j.size() * dv());
    }
    kernel_ = "rabe_staats_combine";
    write(Tensor::O, shape_.seqlen_q * dv());
    write_statistic(Tensor::L, shape_.seqlen_q);
  }

  /// Key blocks of part `s`, of which there are parts_ (0: one part of all).
  std::vector<Block> part_of_keys(std::int64_t s) const {
    const std::vector<Block> all = col_blocks();
    const std::int64_t blocks = static_cast<std::int64_t>(all.size()), splits = parts_ == 0 ? 1 : parts_,
                       of_split = (blocks + splits - 1) / splits;
    return {all.begin() + std::min(blocks, s * of_split), all.begin() + std::min(blocks, (s + 1) * of_split)};
  }

  /// Calls visit(j) for the blocks that row block i sees; returns true if there are any.
  template <class Visit>
  bool for_live(Block i, const std::vector<Block>& blocks, Visit visit) {
    bool any = false;
    for (const Block j : blocks) {
      if (!live(i, j)) continue;
      any = true;
      visit(j);
    }
    return any;
  }

  void flash_decoding() {
    const std::int64_t splits = parts_ == 0 ? 1 : parts_;
    const char* const first_kernel = parts_ == 0 ? "flash_decoding" : "flash_decoding_split";
    for (const Block i : row_blocks()) {
      for (std::int64_t s = 0; s < splits; ++s) {
        kernel_ = first_kernel;
        const bool any = for_live(i, part_of_keys(s), [&](Block j) { stream(i, j); });
        if (any) read(Tensor::Q, i.size() * d());
        other(i.size() * dv());  // O / l
        if (parts_ == 0) continue;
        part(Direction::write, i);
        write_statistic(Tensor::L_part, i.size());
        kernel_ = "flash_decoding_combine";
        part(Direction::read, i);
        read_statistic(Tensor::L_part, i.size());
        other(3 * i.size() * dv());  // two scalings and an addition
      }
    }
    kernel_ = parts_ == 0 ? first_kernel : "flash_decoding_combine";
    write(Tensor::O, shape_.seqlen_q * dv());
    write_statistic(Tensor::L, shape_.seqlen_q);
  }

  /// As flash_decoding(), but nothing is rescaled, and parts are added as they are.
  void flash_decoding_plus() {
    const std::int64_t splits = std::max<std::int64_t>(1, parts_);
    const char* const first_kernel = parts_ == 0 ? "flash_decoding_plus" : "flash_decoding_plus_split";
    const char* const last_kernel = parts_ == 0 ? first_kernel : "flash_decoding_plus_combine";
    for (const Block i : row_blocks()) {
      for (std::int64_t s = 0; s < splits; ++s) {
        kernel_ = first_kernel;
        const bool any = for_live(i, part_of_keys(s), [&](Block j) {
          read(Tensor::K, j.size() * d());
          read(Tensor::V, j.size() * dv());
          scores_and_softmax(i, j);  // a comparison with the range in the place of the maximum
          drop(i, j);
          product(i.size(), dv(), j.size());
        });
        if (any) read(Tensor::Q, i.size() * d());
        if (parts_ == 0) continue;
        part(Direction::write, i);
        write_statistic(Tensor::l_part, i.size());
        kernel_ = last_kernel;
        part(Direction::read, i);
        read_statistic(Tensor::l_part, i.size());
        other(i.size() * dv());  // O + O_is
      }
      kernel_ = last_kernel;
      other(i.size() * dv());  // O / l
    }
    write(Tensor::O, shape_.seqlen_q * dv());
    write_statistic(Tensor::L, shape_.seqlen_q);
  }

  /// A query of one head, page by page, looked up for K and again for V; parts of 512 keys unless it is said otherwise.
  void paged_attention() {
    const std::int64_t keys = shape_.seqlen_k, of_part = parts_ == 0 ? keys : keys_of_part_;
    const auto entries = [&](Tensor table, std::int64_t count) {
      ledger_.move(kernel_, table, Direction::read, Bucket::matrix, 4 * count);
    };
    for (const Block s : cut(keys, of_part)) {
      kernel_ = parts_ == 0 ? "paged_attention_v1" : "paged_attention_v2";
      entries(seq_lens, 1);
      read(Tensor::Q, d());
      for (const Block j : cut(s.size(), tiling_.bc)) {
        entries(Tensor::block_table, 2);
        read(Tensor::K, j.size() * d());
        read(Tensor::V, j.size() * d());
        product(1, j.size(), 2 * d());
        other(5 * j.size());
        exponentials(j.size());
      }
      if (parts_ == 0) continue;
      write(O_part16, d());
      write_statistic(Tensor::m_part, 1);
      write_statistic(Tensor::l_part, 1);
      kernel_ = "paged_attention_reduce";
      read(O_part16, d());
      if (parts_ == 1) continue;
      read_statistic(Tensor::m_part, 1);
      read_statistic(Tensor::l_part, 1);
      other(2 * d());
    }
    if (parts_ > 0) entries(seq_lens, 1);
    write(Tensor::O, d());
  }

  std::int64_t keys_of_part_;  ///< of paged-attention
};

}  // namespace sim
