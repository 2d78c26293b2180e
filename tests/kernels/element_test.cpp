// The element types of the emulated device against the rounding of the simulator.
#include "kernels/dev/element.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/dtype.h"

namespace {

/// Checks every 16-bit pattern: its value is exact and converts back, and values between neighbours round as in sim.
template <class T>
void agrees_with(sim::Dtype dtype) {
  int different = 0;
  for (std::uint32_t n = 0; n <= 0xffffu; ++n) {
    const T element{static_cast<std::uint16_t>(n)};
    const float value = dev::to_float(element);
    if (std::isnan(value)) {
      if (!std::isnan(dev::to_float(dev::from_float<T>(value)))) ++different;
      continue;
    }
    if (dev::from_float<T>(value).bits != n || sim::round_to(dtype, value) != value) ++different;
    const float next = dev::to_float(T{static_cast<std::uint16_t>(n + 1)});
    const float half = std::isfinite(next) ? value + (next - value) / 2 : value;
    for (const float x : {half, std::nextafter(half, -HUGE_VALF), std::nextafter(half, HUGE_VALF)}) {
      const float rounded = dev::to_float(dev::from_float<T>(x)), expected = sim::round_to(dtype, x);
      if (rounded != expected || std::signbit(rounded) != std::signbit(expected)) ++different;
    }
  }
  CHECK(different == 0);
}

}  // namespace

TEST_CASE("fp16 of the emulated device equals that of the simulator on every pattern and between them") {
  agrees_with<dev::fp16>(sim::Dtype::fp16);
}

TEST_CASE("bf16 of the emulated device equals that of the simulator on every pattern and between them") {
  agrees_with<dev::bf16>(sim::Dtype::bf16);
}

TEST_CASE("elements overflow to infinity where the simulator does") {
  for (const float x : {65504.0f, 65519.99f, 65520.0f, 70000.0f, 3.4e38f, HUGE_VALF}) {
    CHECK(dev::to_float(dev::from_float<dev::fp16>(x)) == sim::round_to(sim::Dtype::fp16, x));
    CHECK(dev::to_float(dev::from_float<dev::bf16>(-x)) == sim::round_to(sim::Dtype::bf16, -x));
  }
}

TEST_CASE("pack puts the first element in the low half") {
  CHECK(dev::pack<dev::fp16>(1.0f, -2.0f) == 0xc0003c00u);
  CHECK(dev::pack<dev::bf16>(1.0f, -2.0f) == 0xc0003f80u);
}
