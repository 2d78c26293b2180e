// A measured time compared with a run: the share of each bound that it reaches, and conclusions from the numbers alone.
#pragma once
#include <string>
#include <vector>

#include "sim/base/amount.h"  // parse_time()
#include "sim/base/sentence.h"
#include "sim/model/simulation.h"

namespace sim {

/// FLOPs that the problem of a pass needs: 4 d per visible pair forward (Q K^T and P V), 10 d backward; `least`
/// excludes S = Q K^T of the backward pass, because S may have been kept.
struct ProblemFlops {
  double rated = 0;  ///< FLOPs by which attention is rated
  double least = 0;  ///< FLOPs without which no kernel gives the result
};
ProblemFlops problem_flops(const Plan& plan);

/// Returns the bytes that a pass must move: the rows of Q, and backward of dO, whose queries see a key; the rows of K
/// and V that a query sees; O forward, and backward dQ, dK and dV.
Bytes problem_bytes(const Plan& plan);

/// Rate of a resource in the measured time, and its peak.
struct ReachedBound {
  std::string name;  ///< "tensor", "hbm", "l2", "exp"
  double per_second = 0, peak = 0;
  std::string unit;       ///< "FLOP/s", "B/s", "exp/s"
  std::string_view what;  ///< quantity counted
  double percent() const { return 100 * per_second / peak; }
};

struct Measured {
  double microseconds = 0;
  std::vector<ReachedBound> bounds;
  std::vector<Sentence> says;  ///< conclusions from the numbers, the strongest first
  bool impossible = false;     ///< no kernel can be this fast on this card
};

/// Explains a measured time. Hard bounds are those of the problem: `least` FLOPs at the tensor peak and the highest
/// known clock of the card, and problem_bytes() beyond the size of its L2 at the peak of HBM. Only a time below one of
/// them is reported as impossible. Bounds of the algorithm, its tiles, L2 and exponentials give "not by this kernel".
/// O(queries). Inaccuracies: a clock above the highest known one would be missed; the L2 is assumed to hold its full
/// size of data before the first launch.
Measured explain_measured(const Simulation& simulation, double microseconds);

}  // namespace sim
