// Header that a kernel of Hopper includes: the dual layer with mbarriers, bulk copies, wgmma, named barriers and
// setmaxnreg. On a GPU it needs sm_90a, so such kernels are sources of their own.
#pragma once
#include "kernels/dev/dev.h"

#if defined(__CUDACC__)
#include "kernels/dev/hopper_cuda.h"
#else
#include "kernels/dev/hopper_host.h"
#endif
