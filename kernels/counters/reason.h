// Why there are no counters: one line that says what is missing and how to get it.
#pragma once
#include <string>

#include "sim/base/check.h"

namespace counters {

/// Thrown by what needs CUPTI, a driver or permission. what() begins with "counters: ".
struct Unavailable : sim::Error {
  enum class Kind { no_cupti, no_driver, no_permission, unknown_chip, unknown_metric, refused };
  Unavailable(Kind the_kind, const std::string& why) : sim::Error("counters: " + why), kind(the_kind) {}
  Kind kind;
};

/// What a CUptiResult other than success means to a user. `function`: that gave it; `name`: CUPTI's own for it.
Unavailable refusal(const std::string& function, int result, const std::string& name);

}  // namespace counters
