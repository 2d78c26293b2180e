// The values of the tensors in HBM while programs run: inputs and outputs of the heads that run together.
#pragma once
#include "sim/programs/launch_cta.h"

namespace sim {

/// What runs together is one query head or, in a plan with a backward pass or CTAs of KV heads, all query heads of one
/// KV head, since they share dK and dV, or a CTA. Inputs point into the arrays of the caller, everything else is here.
class HeadTensors {
 public:
  /// Throws Error when the tensors of what runs together need more than 4 GiB, or dO is missing.
  HeadTensors(const Plan& plan, const AttentionInputs& inputs);
  std::int64_t bundles() const { return bundles_; }  ///< how many sets of heads that run together
  std::int64_t group() const { return group_; }      ///< query heads in each
  void select(std::int64_t bundle);                  ///< points every tensor at the heads of one bundle

  /// Runs every CTA of a kernel over the selected heads, without events; calls after_cta() after each.
  /// `watch`: looks for values that are not finite in query head `watched` of the bundle alone, and in what its heads
  /// share; nothing more runs once one is found.
  template <class AfterCta>
  void run(const Launch& launch, AfterCta after_cta, FirstNonfinite* watch = nullptr, std::int64_t watched = 0) const {
    for (std::int64_t head = 0; head < (launch.grid.by_kv_head() ? 1 : group_); ++head) {
      const Problem seen = problem_of(head);
      each_cta(plan_.problem.shape, launch.grid, [&](const Block& row, const Block& col) {
        if (watch != nullptr && watch->found()) return;
        run_quietly(launch, seen, head, row, col, launch.grid.by_kv_head() || head == watched ? watch : nullptr);
        after_cta();
      });
    }
  }

  /// The problem as one query head of the bundle sees it; head 0 for a kernel that takes the whole bundle.
  Problem problem_of(std::int64_t head) const;
  /// What a CTA with values knows beside its place: its head and whether inputs hold NaN or infinity.
  void prepare(CtaSetup& setup, std::int64_t head) const;
  /// All values of a tensor of the bundle, no values when no kernel writes it.
  std::span<const float> values_of(Tensor tensor) const;

 private:
  void run_quietly(const Launch& launch, const Problem& seen, std::int64_t head, const Block& row, const Block& col,
                   FirstNonfinite* watch) const;
  std::int64_t copies(const HbmTensor& tensor) const { return tensor.per_kv_head() ? 1 : group_; }
  const Plan& plan_;
  const AttentionInputs& inputs_;
  Problem problem_;
  std::int64_t group_ = 1, bundles_ = 1, bundle_ = 0;
  bool nonfinite_ = false;
  std::vector<std::vector<float>> storage_;
};

}  // namespace sim
