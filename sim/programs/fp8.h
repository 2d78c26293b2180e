// Inputs of attention in e4m3: Q, K and V are scaled, by blocks, heads or as a whole, and rounded before a program
// reads them. Q and K may be rotated first. It happens outside of the kernels, which read values and scales.
#pragma once
#include "sim/base/quantise.h"
#include "sim/programs/drawn_rows.h"

namespace sim {

/// Rows of a tensor that share a scale: those of a block of the kernel's tiles; of a head, for Q of all query heads of
/// a KV head; of the whole tensor.
enum class Fp8Scales : std::uint8_t { block, head, tensor };
Fp8Scales fp8_scales(const Problem& problem);

/// True if Q and K are rotated: by --rotate, or if their rows can be.
bool rotates(const Scenario& scenario);

/// Inputs in e4m3, and their scales as they lie in HBM: a number for each block of a head, or one for each head.
struct Fp8Inputs {
  AttentionInputs x8;
  std::vector<float> q_scale, k_scale, v_scale;
};
Fp8Inputs quantised(const Plan& plan, const AttentionInputs& inputs);

/// Returns the inputs whose attention a plan computes: e4m3 times their scales, in `room`, or the given ones.
const AttentionInputs& as_read(const Plan& plan, const AttentionInputs& inputs, AttentionInputs& room);

/// One input of a head in e4m3, quantised as it is read.
class Fp8Rows : public RowSource {
 public:
  /// `exact`: the rows of that head before they are scaled.
  Fp8Rows(const Plan& plan, std::int64_t head, DrawnTensor tensor, DrawnRows& exact);
  Fp8Rows(const Fp8Rows&) = delete;
  Fp8Rows& operator=(const Fp8Rows&) = delete;
  const float* row(std::int64_t index) override;
  float scale_of_row(std::int64_t index) { return scale(index / rows_of_scale_); }
  RowSource& scales() { return scales_; }

 private:
  /// The scales as rows of one number.
  class Scales : public RowSource {
   public:
    explicit Scales(Fp8Rows& of) : of_(of) {}
    const float* row(std::int64_t index) override {
      value_ = of_.scale(index);
      return &value_;
    }

   private:
    Fp8Rows& of_;
    float value_ = 1;
  };

  float scale(std::int64_t index);
  float largest_of(Interval rows);
  DrawnRows& exact_;
  std::optional<Rotation> rotation_;
  std::int64_t cols_ = 0, rows_of_scale_ = 1;  ///< rows_of_scale_: of this head, those of one entry of the scales
  Interval own_;                               ///< rows of this head among those of all heads
  std::vector<Interval> scaled_together_;      ///< rows of the tensor, of all heads, that share each scale
  std::map<std::int64_t, float> known_;
  std::vector<float> row_;
  Scales scales_{*this};
};

/// The inputs of a head in e4m3.
struct Fp8Head {
  Fp8Head(const Plan& plan, std::int64_t head, DrawnInputs& exact);
  Fp8Rows Q, K, V;
};

}  // namespace sim
