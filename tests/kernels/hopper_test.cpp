// The twins of Hopper's operations: correct kernels compute what they should in every order, and each seeded bug is
// named.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "tests/kernels/test_kernels.h"

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using test_kernels::failure;
using test_kernels::outcome;

namespace {

struct HopperCase {
  const char* name;
  std::size_t in, out;
  int n;
};
constexpr HopperCase correct_ones[] = {
    {"load box", 640, 256, 0},
    {"load box", 640, 256, 8},
    {"pipeline", 2240, 256, 7},
    {"store box", 4, 640, 5},
    {"add up", 4, 128, 3},
    {"product 64", 2048, 4096, 0},
    {"product 64, B MN-major", 2048, 4096, 0},
    {"product 64, A in registers", 2048, 4096, 0},
    {"registers", 4, 2, 0},
    {"hand over", 4, 128, 6},
    {"round trip of matrices", 256, 257, 0},
};

emulator::Options drawn_order(std::uint64_t seed, bool traced = true) {
  return {.workers = 1, .traced = traced, .order = {.random = true, .seed = seed}};
}

/// Bits, so that NaN equals itself.
std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

std::vector<std::string> races_of(const char* name, std::size_t in, std::size_t out, int n = 0) {
  return outcome(name, in, out, n).report.races;
}

/// A (64, 16) by rows, then B (16, columns) by rows: multiples of 1/64, so that sums are exact.
std::vector<float> drawn_operands(int columns) {
  std::mt19937 random(17);
  std::vector<float> values(static_cast<std::size_t>(1024 + 16 * columns));
  for (float& value : values) value = static_cast<float>(static_cast<int>(random() % 129) - 64) / 64;
  return values;
}

std::vector<float> twice_product(const std::vector<float>& in, int columns) {
  std::vector<float> out;
  for (int row = 0; row < 64; ++row) {
    for (int col = 0; col < columns; ++col) {
      double sum = 0;
      for (int k = 0; k < 16; ++k)
        sum +=
            double{in[static_cast<std::size_t>(16 * row + k)]} * in[static_cast<std::size_t>(1024 + columns * k + col)];
      out.push_back(static_cast<float>(2 * sum));
    }
  }
  return out;
}

std::vector<float> computed_product(const char* name, int columns, const emulator::Options& options) {
  emulator::EmulatedDevice device(options);
  const std::vector<float> values = drawn_operands(columns);
  const test_kernels::OnDevice in(device, "in", values.size());
  const test_kernels::OnDevice out(device, "out", static_cast<std::size_t>(64 * columns));
  device.upload(in.memory(), values.data(), static_cast<std::int64_t>(4 * values.size()));
  test_kernels::run(device, name, in.memory(), out.memory());
  return out.values();
}

}  // namespace

TEST_CASE("Hopper's operations give the same values without a race in 20 random orders and at random lateness") {
  for (const HopperCase& one : correct_ones) {
    const auto expected = outcome(one.name, one.in, one.out, one.n);
    CHECK(expected.report.races == std::vector<std::string>{});
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      INFO(one.name << ", seed " << seed);
      const auto run = outcome(one.name, one.in, one.out, one.n, drawn_order(seed));
      CHECK(run.report.races == std::vector<std::string>{});
      CHECK(bits_of(run.out) == bits_of(expected.out));
      CHECK(run.report.shared_read_bytes == expected.report.shared_read_bytes);
      CHECK(run.report.shared_write_bytes == expected.report.shared_write_bytes);
      CHECK(bits_of(outcome(one.name, one.in, one.out, one.n, drawn_order(seed, false)).out) == bits_of(expected.out));
    }
  }
}

TEST_CASE("a box outside its tensor is zeros there, not the next head, and counts only what is inside") {
  for (const int first : {0, 3, 8, -3, 40}) {
    const auto run = outcome("load box", 640, 256, first);
    int rows = 0;
    for (int row = 0; row < 8; ++row) {
      const bool inside = first + row >= 0 && first + row < 10;
      rows += inside ? 1 : 0;
      for (int col = 0; col < 32; ++col)
        CHECK(run.out[static_cast<std::size_t>(32 * row + col)] ==
              (inside ? static_cast<float>(32 * (first + row) + col) : 0.0f));
    }
    CHECK(run.report.tensors.count("in") == (rows > 0 ? 1 : 0));
    if (rows > 0) CHECK(run.report.tensors.at("in").read_bytes == 128 * rows);
    if (rows > 0) CHECK(run.report.tensors.at("in").read_sectors == 4 * rows);
    CHECK(run.report.shared_write_bytes == 1024);
  }
}

TEST_CASE("an mbarrier is refused without fence.mbarrier_init") {
  CHECK_THAT(failure("load box without fence.mbarrier_init", 640, 256),
             EndsWith(": the mbarrier at byte 0 of shared memory is used without "
                      "fence.mbarrier_init after its mbarrier.init"));
}

