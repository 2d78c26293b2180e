// Verification in builds with kernels: on the emulated device, and on the GPU if there is one.
#pragma once
#include "viz/model/verification.h"

namespace explorer {

/// Runs kernels on other threads; `workers` of them on the emulated device, 0: one per core.
std::shared_ptr<const Verifier> make_native_verifier(int workers = 0);

}  // namespace explorer
