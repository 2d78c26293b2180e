// Modifications of the scores before the mask, such as softcap and ALiBi: formulas over the score and its position,
// with their derivatives and the arithmetic that they cost.
//
// Inaccuracies: formulas are evaluated in double and rounded once. The released kernels of softcap fold its factors
// into those of scale and exponential: they run one operation a score where the formula has two.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/score_graph.h"
#include "sim/base/shape.h"

namespace sim {

/// The problem as its caller sees it. If rows of the program's tiles are `heads_in_rows` query heads of each query
/// (packed), heads and queries still count as the caller's.
struct ScoreFrame {
  std::int64_t heads = 1, seqlen_q = 1, seqlen_k = 1, head_dim = 1;
  std::int64_t heads_in_rows = 1;

  /// The frame of a program that sees the shape `seen` of a caller's shape `asked`.
  static ScoreFrame of(const Shape& asked, const Shape& seen) {
    return {asked.heads, asked.seqlen_q, asked.seqlen_k, asked.head_dim, asked.heads / seen.heads};
  }
  /// The caller's query head of a row as the program sees it; `head` counts from the first batch entry.
  std::int64_t head_of(std::int64_t head, std::int64_t row) const {
    return head % (heads / heads_in_rows) * heads_in_rows + row % heads_in_rows;
  }
};

/// Names of the scores of a row, apart from s and k.
struct ScoreRow {
  double q = 0, h = 0, Nq = 0, Nk = 0, d = 0, slope = 0;
};

/// One formula over s q k h Nq Nk d slope. An operator costs if an operand depends on s or slope: indices are free. The
/// derivative costs what the formula has not computed already; numbers in it are multiplied out.
class ScoreStep {
 public:
  /// Throws Error with the column, for a syntax error and an unknown name or function.
  static ScoreStep parse(std::string_view formula);

  const std::string& source() const { return source_; }
  ScoreCost cost() const { return graph_.cost(); }                      ///< cost of the formula
  ScoreCost slope_cost() const { return slope_cost_; }                  ///< cost of its derivative beyond the formula's
  bool has_slope() const;                                               ///< false if the derivative is the number 1
  bool reads_slopes() const { return graph_.reads_slopes(); }           ///< the formula names slope
  std::size_t no_derivative() const { return graph_.no_derivative(); }  ///< column of ceil or floor of s; 0: none

  /// Modifies the scores s[n] of keys first_key + n. Multiplies slopes[n] by the derivative unless it is null. `room`
  /// is for the values of nodes, kept between calls.
  void modify(const ScoreRow& row, std::int64_t first_key, std::vector<double>& s, std::vector<double>* slopes,
              std::vector<double>& room) const;

 private:
  std::string source_;
  ScoreGraph graph_;
  int value_ = 0, slope_ = 0;
  int value_nodes_ = 0;  ///< the first nodes: all that the value needs
  ScoreCost slope_cost_;
};

/// Steps in the order in which they run.
class ScoreSteps {
 public:
  ScoreSteps(const std::vector<std::string>& formulas, const ScoreFrame& frame);
  const std::vector<ScoreStep>& steps() const { return steps_; }
  const ScoreFrame& frame() const { return frame_; }
  ScoreSteps only(std::size_t step) const;  ///< one of them alone
  ScoreCost cost() const;                   ///< cost of the modified scores
  ScoreCost slope_cost() const;  ///< cost of the slopes beyond it, with the products of several steps' slopes
  bool has_slope() const;        ///< false if every derivative is 1: dS needs no factor
  bool reads_slopes() const;

  /// Modifies the scores of one row of a tile of the program, for the given keys. `head` counts from the first batch
  /// entry; it and `row` are as the program sees them. Stores d modified / d s in `slopes` unless it is null.
  template <class Scalar>
  void modify(std::int64_t head, std::int64_t row, Interval keys, Scalar* scores, Scalar* slopes) const;

  /// ALiBi's slope of a row of the program.
  double slope_of(std::int64_t head, std::int64_t row) const;

  /// Names a score of the program as its caller does: "q 3, k 1, h 0".
  std::string place(std::int64_t head, std::int64_t row, std::int64_t key) const;

 private:
  std::vector<ScoreStep> steps_;
  ScoreFrame frame_;
};

/// Slope of ALiBi: 2^(-8 (h + 1) / H); if H is not a power of two, those of the next lower one, followed by every other
/// one of its double. Source: Press, Smith, Lewis 2022.
double alibi_slope(std::int64_t head, std::int64_t heads);

}  // namespace sim