TEST_CASE("a read of a box before the wait, or after one of the wrong parity, finds NaN and is a race") {
  for (const char* name : {"load box without a wait", "load box with the other parity"}) {
    const auto run = outcome(name, 640, 256);
    CHECK(std::isnan(run.out[0]));
    CHECK_THAT(run.report.races.back(), EndsWith("while a copy of thread 0 is under way to it"));
  }
}

TEST_CASE("a copy of more bytes than expected never completes its mbarrier, and the report says why") {
  CHECK_THAT(
      failure("load box that expects less", 640, 256),
      EndsWith("128 wait in mbarrier.try_wait for parity 0 of the mbarrier at byte 0 of shared memory: its phase of "
               "parity 0 has 0 of 1 arrivals pending, tx -64 bytes"));
}

TEST_CASE("a copy whose bytes are not expected is found") {
  CHECK_THAT(failure("load box without expecting", 640, 256), Contains("tx -1024 bytes"));
}

TEST_CASE("two arrivals for a count of one are an overrun") {
  CHECK_THAT(failure("load box with two arrivals", 640, 256),
             Contains("mbarrier.arrive.expect_tx: overrun: one arrival too many at the mbarrier at byte 0"));
}

TEST_CASE("two phases that end before a thread has waited for the first are an overrun") {
  CHECK_THAT(failure("load box after two phases", 640, 256),
             Contains("mbarrier.arrive: overrun: a second phase ends before a thread has waited for the first"));
}

TEST_CASE("a box at a base of 512, or wider than its swizzle, is refused") {
  CHECK_THAT(failure("load box at 512", 640, 256),
             EndsWith("cp.async.bulk.tensor: byte 1536 of shared memory is no multiple of 1024"));
  CHECK_THAT(failure("load wide box", 640, 256),
             EndsWith("tensor map: a box of 256 bytes along dimension 0; its swizzle allows 128"));
}

TEST_CASE("a pipeline of two stages adds up its boxes") {
  const auto run = outcome("pipeline", 2240, 256, 7);
  for (std::size_t n = 0; n < 256; ++n) CHECK(run.out[n] == static_cast<float>(7 * n + 320 * 21));
}

TEST_CASE("a producer that starts with the consumers' parity waits for ever, and the report says where") {
  CHECK_THAT(failure("pipeline with the other parity", 2240, 256, 7),
             Contains("1 wait in mbarrier.try_wait for parity 0 of the mbarrier at byte 16") &&
                 Contains("128 wait in mbarrier.try_wait for parity 0 of the mbarrier at byte 0"));
}

TEST_CASE("a stage released before it is read is a race") {
  CHECK_THAT(races_of("pipeline that releases early", 2240, 256, 7).at(0), Contains("race in block 0: thread "));
}

TEST_CASE("a stored box changes its rows alone, and HBM has it when the kernel has ended") {
  const auto run = outcome("store box", 4, 640, 5);
  for (std::size_t n = 0; n < 640; ++n) CHECK(run.out[n] == static_cast<float>(n >= 256 && n < 320 ? n - 256 + 5 : n));
  CHECK(run.report.tensors.at("out").write_bytes == 256);
  CHECK(run.report.tensors.at("out").write_sectors == 8);
}

TEST_CASE("a bulk copy from shared memory needs fence.proxy.async after the stores") {
  CHECK_THAT(failure("store box without fence.proxy.async", 4, 640, 5),
             Contains("cp.async.bulk.tensor to HBM reads bytes 1024 to 2047 of shared memory, where thread ") &&
                 Contains("wrote without fence.proxy.async since"));
}

TEST_CASE("shared memory written again before wait_group.read is a race, and the store takes the wrong values") {
  const auto run = outcome("store box without wait.read", 4, 640, 5);
  CHECK_THAT(run.report.races.at(0), EndsWith("while a bulk copy or wgmma of thread 0 reads it"));
  CHECK(run.out[256] == -1);
}

TEST_CASE("a block may not end while its shared memory is still read") {
  CHECK_THAT(
      failure("store box without any wait", 4, 640, 5),
      EndsWith("thread 0: the block ends before cp.async.bulk.wait_group.read: its shared memory is still read"));
}

TEST_CASE("sums of several CTAs arrive in HBM") {
  const auto run = outcome("add up", 4, 128, 3);
  for (std::size_t n = 0; n < 128; ++n) CHECK(run.out[n] == static_cast<float>(n + 6));
  CHECK(run.report.tensors.at("out").atomic_bytes == 3 * 512);
}

TEST_CASE("wgmma multiplies exactly for every width and direction, in order and in random orders") {
  const std::pair<const char*, int> products[] = {{"product 64", 64},
                                                  {"product 64, B MN-major", 64},
                                                  {"product 64, A MN-major", 64},
                                                  {"product 64, A in registers", 64},
                                                  {"product 80", 80},
                                                  {"product 80, A in registers, B MN-major", 80},
                                                  {"product 128", 128},
                                                  {"product 128, A in registers, B MN-major", 128},
                                                  {"product 176", 176},
                                                  {"product 192, both MN-major", 192},
                                                  {"product 256, A in registers, B MN-major", 256}};
  for (const auto& [name, columns] : products) {
    INFO(name);
    const std::vector<float> expected = twice_product(drawn_operands(columns), columns);
    CHECK(computed_product(name, columns, {.workers = 1, .traced = true}) == expected);
    CHECK(computed_product(name, columns, drawn_order(3, false)) == expected);
  }
}

