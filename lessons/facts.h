// The numbers that a text speaks of, by name, from runs: formulas over what `simulate --format json` prints.
//
//   tile_traffic.total                          of the main run, read and written bytes together
//   standard hbm_traffic.read_bytes             of another run: its name comes first
//   1 - work.matmul_flops / all work.matmul_flops
//   gpu.sm_count, roofs.hbm_ridge               of the device: the fields of its file, and its roofs
//   here.O.0.1                                  at the cursor: row 0, column 1 of the newest tile of O; here.m.0 of m
//
// Operators stand between spaces: "head-dim" is a name.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/simulation.h"

namespace lessons {

class Facts {
 public:
  /// The main run has the empty name.
  void add(std::string name, const sim::Simulation& simulation);

  /// Throws sim::Error for a name or formula that means nothing.
  double value(std::string_view formula) const;

  /// "FORMULA" or "FORMULA | UNIT" as people read it, with its unit. Units are the functions of sim/report/numbers.h
  /// (bytes, percent, flop_rate, ...), `exact_bytes`: all digits, and `number`: three digits that count. Without one
  /// the name decides.
  std::string text(std::string_view formula) const;

  /// The number of "FORMULA" or "FORMULA | UNIT", and its unit.
  struct Quantity {
    double value = 0;
    std::string_view unit;
  };
  Quantity quantity(std::string_view formula) const;

  /// A text with the formulas in its braces replaced. Braces within a script (_{ij}, ^{-2}) are left alone.
  std::string filled(std::string_view text) const;

  /// Whether "FORMULA < FORMULA" is true; also > and =, which is exact, and "FORMULA within 5 % of FORMULA". Throws
  /// sim::Error for other texts.
  bool holds(std::string_view claim) const;

  /// Values at the cursor of the main run, for names that begin with "here".
  void add_here(nlohmann::ordered_json values);

  /// Puts another number in the place of one: "tile_traffic.by_tensor.O.read_bytes". For tests alone, which break the
  /// numbers of a run and see whether a lesson notices. Throws sim::Error for no run or no number of that name.
  void change(std::string_view run, std::string_view path, double value);

  /// What a run counted, as `simulate --format json` prints it; null for none.
  const nlohmann::ordered_json* run(std::string_view name) const { return find(name); }

 private:
  struct Run {
    std::string name;
    nlohmann::ordered_json quantities;
  };
  const nlohmann::ordered_json* find(std::string_view name) const;

  std::vector<Run> runs_;
};

/// A number in a unit as people read it: written(0.5, "percent") is "50.0 %". Throws sim::Error for no unit.
std::string written(double value, std::string_view unit);

/// The same with all digits of a whole number: "524,288 B".
std::string written_exactly(double value, std::string_view unit);

/// How many of what is counted a unit behind a typed number stands for, "4.4 GB" or "200 flop/byte"; 0 for a suffix
/// that such a number does not have. In large or small letters.
double factor_of(std::string_view suffix, std::string_view unit);

/// The suffixes that numbers in a unit have, smallest first: "B", "kB", ...
std::vector<std::string> suffixes_of(std::string_view unit);

}  // namespace lessons
