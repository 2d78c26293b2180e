// Formula check: compares a user's formula with the count at every point of a sweep.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "sim/model/expression.h"
#include "sim/model/formula_symbols.h"
#include "sim/model/simulation.h"

namespace results {

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

}  // namespace results
