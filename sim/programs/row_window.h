// A plan on a few rows of queries of one head: runs its own kernels, but only the CTAs, and only the iterations of
// their loops, that work on these rows. Rows of queries are independent and tiles keep their sizes, so the values are
// bit-identical to those of a full run. Other rows of a tile are 0.
//
// Sums over queries (dK, dV) are excluded: they would need the other rows.
#pragma once
#include <memory>

#include "sim/machine/iteration_counter.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/launch_cta.h"

namespace sim {

/// State of a CTA between two iterations.
struct Keyframe {
  std::int64_t iteration = 0;                   ///< the next iteration (IterationCounter::now)
  Carried held;                                 ///< values on chip
  std::map<Tensor, std::vector<float>> stored;  ///< values that it has written to the rows in HBM
  std::int64_t bytes() const;
};

/// Result of running some iterations of a CTA.
struct CtaPart {
  Trace trace;  ///< trace of these iterations, and of the start of the body: iteration 0
  bool finished = false;
  double nanoseconds = 0;  ///< approximate time on one core
  Keyframe next;           ///< state at the end, unless it has finished
};

class RowWindow {
 public:
  /// Opens a window on a query head, counted over all batch entries. The inputs are those of that head.
  RowWindow(const Plan& plan, std::int64_t head, Interval queries, std::shared_ptr<DrawnInputs> inputs);

  Interval queries() const { return queries_; }
  std::int64_t head() const { return head_; }  ///< query head, counted over all batch entries
  /// Resumes a CTA from a keyframe: runs its iterations before `until`, and its end if there are none left.
  CtaPart resume(const Launch& launch, Block row, Block col, Keyframe from, std::int64_t until,
                 KeepValues keep = KeepValues::none);
  /// Saves values that the CTA has written to the rows in its keyframe (keep_stored), and restores them (put_back), for
  /// resuming later.
  void keep_stored(CtaPart& part, const Keyframe& from) const;
  void put_back(const Keyframe& keyframe);
  /// Replays all iterations of a CTA, without values.
  Trace outline(const Launch& launch, Block row, Block col) const;

  /// Returns the rows of a tensor in HBM, (queries, columns); empty if no kernel has written it here.
  std::span<const float> stored(Tensor tensor) const;
  /// Frees the rows of the tensors for which test(tensor) holds.
  template <class Test>
  void forget(Test test) {
    for (auto& [tensor, rows] : rows_) {
      if (test(tensor)) drop(tensor);
    }
  }
  DrawnInputs& inputs() const { return *inputs_; }
  std::int64_t bytes() const;

 private:
  CtaSetup setup(const Launch& launch, const Block& row, const Block& col, const Cut& cut) const;
  Cut cut(const Launch& launch) const;
  std::vector<float>& room(Tensor tensor);
  void make_room(const Launch& launch);
  void drop(Tensor tensor);

  const Plan& plan_;
  std::int64_t head_;
  Interval queries_;
  std::shared_ptr<DrawnInputs> inputs_;
  Problem problem_;
  std::map<Tensor, std::vector<float>> rows_;
};

/// Returns the kernels of a plan that produce the inputs of a launch, directly or indirectly, in order.
std::vector<const Launch*> makers_of(const Plan& plan, const Launch& launch);

}  // namespace sim
