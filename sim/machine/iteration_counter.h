// Replays some iterations of a CTA as if the earlier ones had run. A body is a plain function, so its state between
// iterations cannot be passed in; the ledger records it and restores it when the first iteration starts.
//
//   iterations   1     2     3     4     5      of the outermost loop over keys or chunks
//   a first run  ###########                    from the start: 0 is what comes before iteration 1
//   resumed                  ###########        the body runs from its start again; iterations 1 and 2 are left out,
//                                               and what was held after iteration 2 is put back before iteration 3
#pragma once
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sim/base/shape.h"
#include "sim/machine/tile.h"

namespace sim {

/// Values that a body held between two iterations, in the order of declaration; empty if the start of the body computes
/// them again.
using Carried = std::vector<std::vector<float>>;

/// The part of a replay that runs. Rows of queries are independent: a few of them are computed without the others.
struct Cut {
  Interval queries;       ///< loops over blocks of queries take only blocks with one of these
  std::int64_t head = 0;  ///< loops over the query heads of a group take only this head
  Interval iterations{0, std::numeric_limits<std::int64_t>::max()};
  Carried* from = nullptr;  ///< values held before iterations.begin, moved from here; null at the start
};

/// Counts the iterations of a cut replay and selects those that run.
class IterationCounter {
 public:
  /// Without a cut, nothing is counted and every iteration runs.
  IterationCounter(const Cut* cut, Space& space) : cut_(cut), space_(space) {}
  const Cut* cut() const { return cut_; }
  std::int64_t now() const { return now_; }  ///< the current or most recent iteration; 0 before the first
  bool over() const { return over_; }        ///< the selected iterations have ended: nothing more is computed
  /// True if an earlier run already made the current writes to HBM.
  bool written() const { return cut_ != nullptr && now_ < cut_->iterations.begin; }
  Carried& carried() { return carried_; }  ///< values held when the selected iterations ended, moved out of the body

  /// True if the loop that starts is counted: the outermost one.
  bool open() { return cut_ != nullptr && !std::exchange(open_, true); }
  void close() { open_ = false; }
  /// Returns the indices that run, of a counted loop of `count` iterations that starts now.
  Interval wanted(std::int64_t count) const;
  void enter(std::int64_t iteration);
  /// Ends the loop; `last` is the number of its last iteration, whether that ran or not.
  void leave(std::int64_t last);

 private:
  std::vector<Held*> held() const;
  void put_back();
  void keep();

  const Cut* cut_;
  Space& space_;
  std::int64_t now_ = 0;
  bool open_ = false, over_ = false, entered_ = false;
  std::vector<std::int32_t> events_;  ///< events of the values held when the first iteration started; -2: restored
  Carried carried_;
};

}  // namespace sim
