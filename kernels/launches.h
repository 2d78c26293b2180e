// Every kernel as a function that launches it, one for each kernel of the programs and of the same name. Each flavour
// has them in a namespace of its own.
#pragma once
#include "kernels/arguments.h"
#include "kernels/dev/device.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

void flash2_forward(dev::Stream stream, const Arguments& a);  // flash2.cu

}  // namespace DEV_FLAVOUR
}  // namespace kernels
