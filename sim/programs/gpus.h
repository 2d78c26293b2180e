// Several GPUs share each sequence (--gpus P, --parallel): what they can run. sim/model/several_gpus.h has their steps.
#pragma once
#include "sim/programs/scenario.h"

namespace sim {

/// Throws Error if an option contradicts --gpus above 1, or if its GPUs cannot share the sequences evenly.
void check_gpus(const Scenario& scenario);

}  // namespace sim
