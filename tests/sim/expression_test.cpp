// Formulas: their values, every error message, and random ones against an independent evaluation.
#include "sim/base/expression.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <locale>
#include <optional>

#include "sim/base/check.h"
#include "tests/support/random_scenario.h"
#include "tests/support/says.h"

namespace sim {
namespace {

using Catch::Matchers::Contains;

const std::vector<std::string> names = {"N", "d", "Br", "Bc_2", "log"};
const std::vector<double> values = {1024, 64, 128, 0.5, 3};

double value(const std::string& source) { return Expression::parse(source, names).evaluate(values); }

std::string refusal(const std::string& source) {
  try {
    value(source);
  } catch (const Error& error) {
    CHECK_THAT(error.what(), Catch::StartsWith("formula: ") && !Contains("\n"));
    return error.what();
  }
  return "accepted";
}

std::string repeated(const std::string& part, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += part;
  return result;
}

}  // namespace

TEST_CASE("a formula follows the precedence and the direction of its operators") {
  const std::pair<const char*, double> table[] = {
      {"1 + 2 * 3", 7},  {"(1 + 2) * 3", 9},   {"2 * 3 ^ 2", 18},      {"10 - 4 - 3", 3},   {"10 - (4 - 3)", 9},
      {"64 / 4 / 2", 8}, {"64 / (4 / 2)", 32}, {"2 ^ 3 ^ 2", 512},     {"(2 ^ 3) ^ 2", 64}, {"-2 ^ 2", -4},
      {"(-2) ^ 2", 4},   {"2 ^ -1", 0.5},      {"2 ^ -2 ^ 2", 0.0625}, {"-3 * -4", 12},     {"1 - -1", 2},
      {"--1", 1},        {"8 / 2 * 4", 16},    {"1 - 2 + 3", 2},       {"-1 - 1", -2},      {"2 * -3 + 1", -5},
  };
  for (const auto& [source, expected] : table) {
    INFO(source);
    CHECK(value(source) == expected);
  }
}

TEST_CASE("numbers, names and functions of a formula have their values") {
  const std::pair<const char*, double> table[] = {
      {"1", 1},
      {"2.5", 2.5},
      {"1e6", 1e6},
      {"1.5E-3", 1.5e-3},
      {"0.1", 0.1},
      {"0e999", 0},
      {"007", 7},
      {"N", 1024},
      {"Bc_2", 0.5},
      {"4*N*d", 262144},
      {"ceil(2.1)", 3},
      {"floor(-2.1)", -3},
      {"sqrt(N)", 32},
      {"log2(N)", 10},
      {"log (1)", 0},
      {"tanh(0)", 0},
      {"abs(-d)", 64},
      {"exp(0)", 1},
      {"exp2(10)", 1024},
      {"min(N, d)", 64},
      {"max(1, 2, 3)", 3},
      {"min(3, 2, 1, 2)", 1},
      {"log(1) + log", 3},
      {" \t1\r\n+ 1 ", 2},
      {"ceil(N / (Br - 1))", 9},
      {"9007199254740993", 9007199254740992.0},
      {"1.7976931348623157e308", 1.7976931348623157e308},
  };
  for (const auto& [source, expected] : table) {
    INFO(source);
    CHECK(value(source) == expected);
  }
  CHECK(value("log(10)") == std::log(10.0));
  CHECK(value("tanh(Bc_2)") == std::tanh(0.5));
  CHECK(value("exp(-Bc_2)") == std::exp(-0.5));
  CHECK(Expression::parse("2^10", {}).evaluate({}) == 1024);
  CHECK(Expression::parse(" N\n* 2", names).source() == " N * 2");
}

TEST_CASE("a syntax error in a formula is refused with its column") {
  struct Row {
    std::string source, expected;
    int column;
    std::string found;
  };
  const std::string operand = "a number, a name or \"(\"", exponent = "a digit of the exponent";
  const Row table[] = {
      {"(1 + 2", "\")\"", 7, "the end"},
      {"min(1, 2", "\")\"", 9, "the end"},
      {"1 +", operand, 4, "the end"},
      {"1 + * 2", operand, 5, "\"*\""},
      {"+1", operand, 1, "\"+\""},
      {"()", operand, 2, "\")\""},
      {"min()", operand, 5, "\")\""},
      {".5", operand, 1, "\".\""},
      {"\x80", operand, 1, "\"\\x80\""},
      {"2 d", "an operator", 3, "\"d\""},
      {"0x10", "an operator", 2, "\"x\""},
      {"1)", "an operator", 2, "\")\""},
      {"2**3", operand, 3, "\"*\""},
      {"1,5", "an operator", 2, "\",\""},
      {"5.", "a digit", 3, "the end"},
      {"1e+", exponent, 4, "the end"},
      {"1e d", exponent, 3, "\" \""},
      {"ceil + 1", "\"(\"", 6, "\"+\""},
      {std::string("1\0+ 1", 5), "an operator", 2, "\"\\x00\""},
  };
  for (const auto& [source, expected, column, found] : table)
    CHECK_THROWS_MATCHES(value(source), Error,
                         Says("formula: expected {} at column {}, found {}", expected, column, found));
}

TEST_CASE("an unknown name or function in a formula is refused with the known ones and the nearest") {
  CHECK_THROWS_MATCHES(value("4*N+Q"), Error,
                       Says("formula: unknown {} {} at column {}", "name", "\"Q\"", 5, "N, d, Br, Bc_2, log", ""));
  CHECK_THROWS_MATCHES(
      value("sqr(d)"), Error,
      Says("formula: unknown {} {} at column {}", "function", "\"sqr\"", 1,
           "ceil, floor, sqrt, log, log2, tanh, abs, exp, exp2, min, max", "; did you mean \"sqrt\"?"));
  CHECK_THROWS_WITH(value("N(2)"), Contains("unknown function \"N\" at column 1"));
  for (const char* word : {"inf", "nan", "infinity", "NaN"}) CHECK_THROWS_WITH(value(word), Contains("unknown name"));
  CHECK_THROWS_MATCHES(Expression::parse("N", {}), Error,
                       Says("formula: unknown {} {} at column {}", "name", "\"N\"", 1, "none", ""));
  CHECK(refusal(repeated("q", 4000)).size() < 200);
}

TEST_CASE("a function in a formula takes its number of arguments") {
  CHECK_THROWS_MATCHES(value("ceil(1, 2)"), Error,
                       Says("formula: {} at column {} takes {}, {}", "ceil", 1, "1 argument", 2, " are"));
  CHECK_THROWS_MATCHES(value("1 + max(1)"), Error,
                       Says("formula: {} at column {} takes {}, {}", "max", 5, "2 or more arguments", 1, " is"));
}

TEST_CASE("an empty, too long or too deep formula is refused") {
  CHECK_THROWS_MATCHES(value(""), Error, Says("formula: is empty", "4*N"));
  CHECK_THROWS_MATCHES(value(" \n"), Error, Says("formula: is empty", "4*N"));
  CHECK(value(repeated("1+", 2047) + "1 ") == 2048);
  CHECK_THROWS_MATCHES(value(repeated("1+", 2048) + "1"), Error, Says("formula: has {} characters", 4097, 4096));
  for (const char* opening : {"(", "-", "1^", "ceil(", "1-(", "max(1,"}) {
    INFO(opening);
    const std::string closing = std::string(opening).find('(') == std::string::npos ? "" : ")";
    CHECK(refusal(repeated(opening, 200) + "0" + repeated(closing, 200)) == "accepted");
    CHECK_THAT(refusal(repeated(opening, 201) + "0" + repeated(closing, 201)),
               Contains("nested deeper than 200 levels at column"));
  }
}

TEST_CASE("a number beyond double is refused") {
  CHECK_THROWS_MATCHES(value("1 + 1e309"), Error,
                       Says("formula: number {} at column {} is beyond double: allowed are 0 and", "\"1e309\"", 5));
  CHECK_THROWS_WITH(value("1e-320"), Contains("beyond double"));
  CHECK_THROWS_WITH(value("1e-99999999999999999999"), Contains("beyond double"));
  CHECK(value(repeated("9", 26) + "e+0282") == 1e308);
  const std::string nines = repeated("9", 33);
  CHECK_THROWS_MATCHES(value(nines), Error,
                       Says("formula: number {} at column {} has", "\"" + nines + "\"", 1, 33, 32));
}

TEST_CASE("a part of a formula that is not finite is refused with its text") {
  CHECK(refusal("1 + N/(d-64)") == "formula: division by zero in \"N/(d-64)\"");
  CHECK(refusal("0/0") == "formula: division by zero in \"0/0\"");
  CHECK(refusal("1 + sqrt(d - 65) * 2") == "formula: \"sqrt(d - 65)\" is not a number");
  CHECK(refusal("log(d-64)") == "formula: \"log(d-64)\" is not finite");
  CHECK(refusal("1 / (1e300 * 1e300)") == "formula: \"1e300 * 1e300\" is not finite");
  CHECK(refusal("N^N^N") == "formula: \"N^N\" is not finite");
  CHECK(refusal("0^-1") == "formula: \"0^-1\" is not finite");
  CHECK(refusal("1 /\n0") == "formula: division by zero in \"1 / 0\"");
  CHECK(refusal("1/(" + repeated("0+", 50) + "0)").size() < 120);
  CHECK_THROWS_WITH(Expression::parse("2*N", {"N"}).evaluate({INFINITY}), "formula: \"N\" is not finite");
  CHECK_THROWS_WITH(Expression::parse("2*N", {"N"}).evaluate({NAN}), "formula: \"N\" is not a number");
}

TEST_CASE("a formula wants one value per name") {
  const Expression formula = Expression::parse("N", {"N", "d"});
  CHECK(formula.evaluate({1, 2}) == 1);
  CHECK_THROWS_MATCHES(formula.evaluate({1}), Error, Says("formula: {} values are given for {} names", 1, 2));
  CHECK_THROWS_MATCHES(formula.evaluate({1, 2, 3}), Error, Says("formula: {} values are given for {} names", 3, 2));
}

TEST_CASE("a formula reads numbers with a point in every locale") {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const double found = value("2.5");
  std::locale::global(before);
  CHECK(found == 2.5);
}

namespace {

/// A random formula: its text, the precedence of its outermost operator, and its value (empty if there is none).
struct Tree {
  std::string source;
  int precedence;  ///< 1 sum, 2 product, 3 minus, 4 power, 5 the rest
  std::optional<double> value;
};

std::optional<double> finite(double x) { return std::isfinite(x) ? std::optional(x) : std::nullopt; }

/// The text of an operand, in parentheses if its operator binds too weakly, and sometimes needlessly.
std::string part(const Tree& tree, int at_least, Dice& dice) {
  const std::string space = dice.one_in(4) ? " " : "";
  if (tree.precedence >= at_least && !dice.one_in(8)) return space + tree.source;
  return space + "(" + tree.source + space + ")";
}

Tree leaf(Dice& dice) {
  if (dice.one_in(2)) {
    const auto n = static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(names.size()) - 1));
    return {names[n], 5, values[n]};
  }
  const double number =
      std::ldexp(static_cast<double>(dice.between(0, 1 << 20)), -static_cast<int>(dice.between(0, 20)));
  std::ostringstream out;
  out.precision(17);
  out << number;
  return {out.str(), 5, number};
}

