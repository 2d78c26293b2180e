// A parser with one function per line of the grammar; it emits the steps of a stack machine, operands first.
#include "sim/base/expression.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace sim {
namespace {

constexpr std::size_t longest_source = 4096;
constexpr int deepest_level = 200;          // bounds the recursion of the parser
constexpr std::size_t longest_number = 32;  // libc++ reads no more than 39 characters of one

constexpr std::string_view spaces = " \t\r\n";
constexpr std::string_view digits = "0123456789";
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

/// A function of one argument, or of two; the latter is folded over the arguments: max(a, b, c) = max(max(a, b), c).
struct Function {
  const char* name;
  Expression::Operator of;
};

constexpr Function functions[] = {
    {"ceil", Expression::Operator::ceil}, {"floor", Expression::Operator::floor}, {"sqrt", Expression::Operator::sqrt},
    {"log", Expression::Operator::log},   {"log2", Expression::Operator::log2},   {"tanh", Expression::Operator::tanh},
    {"abs", Expression::Operator::abs},   {"exp", Expression::Operator::exp},     {"exp2", Expression::Operator::exp2},
    {"min", Expression::Operator::min},   {"max", Expression::Operator::max}};

const Function* find_function(std::string_view name) {
  const Function* found =
      std::find_if(std::begin(functions), std::end(functions), [&](const Function& each) { return each.name == name; });
  return found == std::end(functions) ? nullptr : found;
}

class Parser {
  using enum Expression::Operator;

 public:
  Parser(std::string_view source, const std::vector<std::string>& names) : source_(source), names_(names) {}

  std::vector<Expression::Operation> parse() {
    sum();
    check(start() == source_.size(), "an operator");
    return std::move(operations_);
  }

 private:
  void sum() {
    const std::size_t begin = start();
    product();
    while (const char sign = accept_one_of("+-")) {
      product();
      emit(sign == '+' ? add : subtract, begin);
    }
  }

  void product() {
    const std::size_t begin = start();
    factor();
    while (const char sign = accept_one_of("*/")) {
      factor();
      emit(sign == '*' ? multiply : divide, begin);
    }
  }

  // Every recursion of the grammar calls factor(), so the depth is checked here.
  void factor() {
    const std::size_t begin = start();
    require(level_ <= deepest_level, "formula: nested deeper than ", deepest_level, " levels at column ", begin + 1);
    ++level_;
    if (accept('-')) {
      factor();
      emit(negate, begin);
    } else {
      primary();
      if (accept('^')) {
        factor();
        emit(power, begin);
      }
    }
    --level_;
  }

  void primary() {
    const std::size_t begin = start();
    if (!take(letters).empty()) {
      take(letters, digits);
      named(source_.substr(begin, at_ - begin), begin);
    } else if (accept('(')) {
      sum();
      expect(')');
    } else {
      number(begin);
    }
  }

  void named(std::string_view name, std::size_t begin) {
    if (accept('(')) return call(name, begin);
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end() && find_function(name)) expect('(');
    if (found == names_.end()) throw_unknown("name", name, begin, names_);
    emit(static_cast<Expression::Name>(found - names_.begin()), begin);
  }

  void call(std::string_view name, std::size_t begin) {
    const Function* function = find_function(name);
    if (!function) throw_unknown("function", name, begin, function_names());
    const bool unary = is_unary(function->of);
    std::int64_t arguments = 0;
    do {
      sum();
      if (++arguments > 1 && !unary) emit(function->of, begin);
    } while (accept(','));
    expect(')');
    const std::string_view takes = unary ? "1 argument" : "2 or more arguments";
    require(unary ? arguments == 1 : arguments >= 2, "formula: ", name, " at column ", begin + 1, " takes ", takes,
            ", ", arguments, arguments == 1 ? " is" : " are", " given");
    if (unary) emit(function->of, begin);
  }

  void number(std::size_t begin) {
    check(!take(digits).empty(), "a number, a name or \"(\"");
    if (next() == '.') {
      ++at_;
      check(!take(digits).empty(), "a digit");
    }
    const std::string_view mantissa = source_.substr(begin, at_ - begin);
    if (next() == 'e' || next() == 'E') {
      ++at_;
      if (next() == '+' || next() == '-') ++at_;
      check(!take(digits).empty(), "a digit of the exponent");
    }
    emit(value_of(source_.substr(begin, at_ - begin), mantissa, begin), begin);
  }

  /// Returns the nearest double, with "." as the decimal point in every locale.
  static double value_of(std::string_view number, std::string_view mantissa, std::size_t begin) {
    require(number.size() <= longest_number, "formula: number ", quoted(number), " at column ", begin + 1, " has ",
            number.size(), " characters, allowed are at most ", longest_number);
    const double value = std::strtod(std::string(number).c_str(), nullptr);
    const bool zero = mantissa.find_first_of("123456789") == std::string_view::npos;
    require(zero || std::isnormal(value), "formula: number ", quoted(number), " at column ", begin + 1,
            " is beyond double: allowed are 0 and 2.3e-308 to 1.7e308");
    return zero ? 0 : value;
  }

