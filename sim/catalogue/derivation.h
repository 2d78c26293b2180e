// "Why this number?": the derivation of any number of a simulation, named by its JSON path.
#pragma once
#include <string>
#include <vector>

#include "sim/base/sentence.h"
#include "sim/model/simulation.h"

namespace sim {

/// One summand: what it is, how much each time, how often.
struct DerivationTerm {
  std::string where;  ///< "flash2_forward:20", a kernel or a tensor
  Sentence what;      ///< the listing line, or words
  std::int64_t each = 0, times = 1;
  std::int64_t total() const { return checked_multiply(each, times); }
};

struct Derivation {
  std::string path, unit, value;
  std::vector<Sentence> formula;      ///< equations with their values filled in
  std::vector<DerivationTerm> terms;  ///< what sums to the value; empty where the formula says it all
};

/// Derives a number, for example "tile_traffic.by_tensor.O.read_bytes", or the sum of what is read and written,
/// "tile_traffic.by_tensor.O". Throws Error that names the wrong part of the path and what is allowed there.
Derivation derive(const Simulation& simulation, const std::string& path);

/// Every path that derive() takes for this simulation: the numbers of its JSON, then the sums.
std::vector<std::string> derivation_paths(const Simulation& simulation);

}  // namespace sim
