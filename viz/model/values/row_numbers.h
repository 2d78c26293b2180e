// Numbers of whole rows that a kernel needs when it works on one of their tiles: the maximum and the sum of the softmax
// from the forward pass, and D of the backward pass. One number per row. They are computed by running the earlier
// kernels on these rows only; the kernel itself then reads their results from HBM.
#pragma once
#include <vector>

#include "viz/model/task.h"
#include "viz/model/values/cta_iterations.h"

namespace explorer {

/// Numbers by row; those that the kernel does not use are empty.
struct RowNumbers {
  sim::Interval queries;
  std::vector<float> m, l, L, D;
};

/// Position at which a kernel works.
struct KernelRows {
  std::size_t kernel = 0;
  std::int64_t head = 0;          ///< query head, counted over all batch entries
  std::int64_t row = 0, col = 0;  ///< blocks of the kernel's grid
};

/// Computes the numbers in slices.
class RowsTask : public Task {
 public:
  RowsTask(std::shared_ptr<const Run> run, const KernelRows& of, std::shared_ptr<sim::DrawnInputs> inputs);

  /// The numbers of all rows; incomplete until done().
  const RowNumbers& numbers() const { return numbers_; }
  bool done() const { return done_; }
  double share() const;  ///< share of the work done, 0..1
  std::int64_t bytes() const { return window_.bytes(); }

  /// The rows in HBM, as the kernel finds them.
  sim::RowWindow& window() { return window_; }

  bool advance() final {
    if (!done_) done_ = !slice();
    return !done_;
  }

 private:
  bool slice();
  void next();
  void add_maker(const sim::Launch& launch, sim::Interval keys);
  void add_kernel();
  void note(const sim::Trace& trace);
  void forget();
  void finish();
  const sim::Plan& plan() const { return run_->simulation.plan; }
  const sim::Launch& launch() const { return plan().launches[of_.kernel]; }

  std::shared_ptr<const Run> run_;
  KernelRows of_;
  sim::RowWindow window_;
  std::vector<CtaIterations> parts_;
  std::size_t first_ = 0, at_ = 0, done_parts_ = 0;  ///< index of the first unfinished CTA
  RowNumbers numbers_;
  bool done_ = false;
};

}  // namespace explorer
