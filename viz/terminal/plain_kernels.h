// Note on kernels that predicted times do not describe. The factors compare kernels/measurements/*-teaching.csv (time,
// cold) with the predictions for the same scenarios.
#pragma once

namespace terminal {

inline constexpr const char* plain_kernels_note =
    "predicted times are of kernels that reach the rates of the device; the plain kernels that teach (in fp32 all) do "
    "not: on an H100 they took 20 to 460 times as long, for bank conflicts and what they hold in shared memory";

}  // namespace terminal
