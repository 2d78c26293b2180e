// Recorded times that constants of the model were fitted to.
#pragma once
#include <string_view>

namespace sim {

/// Recorded times of an algorithm to which some of the constants were fitted.
struct FittedTimes {
  std::string_view group, algorithm;
  bool by_fit;  ///< `validate --fit` fits these constants, too
};
/// Null where no constant was fitted to them.
const FittedTimes* fitted_times(std::string_view group, std::string_view algorithm);

}  // namespace sim
