#include "sim/base/score_graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace sim {

ScoreCost& ScoreCost::operator+=(const ScoreCost& other) {
  operations += other.operations;
  tanhs += other.tanhs;
  exps += other.exps;
  return *this;
}

const std::vector<std::string>& score_names() {
  static const std::vector<std::string> names = {"s", "q", "k", "h", "Nq", "Nk", "d", "slope"};
  return names;
}

int ScoreGraph::value(const Expression& formula) {
  std::vector<int> stack;
  const auto pop = [&] {
    const int top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const Expression::Operation& step : formula.operations()) {
    if (const double* value = std::get_if<double>(&step.action)) {
      stack.push_back(number(*value));
    } else if (const Expression::Name* index = std::get_if<Expression::Name>(&step.action)) {
      stack.push_back(name(static_cast<ScoreName>(*index)));
    } else {
      const Operator of = std::get<Operator>(step.action);
      const int b = is_unary(of) ? -1 : pop(), a = pop();
      stack.push_back(operation(of, a, b));
      cost_ += cost_of(at(stack.back()));
      const bool rounds = of == Operator::ceil || of == Operator::floor;
      if (rounds && at(a).of_score && no_derivative_ == 0) no_derivative_ = step.begin + 1;
    }
  }
  return stack.back();
}

int ScoreGraph::derivative(int n) {
  const ScoreNode node = at(n);
  if (!node.of_score) return number(0);
  if (node.kind == Kind::name) return number(1);
  const int a = node.a, b = node.b;
  const int da = derivative(a), db = b < 0 ? number(0) : derivative(b);
  using enum Expression::Operator;
  switch (node.of) {
    case add:
      return plus(da, db);
    case subtract:
      return minus(da, db);
    case multiply:
      return plus(times(da, b), times(a, db));
    case divide:
      return over(minus(da, times(n, db)), b);
    case power:
      return derivative_of_power(n, da, db);
    case min:
      return plus(db, times(this->add(Kind::not_above, a, b), minus(da, db)));
    case max:
      return plus(da, times(this->add(Kind::not_above, a, b), minus(db, da)));
    case negate:
      return minus(number(0), da);
    case ceil:
    case floor:
      return number(0);
    case sqrt:
      return over(da, times(number(2), n));
    case log:
      return over(da, a);
    case log2:
      return over(da, times(number(std::numbers::ln2), a));
    case tanh:
      return times(minus(number(1), times(n, n)), da);
    case abs:
      return times(this->add(Kind::sign, a, -1), da);
    case exp:
      return times(n, da);
    case exp2:
      return times(times(number(std::numbers::ln2), n), da);
  }
  return number(0);
}

/// Derivative of a^b: b a^(b - 1) a' if b is a number, else a^b (b' log a + b a' / a).
int ScoreGraph::derivative_of_power(int n, int da, int db) {
  const int a = at(n).a, b = at(n).b;
  if (at(b).kind != Kind::number)
    return times(n, plus(times(db, operation(Operator::log, a, -1)), over(times(b, da), a)));
  const double exponent = at(b).number;
  if (exponent == 0) return number(0);
  const int lower = exponent == 1 ? number(1) : exponent == 2 ? a : operation(Operator::power, a, number(exponent - 1));
  return times(times(b, lower), da);
}

ScoreCost ScoreGraph::cost_beyond(int root, int known) const {
  std::vector<bool> needed(nodes_.size());
  needed[static_cast<std::size_t>(root)] = true;
  ScoreCost cost;
  for (int n = static_cast<int>(nodes_.size()) - 1; n >= known; --n) {
    if (!needed[static_cast<std::size_t>(n)]) continue;
    cost += cost_of(at(n));
    for (const int operand : {at(n).a, at(n).b}) {
      if (operand >= 0) needed[static_cast<std::size_t>(operand)] = true;
    }
  }
  return cost;
}

/// Cost of a node itself. abs and - are modifiers of an operand, which instructions have.
ScoreCost ScoreGraph::cost_of(const ScoreNode& node) const {
  if (!node.costs || node.kind == Kind::name) return {};
  const bool negation = node.kind == Kind::factor && node.number == -1 && node.divisor == 1;
  if (node.kind != Kind::operation) return {negation ? 0 : 1, 0, 0};
  using enum Expression::Operator;
  switch (node.of) {
    case abs:
    case negate:
      return {};
    case tanh:
      return {0, 1, 0};
    case exp:
    case exp2:
    case log:
    case log2:
    case sqrt:
      return {0, 0, 1};
    case power:
      return cost_of_power(node);
    default:
      return {1, 0, 0};
  }
}

