// Warp operations of the emulated device against their definitions in the PTX ISA.
#include <catch2/catch.hpp>
#include <random>

#include "kernels/dev/dev.h"
#include "kernels/emulator/device.h"

using Catch::Matchers::Contains;

namespace {

template <class F>
void call(F body) {
  body();
}

/// Runs one warp.
template <class F>
void on_warp(F body, int lanes = 32) {
  emulator::EmulatedDevice device({.workers = 1});
  dev::launch(device.stream(), "test", call<F>, 1, lanes, 8192, body);
}

using Warp = std::vector<int>;

/// The lane that each lane reads, in the terms of PTX's shfl: segments of `width` lanes, the last of which is the
/// limit.
template <class Source>
Warp expected(int width, Source source) {
  Warp lanes;
  for (int lane = 0; lane < 32; ++lane) {
    const int limit = lane | (width - 1), from = source(lane);
    lanes.push_back(from <= limit ? from : lane);
  }
  return lanes;
}

template <class T>
std::uint16_t bits_of(float value) {
  return dev::from_float<T>(value).bits;
}

std::vector<float> drawn(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random() % 2001) / 1000 - 1;
  return values;
}

/// Computes C (16, 8) += A (16, 16) B (16, 8) in one warp, by ldmatrix of A and of B (columns, or transposed).
template <class T>
void multiply(const float* a, const float* b, float* c, bool transposed) {
  auto* A = reinterpret_cast<T*>(dev::shared_memory());
  T* B = A + 256;
  const int lane = static_cast<int>(threadIdx.x);
  for (int n = lane; n < 256; n += 32) A[n] = dev::from_float<T>(a[n]);
  for (int n = lane; n < 128; n += 32) B[transposed ? n : n % 8 * 16 + n / 8] = dev::from_float<T>(b[n]);
  __syncwarp();
  std::uint32_t fragment_a[4], fragment_b[2];
  dev::ldmatrix(fragment_a, dev::shared_address(A + lane % 16 * 16 + lane / 16 * 8));
  if (transposed) {
    dev::ldmatrix_transposed(fragment_b, dev::shared_address(B + lane % 16 * 8));
  } else {
    dev::ldmatrix(fragment_b, dev::shared_address(B + lane % 8 * 16 + lane / 8 % 2 * 8));
  }
  float sums[4];
  float* const places[4] = {&c[lane / 4 * 8 + lane % 4 * 2], &c[lane / 4 * 8 + lane % 4 * 2 + 1],
                            &c[(lane / 4 + 8) * 8 + lane % 4 * 2], &c[(lane / 4 + 8) * 8 + lane % 4 * 2 + 1]};
  for (int r = 0; r < 4; ++r) sums[r] = *places[r];
  dev::mma<T>(sums, fragment_a, fragment_b);
  for (int r = 0; r < 4; ++r) *places[r] = sums[r];
}

template <class T>
void multiplies(unsigned seed, bool transposed) {
  const auto a = drawn(256, seed), b = drawn(128, seed + 100), before = drawn(128, seed + 200);
  auto c = before;
  on_warp([a = a.data(), b = b.data(), c = c.data(), transposed] { multiply<T>(a, b, c, transposed); });
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t col = 0; col < 8; ++col) {
      double sum = static_cast<double>(before[row * 8 + col]);
      for (std::size_t k = 0; k < 16; ++k)
        sum += static_cast<double>(dev::to_float(T{bits_of<T>(a[row * 16 + k])})) *
               static_cast<double>(dev::to_float(T{bits_of<T>(b[k * 8 + col])}));
      REQUIRE(static_cast<double>(c[row * 8 + col]) == Approx(sum).margin(1e-5));
    }
  }
}

}  // namespace

TEST_CASE("shuffles of every kind, width and distance read the lane that PTX defines") {
  for (int width = 1; width <= 32; width *= 2) {
    for (int n = 0; n < 32; ++n) {
      Warp from(32), across(32), down(32);
      on_warp([=, from = from.data(), across = across.data(), down = down.data()] {
        const int lane = static_cast<int>(threadIdx.x);
        from[lane] = __shfl_sync(0xffffffffu, lane, n, width);
        across[lane] = __shfl_xor_sync(0xffffffffu, lane, n, width);
        down[lane] = __shfl_down_sync(0xffffffffu, lane, static_cast<unsigned>(n), width);
      });
      INFO("width " << width << ", " << n);
      CHECK(from == expected(width, [=](int lane) { return (lane & -width) | (n & (width - 1)); }));
      CHECK(across == expected(width, [=](int lane) { return lane ^ n; }));
      CHECK(down == expected(width, [=](int lane) { return lane + n; }));
    }
  }
}

