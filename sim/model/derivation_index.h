// The index of derivations: one entry per path, made on demand. Internal to sim/model/derivation*.cpp.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/derivation.h"

namespace sim {

using Maker = std::function<Derivation()>;
using DerivationIndex = std::vector<std::pair<std::string, Maker>>;
using Amount = std::function<std::int64_t(const Event&)>;

/// The events that have an amount, grouped by kernel, line and amount, with the listing line.
std::vector<DerivationTerm> event_terms(const Simulation& s, const Amount& amount);

/// "B H d   with B = 1, H = 2, d = 64"
std::string with_values(const std::string& equation, const std::vector<std::pair<std::string, std::int64_t>>& values);

Derivation of_bytes(std::int64_t value, std::vector<std::string> formula, std::vector<DerivationTerm> terms);

void add_tile_traffic(const Simulation& s, DerivationIndex& index);
void add_hbm_traffic(const Simulation& s, DerivationIndex& index);
void add_memory(const Simulation& s, DerivationIndex& index);
void add_work(const Simulation& s, DerivationIndex& index);
void add_time(const Simulation& s, DerivationIndex& index);
void add_kernels(const Simulation& s, DerivationIndex& index);

}  // namespace sim
