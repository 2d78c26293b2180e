// The N x N matrices of standard attention as they lie in HBM, any part of them. They are not kept: a part is computed
// again, in the tiles and with the roundings of the kernels that wrote it.
#pragma once
#include <memory>
#include <vector>

#include "viz/model/row_numbers.h"
#include "viz/model/run.h"

namespace explorer {

class StandardMatrix {
 public:
  /// Of a query head, counted over all batch entries.
  StandardMatrix(std::shared_ptr<const Run> run, std::int64_t head) : run_(std::move(run)), head_(head) {}

  /// Tile (i, j) of a kernel that multiplies rows by rows, slice by slice: the operands of a slice, (rows, slice).
  struct Slices {
    sim::DrawnTensor left, right;
    sim::Interval queries, keys;
    std::vector<float> of_left, of_right;  ///< whole rows
    /// The columns of a slice, packed.
    static std::vector<float> packed(const std::vector<float>& rows, std::int64_t d, sim::Interval columns);
  };
  Slices slices(sim::Tensor product, sim::Interval queries, sim::Interval keys) const;

  /// What qk_gemm stores (S), or dp_gemm (dP). O(tiles that the part touches).
  std::vector<float> product(sim::Tensor product, sim::Interval queries, sim::Interval keys) const;
  /// Its masked scores, in place.
  void mask(std::vector<float>& S, sim::Interval queries, sim::Interval keys) const;
  /// P as the softmax stores it, from the masked scores.
  std::vector<float> weights(std::vector<float> S, const RowNumbers& rows, sim::Interval keys) const;
  /// Z o values / (1 - p), rounded; as they are without dropout.
  std::vector<float> dropped(std::vector<float> values, sim::Interval queries, sim::Interval keys) const;

  const sim::Plan& plan() const { return run_->simulation.plan; }
  const sim::Problem& problem() const { return plan().problem; }
  /// The kernel of a name of either pass. Throws sim::Error when there is none.
  const sim::Launch& kernel(std::string_view name) const;
  std::int64_t head() const { return head_; }
  /// The blocks of the kernel that writes S or dP.
  sim::Blocking row_blocks(sim::Tensor product) const;
  sim::Blocking col_blocks(sim::Tensor product) const;

 private:
  const sim::Launch& writer(sim::Tensor product) const;
  std::vector<float> tile(sim::Tensor product, sim::Interval queries, sim::Interval keys) const;
  std::shared_ptr<const Run> run_;
  std::int64_t head_;
};

}  // namespace explorer
