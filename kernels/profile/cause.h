// Why a measured number differs from the simulated one, as far as the numbers themselves tell.
#pragma once
#include <string>

#include "kernels/profile/comparison.h"
#include "kernels/profile/simulated.h"

namespace profile {

/// One sentence for a measured row that differs: beyond its expectation or, where none is claimed, by more than 1 %.
/// "unexplained" where the numbers fit no cause; "" where nothing is to be explained.
std::string cause_of(const Row& row, const Part& part, const Kernels& kernels);

}  // namespace profile
