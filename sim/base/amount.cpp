#include "sim/base/amount.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace sim {
namespace {

/// A prefix of units: a power of 1,024, or of 1,000 where `decimal` measures take it as that.
struct Prefix {
  std::string_view text;
  int power;
  bool binary;  ///< a power of 1,024 in every measure
};
constexpr Prefix prefixes[] = {{"", 0, false},  {"k", 1, false}, {"K", 1, false}, {"M", 2, false},
                               {"G", 3, false}, {"T", 4, false}, {"Ki", 1, true}, {"ki", 1, true},
                               {"Mi", 2, true}, {"Gi", 3, true}, {"Ti", 4, true}};

/// A unit that may follow the number: its factor is a power of 10.
struct Unit {
  Measure measure;
  std::string_view text;
  int tens = 0;
  bool prefixed = true;
};
constexpr Unit units[] = {{Measure::count, ""},
                          {Measure::bytes, ""},
                          {Measure::bytes, "B"},
                          {Measure::bytes, "bytes"},
                          {Measure::bytes, "byte"},
                          {Measure::byte_rate, ""},
                          {Measure::byte_rate, "B/s"},
                          {Measure::clock, ""},
                          {Measure::clock, "Hz"},
                          {Measure::rate, ""},
                          {Measure::time, ""},
                          {Measure::time, "ns", 0, false},
                          {Measure::time, "us", 3, false},
                          {Measure::time, "\u00b5s", 3, false},
                          {Measure::time, "\u03bcs", 3, false},
                          {Measure::time, "ms", 6, false},
                          {Measure::time, "s", 9, false}};

/// Words of a measure for errors, and its rule.
struct MeasureRow {
  std::string_view noun, examples, rule;
  bool decimal;
};
constexpr MeasureRow measures[] = {
    {/*say*/ "whole number", "", "k, M, G and T are powers of 1,024", false},
    {/*say*/ "size in bytes", "50M, 50MB or 50MiB, which are 52,428,800",
     "k, M, G and T are powers of 1,024: 50M, 50MB and 50MiB are 52,428,800 bytes", false},
    {/*say*/ "rate in B/s", "3350G, 3.35T or 3.35TB/s", "k, M, G and T are powers of 1,000: 3350G, 3.35T and 3.35TB/s",
     true},
    {/*say*/ "clock in Hz", "1500M, 1500MHz or 1.5G", "k, M, G and T are powers of 1,000: 1500M, 1500MHz and 1.5GHz",
     true},
    {/*say*/ "whole number", "", "k, M, G and T are powers of 1,000", true},
    {/*say*/ "time", "2.6ms or 572us", "the units are ns, us, ms and s", true}};

const MeasureRow& row_of(Measure measure) { return measures[static_cast<std::size_t>(measure)]; }

/// Factor of a suffix: 2^twos x 10^tens.
struct Factor {
  int twos = 0, tens = 0;
};

/// True if the texts are equal; letters of a unit may be in either case if no other suffix then has the same text:
/// "50mb", "1.5ghz". A rate in "Gb/s" counts bits, and m alone is a thousandth.
bool is_suffix(std::string_view typed, const Prefix& prefix, const Unit& unit) {
  const std::string exact = std::string(prefix.text) + std::string(unit.text);
  const bool either_case = unit.measure == Measure::clock || unit.measure == Measure::bytes;
  return typed == exact || (either_case && !unit.text.empty() && in_lower_case(typed) == in_lower_case(exact));
}

std::optional<Factor> factor_of(Measure measure, std::string_view suffix) {
  for (const Unit& unit : units) {
    if (unit.measure != measure) continue;
    for (const Prefix& prefix : prefixes) {
      if ((!unit.prefixed && prefix.power > 0) || !is_suffix(suffix, prefix, unit)) continue;
      if (row_of(measure).decimal && !prefix.binary) return Factor{0, unit.tens + 3 * prefix.power};
      return Factor{10 * prefix.power, unit.tens};
    }
  }
  return std::nullopt;
}

/// A typed number: digits x 10^tens, without separators, and the text behind it.
struct Number {
  std::string digits;
  int tens = 0;
  std::string_view suffix;
};

/// Appends digits, in groups of three if separated by _; returns false if a group has another length.
bool take_digits(std::string_view& rest, std::string& digits) {
  std::size_t group = 0;
  bool grouped = false;
  for (; !rest.empty() && (is_digit(rest[0]) || (rest[0] == '_' && !digits.empty())); rest.remove_prefix(1)) {
    if (rest[0] != '_') {
      digits += rest[0];
      ++group;
      continue;
    }
    if (grouped ? group != 3 : group == 0 || group > 3) return false;
    grouped = true;
    group = 0;
  }
  return !grouped || group == 3;
}

/// Takes "e6" or "e-3" from the start, if it is there; false if the exponent is out of any range.
bool take_exponent(std::string_view& rest, int& tens) {
  if (rest.empty() || in_lower_case(rest[0]) != 'e') return true;
  const bool sign = rest.size() > 1 && (rest[1] == '+' || rest[1] == '-');
  const std::string_view digits = rest.substr(sign && rest[1] == '+' ? 2 : 1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (end == digits.data()) return true;  // a letter of the suffix, which is then unknown
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  tens += exponent;
  return error == std::errc{} && std::abs(exponent) <= 100;
}

constexpr std::string_view surrounding = " \t\r\n";

std::optional<Number> number_in(std::string_view typed) {
  std::string_view rest = trimmed(typed, surrounding);
  Number number;
  if (!take_digits(rest, number.digits)) return std::nullopt;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    for (; !rest.empty() && is_digit(rest[0]); rest.remove_prefix(1), --number.tens) number.digits += rest[0];
  }
  if (number.digits.empty() || number.digits.size() > 1000 || !take_exponent(rest, number.tens)) return std::nullopt;
  number.suffix = trimmed(rest, surrounding);
  return number;
}

/// Multiplies unless the product passes 64 bits.
bool multiply(std::int64_t& product, std::int64_t factor, int times) {
  for (; times > 0 && product != 0; --times) {
    if (product > std::numeric_limits<std::int64_t>::max() / factor) return false;
    product *= factor;
  }
  return true;
}

/// Divides if nothing remains.
bool divide(std::int64_t& number, std::int64_t divisor, int times) {
  for (; times > 0 && number != 0; --times) {
    if (number % divisor != 0) return false;
    number /= divisor;
  }
  return true;
}

/// Returns digits x 2^twos x 10^tens if that is a whole number of 64 bits.
std::optional<std::int64_t> exact_product(std::string digits, int twos, int tens) {
  for (; digits.size() > 1 && digits.back() == '0'; digits.pop_back()) ++tens;
  std::int64_t whole = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  const int fives = tens;
  twos += tens;
  const bool fits =
      divide(whole, 5, -fives) && divide(whole, 2, -twos) && multiply(whole, 5, fives) && multiply(whole, 2, twos);
  return fits ? std::optional(whole) : std::nullopt;
}

/// True if exactly three digits follow, as behind a separator of thousands.
bool begins_group(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return digits == 3;
}

/// Removes separators: "8,192" and "8 192" become "8192", "1,5G" becomes "1.5G".
std::string without_separators(std::string_view typed) {
  const std::string_view text = trimmed(typed, surrounding);
  std::string plain;
  for (std::size_t n = 0; n < text.size(); ++n) {
    if (text[n] != ',' && text[n] != ' ')
      plain += text[n];
    else if (text[n] == ',' && !begins_group(text.substr(n + 1)))
      plain += '.';
  }
  return plain;
}

/// True if k, M or G may remain of a suffix with this unit: 8kB is not a length, 8k is; 1500m is 1500M.
bool may_be_left_out(Measure measure, std::string_view unit) {
  return unit.empty() || (measure == Measure::count && in_lower_case(unit) == "b");
}

/// Spellings that may be meant, the likeliest first.
std::vector<std::string> spellings_of(Measure measure, std::string_view typed) {
  constexpr std::string_view letters = "kmgt", prefix_of = "kMGT";
  const std::string plain = without_separators(typed.substr(0, 100));
  const std::optional<Number> number = number_in(plain);
  if (!number) return {};
  const std::string_view suffix = number->suffix;
  const std::string front = plain.substr(0, plain.size() - suffix.size());
  if (measure == Measure::time) {
    const bool milli = suffix.empty() || suffix == "m";
    return {milli ? front + "ms" : plain, front + in_lower_case(suffix)};
  }
  std::vector<std::string> all = {plain};
  if (suffix.empty() && measure != Measure::count) {
    for (const char prefix : prefix_of) all.push_back(front + prefix);
  }
  const std::size_t letter = suffix.empty() ? std::string_view::npos : letters.find(in_lower_case(suffix[0]));
  if (letter == std::string_view::npos) return all;
  const std::string_view unit = suffix.substr(suffix.substr(1).starts_with('i') ? 2 : 1);
  if (may_be_left_out(measure, unit)) all.push_back(front + prefix_of[letter]);
  return all;
}

}  // namespace

