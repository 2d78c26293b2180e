// A plan on a few rows of queries of one head: its own kernels run, but only the CTAs, and of their loops only the
// iterations, that work on these rows. Rows of queries do not depend on each other: what they are is what they are in a
// run of everything, bit for bit, since tiles keep their sizes. The other rows of a tile are 0.
//
// Sums over queries (dK, dV) are not here: they would need the other rows.
#pragma once
#include <memory>

#include "sim/machine/iteration_counter.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/launch_cta.h"

namespace sim {

/// Where a CTA was left between two iterations.
struct Keyframe {
  std::int64_t iteration = 0;                   ///< the next one (IterationCounter::now)
  Carried held;                                 ///< on chip
  std::map<Tensor, std::vector<float>> stored;  ///< what it has written of the rows in HBM
  std::int64_t bytes() const;
};

/// Some iterations of a CTA that were run.
struct CtaPart {
  Trace trace;  ///< of these iterations, and of what comes before the first: iteration 0
  bool finished = false;
  double nanoseconds = 0;  ///< about how long it took on one core
  Keyframe next;           ///< where it was left, unless it has finished
};

class RowWindow {
 public:
  /// Of a query head, counted over all batch entries. The inputs are of the same head.
  RowWindow(const Plan& plan, std::int64_t head, Interval queries, std::shared_ptr<DrawnInputs> inputs);

  Interval queries() const { return queries_; }
  std::int64_t head() const { return head_; }  ///< query head, counted over all batch entries
  /// Goes on with a CTA from a keyframe: its turns before `until` run, and to its end where it has none.
  CtaPart resume(const Launch& launch, Block row, Block col, Keyframe from, std::int64_t until,
                 KeepValues keep = KeepValues::none);
  /// To come back to it later: what the CTA has written of the rows, added to its keyframe, and put back again.
  void keep_stored(CtaPart& part, const Keyframe& from) const;
  void put_back(const Keyframe& keyframe);
  /// All iterations of a CTA, without values.
  Trace outline(const Launch& launch, Block row, Block col) const;

  /// The rows of a tensor as they lie in HBM, (queries, columns); none where no kernel here has written it.
  std::span<const float> stored(Tensor tensor) const;
  /// Gives back the rows of the tensors for which test(tensor) holds.
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

/// The kernels of a plan that make what one of them reads, at first or second hand, in their order.
std::vector<const Launch*> makers_of(const Plan& plan, const Launch& launch);

}  // namespace sim
