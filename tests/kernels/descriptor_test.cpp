// Layouts of Hopper's products and copies, as properties that do not depend on the functions that compute them.
#include "kernels/dev/descriptor.h"

#include <catch2/catch.hpp>
#include <set>

using dev::MatrixDescriptor;
using dev::Swizzle;

namespace {

/// Offsets of all 16-bit elements of an operand of `size` by 64.
std::set<std::uint32_t> offsets_of(const MatrixDescriptor& m, bool major_k, std::uint32_t size, std::uint32_t depth) {
  std::set<std::uint32_t> seen;
  for (std::uint32_t mn = 0; mn < size; ++mn) {
    for (std::uint32_t k = 0; k < depth; ++k) seen.insert(dev::element_address(m, major_k, mn, k));
  }
  return seen;
}

template <int n>
constexpr bool compiles = dev::wgmma_width<n>;

}  // namespace

TEST_CASE("a matrix descriptor has its fields at the bits of the PTX manual") {
  STATIC_REQUIRE(MatrixDescriptor{0x10, 0, 0, 0, Swizzle::none}.encode() == 1);
  STATIC_REQUIRE(MatrixDescriptor{0, 0x10, 0, 0, Swizzle::none}.encode() == std::uint64_t{1} << 16);
  STATIC_REQUIRE(MatrixDescriptor{0, 0, 0x10, 0, Swizzle::none}.encode() == std::uint64_t{1} << 32);
  STATIC_REQUIRE(MatrixDescriptor{0, 0, 0, 5, Swizzle::none}.encode() == std::uint64_t{5} << 49);
  STATIC_REQUIRE(MatrixDescriptor{0, 0, 0, 0, Swizzle::bytes_128}.encode() == std::uint64_t{1} << 62);
  STATIC_REQUIRE(MatrixDescriptor{0, 0, 0, 0, Swizzle::bytes_64}.encode() == std::uint64_t{2} << 62);
  STATIC_REQUIRE(MatrixDescriptor{0, 0, 0, 0, Swizzle::bytes_32}.encode() == std::uint64_t{3} << 62);
  STATIC_REQUIRE(dev::k_major_descriptor(0x2400) == 0x4000'0040'0001'0240);
  const auto back = MatrixDescriptor::decode(dev::mn_major_descriptor(0x30400, 22528));
  CHECK(back.address == 0x30400);
  CHECK(back.leading == 22528);
  CHECK(back.stride == 1024);
  CHECK(back.swizzle == Swizzle::bytes_128);
}

TEST_CASE("the swizzle of 128 bytes puts chunk c of row r at chunk c ^ r % 8") {
  for (std::uint32_t row = 0; row < 64; ++row) {
    for (std::uint32_t byte = 0; byte < 128; ++byte)
      CHECK(dev::swizzled_128(row, byte) == 128 * row + 16 * (byte / 16 ^ row % 8) + byte % 16);
  }
}

TEST_CASE("swizzles of 64 and 32 bytes change two bits and one bit of an address") {
  STATIC_REQUIRE(dev::swizzled(0x380, Swizzle::bytes_128) == 0x3f0);
  STATIC_REQUIRE(dev::swizzled(0x380, Swizzle::bytes_64) == 0x3b0);
  STATIC_REQUIRE(dev::swizzled(0x380, Swizzle::bytes_32) == 0x390);
  STATIC_REQUIRE(dev::swizzled(0x380, Swizzle::none) == 0x380);
}

TEST_CASE("every layout of an operand places each element once, without gaps") {
  for (const Swizzle swizzle : {Swizzle::none, Swizzle::bytes_32, Swizzle::bytes_64, Swizzle::bytes_128}) {
    const std::uint32_t span = dev::swizzle_span(swizzle), elements = span / 2, size = 128;
    const bool plain = swizzle == Swizzle::none;
    const MatrixDescriptor k_major{0, plain ? 128u * 16 : 0u, plain ? 128u : 8 * span, 0, swizzle};
    const std::uint32_t depth = plain ? 16 : elements;
    const auto by_k = offsets_of(k_major, true, size, depth);
    CHECK(by_k.size() == size * depth);
    CHECK(*by_k.rbegin() == 2 * (size * depth - 1));
    const MatrixDescriptor mn_major{0, plain ? 128u * 16 : 16 * span, plain ? 128u : 8 * span, 0, swizzle};
    const auto by_mn = offsets_of(mn_major, false, size, 16);
    CHECK(by_mn.size() == size * 16);
    CHECK(*by_mn.rbegin() == 2 * (size * 16 - 1));
  }
}

TEST_CASE("a tile that a copy swizzled by 128 bytes is what a K-major descriptor finds, at every step along k") {
  for (std::uint32_t step = 0; step < 4; ++step) {
    const MatrixDescriptor m = MatrixDescriptor::decode(dev::k_major_descriptor(1024 + 32 * step));
    for (std::uint32_t row = 0; row < 176; ++row) {
      for (std::uint32_t k = 0; k < 16; ++k)
        CHECK(dev::element_address(m, true, row, k) == 1024 + dev::swizzled_128(row, 2 * (16 * step + k)));
    }
  }
}

TEST_CASE("two boxes of 64 columns are what an MN-major descriptor of 128 columns finds, at every step along k") {
  constexpr std::uint32_t keys = 176, box = keys * 128;
  for (std::uint32_t step = 0; step < keys / 16; ++step) {
    const MatrixDescriptor m = MatrixDescriptor::decode(dev::mn_major_descriptor(2048 * step, box));
    for (std::uint32_t col = 0; col < 128; ++col) {
      for (std::uint32_t k = 0; k < 16; ++k)
        CHECK(dev::element_address(m, false, col, k) ==
              col / 64 * box + dev::swizzled_128(16 * step + k, 2 * (col % 64)));
    }
  }
}

TEST_CASE("the threads of a warpgroup hold each accumulator and each element of A once") {
  for (const int columns : {8, 64, 80, 128, 176, 192, 256}) {
    std::set<int> seen;
    for (int n = 0; n < 64 * columns; ++n) {
      const auto [row, col] = dev::accumulator_at(n / (columns / 2), n % (columns / 2));
      CHECK((row >= 0 && row < 64 && col >= 0 && col < columns));
      seen.insert(row * columns + col);
    }
    CHECK(static_cast<int>(seen.size()) == 64 * columns);
  }
  std::set<int> of_a;
  for (int n = 0; n < 512; ++n)
    of_a.insert(dev::a_fragment_at(n / 4, n % 4).row * 16 + dev::a_fragment_at(n / 4, n % 4).col);
  CHECK(of_a.size() == 512);
}

TEST_CASE("accumulators of 16 columns, rounded and packed by pairs, are registers of A: P needs no shuffle") {
  for (int thread = 0; thread < 128; ++thread) {
    for (int reg = 0; reg < 4; ++reg) CHECK(dev::a_fragment_at(thread, reg) == dev::accumulator_at(thread, 2 * reg));
  }
}

TEST_CASE("a width that is no multiple of 8 does not compile") {
  STATIC_REQUIRE(compiles<8>);
  STATIC_REQUIRE(compiles<176>);
  STATIC_REQUIRE_FALSE(compiles<84>);
  STATIC_REQUIRE_FALSE(compiles<0>);
  STATIC_REQUIRE_FALSE(compiles<264>);
}
