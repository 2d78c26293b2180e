// Values of many heads against attention in double precision, on all cores: what the demo checks.
#pragma once
#include <map>

#include "viz/terminal/request.h"

namespace terminal {

/// What came of it. Errors are the largest over all heads that were checked, and so is what is allowed of them.
struct HeadCheck {
  std::int64_t heads = 0, of = 0;         ///< query heads that were checked, of all in all batch entries
  std::map<sim::Tensor, double> allowed;  ///< by the numerics rule: sim/model/numerics_rule.h
  std::vector<sim::ValueChecks> errors;   ///< of each algorithm
  std::vector<std::string> warnings;      ///< inputs that are no numbers
  bool agrees() const;
};

/// Computes what `algorithms` make of the first heads, batch entry by batch entry, and compares it. Of inputs from
/// files all heads; of drawn ones as many as `most_scores` entries of Q K^T hold, at least one, heads that share K and
/// V together. Every head has the inputs and the dropout that it has in the whole. Throws sim::Error where the inputs
/// need too much memory.
HeadCheck check_heads(Request& request, const std::vector<std::string>& algorithms, std::int64_t most_scores);

}  // namespace terminal