Measure measure_of(std::string_view unit) {
  if (unit == "bytes" || unit == "B") return Measure::bytes;
  if (unit == "B/s") return Measure::byte_rate;
  if (unit == "Hz") return Measure::clock;
  if (unit == "ns") return Measure::time;
  return unit == "cycles" || unit.ends_with("/clk") ? Measure::rate : Measure::count;
}

std::optional<std::int64_t> whole_amount(Measure measure, std::string_view typed) {
  const std::optional<Number> number = number_in(typed);
  const auto factor = number ? factor_of(measure, number->suffix) : std::nullopt;
  if (!factor) return std::nullopt;
  return exact_product(number->digits, factor->twos, number->tens + factor->tens);
}

std::optional<double> real_amount(Measure measure, std::string_view typed) {
  const std::optional<Number> number = number_in(typed);
  const auto factor = number ? factor_of(measure, number->suffix) : std::nullopt;
  if (!factor) return std::nullopt;
  const std::string decimal = text(number->digits, "e", number->tens + factor->tens);
  return std::ldexp(std::strtod(decimal.c_str(), nullptr), factor->twos);
}

double parse_time(std::string_view option, const std::string& typed) {
  const std::optional<Number> number = number_in(typed);
  const auto factor = number ? factor_of(Measure::time, number->suffix) : std::nullopt;
  const bool unit = factor && number->suffix.ends_with('s');
  const Sentence better = better_spelling(Measure::time, typed, 1, std::numeric_limits<std::int64_t>::max());
  require(unit, option, ": ", quoted(typed, 60),
          " is not a time with its unit, such as 2.6ms; units are ns, us, ms and s", better);
  const double us = std::strtod(text(number->digits, "e", number->tens + factor->tens - 3).c_str(), nullptr);
  require(us > 0 && us < 1e15, option, ": ", quoted(typed, 60), " is not a time above 0");
  return us;
}

