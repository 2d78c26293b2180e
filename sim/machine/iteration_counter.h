// A part of a CTA: some iterations of its loops, as if those before them had been run. A body is a plain function, so
// what it holds between two iterations cannot be given to it; but the ledger knows it, and puts it back when the first
// iteration begins.
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

/// What a body held between two iterations, in the order of its declarations; empty where its start makes it again.
using Carried = std::vector<std::vector<float>>;

/// The part of a replay that runs. Rows of queries do not depend on each other: what few of them hold is found without
/// the others.
struct Cut {
  Interval queries;       ///< loops over blocks of queries take those with one of these
  std::int64_t head = 0;  ///< loops over the query heads of a group take this one
  Interval iterations{0, std::numeric_limits<std::int64_t>::max()};
  Carried* from = nullptr;  ///< what was held before iterations.begin, taken over; null at the start
};

/// Counts the iterations of a cut replay, and tells which of them run.
class IterationCounter {
 public:
  /// Without a cut nothing is counted and everything runs.
  IterationCounter(const Cut* cut, Space& space) : cut_(cut), space_(space) {}
  const Cut* cut() const { return cut_; }
  std::int64_t now() const { return now_; }  ///< the iteration that runs, or ran last; 0 before the first
  bool over() const { return over_; }        ///< the wanted iterations have ended: nothing is computed any more
  /// Whether what is written to HBM now was written by an earlier run.
  bool written() const { return cut_ != nullptr && now_ < cut_->iterations.begin; }
  Carried& carried() { return carried_; }  ///< what was held when the wanted iterations ended, taken from the body

  /// Whether the loop that begins is one whose iterations are counted: the outermost.
  bool open() { return cut_ != nullptr && !std::exchange(open_, true); }
  void close() { open_ = false; }
  /// Of a counted loop of so many iterations that begins now: those that run, as indices.
  Interval wanted(std::int64_t count) const;
  void enter(std::int64_t iteration);
  /// The loop has ended; `last` is the number of its last iteration, whether it ran or not.
  void leave(std::int64_t last);

 private:
  std::vector<Held*> held() const;
  void put_back();
  void keep();

  const Cut* cut_;
  Space& space_;
  std::int64_t now_ = 0;
  bool open_ = false, over_ = false, entered_ = false;
  std::vector<std::int32_t> events_;  ///< of what was held when the first iteration began; -2: it was put back
  Carried carried_;
};

}  // namespace sim
