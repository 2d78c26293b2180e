// Shared by the programs: the tile machine, and a few constants and functions.
#pragma once
#include <limits>
#include <utility>

#include "sim/machine/cta.h"
#include "sim/programs/kernel_form.h"
#include "sim/programs/program.h"

namespace sim {

/// Unroll factor of nvcc for a loop of unknown length: the number of its register loads that are in flight at a time
/// (Launch::tiles_in_flight).
inline constexpr std::int64_t unrolled_iterations = 4;

inline constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// The matrix that multiplies V in standard attention: P, or P after dropout.
inline const HbmTensor& weights(const Problem& p) { return p.dropout.any() ? p.hbm.P_dropped : p.hbm.P; }

/// Returns a launch whose CTAs add to dQ_acc between two launches of flash2's backward pass: before it D_i =
/// rowsum(dO_i o O_i) and dQ_acc = 0, after it dQ = scale dQ_acc. They are named after `main`; their listing and
/// their equations are flash2's.
std::vector<Launch> between_prepare_and_finish(const Problem& p, Launch main);

}  // namespace sim
