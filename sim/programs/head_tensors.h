// Values of the tensors in HBM while programs run: inputs and outputs of the heads that run together.
#pragma once
#include "sim/programs/fp8.h"
#include "sim/programs/launch_cta.h"

namespace sim {

/// Tensors of a bundle: the heads that run together. A bundle is one query head or, in a plan with a backward pass or
/// CTAs of KV heads, all query heads of one KV head, because they share dK and dV, or a CTA. Inputs point into the
/// arrays of the caller; everything else is stored here.
class HeadTensors {
 public:
  /// Throws Error if the tensors of a bundle need more than 4 GiB, or dO is missing.
  HeadTensors(const Plan& plan, const AttentionInputs& inputs);
  std::int64_t bundles() const { return bundles_; }  ///< number of bundles
  std::int64_t group() const { return group_; }      ///< query heads per bundle
  void select(std::int64_t bundle);                  ///< points every tensor to the heads of one bundle

  /// Runs every CTA of a kernel over the selected heads, without events; calls after_cta() after each. `watch`: looks
  /// for values that are not finite, only in query head `watched` of the bundle and in tensors that its heads share;
  /// stops once one is found. Returns the number of CTAs that had work (Launch::needed).
  template <class AfterCta>
  std::int64_t run(const Launch& launch, AfterCta after_cta, FirstNonfinite* watch = nullptr,
                   std::int64_t watched = 0) const {
    std::int64_t ctas = 0;
    for (std::int64_t head = 0; head < (launch.grid.by_kv_head() ? 1 : group_); ++head) {
      const Problem seen = problem_of(head);
      each_cta(plan_.problem.shape, launch.grid, [&](const Block& row, const Block& col) {
        if (watch != nullptr && watch->found()) return;
        if (launch.needed == nullptr || launch.needed(seen, row)) {
          run_quietly(launch, seen, head, row, col, launch.grid.by_kv_head() || head == watched ? watch : nullptr);
          ++ctas;
        }
        after_cta();
      });
    }
    return ctas;
  }

  /// Returns the problem as one query head of the bundle sees it; head 0 for a kernel that takes the whole bundle.
  Problem problem_of(std::int64_t head) const;
  /// Adds to the setup of a CTA with values its head and whether inputs contain NaN or infinity.
  void prepare(CtaSetup& setup, std::int64_t head) const;
  /// Returns all values of a tensor of the bundle; empty if no kernel writes it.
  std::span<const float> values_of(Tensor tensor) const;

 private:
  void run_quietly(const Launch& launch, const Problem& seen, std::int64_t head, const Block& row, const Block& col,
                   FirstNonfinite* watch) const;
  void place_in_pages(HbmTensor& tensor, std::vector<float>& pool) const;
  const AttentionInputs& read() const { return fp8_ ? fp8_->x8 : inputs_; }
  std::int64_t copies(const HbmTensor& tensor) const { return tensor.per_kv_head() ? 1 : group_; }
  const Plan& plan_;
  const AttentionInputs& inputs_;
  std::optional<Fp8Inputs> fp8_;  ///< what kernels read in e4m3
  Problem problem_;
  std::int64_t group_ = 1, bundles_ = 1, bundle_ = 0;
  bool nonfinite_ = false;
  std::vector<std::vector<float>> storage_;
  PageTable pages_;                       ///< of the batch entry whose heads are selected
  std::vector<float> paged_k_, paged_v_;  ///< its keys and values in pages, NaN where no key is
};

}  // namespace sim
