// The kernel sequences of each algorithm, forward and backward; one file each.
#pragma once
#include <limits>
#include <utility>

#include "sim/machine/cta.h"
#include "sim/programs/program.h"

namespace sim {

inline constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// What multiplies V in standard attention: P, or P after dropout.
inline const HbmTensor& weights(const Problem& p) { return p.dropout.any() ? p.hbm.P_dropped : p.hbm.P; }

std::vector<Launch> standard_forward_launches(const Problem& p);
std::vector<Launch> standard_backward_launches(const Problem& p);
std::vector<Launch> memory_efficient_forward_launches(const Problem& p);
std::vector<Launch> memory_efficient_backward_launches(const Problem& p);
std::vector<Launch> flash1_forward_launches(const Problem& p);
std::vector<Launch> flash1_backward_launches(const Problem& p);
std::vector<Launch> flash1_released_forward_launches(const Problem& p);
std::vector<Launch> flash1_released_backward_launches(const Problem& p);
std::vector<Launch> flash2_forward_launches(const Problem& p);
std::vector<Launch> flash2_backward_launches(const Problem& p);

}  // namespace sim
