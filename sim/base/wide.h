// Loops for processors of x86 that take 256 bits at once (AVX2): the program is compiled for those that take 128. No
// value may depend on it. FLASHSCOPE_WIDE stands before a function of such a loop, and is not defined where all code is
// as wide already, or no wider code is known of:
//   #ifdef FLASHSCOPE_WIDE
//     if (wide::fits()) return make_wide(pairs);
//   #endif
#pragma once

#if defined(__x86_64__) && !defined(__AVX__)
#define FLASHSCOPE_WIDE [[gnu::target("avx2"), gnu::flatten]]

namespace sim::wide {

/// Whether the processor has AVX2.
inline bool fits() { return __builtin_cpu_supports("avx2") != 0; }

}  // namespace sim::wide
#endif
