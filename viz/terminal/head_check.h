// Checks values of many heads against attention in double precision, on all cores; used by the demo.
#pragma once
#include <map>

#include "viz/terminal/request.h"

namespace terminal {

/// Results. Each head of each output is checked against its own bound; errors are the largest over all heads.
struct HeadCheck {
  struct OfProgram {
    std::map<sim::Tensor, sim::ValueCheck> errors;
    std::int64_t disagreeing = 0;      ///< heads that disagree, over all outputs
    std::vector<std::string> reasons;  ///< for the first of these
  };
  std::int64_t heads = 0, of = 0;         ///< checked query heads, and the total over all batch entries
  std::map<sim::Tensor, double> allowed;  ///< the tightest bound of a head, by the numerics rule
  std::size_t widened = 0;                ///< heads whose scores are beyond the dtype: see sim::JudgedOutput
  std::vector<OfProgram> programs;        ///< by algorithm
  bool agrees() const;
};

/// Number of query heads that check_heads() checks.
std::int64_t checked_heads(const Request& request, std::int64_t most_scores);

/// Computes the first heads with each of `algorithms`, batch entry by batch entry, and compares them with the
/// reference. Inputs from files: all heads; drawn inputs: up to `most_scores` entries of Q K^T, at least one head,
/// and whole groups that share K and V. Inputs and dropout of a head are those it has in the whole. Throws sim::Error
/// if the inputs need too much memory.
HeadCheck check_heads(Request& request, const std::vector<std::string>& algorithms, std::int64_t most_scores);

}  // namespace terminal
