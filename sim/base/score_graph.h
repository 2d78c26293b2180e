// A formula of a score and its derivative as one graph of nodes, in which equal nodes are one, and their cost.
//
// Inaccuracies: a division costs one operation, and exp and log one function without the factor of their base, as the
// exponentials of softmax do. A number of the formula is not folded into the scale of the scores.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/base/expression.h"

namespace sim {

/// Cost of one score: operations on the FP32 pipe, and functions on the MUFU: tanh, and others (exp, log, sqrt).
struct ScoreCost {
  std::int64_t operations = 0, tanhs = 0, exps = 0;
  ScoreCost& operator+=(const ScoreCost& other);
  friend bool operator==(const ScoreCost&, const ScoreCost&) = default;
};

/// Names of a formula, in the order of `Expression::Name`.
enum class ScoreName : std::uint8_t { s, q, k, h, Nq, Nk, d, slope };
const std::vector<std::string>& score_names();

/// A number, a name, or an operator on earlier nodes. Derivatives have three kinds more: number / divisor x a, the sign
/// of a (1, 0 or -1), and 1 where a <= b, else 0.
struct ScoreNode {
  enum class Kind : std::uint8_t { number, name, operation, factor, sign, not_above };
  Kind kind = Kind::number;
  Expression::Operator of = Expression::Operator::add;
  ScoreName name = ScoreName::s;
  double number = 0, divisor = 1;
  int a = -1, b = -1;     ///< indices of nodes; -1: none
  bool of_score = false;  ///< depends on s
  bool costs = false;     ///< depends on s or slope: an operator on it costs
  bool of_key = false;    ///< depends on s or k: differs along a row
};

/// Builds the nodes of a formula, then those of its derivative by s.
class ScoreGraph {
 public:
  using Kind = ScoreNode::Kind;
  using Operator = Expression::Operator;

  /// Returns the node of a formula, computed as it is written.
  int value(const Expression& formula);

  /// Returns the node of its derivative. Factors of numbers are multiplied out.
  int derivative(int node);

  /// Returns the cost of a node without that of the first `known` nodes. Nodes of several operands cost once.
  ScoreCost cost_beyond(int node, int known) const;

  const std::vector<ScoreNode>& nodes() const { return nodes_; }
  const ScoreCost& cost() const { return cost_; }  ///< cost of the formula: every operator as often as it is written
  bool reads_slopes() const { return reads_slopes_; }
  std::size_t no_derivative() const { return no_derivative_; }  ///< column of a ceil or floor of s; 0: there is none

 private:
  const ScoreNode& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  bool is(int node, double number) const { return at(node).kind == Kind::number && at(node).number == number; }
  bool are_numbers(int a, int b) const { return at(a).kind == Kind::number && at(b).kind == Kind::number; }
  int add(ScoreNode node);
  int add(Kind kind, int a, int b);
  int name(ScoreName of);
  int number(double value);
  int operation(Operator of, int a, int b);
  int factor(double numerator, double divisor, int a);
  int written_product(double numerator, double divisor, int a);
  int times(int a, int b);
  int over(int a, int b);
  int plus(int a, int b);
  int minus(int a, int b);
  int derivative_of_power(int node, int da, int db);
  ScoreCost cost_of(const ScoreNode& node) const;
  ScoreCost cost_of_power(const ScoreNode& node) const;

  std::vector<ScoreNode> nodes_;
  std::map<std::tuple<Kind, Operator, ScoreName, double, double, int, int>, int> known_;
  ScoreCost cost_;
  bool reads_slopes_ = false;
  std::size_t no_derivative_ = 0;
};

}  // namespace sim
