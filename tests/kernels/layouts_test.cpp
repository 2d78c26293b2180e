// The layouts of kernels/dev/descriptor.h against tables printed from the notation of CuTe, in layouts/, by a script
// that shares nothing with them.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/dev/descriptor.h"
#include "sim/base/text.h"

namespace {

using Table = std::vector<std::vector<std::string>>;

Table table(const std::string& name) {
  const auto path = std::filesystem::path(FLASHSCOPE_KERNELS).parent_path() / "tests/kernels/layouts" / (name + ".csv");
  INFO(path);
  std::ifstream in(path);
  Table rows;
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    for (const std::string_view cell : sim::split(line, ",")) rows.back().emplace_back(cell);
  }
  REQUIRE(!rows.empty());
  return rows;
}

/// The cell "thread.value" of an element.
std::string held_by(int thread, int value) { return sim::text(thread, ".", value); }

}  // namespace

TEST_CASE("the threads of a warpgroup hold an accumulator as the tables of CuTe say") {
  for (const int columns : {16, 80}) {
    const Table rows = table(sim::text("accumulator_m64n", columns));
    REQUIRE(rows.size() == 64);
    for (int thread = 0; thread < 128; ++thread) {
      for (int reg = 0; reg < columns / 2; ++reg) {
        const dev::Position at = dev::accumulator_at(thread, reg);
        REQUIRE(rows.at(static_cast<std::size_t>(at.row)).at(static_cast<std::size_t>(at.col)) == held_by(thread, reg));
      }
    }
  }
}

TEST_CASE("the registers of A hold two neighbouring k of the table of CuTe") {
  const Table rows = table("a_registers_m64k16");
  for (int thread = 0; thread < 128; ++thread) {
    for (int value = 0; value < 8; ++value) {
      const dev::Position at = dev::a_fragment_at(thread, value / 2);
      const auto column = static_cast<std::size_t>(at.col + value % 2);
      REQUIRE(rows.at(static_cast<std::size_t>(at.row)).at(column) == held_by(thread, value));
    }
  }
}

TEST_CASE("a K-major tile has its elements where the table of CuTe has them") {
  const Table rows = table("k_major_16x64_sbo1024");
  const auto descriptor = dev::MatrixDescriptor::decode(dev::k_major_descriptor(0));
  for (std::uint32_t row = 0; row < 16; ++row) {
    for (std::uint32_t k = 0; k < 64; ++k)
      REQUIRE(std::to_string(dev::element_address(descriptor, true, row, k)) == rows.at(row).at(k));
  }
}

TEST_CASE("an MN-major tile has its elements where the table of CuTe has them") {
  const Table lines = table("mn_major_16x128_lbo8192_sbo1024");
  const auto descriptor = dev::MatrixDescriptor::decode(dev::mn_major_descriptor(0, 8192));
  for (std::uint32_t k = 0; k < 16; ++k) {
    for (std::uint32_t mn = 0; mn < 128; ++mn)
      REQUIRE(std::to_string(dev::element_address(descriptor, false, mn, k)) == lines.at(k).at(mn));
  }
}
