// User-supplied formulas, such as "4*N*d + N^2/Bc": parsed once, evaluated for many values.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sim {

/// A formula over named numbers, in double.
///
///     sum      = product { ("+" | "-") product }       left to right
///     product  = factor { ("*" | "/") factor }         left to right
///     factor   = "-" factor | power                    -2^2 = -(2^2)
///     power    = primary [ "^" factor ]                right to left: 2^3^2 = 2^(3^2)
///     primary  = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
///     number   = digits [ "." digits ] [ "e" [ "+" | "-" ] digits ]
///
/// Functions: ceil floor sqrt log log2 tanh abs exp exp2 of one argument (log is natural), min max of two or more.
/// Spaces are ignored.
class Expression {
 public:
  /// Parses `source`; `names` are the names it may use: letters, digits and "_", a letter or "_" first. O(length).
  /// Throws Error with the column (in bytes, from 1), the text found and the known names: a syntax error, an unknown
  /// name or function, a wrong number of arguments, a number beyond double or of more than 32 characters, more than
  /// 4096 bytes or 200 levels.
  static Expression parse(std::string_view source, const std::vector<std::string>& names);

  /// Returns the value of the formula, with values[n] for names[n]. O(length). Throws Error that cites the part of the
  /// formula which divides by zero or is not finite.
  double evaluate(const std::vector<double>& values) const;

  const std::string& source() const { return source_; }  ///< as given, on one line

  // clang-format off
  enum class Operator : std::uint8_t {
    add, subtract, multiply, divide, power, min, max,           // of two values
    negate, ceil, floor, sqrt, log, log2, tanh, abs, exp, exp2  // of one
  };
  // clang-format on
  using Name = std::size_t;  ///< an index into names

  /// One step of the evaluation on a stack: pushes a number or a named value, or replaces the topmost one or two values
  /// by a result. [begin, end) is the part of the source that it computes.
  struct Operation {
    std::variant<double, Name, Operator> action;
    std::size_t begin, end;
  };

  const std::vector<Operation>& operations() const { return operations_; }  ///< operands before their operator

 private:
  Expression() = default;
  std::string cited(const Operation& operation) const;
  double result_of(const Operation& operation, const std::vector<double>& values, std::vector<double>& stack) const;

  std::string source_;
  std::size_t names_ = 0;              ///< number of names
  std::vector<Operation> operations_;  ///< operands before their operator: a + b is a, b, +
};

/// True for an operator of one value.
inline bool is_unary(Expression::Operator of) { return of >= Expression::Operator::negate; }

/// Returns the result of an operator; one of a single value ignores `b`.
double operate(Expression::Operator of, double a, double b);

}  // namespace sim
