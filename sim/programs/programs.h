// Every built-in program by name. Only what means one of them includes this; all else finds them by name.
#pragma once
#include "sim/programs/program.h"

namespace sim::programs {  // each is defined in the entry.cpp of its folder

extern const Program standard, standard_pytorch, memory_efficient, rabe_staats, fmha, flash1, flash1_released,
    flash1_released_1, flash1_q_outer, flash2, flash2_released, flash3, flash_decoding, flash_decoding_plus, mla_decode,
    block_sparse, flash2_block_sparse, paged_attention;

}  // namespace sim::programs
