// A profile compared with a program, as a table and as JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kernels/profile/comparison.h"

namespace terminal {

/// Comparison and its context.
struct ImportedProfile {
  std::string scenario;  ///< as text
  const profile::Profile& file;
  const sim::Simulation& program;
  profile::Comparison comparison;
};

/// Notes to read before the numbers: how launches were matched, a GPU that differs from the scenario's.
std::vector<std::string> notes(const ImportedProfile& imported);

/// Throws sim::Error if no row is measured, naming the metrics that the file has and those that are missing.
void refuse_nothing(const ImportedProfile& imported);

/// The contract's object of `verify`, with `launches`, `left_out`, `matching`, `repetitions`, `notes` and
/// `unknown_metrics`; a row also has `kernel` and `metric`, and for its repetitions, whose median is `measured`, their
/// number, `low` and `high`. Missing values are null, and so are tolerances if no difference is expected.
nlohmann::ordered_json profile_json(const ImportedProfile& imported);

/// A table for each kernel, the causes of differences, the used and the missing metrics.
std::string profile_table(const ImportedProfile& imported);

}  // namespace terminal
