// Reasons why there are no counters: one line that names what is missing and how to get it.
#pragma once
#include <string>

#include "sim/base/check.h"

namespace counters {

/// Thrown if CUPTI, a driver or permission is missing. what() begins with "counters: ".
struct Unavailable : sim::Error {
  enum class Kind { no_cupti, no_driver, no_permission, unknown_chip, unknown_metric, refused };
  Unavailable(Kind the_kind, const std::string& why) : sim::Error("counters: ", why), kind(the_kind) {}
  Kind kind;
};

/// Explains a CUptiResult other than success to a user. `function` returned it; `name` is CUPTI's name for it.
Unavailable refusal(const std::string& function, int result, const std::string& name);

}  // namespace counters
