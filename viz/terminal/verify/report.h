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

/// The object for a list: `{"device", "ok", "verdicts": [{"scenario", "kernel", and the contract's keys}]}`.
nlohmann::ordered_json verdicts_json(const std::string& device, const std::vector<VerifiedScenario>& verified);

/// All rows, and "verified: 23 rows agree" or the names of failing rows.
std::string verdict_table(const VerifiedScenario& verified);

/// A row per scenario, every row that fails or was recorded, and a summary as in verdict_table().
std::string verdicts_table(const std::string& device, const std::vector<VerifiedScenario>& verified);

}  // namespace terminal
