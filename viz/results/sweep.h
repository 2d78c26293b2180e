// A sweep: fixed options, axes, and the row of each point.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/expression.h"
#include "sim/model/formula_symbols.h"
#include "sim/model/simulation.h"
#include "viz/results/axes.h"
#include "viz/results/table_numbers.h"

namespace results {

// Formula check: compares a user's formula with the count at every point of a sweep.

class FormulaCheck {
 public:
  /// `formula`: an expression over the symbols. `against`: the path of a number in simulate's JSON, or of an object
  /// with read_bytes and write_bytes, which are added. Throws sim::Error with the position of an error in the formula.
  FormulaCheck(const std::string& formula, std::string against);

  struct Comparison {
    double formula, ratio;  ///< ratio = count / formula
  };
  /// `json`: of the simulation. Throws sim::Error if the formula is not positive at this point, if it uses N while the
  /// numbers of queries and keys differ, or if `against` is not a number.
  Comparison compare(const sim::Simulation& simulation, const nlohmann::ordered_json& json) const;

  const std::string& formula() const { return formula_; }  ///< as given, on one line
  const std::string& against() const { return against_; }

 private:
  std::string formula_, against_;
};

/// The check of a formula, or of one of approximate attention by its name (sim::named_formula), against tile traffic
/// unless `against` names another number; empty without a formula. Throws Error for `against` alone.
std::optional<FormulaCheck> formula_check(const std::optional<std::string>& formula,
                                          const std::optional<std::string>& against);

/// A subset of points: those p with p % of == which.
struct Shard {
  std::int64_t which = 0, of = 1;
};

/// Reads "2/3" as the second of three: {1, 3}. Throws sim::Error.
Shard parse_shard(const std::string& text);

/// Rows are numbered 0, 1, ... within the shard. A row is text, a JSON array with one cell per column.
class Sweep {
 public:
  /// Throws sim::Error for options and axes that cannot be read, before any work.
  Sweep(sim::OptionValues fixed, const TypedAxes& axes, Shard shard, std::optional<FormulaCheck> formula,
        std::vector<TableNumber> numbers, const OptionFiles& files);

  std::int64_t rows() const;    ///< in this shard
  std::int64_t points() const;  ///< in all shards
  const std::vector<Axis>& axes() const { return axes_; }
  const Shard& shard() const { return shard_; }
  const std::optional<FormulaCheck>& formula() const { return formula_; }

  /// The numbers of a row; has_chosen() is true if the user chose them, else they are the defaults.
  const std::vector<TableNumber>& numbers() const { return numbers_; }
  bool has_chosen() const { return chosen_; }

  /// The axes; the chosen numbers, or the exact quantities, br, bc, bound_by; formula and ratio if requested; error.
  const std::vector<std::string>& columns() const { return columns_; }

  /// The cells of a row by column name.
  nlohmann::ordered_json named(const nlohmann::ordered_json& cells) const;

  /// Simulates one point. If it cannot run, the cell `error` has the reason and the quantities are empty. Throws
  /// sim::Error, naming the point, if the formula cannot be compared there. Thread-safe; O(row blocks) per scenario.
  std::string row(std::int64_t number) const;

  const sim::OptionValues& fixed() const { return fixed_; }
  std::optional<sim::Scenario> scenario(std::int64_t number) const;  ///< empty if its options conflict

  /// Warnings on the clocks that times of its rows are predicted at, each once: doubts_about_clock() of every GPU and
  /// algorithm. Empty if no row has a time.
  std::vector<std::string> doubts() const;

  /// Coordinates of a point: "seqlen=1024, gpu=h100-sxm".
  std::string place(std::int64_t number) const;

  /// The index of a row's value on an axis.
  std::size_t coordinate(std::int64_t number, std::size_t axis) const;

  /// Head of the JSON: version, sources, options, axes, shard, formula, columns and devices.
  nlohmann::ordered_json description() const;

 private:
  std::int64_t point_of(std::int64_t number) const { return shard_.which + number * shard_.of; }
  bool shows_times() const;
  bool is_dense_beside(const sim::OptionValues& values) const;
  sim::OptionValues options(std::int64_t number) const;
  void add_comparison(const sim::Simulation& simulation, std::int64_t number, nlohmann::ordered_json& cells) const;

  sim::OptionValues fixed_;
  Shard shard_;
  std::optional<FormulaCheck> formula_;
  bool chosen_;
  std::vector<TableNumber> numbers_;
  std::map<std::string, std::shared_ptr<const sim::DeviceSpec>> gpus_;  ///< all GPUs, read before the threads start
  std::vector<Axis> axes_;
  std::vector<std::string> columns_;
};

/// Every row of a sweep, in order, computed on `jobs` threads (0: all cores). `each` gets the number of rows done, one
/// call at a time; nothing starts after `stop` returned true. Rethrows the exceptions of rows.
std::vector<std::string> all_rows(const Sweep& sweep, int jobs, const std::function<void(std::int64_t)>& each,
                                  const std::function<bool()>& stop);

}  // namespace results
