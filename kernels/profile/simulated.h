// Quantities of some kernels of a program, as metrics would show them.
#pragma once
#include <optional>
#include <string_view>

#include "sim/model/simulation.h"

namespace profile {

/// Kernels first to last - 1 of a program.
struct Kernels {
  const sim::Simulation& program;
  std::size_t first = 0, last = 0;
  std::size_t count() const { return last - first; }
};

/// Sums over kernels. `reads` are those that reach the SM.
struct Moved {
  double reads = 0, writes = 0, reductions = 0;           ///< bytes of tiles
  double hbm_reads = 0, hbm_writes = 0, input_bytes = 0;  ///< input_bytes: compulsory reads
};
Moved moved_by(const Kernels& kernels);

/// A quantity by its path (kernels/profile/metric.h); empty if it is not comparable: no such work, products in fp32,
/// which do not run on tensor cores, and L2 hits if reductions read in L2.
std::optional<double> simulated_value(std::string_view path, const Kernels& kernels);

}  // namespace profile
