// Execution of a grid on the emulated device, and its reports of wrong kernels.
#include <catch2/catch.hpp>
#include <numeric>

#include "kernels/dev/dev.h"
#include "kernels/dev/event.h"
#include "kernels/emulator/device.h"

using Catch::Matchers::Contains;

namespace {

template <class F>
void call(F body) {
  body();
}

template <class F>
void launch(F body, std::int64_t grid, int block, std::int64_t smem = 8192, const emulator::Options& options = {}) {
  emulator::EmulatedDevice device(options);
  dev::launch(device.stream(), "test", call<F>, grid, block, smem, body);
}

template <class F>
std::string failure(F body, std::int64_t grid, int block, const emulator::Options& options = {.workers = 1}) {
  try {
    launch(body, grid, block, 8192, options);
  } catch (const dev::DeviceError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every thread of every block runs once, whatever the workers and the order", "[workers]") {
  for (const int workers : {1, 2, 3}) {
    for (const bool random : {false, true}) {
      std::vector<int> runs(5 * 70);
      launch([at = runs.data()] { ++at[blockIdx.x * blockDim.x + threadIdx.x]; }, 5, 70, 0,
             {.workers = workers, .order = {random, 7}});
      CHECK(runs == std::vector<int>(5 * 70, 1));
    }
  }
}

TEST_CASE("blocks of 1024 threads synchronise at barriers") {
  std::vector<float> sums(2);
  const auto tree = [out = sums.data()] {
    auto* shared = reinterpret_cast<float*>(dev::shared_memory());
    shared[threadIdx.x] = static_cast<float>(threadIdx.x + blockIdx.x);
    for (unsigned half = 512; half > 0; half /= 2) {
      __syncthreads();
      if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = shared[0];
  };
  launch(tree, 2, 1024);
  CHECK(sums == std::vector<float>{523776, 524800});
}

TEST_CASE("a barrier does not wait for threads that have ended") {
  std::vector<int> seen(64);
  launch(
      [at = seen.data()] {
        if (threadIdx.x >= 40) return;
        __syncthreads();
        at[threadIdx.x] = 1;
      },
      1, 64);
  CHECK(std::accumulate(seen.begin(), seen.end(), 0) == 40);
}

TEST_CASE("events measure the time between them, and only on one device") {
  emulator::EmulatedDevice device({.workers = 1}), other({.workers = 1});
  const dev::Event before(device);
  const dev::Event after(device);
  CHECK(after.microseconds_since(before) >= 0);
  CHECK(before.microseconds_since(before) == 0);
  CHECK_THROWS_WITH(dev::Event(other).microseconds_since(before), "event: the two are of different devices");
}

TEST_CASE("atomics of several workers lose no update", "[workers]") {
  float sum = 0;
  launch([at = &sum] { dev::atomic_add(at, 1); }, 200, 64, 0, {.workers = 3});
  CHECK(sum == 12800);
}

TEST_CASE("shared memory is full of NaN when a block begins, and aligned for swizzles") {
  std::vector<float> found(3);
  launch(
      [at = found.data()] {
        auto* shared = reinterpret_cast<float*>(dev::shared_memory());
        if (reinterpret_cast<std::uintptr_t>(shared) % 1024 == 0) at[blockIdx.x] = shared[0];
        shared[0] = 0;
      },
      3, 1, 8192, {.workers = 1});
  for (const float value : found) CHECK(std::isnan(value));
}

TEST_CASE("a deadlock is reported with the operations that threads wait in") {
  const auto half = [] {
    if (threadIdx.x == 3) {
      __syncwarp(0x18);  // waits for thread 4, which waits for all
    } else {
      __syncthreads();
    }
  };
  CHECK(failure(half, 1, 8) ==
        "kernel test, block 0: deadlock: of 8 threads 0 have ended, 7 wait in __syncthreads, 1 wait in __syncwarp");
  CHECK(failure(half, 1, 8, {.workers = 1, .order = {true, 1}}) == failure(half, 1, 8));
}

TEST_CASE("lanes of one mask in different operations are reported") {
  const auto divergent = [] {
    if (threadIdx.x < 16) {
      __ballot_sync(0xffffffffu, true);
    } else {
      __syncwarp();
    }
  };
  CHECK(failure(divergent, 1, 32) ==
        "kernel test, block 0, thread 16: lane 16 is in __syncwarp while others of its mask are in ballot");
  CHECK_THAT(failure([] { __syncwarp(1); }, 1, 2), Contains("thread 1: __syncwarp: lane 1 is not in its own mask"));
}

TEST_CASE("an error thrown by a kernel names kernel, block and thread, of the first block that failed", "[workers]") {
  const auto throwing = [] {
    sim::require(blockIdx.x < 5 || threadIdx.x != 33, "no");
    __syncthreads();
  };
  for (const int workers : {1, 3}) {
    for (const bool random : {false, true})
      CHECK(failure(throwing, 30, 64, {.workers = workers, .order = {random, 3}}) ==
            "kernel test, block 5, thread 33: no");
  }
}

TEST_CASE("threads of a failed block destroy the objects they hold") {
  const auto alive = std::make_shared<int>(0);
  const auto holding = [alive] {
    const std::shared_ptr<int> held = alive;
    __syncthreads();
    sim::require(threadIdx.x != 7, "no");
    __syncthreads();
  };
  CHECK(failure(holding, 1, 16) == "kernel test, block 0, thread 7: no");
  CHECK(alive.use_count() == 2);  // this one and the lambda's
}

TEST_CASE("a device works after a failed launch", "[workers]") {
  emulator::EmulatedDevice device({.workers = 2});
  const auto bad = [] { sim::require(false, "no"); };
  int runs = 0;
  const auto good = [at = &runs] { ++*at; };
  CHECK_THROWS_AS(dev::launch(device.stream(), "bad", call<decltype(bad)>, 4, 32, 0, bad), dev::DeviceError);
  dev::launch(device.stream(), "good", call<decltype(good)>, 1, 1, 0, good);
  CHECK(runs == 1);
}

TEST_CASE("grids, blocks and shared memory that no GPU has are refused") {
  const auto nothing = [] {};
  CHECK(failure(nothing, 1, 1025) == "kernel test: a block of 1025 threads; allowed are 1 to 1024");
  CHECK(failure(nothing, 1, 0) == "kernel test: a block of 0 threads; allowed are 1 to 1024");
  CHECK(failure(nothing, 0, 1) == "kernel test: a grid of 0 blocks; allowed are 1 to 2147483647");
  CHECK_THROWS_AS(launch(nothing, 1, 1, -1), dev::DeviceError);
}
