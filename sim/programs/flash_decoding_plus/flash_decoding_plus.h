// Kernels and equations of flash-decoding-plus.
#pragma once
#include "sim/programs/plan.h"

namespace sim {

std::vector<Launch> flash_decoding_plus_launches(const Problem& p);
std::span<const NamedForm> flash_decoding_plus_forms();

}  // namespace sim
