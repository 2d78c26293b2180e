// Pattern of a scenario as the values of a tensor.
#pragma once
#include <memory>
#include <vector>

#include "sim/base/block_mask.h"
#include "sim/machine/hbm.h"

namespace sim {

/// A pattern as numbers: 1 where a block is visible, 0 where it is hidden. Without a pattern all blocks are visible.
class PatternRows : public RowSource {
 public:
  PatternRows(std::shared_ptr<const BlockMask> mask, std::int64_t cols) : mask_(std::move(mask)), cols_(cols) {}
  const float* row(std::int64_t i) override {
    row_.assign(static_cast<std::size_t>(cols_), mask_ == nullptr ? 1.0f : 0.0f);
    if (mask_ == nullptr) return row_.data();
    for (const Interval run : mask_->keys_of(i)) std::fill(row_.begin() + run.begin, row_.begin() + run.end, 1.0f);
    return row_.data();
  }

 private:
  std::shared_ptr<const BlockMask> mask_;
  std::int64_t cols_;
  std::vector<float> row_;
};

}  // namespace sim
