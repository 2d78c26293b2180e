// Causes of a difference between measured and simulated numbers, as far as the numbers themselves reveal them.
#pragma once
#include <string>

#include "kernels/profile/comparison.h"
#include "kernels/profile/simulated.h"

namespace profile {

/// One sentence for a measured row that differs: beyond its expectation or, if none is claimed, by more than 1 %.
/// "unexplained" if the numbers fit no cause; "" if there is nothing to explain.
std::string cause_of(const Row& row, const KernelComparison& part, const Kernels& kernels);

}  // namespace profile