TEST_CASE("wrong offsets, a stride off by 16 and a transposed B give other results") {
  const auto computed = [](const char* name, int columns) {
    return computed_product(name, columns, {.workers = 1, .traced = true});
  };
  CHECK(computed("product with swapped offsets", 128) != twice_product(drawn_operands(128), 128));
  CHECK(computed("product with a stride off by 16", 64) != twice_product(drawn_operands(64), 64));
  CHECK(computed("product with B transposed", 64) != twice_product(drawn_operands(64), 64));
}

TEST_CASE("wgmma is refused without wgmma.fence, and without fence.proxy.async after the stores of its operands") {
  CHECK_THAT(failure("product without wgmma.fence", 2048, 4096),
             EndsWith("wgmma: first touch of accumulators or A without wgmma.fence since the last wgmma.commit_group"));
  CHECK_THAT(failure("product without fence.proxy.async", 2048, 4096),
             Contains(": wgmma reads bytes 1024 to 1039 of shared memory, where thread ") &&
                 EndsWith("wrote without fence.proxy.async since"));
}

TEST_CASE("accumulators are NaN before the wait, in both flavours") {
  for (const bool traced : {false, true}) {
    const auto run = outcome("product without a wait", 2048, 4096, 0, {.workers = 1, .traced = traced});
    for (const float value : run.out) CHECK(std::isnan(value));
  }
}

TEST_CASE("operands of a product under way may not change: A in registers is named, B in shared memory is a race") {
  CHECK_THAT(failure("product that changes A", 2048, 4096),
             Contains("changed its registers of A before wgmma.wait_group"));
  CHECK_THAT(races_of("product that overwrites B", 2048, 4096).at(0),
             Contains("while a bulk copy or wgmma of thread ") && EndsWith("reads it"));
}

TEST_CASE("an operation of a warpgroup waits for all its warps, and the report says how many came") {
  CHECK_THAT(failure("product without a warp", 2048, 4096),
             EndsWith("96 wait in wgmma.fence of warpgroup 0, where 96 of 128 threads have arrived"));
  CHECK_THAT(failure("registers without a warp", 4, 2),
             Contains("96 wait in setmaxnreg.dec of warpgroup 0, where 96 of 128 threads have arrived"));
}

TEST_CASE("setmaxnreg.inc waits for the registers of setmaxnreg.dec, and two consumers of 248 are too many") {
  CHECK(outcome("registers", 4, 2).out == std::vector<float>{240, 240});
  CHECK_THAT(failure("registers, too many", 4, 2),
             EndsWith("128 wait in setmaxnreg.inc 248, which needs 10240 registers of the 9216 that are free"));
}

TEST_CASE("a named barrier counts arrivals and waits, again and again") {
  const auto run = outcome("hand over", 4, 128, 6);
  for (std::size_t n = 0; n < 128; ++n) CHECK(run.out[n] == static_cast<float>(15 + 6 * ((n + 1) % 128)));
  CHECK_THAT(races_of("hand over without a wait", 4, 128, 1).at(0), Contains("with no barrier between"));
  CHECK_THAT(failure("hand over with too few", 4, 128, 1),
             EndsWith("128 wait in bar.sync of barrier 1, where 128 of 256 have arrived"));
  CHECK_THAT(failure("hand over that arrives twice", 4, 128, 1),
             EndsWith("bar.arrive of barrier 1: arrives twice before the barrier is complete"));
}

TEST_CASE("stmatrix stores what ldmatrix loads, or its transpose, and one lane of a warp is elected") {
  const auto same = outcome("round trip of matrices", 256, 257).out;
  const auto turned = outcome("transposition by stmatrix", 256, 257).out;
  for (std::size_t n = 0; n < 256; ++n) {
    CHECK(same[n] == static_cast<float>(n));
    CHECK(turned[n] == static_cast<float>(n / 64 * 64 + n % 8 * 8 + n / 8 % 8));
  }
  CHECK(same[256] == 1);
}

TEST_CASE("a tile of bytes is transposed by pairs of columns, its rows in the order of P's fragments") {
  const auto out = outcome("transposition of bytes", 512, 512).out;
  constexpr int order[16] = {0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15};
  for (int col = 0; col < 16; ++col) {
    for (int row = 0; row < 32; ++row) {
      const int from = 16 * (row / 16 * 16 + order[row % 16]) + col;
      CHECK(out[static_cast<std::size_t>(32 * col + row)] == static_cast<float>(from % 256));
    }
  }
}
