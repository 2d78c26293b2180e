// Predicted times against published and recorded ones, as JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "sim/model/fit.h"
#include "sim/model/validation.h"

namespace results {

/// Document that `validate --format json` prints: groups with their errors, and with `points` every point.
nlohmann::ordered_json validation_json(const sim::Validation& validation, const std::optional<sim::Fit>& fit,
                                       bool points);

/// Errors against all published times and those of the built-in recordings, or only those of `group`. Throws Error for
/// an unknown group. Takes about a second.
nlohmann::ordered_json validate_all(const std::optional<std::string>& group, bool points);

}  // namespace results
