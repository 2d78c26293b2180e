// "Why this number?": the derivation of any number of a simulation, named by its JSON path.
#pragma once
#include <string>
#include <vector>

#include "sim/base/sentence.h"
#include "sim/model/simulation.h"

namespace sim {

/// One summand: its source, the amount each time, and the number of times.
struct DerivationTerm {
  std::string where;  ///< "flash2_forward:20" (kernel and line), a kernel or a tensor
  Sentence what;      ///< the listing line, or a description
  std::int64_t each = 0, times = 1;
  std::int64_t total() const { return checked_multiply(each, times); }
};

struct Derivation {
  std::string path, unit, value;
  std::vector<Sentence> formula;      ///< equations with their values filled in
  std::vector<DerivationTerm> terms;  ///< summands of the value; empty if the formula is complete
};

/// Derives a number, for example "tile_traffic.by_tensor.O.read_bytes", or the sum of read and written bytes,
/// "tile_traffic.by_tensor.O". Throws Error that names the wrong part of the path and the names allowed there.
Derivation derive(const Simulation& simulation, const std::string& path);

/// Returns every path that derive() accepts for this simulation: the numbers of its JSON, then the sums.
std::vector<std::string> derivation_paths(const Simulation& simulation);

}  // namespace sim
