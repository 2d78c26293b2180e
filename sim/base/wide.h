// Loops compiled for x86 processors with 256-bit vectors (AVX2), while the program targets 128 bits. No value may
// depend on it. FLASHSCOPE_WIDE precedes a function with such a loop; it is undefined if all code is compiled for AVX
// already, or on other architectures:
//   #ifdef FLASHSCOPE_WIDE
//     if (wide::fits()) return make_wide(pairs);
//   #endif
#pragma once

#if defined(__x86_64__) && !defined(__AVX__)
#define FLASHSCOPE_WIDE [[gnu::target("avx2"), gnu::flatten]]

namespace sim::wide {

/// True if the processor has AVX2.
inline bool fits() { return __builtin_cpu_supports("avx2") != 0; }

}  // namespace sim::wide
#endif