/// Whole powers up to 64 are multiplications: a square for each binary digit, and a product for each 1 among them.
/// Others are exp2(b log2(a)).
ScoreCost ScoreGraph::cost_of_power(const ScoreNode& node) const {
  constexpr double largest = 64;
  const double exponent = at(node.b).kind == Kind::number ? at(node.b).number : -1;
  if (exponent < 0 || exponent > largest || exponent != std::floor(exponent)) return {1, 0, 2};
  const auto whole = static_cast<unsigned>(exponent);
  const auto products = static_cast<std::int64_t>(std::bit_width(whole)) + std::popcount(whole) - 2;
  return {std::max<std::int64_t>(0, products), 0, 0};
}

/// Adds a node unless there is an equal one, and derives its dependences from its operands.
int ScoreGraph::add(ScoreNode node) {
  for (const int operand : {node.a, node.b}) {
    if (operand < 0) continue;
    node.of_score = node.of_score || at(operand).of_score;
    node.costs = node.costs || at(operand).costs;
    node.of_key = node.of_key || at(operand).of_key;
  }
  const auto key = std::tuple(node.kind, node.of, node.name, node.number, node.divisor, node.a, node.b);
  const auto [place, is_new] = known_.try_emplace(key, static_cast<int>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return place->second;
}

int ScoreGraph::add(Kind kind, int a, int b) {
  ScoreNode node;
  node.kind = kind;
  node.a = a;
  node.b = b;
  return add(node);
}

int ScoreGraph::name(ScoreName of) {
  ScoreNode node;
  node.kind = Kind::name;
  node.name = of;
  node.of_score = of == ScoreName::s;
  node.costs = node.of_score || of == ScoreName::slope;
  node.of_key = node.of_score || of == ScoreName::k;
  reads_slopes_ = reads_slopes_ || of == ScoreName::slope;
  return add(node);
}

int ScoreGraph::number(double value) {
  ScoreNode node;
  node.number = value;
  return add(node);
}

int ScoreGraph::operation(Operator of, int a, int b) {
  ScoreNode node;
  node.kind = Kind::operation;
  node.of = of;
  node.a = a;
  node.b = b;
  return add(node);
}

/// Returns numerator / divisor x a. Both are kept, so that C x 1/C is exactly 1; a factor of a factor is one.
int ScoreGraph::factor(double numerator, double divisor, int a) {
  const ScoreNode of = at(a);
  const double product = numerator * of.number, of_divisors = divisor * of.divisor;
  const bool finite = std::isfinite(product) && std::isfinite(of_divisors);
  if (of.kind == Kind::factor && finite) return factor(product, of_divisors, of.a);
  if (numerator == divisor) return a;
  if (numerator == 0) return number(0);
  if (of.kind == Kind::number && divisor == 1 && finite) return number(product);
  if (const int written = written_product(numerator, divisor, a); written >= 0) return written;
  ScoreNode node;
  node.kind = Kind::factor;
  node.number = numerator;
  node.divisor = divisor;
  node.a = a;
  return add(node);
}

/// Returns the node of the formula that is numerator / divisor x a already; -1 if there is none.
int ScoreGraph::written_product(double numerator, double divisor, int a) {
  const auto known = [&](Operator of, int left, int right) {
    const auto found = known_.find({Kind::operation, of, ScoreName::s, 0, 1, left, right});
    return found == known_.end() ? -1 : found->second;
  };
  if (numerator == 1) return known(Operator::divide, a, number(divisor));
  if (divisor != 1) return -1;
  return std::max(known(Operator::multiply, a, number(numerator)), known(Operator::multiply, number(numerator), a));
}

int ScoreGraph::times(int a, int b) {
  if (at(b).kind == Kind::number) std::swap(a, b);
  const ScoreNode left = at(a), right = at(b);
  if (left.kind == Kind::number) return factor(left.number, 1, b);
  if (left.kind == Kind::factor) return factor(left.number, left.divisor, times(left.a, b));
  if (right.kind == Kind::factor) return factor(right.number, right.divisor, times(a, right.a));
  return operation(Operator::multiply, a, b);
}

int ScoreGraph::over(int a, int b) {
  if (is(a, 0)) return a;
  if (at(b).kind == Kind::number) return factor(1, at(b).number, a);
  return operation(Operator::divide, a, b);
}

int ScoreGraph::plus(int a, int b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  if (are_numbers(a, b) && std::isfinite(at(a).number + at(b).number)) return number(at(a).number + at(b).number);
  return operation(Operator::add, a, b);
}

int ScoreGraph::minus(int a, int b) {
  if (is(b, 0)) return a;
  if (is(a, 0)) return factor(-1, 1, b);
  if (are_numbers(a, b) && std::isfinite(at(a).number - at(b).number)) return number(at(a).number - at(b).number);
  return operation(Operator::subtract, a, b);
}

}  // namespace sim
