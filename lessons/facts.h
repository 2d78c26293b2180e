// Named numbers of runs, for lesson texts: formulas over the output of `simulate --format json`.
//
//   tile_traffic.total                          main run; read and written bytes together
//   standard hbm_traffic.read_bytes             another run: its name comes first
//   1 - work.matmul_flops / all work.matmul_flops
//   gpu.sm_count, roofs.hbm_ridge               device: the fields of its file, and its roofs
//   here.O.0.1                                  cursor: row 0, column 1 of the newest tile of O; here.m.0 for m
//
// Operators are surrounded by spaces: "head-dim" is a name.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/simulation.h"

namespace lessons {

class Facts {
 public:
  /// Adds a run. The main run has the empty name.
  void add(std::string name, const sim::Simulation& simulation);

  /// Evaluates a formula. Throws sim::Error for an unknown name or an invalid formula.
  double value(std::string_view formula) const;

  /// Formats "FORMULA" or "FORMULA | UNIT" with its unit. Units are the functions of sim/report/numbers.h (bytes,
  /// percent, flop_rate, ...), `exact_bytes` (all digits) and `number` (three significant digits). If there is no unit,
  /// the name decides.
  std::string text(std::string_view formula) const;

  /// Value and unit of "FORMULA" or "FORMULA | UNIT".
  struct Quantity {
    double value = 0;
    std::string_view unit;
  };
  Quantity quantity(std::string_view formula) const;

  /// Returns a text with each formula in braces replaced by its value. Braces of a script (_{ij}, ^{-2}) are kept.
  std::string filled(std::string_view text) const;

  /// True if a claim is true. Throws sim::Error for other texts.
  bool holds(std::string_view claim) const;

  /// Returns both sides of a claim with their values: "1.23 < 1.10", "1.23 within 5 % of 1.10".
  std::string sides(std::string_view claim) const;

  /// Adds the values at the main run's cursor, under names that begin with "here".
  void add_here(nlohmann::ordered_json values);

  /// Replaces one number: "tile_traffic.by_tensor.O.read_bytes". For tests only, which falsify a number of a run and
  /// check that the lesson fails. Throws sim::Error if there is no run or number of that name.
  void change(std::string_view run, std::string_view path, double value);

  /// Returns the output of `simulate --format json` for a run; null if there is none.
  const nlohmann::ordered_json* run(std::string_view name) const { return find(name); }

 private:
  struct Run {
    std::string name;
    nlohmann::ordered_json quantities;
  };
  const nlohmann::ordered_json* find(std::string_view name) const;

  std::vector<Run> runs_;
};

/// A claim: "FORMULA < FORMULA"; also >, = (exact), and "FORMULA within 5 % of FORMULA".
struct Claim {
  std::string_view left, between, right;  ///< between: "<" or "within 5 % of"
  std::string_view percent = {};          ///< of `within`: "5", a formula
};
/// Throws sim::Error if a text claims nothing.
Claim claim_of(std::string_view text);
/// True if a text is a claim, not a formula.
bool is_claim(std::string_view text);

/// A part of a formula or claim: a run or a path, the name of a function, or a number or single character.
struct FormulaPart {
  enum class Kind { word, function, sign } kind;
  std::string_view text;
};
/// Splits a formula into parts that together are the formula.
std::vector<FormulaPart> formula_parts(std::string_view formula);

/// Returns a text with each formula in braces replaced, with its braces, by `put(formula)`. Braces of a script (_{ij},
/// ^{-2}) are kept.
std::string with_formulas(std::string_view text, const std::function<std::string(std::string_view)>& put);

/// Formats a number in a unit: written(0.5, "percent") is "50.0 %". Throws sim::Error for an unknown unit.
std::string written(double value, std::string_view unit);

/// Formats a number with all of its digits if it is whole, else with four.
std::string plain_number(double value);

/// As written(), but with all digits of a whole number: "524,288 B".
std::string written_exactly(double value, std::string_view unit);

/// Returns the factor of a suffix after a typed number, such as "4.4 GB" or "200 flop/byte", in the base unit; 0 if the
/// unit has no such suffix. Case is ignored.
double factor_of(std::string_view suffix, std::string_view unit);

/// Returns the suffixes for numbers in a unit, smallest first: "B", "kB", ...
std::vector<std::string> suffixes_of(std::string_view unit);

}  // namespace lessons