TEST_CASE("shuffles move values of up to eight bytes") {
  std::vector<double> got(32);
  on_warp([got = got.data()] { got[threadIdx.x] = __shfl_sync(0xffffffffu, 0.1 * threadIdx.x, 31); });
  CHECK(got == std::vector<double>(32, 0.1 * 31));
}

TEST_CASE("halves of a warp shuffle and vote separately, in any order") {
  Warp sums(32);
  std::vector<std::uint32_t> votes(32);
  on_warp([sums = sums.data(), votes = votes.data()] {
    const int lane = static_cast<int>(threadIdx.x);
    const std::uint32_t mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    int sum = lane;
    if (lane >= 16) sum += 1000;
    for (int n = 8; n > 0; n /= 2) sum += __shfl_xor_sync(mask, sum, n);
    sums[lane] = sum;
    votes[lane] = __ballot_sync(mask, lane % 3 == 0);
  });
  CHECK(sums[0] == 120);
  CHECK(sums[31] == 376 + 16000);
  CHECK(votes[5] == 0x00009249u);
  CHECK(votes[20] == 0x49240000u);
}

TEST_CASE("lanes that have ended neither vote nor are waited for, and no lane reads them") {
  std::vector<std::uint32_t> votes(32);
  on_warp([votes = votes.data()] {
    if (threadIdx.x >= 20) return;
    votes[threadIdx.x] = __ballot_sync(0xffffffffu, true);
  });
  CHECK(votes[0] == 0x000fffffu);
  CHECK(votes[20] == 0);
  std::string what;
  try {
    on_warp([] {
      if (threadIdx.x < 31) __shfl_sync(0xffffffffu, 1, 31);
    });
  } catch (const dev::DeviceError& error) {
    what = error.what();
  }
  CHECK_THAT(what, Contains("shuffle: lane 0 reads lane 31, which is not there"));
}

TEST_CASE("ldmatrix and mma multiply random matrices in fp16 and bf16") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    for (const bool transposed : {false, true}) {
      multiplies<dev::fp16>(seed, transposed);
      multiplies<dev::bf16>(seed, transposed);
    }
  }
}

TEST_CASE("ldmatrix and mma need the whole warp") {
  const auto some = [] {
    if (threadIdx.x == 0) return;
    std::uint32_t registers[2];
    dev::ldmatrix(registers, dev::shared_address(dev::shared_memory()));
  };
  CHECK_THROWS_WITH(on_warp(some), Contains("ldmatrix: lanes of the warp have ended"));
}

TEST_CASE("an asynchronous copy completes when its group is waited for, and not before") {
  std::vector<float> seen(4);
  alignas(16) float from[8] = {1, 1, 1, 1, 2, 2, 2, 2};
  on_warp(
      [from = static_cast<const float*>(from), seen = seen.data()] {
        auto* shared = reinterpret_cast<float*>(dev::shared_memory());
        dev::cp_async(shared, from, true);
        dev::cp_async_commit();
        dev::cp_async(shared + 4, from + 4, true);
        dev::cp_async_commit();
        seen[0] = shared[0];
        dev::cp_async_wait<1>();
        seen[1] = shared[3];
        seen[2] = shared[4];
        dev::cp_async_wait<0>();
        seen[3] = shared[4];
      },
      1);
  CHECK(std::isnan(seen[0]));
  CHECK(seen[1] == 1);
  CHECK(std::isnan(seen[2]));
  CHECK(seen[3] == 2);
}

TEST_CASE("an asynchronous copy that is not valid writes zeros and reads nothing") {
  std::vector<float> seen(4, 1.0f);
  on_warp(
      [seen = seen.data()] {
        auto* shared = reinterpret_cast<float*>(dev::shared_memory());
        dev::cp_async(shared, nullptr, false);
        dev::cp_async_commit();
        dev::cp_async_wait<0>();
        for (int n = 0; n < 4; ++n) seen[n] = shared[n];
      },
      1);
  CHECK(seen == std::vector<float>(4, 0.0f));
}
