// Values of many heads against attention in double precision, on all cores: what the demo checks.
#pragma once
#include <map>

#include "viz/terminal/request.h"

namespace terminal {

/// The outcome. Each head of each output is held to its own bound; errors are the largest over all heads.
struct HeadCheck {
  struct OfProgram {
    std::map<sim::Tensor, sim::ValueCheck> errors;
    std::int64_t disagreeing = 0;      ///< heads that do not agree, of all outputs
    std::vector<std::string> reasons;  ///< of the first of them
  };
  std::int64_t heads = 0, of = 0;         ///< query heads that were checked, of all in all batch entries
  std::map<sim::Tensor, double> allowed;  ///< the tightest bound of a head, by the numerics rule
  std::size_t widened = 0;                ///< heads whose scores are beyond the dtype: see sim::JudgedOutput
  std::vector<OfProgram> programs;        ///< of each algorithm
  bool agrees() const;
};

/// Query heads that are checked: see below.
std::int64_t checked_heads(const Request& request, std::int64_t most_scores);

/// Computes what `algorithms` make of the first heads, batch entry by batch entry, and compares it. Of inputs from
/// files all heads; of drawn ones as many as `most_scores` entries of Q K^T hold, at least one, heads that share K and
/// V together. Every head has the inputs and the dropout that it has in the whole. Throws sim::Error where the inputs
/// need too much memory.
HeadCheck check_heads(Request& request, const std::vector<std::string>& algorithms, std::int64_t most_scores);

}  // namespace terminal
