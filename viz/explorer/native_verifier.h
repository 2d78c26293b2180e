// Verification where there are kernels: on the emulated device, and on the GPU where there is one.
#pragma once
#include "viz/model/verification.h"

namespace explorer {

/// Kernels run on threads of their own, so that the window stays alive; `workers` of them on the emulated device, 0: as
/// many as the machine has cores.
std::shared_ptr<const Verifier> make_native_verifier(int workers = 0);

}  // namespace explorer
