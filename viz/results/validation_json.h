// Predicted against published and recorded times as JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "sim/model/fit.h"
#include "sim/model/validation.h"

namespace results {

/// Document that `validate --format json` prints: groups with their errors, and with `points` every point.
nlohmann::ordered_json validation_json(const sim::Validation& validation, const std::optional<sim::Fit>& fit,
                                       bool points);

/// The errors against all published times and those of the recordings that are built in, of one group where it is
/// named. Error for an unknown group. A second of work.
nlohmann::ordered_json validate_all(const std::optional<std::string>& group, bool points);

}  // namespace results