  [[noreturn]] static void throw_unknown(const char* what, std::string_view name, std::size_t begin,
                                         const std::vector<std::string>& known) {
    const std::string nearest = nearest_name(name, known);
    throw Error("formula: unknown ", what, " ", quoted(name), " at column ", begin + 1, ": known are ",
                known.empty() ? "none" : joined(known),
                nearest.empty() ? "" : text("; did you mean ", quoted(nearest), "?"));
  }

  static std::vector<std::string> function_names() {
    std::vector<std::string> names;
    for (const Function& each : functions) names.emplace_back(each.name);
    return names;
  }

  template <class Action>
  void emit(Action action, std::size_t begin) {
    operations_.push_back({action, begin, at_});
  }

  /// Takes the longest run of these characters from the current position.
  std::string_view take(std::string_view some, std::string_view more = "") {
    const std::size_t begin = at_;
    const auto is_one = [&](char c) { return some.find(c) != some.npos || more.find(c) != more.npos; };
    while (at_ < source_.size() && is_one(source_[at_])) ++at_;
    return source_.substr(begin, at_ - begin);
  }
  /// Position of the next token.
  std::size_t start() {
    take(spaces);
    return at_;
  }
  char next() const { return at_ < source_.size() ? source_[at_] : '\0'; }
  /// Takes one of `characters` and returns it, or returns 0.
  char accept_one_of(std::string_view characters) {
    if (start() == source_.size() || characters.find(source_[at_]) == characters.npos) return '\0';
    return source_[at_++];
  }
  bool accept(char c) { return accept_one_of({&c, 1}) != '\0'; }
  void expect(char c) { check(accept(c), std::string{'"', c, '"'}); }
  void check(bool condition, std::string_view expected) const {
    require(condition, "formula: expected ", expected, " at column ", at_ + 1, ", found ",
            at_ < source_.size() ? quoted(source_.substr(at_, first_character(source_.substr(at_)).size)) : "the end");
  }

  std::string_view source_;
  const std::vector<std::string>& names_;
  std::vector<Expression::Operation> operations_;
  std::size_t at_ = 0;
  int level_ = 0;
};

}  // namespace

double operate(Expression::Operator of, double a, double b) {
  using enum Expression::Operator;
  // clang-format off
  switch (of) {
    case add: return a + b;
    case subtract: return a - b;
    case multiply: return a * b;
    case divide: return a / b;
    case power: return std::pow(a, b);
    case min: return std::min(a, b);
    case max: return std::max(a, b);
    case negate: return -a;
    case ceil: return std::ceil(a);
    case floor: return std::floor(a);
    case sqrt: return std::sqrt(a);
    case log: return std::log(a);
    case log2: return std::log2(a);
    case tanh: return std::tanh(a);
    case abs: return std::abs(a);
    case exp: return std::exp(a);
    case exp2: return std::exp2(a);
  }
  // clang-format on
  return 0;
}

Expression Expression::parse(std::string_view source, const std::vector<std::string>& names) {
  require(source.size() <= longest_source, "formula: has ", source.size(), " characters, allowed are at most ",
          longest_source);
  require(source.find_first_not_of(spaces) != std::string_view::npos, "formula: is empty: write one such as ",
          names.empty() ? "2^10" : "4*" + names.front());
  Expression result;
  result.operations_ = Parser(source, names).parse();
  result.names_ = names.size();
  result.source_ = source;
  std::replace_if(
      result.source_.begin(), result.source_.end(), [](char c) { return c < ' '; }, ' ');
  return result;
}

double Expression::evaluate(const std::vector<double>& values) const {
  require(values.size() == names_, "formula: ", values.size(), " values are given for ", names_, " names");
  std::vector<double> stack;
  for (const Operation& operation : operations_) {
    const double result = result_of(operation, values, stack);
    if (std::isnan(result)) throw Error("formula: ", cited(operation), " is not a number");
    if (std::isinf(result)) throw Error("formula: ", cited(operation), " is not finite");
    stack.push_back(result);
  }
  return stack.back();
}

double Expression::result_of(const Operation& operation, const std::vector<double>& values,
                             std::vector<double>& stack) const {
  const auto pop = [&] {
    const double top = stack.back();
    stack.pop_back();
    return top;
  };
  if (const double* number = std::get_if<double>(&operation.action)) return *number;
  if (const Name* name = std::get_if<Name>(&operation.action)) return values[*name];
  const Operator of = std::get<Operator>(operation.action);
  if (is_unary(of)) return operate(of, pop(), 0);
  const double right = pop(), left = pop();
  require(of != Operator::divide || right != 0, "formula: division by zero in ", cited(operation));
  return operate(of, left, right);
}

std::string Expression::cited(const Operation& operation) const {
  return quoted(std::string_view(source_).substr(operation.begin, operation.end - operation.begin));
}

}  // namespace sim
