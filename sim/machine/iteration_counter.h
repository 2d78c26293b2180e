// Replays some iterations of a CTA as if the earlier ones had run. A body is a plain function, so its state between
// iterations cannot be passed in; the ledger records it and restores it when the first iteration starts.
//
//   iterations   1     2     3     4     5      of the outermost loop over keys or chunks
//   a first run  ###########                    from the start: 0 is what comes before iteration 1
//   resumed                  ###########        the body runs from its start again; iterations 1 and 2 are left out,
//                                               and what was held after iteration 2 is put back before iteration 3
//
// A role of a warp-specialised program cannot be entered in the middle: its phases and stages follow from its earlier
// iterations. It runs from its start, as if its loops ended with the last selected iteration, and writes nothing unless
// they do end there; values of earlier iterations are not kept.
#pragma once
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sim/base/shape.h"

namespace sim {

class Held;  // sim/machine/tile.h
class Space;

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
  /// Without a cut, nothing is counted and every iteration runs. A role counts for itself, from its start.
  IterationCounter(const Cut* cut, Space& space, bool of_role = false) : cut_(cut), space_(&space), of_role_(of_role) {}
  const Cut* cut() const { return cut_; }
  std::int64_t now() const { return now_; }             ///< the current or most recent iteration; 0 before the first
  bool over() const { return over_; }                   ///< the selected iterations have ended
  bool stops() const { return over_ && !of_role_; }     ///< nothing more is computed
  bool cut_short() const { return over_ && of_role_; }  ///< the role continues to its end, but writes nothing
  /// True if the current writes to HBM are not to be made: an earlier run made them, or a later one does.
  bool written() const { return cut_short() || (cut_ != nullptr && now_ < cut_->iterations.begin); }
  /// True if an iteration of a role precedes the selected ones: an earlier run kept its values.
  bool passed(std::int64_t iteration) const {
    return of_role_ && cut_ != nullptr && iteration > 0 && iteration < cut_->iterations.begin;
  }
  Carried& carried() { return carried_; }  ///< values held when the selected iterations ended, moved out of the body

  /// True if the loop that starts is counted: the outermost one.
  bool open() { return cut_ != nullptr && !std::exchange(open_, true); }
  void close() { open_ = false; }
  /// Returns the indices that run, of a counted loop of `count` iterations that starts now.
  Interval wanted(std::int64_t count) const;
  void enter(std::int64_t iteration);
  /// Ends the loop; `last` is the number of its last iteration, whether that ran or not.
  void leave(std::int64_t last);
  /// Takes over from a role that has ended.
  void join(const IterationCounter& role) { over_ = over_ || role.over_; }

 private:
  std::vector<Held*> held() const;
  void put_back();
  void keep();

  const Cut* cut_;
  Space* space_;
  bool of_role_;
  std::int64_t now_ = 0;
  bool open_ = false, over_ = false, entered_ = false;
  std::vector<std::int32_t> events_;  ///< events of the values held when the first iteration started; -2: restored
  Carried carried_;
};

}  // namespace sim
