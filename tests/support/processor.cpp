// Prints two hashes of this processor's arithmetic where IEEE 754 does not define it: of its approximate 1/sqrt(x), and
// of the last bits of the C library's logarithms, which depend on the processor's instructions.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#ifdef __SSE__
#include <immintrin.h>
#endif

namespace {

float reciprocal_root(float x) {
#ifdef __SSE__
  return _mm_cvtss_f32(_mm_rsqrt_ss(_mm_set_ss(x)));
#else
  return 1 / std::sqrt(x);
#endif
}

/// FNV-1a over the bytes of function(0.37 n), n = 1 .. 199999.
template <class Number>
std::uint64_t hash_of(Number (*function)(Number)) {
  std::uint64_t hash = 14695981039346656037ull;
  for (int n = 1; n < 200'000; ++n) {
    const Number value = function(static_cast<Number>(n) * static_cast<Number>(0.37));
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211ull;
  }
  return hash;
}

double some_of_libm(double x) { return std::log(x) + std::sin(x) + std::pow(x, 0.7); }

}  // namespace

int main() {
  std::printf("rsqrt=%016llx libm=%016llx\n", static_cast<unsigned long long>(hash_of(reciprocal_root)),
              static_cast<unsigned long long>(hash_of(some_of_libm)));
}
