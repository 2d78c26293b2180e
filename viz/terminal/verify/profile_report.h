// A profile beside a program, as a table for people and as JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kernels/profile/comparison.h"

namespace terminal {

/// What was compared.
struct ImportedProfile {
  std::string scenario;  ///< in words
  const profile::Profile& file;
  const sim::Simulation& program;
  profile::Comparison comparison;
};

/// What a reader should know before the numbers: how launches were matched, another GPU than the scenario's.
std::vector<std::string> notes(const ImportedProfile& imported);

/// Throws sim::Error that names what the file has and what is missing if no row is measured.
void refuse_nothing(const ImportedProfile& imported);

/// The contract's object of `verify`, with `launches`, `left_out`, `matching`, `repetitions`, `notes` and
/// `unknown_metrics`; a row has `kernel` and `metric` as well, and of its repetitions, of which `measured` is the
/// median, the number, `low` and `high`. What the file does not have is null, and so are tolerances where no difference
/// is expected.
nlohmann::ordered_json profile_json(const ImportedProfile& imported);

/// A table for each kernel, the causes of differences, the metrics that were taken and those that were not.
std::string profile_table(const ImportedProfile& imported);

}  // namespace terminal
