// Verdicts as tables and as JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "kernels/verify/verdict.h"

namespace terminal {

/// A verdict with its scenario and kernel.
struct VerifiedScenario {
  std::string scenario;  ///< as text, or as in its list
  std::string kernel;
  kernels::Verdict verdict;
};

/// The contract's object: `{"device", "ok", "rows": [{"quantity", "unit", "simulated", "measured", "difference",
/// "tolerance", "ok", "cause"}]}`. Counts are whole numbers; an infinite error is null, and so are measured and
/// difference of a row that could not be measured.
nlohmann::ordered_json verdict_json(const kernels::Verdict& verdict);

/// The object for a list: `{"device", "ok", "verdicts": [{"scenario", "kernel", and the contract's keys}]}`.
nlohmann::ordered_json verdicts_json(const std::string& device, const std::vector<VerifiedScenario>& verified);

/// All rows, and "verified: 23 rows agree" or the names of failing rows.
std::string verdict_table(const VerifiedScenario& verified);

/// A row per scenario, every row that fails or was recorded, and a summary as in verdict_table().
std::string verdicts_table(const std::string& device, const std::vector<VerifiedScenario>& verified);

}  // namespace terminal