Tree random_tree(Dice& dice, int depth);

Tree random_call(Dice& dice, int depth) {
  const Tree a = random_tree(dice, depth - 1), b = random_tree(dice, depth - 1);
  const bool known = a.value && b.value;
  switch (dice.between(0, 4)) {
    case 0:
      return {"min(" + a.source + "," + b.source + ")", 5, known ? finite(std::min(*a.value, *b.value)) : std::nullopt};
    case 1:
      return {"max(" + a.source + " ," + b.source + ",1)", 5,
              known ? finite(std::max({*a.value, *b.value, 1.0})) : std::nullopt};
    case 2:
      return {"sqrt(" + a.source + ")", 5, a.value ? finite(std::sqrt(*a.value)) : std::nullopt};
    case 3:
      return {"floor(" + a.source + ")", 5, a.value ? finite(std::floor(*a.value)) : std::nullopt};
    default:
      return {"-" + part(a, 3, dice), 3, a.value ? finite(-*a.value) : std::nullopt};
  }
}

Tree random_tree(Dice& dice, int depth) {
  if (depth == 0 || dice.one_in(6)) return leaf(dice);
  if (dice.one_in(4)) return random_call(dice, depth);
  const Tree a = random_tree(dice, depth - 1), b = random_tree(dice, depth - 1);
  const double x = a.value.value_or(NAN), y = b.value.value_or(NAN);
  switch (dice.between(0, 4)) {
    case 0:
      return {part(a, 1, dice) + "+" + part(b, 2, dice), 1, finite(x + y)};
    case 1:
      return {part(a, 1, dice) + "-" + part(b, 2, dice), 1, finite(x - y)};
    case 2:
      return {part(a, 2, dice) + "*" + part(b, 3, dice), 2, finite(x * y)};
    case 3:
      return {part(a, 2, dice) + "/" + part(b, 3, dice), 2, finite(x / y)};
    default:
      return {part(a, 5, dice) + "^" + part(b, 3, dice), 4, a.value && b.value ? finite(std::pow(x, y)) : std::nullopt};
  }
}

}  // namespace

TEST_CASE("random formulas have the value of the tree that they were printed from") {
  Dice dice(7);
  int finite_ones = 0;
  for (int round = 0; round < 5000; ++round) {
    const Tree tree = random_tree(dice, 6);
    if (tree.source.size() > 4096) continue;
    INFO(tree.source);
    if (tree.value) {
      REQUIRE(value(tree.source) == *tree.value);
      ++finite_ones;
    } else {
      REQUIRE(refusal(tree.source) != "accepted");
    }
  }
  CHECK(finite_ones > 1500);
  CHECK(finite_ones < 4900);
}

}  // namespace sim
