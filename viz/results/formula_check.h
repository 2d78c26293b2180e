// The formula check: a user's own formula beside the count, at every point of a sweep.
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
  /// `formula`: an expression over the symbols. `against`: a number of simulate's JSON by its path, or a place with
  /// read_bytes and write_bytes for their sum. Throws sim::Error with the position of what is wrong in the formula.
  FormulaCheck(const std::string& formula, std::string against);

  struct Comparison {
    double formula, ratio;  ///< ratio = count / formula
  };
  /// `json`: of the simulation. Throws sim::Error when the formula has no positive value there, when it says N and
  /// queries and keys differ in number, or when `against` is not a number there.
  Comparison compare(const sim::Simulation& simulation, const nlohmann::ordered_json& json) const;

  const std::string& formula() const { return formula_; }  ///< as given, on one line
  const std::string& against() const { return against_; }

 private:
  std::string formula_, against_;
};

/// The check of a formula, or of one of approximate attention by its name (sim::named_formula), against tile traffic
/// unless `against` names another number; none without a formula. Error for `against` alone.
std::optional<FormulaCheck> formula_check(const std::optional<std::string>& formula,
                                          const std::optional<std::string>& against);

}  // namespace results
