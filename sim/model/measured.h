// A measured time beside a run: which share of each bound it reaches, and what the numbers alone say of it.
#pragma once
#include <string>
#include <vector>

#include "sim/base/sentence.h"
#include "sim/model/simulation.h"

namespace sim {

/// Reads "2.6ms" as microseconds; the unit is ns, us, ms or s. Throws Error for a time without a unit, one that is not
/// above 0, and anything else.
double parse_time(std::string_view option, const std::string& text);

/// FLOPs of a pass that its problem needs: 4 d per visible pair forward (Q K^T and P V), 10 d backward, of which S = Q
/// K^T is left out of `least`, since it may have been kept.
struct ProblemFlops {
  double rated = 0;  ///< by which attention is rated
  double least = 0;  ///< without which no kernel gives the result
};
ProblemFlops problem_flops(const Plan& plan);

/// Bytes that a pass cannot do without: of Q, of the keys of K and V that a query sees, of O forward, and backward of
/// dO, dQ, dK and dV.
Bytes problem_bytes(const Scenario& scenario);

/// Rate of a resource in the measured time, and its peak.
struct ReachedBound {
  std::string name;  ///< "tensor", "hbm", "l2", "exp"
  double per_second = 0, peak = 0;
  std::string unit;       ///< "FLOP/s", "B/s", "exp/s"
  std::string_view what;  ///< is counted
  double percent() const { return 100 * per_second / peak; }
};

struct Measured {
  double microseconds = 0;
  std::vector<ReachedBound> bounds;
  std::vector<Sentence> says;  ///< what follows from the numbers, the strongest first
  bool impossible = false;     ///< no kernel can be that fast on this card
};

/// Hard bounds are those of the problem: `least` FLOPs at the tensor peak and the highest known clock of the card, and
/// problem_bytes() beyond the size of its L2 at the peak of HBM. Only a time below one of them is called impossible.
/// Bounds of the algorithm, its tiles, L2 and exponentials say "not by this kernel". O(queries). Inaccuracies: a clock
/// above the highest known one would be missed; what the L2 holds before the first launch is taken as all of it.
Measured explain_measured(const Simulation& simulation, double microseconds);

}  // namespace sim
