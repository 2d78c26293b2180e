// Verdicts as tables for people and as JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "kernels/verify/verdict.h"

namespace terminal {

/// A verdict and what was verified.
struct VerifiedScenario {
  std::string scenario;  ///< in words, or as its list has it
  std::string kernel;
  kernels::Verdict verdict;
};

/// The contract's object: `{"device", "ok", "rows": [{"quantity", "unit", "simulated", "measured", "difference",
/// "tolerance", "ok", "cause"}]}`. Counts are whole numbers; an infinite error is null, and so are measured and
/// difference of a row where nothing could be measured.
nlohmann::ordered_json verdict_json(const kernels::Verdict& verdict);

/// A list: `{"device", "ok", "verdicts": [{"scenario", "kernel", and the contract's keys}]}`.
nlohmann::ordered_json verdicts_json(const std::string& device, const std::vector<VerifiedScenario>& verified);

/// Every row, and "verified: 23 rows agree" or which fail.
std::string verdict_table(const VerifiedScenario& verified);

/// A row per scenario, every row that fails or was recorded, and a last line like that above.
std::string verdicts_table(const std::string& device, const std::vector<VerifiedScenario>& verified);

}  // namespace terminal