std::string amount_text(Measure measure, std::int64_t amount) {
  const std::int64_t base = row_of(measure).decimal ? 1000 : 1024;
  const bool spelled = measure == Measure::bytes || measure == Measure::byte_rate || measure == Measure::clock;
  std::string_view suffix;
  for (const char* next : {"k", "M", "G", "T"}) {
    if (!spelled || amount == 0 || amount % base != 0) break;
    amount /= base;
    suffix = next;
  }
  return text(amount, suffix);
}

Sentence not_an_amount(Measure measure, std::string_view typed, std::int64_t least, std::int64_t most) {
  const MeasureRow& row = row_of(measure);
  Sentence hint = better_spelling(measure, typed, least, most);
  if (hint.empty() && !row.examples.empty()) hint = Sentence::of(", such as ", row.examples);
  return Sentence::of(quoted(typed, 100), " is not a ", Sentence(row.noun), " from ", amount_text(measure, least),
                      " to ", amount_text(measure, most), hint);
}

Sentence better_spelling(Measure measure, std::string_view typed, std::int64_t least, std::int64_t most) {
  for (const std::string& spelling : spellings_of(measure, typed)) {
    const auto amount = spelling == typed ? std::nullopt : whole_amount(measure, spelling);
    if (amount && *amount >= least && *amount <= most) return Sentence::of(": write ", spelling);
  }
  return {};
}

std::string_view suffix_rule(Measure measure) { return row_of(measure).rule; }

}  // namespace sim
