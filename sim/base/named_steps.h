// The options that modify scores: a row each, in the order in which they run.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/shape.h"

namespace sim {

struct NamedStep {
  enum class Takes : std::uint8_t { nothing, number, formulas };
  std::string_view name;
  Takes takes;
  std::string_view values;             ///< in help: "C"; "" for a flag
  std::string_view help, label, note;  ///< texts of the command line and of the explorer
  std::string_view example;            ///< a value
  /// Returns its formulas over the names of ScoreStep, for a query's place among the keys. Throws Error that names the
  /// option, the value and the allowed ones.
  std::vector<std::string> (*formulas)(std::string_view value, DiagonalFrom corner);
};

/// All of them. The catalogue makes an option of each, and the scenario runs their formulas in this order.
const std::vector<NamedStep>& named_steps();

}  // namespace sim
