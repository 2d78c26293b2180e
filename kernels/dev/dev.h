// Header that a kernel includes. The same source is compiled three times, each time into a namespace of its own:
//   cuda      by nvcc, for a GPU
//   emulated  by the host's compiler, for the emulated device
//   traced    likewise, with every load and store reported to the emulator (GCC and clang's -fsanitize=thread hooks)
// A kernel is written in CUDA's own names (__global__, threadIdx.x, __syncthreads, __shfl_xor_sync ...) and in the
// named operations of this layer: inline PTX and <<<>>> stay in this folder. Grids and blocks have one dimension.
#pragma once
#include <cstdint>

#if defined(__CUDACC__)
#define DEV_FLAVOUR cuda
#include "kernels/dev/cuda.h"
#elif defined(DEV_TRACED)
#define DEV_FLAVOUR traced
#include "kernels/dev/host.h"
#else
#define DEV_FLAVOUR emulated
#include "kernels/dev/host.h"
#endif
