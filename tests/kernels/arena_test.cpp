// The memory of the emulated device.
#include <catch2/catch.hpp>
#include <cstring>

#include "kernels/emulator/device.h"

using Catch::Matchers::Contains;
using emulator::Arena;

namespace {

constexpr std::int64_t pages = 16;

struct Memory {
  Arena arena{pages * Arena::page};
  unsigned char* take(const char* name, std::int64_t bytes) {
    return static_cast<unsigned char*>(arena.allocate(name, bytes));
  }
};

}  // namespace

TEST_CASE("tensors start on separate pages, full of NaN, with a red zone after them") {
  Memory memory;
  unsigned char *a = memory.take("a", 1), *b = memory.take("b", 4096), *c = memory.take("c", 4097);
  CHECK(reinterpret_cast<std::uintptr_t>(a) % 256 == 0);
  CHECK(b - a == 2 * Arena::page);
  CHECK(c - b == 2 * Arena::page);
  CHECK(memory.take("d", 1) - c == 3 * Arena::page);
  for (int n = 0; n < 4096; ++n) REQUIRE(b[n] == 0xff);
}

TEST_CASE("released memory is reused, from the first gap that is large enough, and full of NaN") {
  Memory memory;
  unsigned char *a = memory.take("a", 4096), *b = memory.take("b", 8192);
  memory.take("c", 4096);
  std::memset(b, 0, 8192);
  CHECK(memory.arena.release(a) == 4096);
  CHECK(memory.take("large", 8192) > b);
  CHECK(memory.arena.release(b) == 8192);
  unsigned char* both = memory.take("both", 4 * 4096);  // the space of a and b is merged
  CHECK(both == a);
  for (int n = 0; n < 4 * 4096; ++n) REQUIRE(both[n] == 0xff);
}

TEST_CASE("released tensors are identified by address until their memory is reused") {
  Memory memory;
  unsigned char* a = memory.take("a", 4096);
  CHECK(memory.arena.released_at(a) == nullptr);
  memory.arena.release(a);
  REQUIRE(memory.arena.released_at(a + 4095) != nullptr);
  CHECK(memory.arena.released_at(a + 4095)->name == "a");
  CHECK(memory.arena.released_at(a + 4096) == nullptr);
  memory.take("b", 16);
  CHECK(memory.arena.released_at(a + 100) == nullptr);
}

TEST_CASE("a tensor that does not fit is refused with its name and the numbers") {
  Memory memory;
  memory.take("a", 10 * Arena::page);
  try {
    memory.take("K", 5 * Arena::page);  // 5 pages are left, one of them for the red zone
    FAIL("K was allocated");
  } catch (const dev::DeviceError& error) {
    CHECK(error.kind == dev::DeviceError::Kind::out_of_memory);
    CHECK_THAT(error.what(), Contains("no memory for K (20480 bytes) in its 65536 bytes of memory"));
  }
  memory.take("K", 4 * Arena::page);
}

TEST_CASE("a tensor is released only if it was allocated, and only once") {
  Memory memory;
  unsigned char* a = memory.take("a", 100);
  CHECK_THROWS_AS(memory.arena.release(a + 1), sim::Error);
  memory.arena.release(a);
  CHECK_THROWS_AS(memory.arena.release(a), sim::Error);
  CHECK_THROWS_AS(memory.arena.release(nullptr), sim::Error);
}

TEST_CASE("a device reports its bytes in use and their peak") {
  emulator::EmulatedDevice device;
  void *a = device.allocate("a", 100), *b = device.allocate("b", 50);
  device.release(a);
  CHECK(device.bytes_in_use() == 50);
  CHECK(device.peak_bytes() == 150);
  device.release(b);
}

TEST_CASE("a device that gets less memory from the machine than it needs reports how to raise the limit") {
  Arena arena(std::int64_t{1} << 60);  // no machine has that much address space
  arena.allocate("Q", 4096);
  try {
    arena.allocate("K", std::int64_t{1} << 59);
    FAIL("K was allocated");
  } catch (const dev::DeviceError& error) {
    CHECK(error.kind == dev::DeviceError::Kind::missing);
    CHECK_THAT(error.what(), Contains("no memory for K") && Contains("raise the limit (ulimit -v)"));
  }
}
